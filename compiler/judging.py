"""What a judge decides: the parts of a goal without a check, and the verdict that it answers with.

One table says what the verdict's fields and words mean; the JSON Schema and the judge's brief are
both made from it. The schema keeps to what the strict modes of providers know: every object closed,
every property required, no bounds. It asks for exactly the judged parts, by their ids, so that one
left out or invented is no verdict.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .ir import document as ir

Kind = Literal["criteria", "constraints", "stops"]

MAX_CHOICES = 250  # of ids in one place; providers bound longer enumerations

OUTCOMES: Mapping[Kind, Mapping[str, str]] = {
    "criteria": {
        "met": "the evidence shows all of it",
        "unmet": "the evidence shows that it, or a part of it, does not hold",
        "unclear": "the evidence does not tell",
    },
    "constraints": {
        "held": "the evidence shows that it was kept",
        "violated": "the evidence shows that it was not",
        "unclear": "the evidence does not tell",
    },
    "stops": {
        "stopped": "the evidence shows that it has come about",
        "held": "the evidence shows that it has not",
        "unclear": "the evidence does not tell",
    },
}
"""What a judge may say of a part, by the list that the part stands in."""

PROVENANCES: Mapping[str, str] = {
    "fact": "a value that the host measured",
    "tool": "the result of a tool, as the tool gave it",
    "user": "what a person wrote",
    "assistant": "what the worker wrote",
}
"""Where an evidence item comes from. Only facts and tools can show something (ruling 42)."""

MESSAGE = """\
The evidence of the run, oldest first:
<evidence-@@NONCE@@>
@@EVIDENCE@@
</evidence-@@NONCE@@>

What the worker says of its work, which is a claim:
<claim-@@NONCE@@>
@@CLAIM@@
</claim-@@NONCE@@>
"""
"""What the judge is asked, beside its brief. No string of a goal file is in it."""

PLACEHOLDERS: Mapping[str, str] = {
    "@@NONCE@@": "a random word that stands nowhere in what replaces the other two; a new one for "
    "each request",
    "@@EVIDENCE@@": "the evidence items, each under a line `[ID | PROVENANCE]` with an id of its "
    f"own and one of {', '.join(PROVENANCES)}; where one is cut, the cut is shown",
    "@@CLAIM@@": "the worker's last message, or its reason for ending",
}

DECISIONS: Mapping[str, str] = {
    "accept": "every judged criterion is met and every judged constraint held, advisory ones "
    "aside, and no judged stop has come about",
    "continue": "something is open, and the worker can bring it about",
    "blocked": "a stop has come about, or something is open that the worker cannot bring about",
}

PART_FIELDS: Mapping[str, str] = {
    "evidence": "the quotes that the outcome rests on, each with the id of its item; empty where "
    "there are none",
    "reason": "in one sentence, how they lead to the outcome",
    "outcome": "one word",
}
QUOTE_FIELDS: Mapping[str, str] = {
    "source": "the id of the evidence item",
    "quote": "words of that item, copied exactly, long enough to be found",
}
LISTS: Mapping[Kind, str] = {
    "criteria": "each judged criterion, by its id",
    "constraints": "each judged constraint, by its id",
    "stops": "each judged stop, by its id",
}
NEXT_STEP_FIELDS: Mapping[str, str] = {
    "part": "the id of the part that it serves",
    "step": "what to do, in a sentence or two, complete for somebody who reads only this; with "
    "`blocked`, what is missing and from whom",
}


@dataclass(frozen=True, slots=True)
class Judged:
    """The parts that a judge decides, in the order of the text."""

    criteria: tuple[ir.Criterion, ...]
    constraints: tuple[ir.Constraint, ...]
    stops: tuple[ir.Stop, ...]

    def lists(self) -> Iterator[tuple[Kind, tuple[str, ...]]]:
        """The ids of each list that is not empty."""
        kinds: tuple[tuple[Kind, tuple[ir.Condition, ...]], ...] = (
            ("criteria", self.criteria),
            ("constraints", self.constraints),
            ("stops", self.stops),
        )
        for kind, parts in kinds:
            if parts:
                yield kind, tuple(part.id for part in parts)


def judged(goal: ir.Goal, waived: Collection[str] = ()) -> Judged:
    """What is left to a judge; *waived* are ids of parts whose `when` is false."""
    return Judged(
        tuple(part for part in goal.criteria if part.check is None and part.id not in waived),
        tuple(part for part in goal.constraints if part.check is None and part.id not in waived),
        tuple(part for part in goal.stops if part.check is None and part.id not in waived),
    )


def decisions(accept: bool) -> dict[str, str]:
    """What the judge may decide; over an unmet floor it cannot accept (ruling 50)."""
    return {word: why for word, why in DECISIONS.items() if accept or word != "accept"}


def verdict_fields(kinds: Collection[Kind], accept: bool) -> dict[str, str]:
    """The fields of a verdict in which the lists *kinds* are asked for, and their meanings."""
    nothing = "; null with `accept`, and only then" if accept else ""
    return {
        **{kind: LISTS[kind] for kind in kinds},
        "decision": "one word",
        "next_step": f"the one thing that would help the worker most now{nothing}",
    }


def conditional(goal: ir.Goal) -> list[str]:
    """The judged parts that are owed only where their `when` holds."""
    parts = judged(goal)
    return [part.id for part in (*parts.criteria, *parts.constraints, *parts.stops) if part.when]


def verdict_schema(
    goal: ir.Goal, accept: bool = True, waived: Collection[str] = ()
) -> dict[str, Any]:
    """The JSON Schema of a verdict on *goal*."""
    lists = dict(judged(goal, waived).lists())
    fields = verdict_fields(tuple(lists), accept)
    properties: dict[str, Any] = {
        kind: _object({id: {"$ref": f"#/$defs/{kind}"} for id in ids}, fields[kind])
        for kind, ids in lists.items()
    }
    properties["decision"] = _choice(decisions(accept), fields["decision"])
    step = _object(
        {
            "part": _id_of(goal),
            "step": {"type": "string", "description": NEXT_STEP_FIELDS["step"]},
        }
    )
    properties["next_step"] = {
        "anyOf": [step, {"type": "null"}] if accept else [step],
        "description": fields["next_step"],
    }
    schema = _object(properties)
    if lists:
        schema["$defs"] = {kind: _part(kind) for kind in lists}
    return schema


def _part(kind: Kind) -> dict[str, Any]:
    quote = {name: {"type": "string", "description": why} for name, why in QUOTE_FIELDS.items()}
    return _object(
        {
            "evidence": {
                "type": "array",
                "items": _object(quote),
                "description": PART_FIELDS["evidence"],
            },
            "reason": {"type": "string", "description": PART_FIELDS["reason"]},
            "outcome": _choice(OUTCOMES[kind], PART_FIELDS["outcome"]),
        }
    )


def _id_of(goal: ir.Goal) -> dict[str, Any]:
    ids = [part.id for part in (*goal.criteria, *goal.constraints, *goal.stops)]
    choice = {"enum": ids} if len(ids) <= MAX_CHOICES else {}
    return {"type": "string", **choice, "description": NEXT_STEP_FIELDS["part"]}


def _object(properties: dict[str, Any], description: str | None = None) -> dict[str, Any]:
    shown = {} if description is None else {"description": description}
    return {
        "type": "object",
        **shown,
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _choice(words: Mapping[str, str], what: str) -> dict[str, Any]:
    meanings = "; ".join(f"{word}: {why}" for word, why in words.items())
    return {"type": "string", "enum": list(words), "description": f"{what}. {meanings}"}
