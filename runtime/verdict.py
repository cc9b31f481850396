"""What an observation shows: an outcome for each criterion, constraint and stop, and the whole.

Explanations are made when they are asked for; outcomes are there at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from ..compiler.kernel import Unknown

Outcome = Literal["met", "unmet", "violated", "held", "stopped", "unknown", "waived", "judged"]
Floor = Literal["met", "unmet", "unknown", "empty"]


@dataclass(frozen=True)
class Result:
    """One part's outcome. *mode* is gating, awaited or advisory; *unknown* says why it is that."""

    id: str
    text: str
    outcome: Outcome
    mode: str = "gating"
    unknown: Unknown | None = None
    explain: Callable[[], str] = field(default=lambda: "", repr=False, compare=False)

    @cached_property
    def explanation(self) -> str:
        """The smallest part of the predicate that decided, with the values that it read."""
        return self.explain()

    @property
    def reason(self) -> str | None:
        """missing, stale, null, skipped, error, invalid or empty, where the outcome is unknown."""
        return self.unknown.reason if self.unknown is not None else None


@dataclass(frozen=True, slots=True)
class Note:
    """A fact that entered badly: *kind* is invalid, undeclared or clamped."""

    kind: Literal["invalid", "undeclared", "clamped"]
    fact: str
    message: str


@dataclass(frozen=True)
class Verdict:
    """The outcome of every part of a goal at one moment.

    *floor* is the fold of the checked gating criteria and constraints: `empty` where no criterion
    is checked. *done* is ruling 12's: it never holds while something is left to the judge.
    """

    goal: str
    contract: str
    criteria: tuple[Result, ...]
    constraints: tuple[Result, ...]
    stops: tuple[Result, ...]
    notes: tuple[Note, ...] = ()

    @property
    def gating(self) -> tuple[Result, ...]:
        """The criteria that count: advisory ones never gate."""
        return tuple(result for result in self.criteria if result.mode != "advisory")

    @property
    def binding(self) -> tuple[Result, ...]:
        """The constraints that count."""
        return tuple(result for result in self.constraints if result.mode != "advisory")

    @property
    def stopped(self) -> bool:
        return any(stop.outcome == "stopped" for stop in self.stops)

    @property
    def floor(self) -> Floor:
        checked = [r for r in self.gating if r.outcome in ("met", "unmet", "unknown")]
        outcomes = {r.outcome for r in (*checked, *self.binding)}
        if outcomes & {"unmet", "violated"}:
            return "unmet"
        if not checked:
            return "empty"
        return "unknown" if "unknown" in outcomes else "met"

    @property
    def done(self) -> bool:
        return (
            any(result.outcome == "met" for result in self.gating)
            and all(result.outcome in ("met", "waived") for result in self.gating)
            and all(result.outcome in ("held", "waived") for result in self.binding)
            and not self.stopped
        )

    @property
    def exit_code(self) -> int:
        """Rulings 16 and 73: 0 done, 1 unmet or violated, 3 cannot be told, 4 a true stop."""
        if self.stopped:
            return 4
        if self.done:
            return 0
        return 1 if self.floor == "unmet" else 3

    @property
    def checkable(self) -> int:
        """How many gating criteria a machine decides here and now."""
        return sum(result.outcome in ("met", "unmet", "unknown") for result in self.gating)

    def to_goal_check(self) -> dict[str, Any]:
        """`{checkable, done, met, unmet}` over the criteria with a check; unknown counts as unmet
        (row H10). `done` needs something checkable and every checked constraint shown held: an
        unknown one is not."""
        met = [r.id for r in self.gating if r.outcome == "met"]
        unmet = [r.id for r in self.gating if r.outcome in ("unmet", "unknown")]
        checkable = len(met) + len(unmet)
        violated = any(result.outcome in ("violated", "unknown") for result in self.binding)
        done = checkable >= 1 and not unmet and not violated
        return {"checkable": checkable, "done": done, "met": met, "unmet": unmet}

    def to_json(self) -> dict[str, Any]:
        """The verdict as JSON values; `goalspec check --json` prints it."""
        by_outcome: dict[str, list[str]] = {
            name: [r.id for r in self.criteria if r.outcome == name]
            for name in ("met", "unmet", "unknown", "waived", "judged")
        }
        for result in (*self.constraints, *self.stops):
            if result.outcome in ("unknown", "waived", "judged"):
                by_outcome[result.outcome].append(result.id)
        everything = (*self.criteria, *self.constraints, *self.stops)
        return {
            "goal": self.goal,
            "done": self.done,
            "floor": self.floor,
            "checkable": self.checkable,
            **by_outcome,
            "held": [r.id for r in (*self.constraints, *self.stops) if r.outcome == "held"],
            "violated": [r.id for r in self.constraints if r.outcome == "violated"],
            "stopped": [r.id for r in self.stops if r.outcome == "stopped"],
            "advisory": [r.id for r in everything if r.mode == "advisory"],
            "awaited": [r.id for r in everything if r.mode == "awaited"],
            "reasons": {r.id: r.reason for r in everything if r.reason is not None},
            "explanations": {r.id: r.explanation for r in everything},
            "notes": [
                {"kind": note.kind, "fact": note.fact, "message": note.message}
                for note in self.notes
            ],
            "contract": self.contract,
        }
