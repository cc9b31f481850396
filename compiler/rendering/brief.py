"""The judge's brief: its system prompt, with the whole contract, the rules of evidence, and the
answer explained from the table that its schema is made from."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from .. import judging
from ..ir import document as ir
from .fence import CONTRACT
from .fragments import built_in, rendered
from .views import contract_view

Answer = Literal["verdict", "action", "done", "rubric"]
"""How the judge is to answer: by goalspec's own schema; `action` and `done` are what two
generations of hosts read, `rubric` what graders of outputs do."""


@dataclass(frozen=True, slots=True)
class Explained:
    """A field or a word of the answer."""

    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A field whose value is one of a few words."""

    name: str
    words: tuple[Explained, ...]


def judge_brief(
    goal: ir.Goal, answer: Answer = "verdict", accept: bool = True, waived: Collection[str] = ()
) -> str:
    """The judge's system prompt for *goal*; *accept* and *waived* as for `verdict_schema`."""
    lists = [kind for kind, _ in judging.judged(goal, waived).lists()]
    choices = [
        Choice("`decision`", _explained(judging.decisions(accept))),
        *(Choice(f"The `outcome` of {kind}", _explained(judging.OUTCOMES[kind])) for kind in lists),
    ]
    return rendered(
        built_in(CONTRACT), "judge.j2", goal=contract_view(goal), answer=answer,
        provenances=_explained(judging.PROVENANCES),
        verdict=_explained(judging.verdict_fields(lists, accept)),
        part=_explained(judging.PART_FIELDS if lists else {}),
        quote=_explained(judging.QUOTE_FIELDS if lists else {}),
        step=_explained(judging.NEXT_STEP_FIELDS), choices=tuple(choices),
    ).text  # fmt: skip


def _explained(table: Mapping[str, str]) -> tuple[Explained, ...]:
    return tuple(Explained(name, meaning) for name, meaning in table.items())
