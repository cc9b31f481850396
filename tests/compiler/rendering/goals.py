"""Goals for the tests of rendering: one with every part, each of its strings given by the caller."""

from __future__ import annotations

from collections.abc import Callable

from goalspec.compiler.ir import document as ir
from goalspec.compiler.ir import expressions as e
from goalspec.compiler.ir.canonical import seal

CHECK = e.FactRead(name="suite.passed")


def goal_of(text: Callable[[str], str]) -> ir.Goal:
    """A goal in which the string of each place is what *text* says of the place's name."""
    held = e.Compare(
        op="==", left=e.FactRead(name="title"), right=e.Literal(type="string", value=text("check"))
    )
    return seal(
        ir.Goal(
            id="g",
            objective=text("objective"),
            criteria=(
                ir.Criterion(id="checked", text=text("checked"), check=held),
                ir.Criterion(id="judged", text=text("judged")),
                ir.Criterion(id="awaited", text=text("awaited"), check=CHECK, mode="awaited"),
                ir.Criterion(id="advised", text=text("advised"), check=CHECK, mode="advisory"),
            ),
            retired=(ir.Retired(id="old", text=text("retired")),),
            constraints=(
                ir.Constraint(id="kept", text=text("kept")),
                ir.Constraint(id="wished", text=text("wished"), mode="advisory"),
            ),
            stops=(ir.Stop(id="halt", text=text("halt")),),
            budget=ir.Budget(cost="5 USD", turns=25),
            advisory_budget=ir.Budget(turns=20),
            pinned=(ir.Pin(pin="decision", content=text("pinned")),),
            judge=ir.Judge(feedback=text("feedback")),
            protect=(ir.Protect(globs=(text("protected"),)),),
            contract="",
        )
    )


def named(place: str) -> str:
    """A harmless string that tells its place."""
    return f"What {place} says"
