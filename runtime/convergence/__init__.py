"""The loop that drives a goal to its end: a pure reducer over what happens, with what it remembers
beside the record. It decides; a driver carries out."""

from .accounting import tokens_used
from .effects import LoopEffect
from .events import LoopEvent
from .fingerprints import fingerprint
from .policy import Policy
from .reasons import REASONS
from .state import State, state_of
from .stepping import ORDER, Decision, step

__all__ = [
    "ORDER", "REASONS", "Decision", "LoopEffect", "LoopEvent", "Policy", "State", "fingerprint",
    "state_of", "step", "tokens_used",
]  # fmt: skip
