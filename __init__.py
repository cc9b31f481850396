"""goalspec: goals of long-running coding agents as reviewed files, checked against facts.

    document = goalspec.load("specs/examples/fix_flaky_login.goal")
    verdict = goalspec.check(document, {"suite": {"passed": True}})
    verdict.done, verdict.floor, [r.explanation for r in verdict.criteria]

`load` gives the document of a file or raises SpecError with every diagnostic; `compile` gives the
document, if there is one, and the diagnostics; `check` looks at one observation, a `Monitor` at a
series of them. What is named here is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .exports import exporting

if TYPE_CHECKING:
    from .compiler import Compilation, Compiler, SpecError, compile, compile_text, ir, load
    from .compiler.host_goal import BadGoal
    from .compiler.ir import Document, Goal, read_document, write_document
    from .compiler.pinning import Pin
    from .grammar import Code, Diagnostic, Label, Position, Severity, Span
    from .runtime import BadFacts, Monitor, RefusedObservation, Result, Verdict, check
    from .runtime.host import (
        BoundGoal,
        goal,
        goal_check,
        goal_judge,
        goal_messages,
        goal_pin,
        goal_reloop,
        goal_retirement,
        goal_under_obligations,
        pins_under_obligations,
        with_goal,
    )

__version__ = "0.1.0"

_HOMES = {
    "check": "runtime",
    "compile": "compiler",
    "Compilation": "compiler",
    "Compiler": "compiler",
    "SpecError": "compiler",
    "compile_text": "compiler",
    "load": "compiler",
    "Document": "compiler.ir",
    "Goal": "compiler.ir",
    "read_document": "compiler.ir",
    "write_document": "compiler.ir",
    "ir": "compiler.ir",
    "Code": "grammar",
    "Label": "grammar",
    "Position": "grammar",
    "Span": "grammar",
    "Diagnostic": "grammar",
    "Severity": "grammar",
    "BadFacts": "runtime",
    "Monitor": "runtime",
    "RefusedObservation": "runtime",
    "Result": "runtime",
    "Verdict": "runtime",
    "BadGoal": "compiler.host_goal",
    "Pin": "compiler.pinning",
    **dict.fromkeys(
        (
            "BoundGoal", "goal", "goal_check", "goal_judge", "goal_messages", "goal_pin",
            "goal_reloop", "goal_retirement", "goal_under_obligations", "pins_under_obligations",
            "with_goal",
        ),
        "runtime.host",
    ),
}  # fmt: skip

__all__ = [
    "BadFacts",
    "BadGoal",
    "BoundGoal",
    "Code",
    "Compilation",
    "Compiler",
    "Diagnostic",
    "Document",
    "Goal",
    "Label",
    "Monitor",
    "Pin",
    "Position",
    "RefusedObservation",
    "Result",
    "Severity",
    "Span",
    "SpecError",
    "Verdict",
    "check",
    "compile",
    "compile_text",
    "goal",
    "goal_check",
    "goal_judge",
    "goal_messages",
    "goal_pin",
    "goal_reloop",
    "goal_retirement",
    "goal_under_obligations",
    "ir",
    "load",
    "pins_under_obligations",
    "read_document",
    "with_goal",
    "write_document",
]


__getattr__ = exporting(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
