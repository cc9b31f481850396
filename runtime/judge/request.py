"""A request to a judge: the goal, what the machine has decided of it, the evidence and the worker's
claim; and what a model is asked, which is made of nothing else.

The contract stands in the judge's brief, whole. The fence's word is the caller's, who keeps it, so
that the same request is the same text again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from ...compiler.ir.document import Goal
from ...compiler.judging import MESSAGE, PLACEHOLDERS, Judged, judged, verdict_schema
from ..verdict import Result, Verdict
from .evidence import (
    CHECKS,
    BadRequest,
    Evidence,
    Provenance,
    ShownEvidence,
    check_ids,
    shown_evidence,
)
from .quotes import folded

Mode: TypeAlias = Literal["full", "unmet_floor"]
"""Whether the judge may accept: over an unmet floor it cannot."""

_FENCE_WORD = re.compile(r"[0-9a-z]{16,64}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked: its system prompt, one message, and the schema of the answer."""

    system: str
    message: str
    schema: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The request as JSON values, for whatever carries it to a model."""
        return {"system": self.system, "message": self.message, "schema": dict(self.schema)}


@dataclass(frozen=True)
class JudgeRequest:
    """One judgement that is to be made.

    *verdict* is the Monitor's, of the same contract; *evidence* the oldest item first; *claim* the
    worker's last message or its reason to end; *nonce* a random word for the fence, of 16 to 64
    letters and digits. Raises BadRequest.
    """

    goal: Goal
    verdict: Verdict
    evidence: tuple[Evidence, ...]
    claim: str
    nonce: str
    mode: Mode = "full"
    _shown: ShownEvidence = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.verdict.contract != self.goal.contract:
            raise BadRequest("the verdict is of another contract than the goal")
        check_ids(self.evidence)
        self._check_mode()
        checks = checks_of(self.verdict)
        items = self.evidence if checks is None else (checks, *self.evidence)
        object.__setattr__(self, "_shown", shown_evidence(items, self.claim))
        self._check_nonce()

    def _check_mode(self) -> None:
        if self.mode == "unmet_floor":
            return
        if self.mode != "full":
            raise BadRequest(f"the mode `{self.mode}` is none: there are full, unmet_floor")
        if open_parts := settled_against(self.verdict):
            raise BadRequest(
                f"no judge may accept over {', '.join(open_parts)}: ask in the mode `unmet_floor`"
            )
        if not any(True for _ in self.judged.lists()):
            raise BadRequest("nothing is left to a judge: the checks have decided")
        if all(result.outcome == "waived" for result in self.verdict.gating):
            raise BadRequest("every criterion is waived: there is nothing to accept")

    def _check_nonce(self) -> None:
        if not _FENCE_WORD.fullmatch(self.nonce):
            raise BadRequest("the nonce is 16 to 64 letters a to z and digits, at random")
        if self.nonce in self._shown.evidence or self.nonce in self._shown.claim:
            raise BadRequest("the nonce stands in the evidence or in the claim: take a new one")

    @property
    def accepts(self) -> bool:
        """May the judge accept?"""
        return self.mode == "full"

    @cached_property
    def left_out(self) -> frozenset[str]:
        """The parts without a check that are not the judge's now: waived, or their `when` is
        unknown."""
        results = (*self.verdict.criteria, *self.verdict.constraints, *self.verdict.stops)
        return frozenset(result.id for result in results if result.outcome != "judged")

    @cached_property
    def judged(self) -> Judged:
        """The parts that the judge is asked for."""
        return judged(self.goal, self.left_out)

    @property
    def shown(self) -> ShownEvidence:
        """The evidence as the judge sees it."""
        return self._shown

    @cached_property
    def quotable(self) -> dict[str, tuple[Provenance, tuple[str, ...]]]:
        """What can be quoted: each item's provenance and its folded pieces, by its id."""
        return {
            id: (item.provenance, tuple(map(folded, text.pieces)))
            for id, (item, text) in self._shown.items.items()
        }

    @cached_property
    def prompt(self) -> Prompt:
        """What the model is asked first."""
        from ...compiler.rendering import judge_brief

        return Prompt(
            judge_brief(self.goal, accept=self.accepts, waived=self.left_out),
            self._message(),
            verdict_schema(self.goal, self.accepts, self.left_out),
        )

    def again(self, problem: str) -> Prompt:
        """What the model is asked once more, after an answer with this *problem*."""
        first = self.prompt
        message = (
            f"{first.message}\nYour last answer to this was refused: {problem} Answer again, "
            "whole, with one JSON object of the schema and nothing else. One sentence a reason."
        )
        return Prompt(first.system, message, first.schema)

    def _message(self) -> str:
        values = {
            "@@NONCE@@": self.nonce,
            "@@EVIDENCE@@": self._shown.evidence,
            "@@CLAIM@@": self._shown.claim,
        }
        assert values.keys() == PLACEHOLDERS.keys()
        # In one pass: what evidence says of a placeholder is evidence.
        return re.sub("|".join(values), lambda found: values[found[0]], MESSAGE)

    @cached_property
    def hashes(self) -> dict[str, str]:
        """What a recorded answer was an answer to."""
        evidence = [[item.id, item.provenance, item.text] for item in self.evidence]
        prompt = self.prompt
        return {
            "contract": self.goal.contract,
            "prompt_hash": digest([prompt.system, prompt.message]),
            "schema_hash": digest(prompt.schema),
            "evidence_hash": digest([evidence, self.claim]),
        }


def digest(value: Any) -> str:
    """The SHA-256 of *value* as ASCII JSON: evidence may hold what UTF-8 cannot spell."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def settled_against(verdict: Verdict) -> list[str]:
    """The ids of what the machine decided, or could not decide, so that nobody may accept: gating
    criteria, binding constraints, and stops that have come about."""
    return [
        *_others(verdict.gating, ("met", "waived", "judged")),
        *_others(verdict.binding, ("held", "waived", "judged")),
        *(stop.id for stop in verdict.stops if stop.outcome == "stopped"),
    ]


def _others(results: tuple[Result, ...], good: tuple[str, ...]) -> list[str]:
    return [result.id for result in results if result.outcome not in good]


def checks_of(verdict: Verdict) -> Evidence | None:
    """What the machine decided, as an item of evidence; None where it decided nothing."""
    lines = [
        f"{kind} {result.id}: {result.outcome} ({result.explanation})"
        for kind, results in (
            ("criterion", verdict.criteria),
            ("constraint", verdict.constraints),
            ("stop", verdict.stops),
        )
        for result in results
        if result.outcome != "judged"
    ]
    return Evidence(CHECKS, "fact", "\n".join(lines)) if lines else None
