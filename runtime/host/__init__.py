"""Goals for a host without files: the same IR, checks, pins and options, from Python.

`goal` makes the value that all others take; each of them also takes what `goal` does: a mapping, a
goal or a document of a compiled file.
"""

from .bound import BoundGoal, goal, goal_check
from .judging import goal_judge
from .obligations import goal_retirement, goal_under_obligations, pins_under_obligations
from .reloop import CompletionGate, goal_reloop
from .requests import goal_messages, goal_pin, with_goal

__all__ = [
    "BoundGoal",
    "CompletionGate",
    "goal",
    "goal_check",
    "goal_judge",
    "goal_messages",
    "goal_pin",
    "goal_reloop",
    "goal_retirement",
    "goal_under_obligations",
    "pins_under_obligations",
    "with_goal",
]
