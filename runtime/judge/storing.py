"""A request as plain JSON, and back: what a record of its judgement is replayed against, when the
run and its Monitor are gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from ...compiler.ir.document import Condition, Goal
from ..verdict import Outcome, Result, Verdict
from .evidence import BadRequest, Evidence
from .record import first_fault
from .request import JudgeRequest, Mode

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class _Result:
    """One part's outcome, with its explanation made."""

    id: str
    outcome: Outcome
    mode: str
    explanation: str


@dataclass(frozen=True, slots=True)
class _Stored:
    """What a request is made of, beside its goal."""

    contract: str
    mode: Mode
    nonce: str
    claim: str
    evidence: tuple[Evidence, ...]
    criteria: tuple[_Result, ...]
    constraints: tuple[_Result, ...]
    stops: tuple[_Result, ...]


def write_request(request: JudgeRequest) -> dict[str, Any]:
    """*request* as JSON values; the goal is named by its contract."""
    verdict = request.verdict
    return asdict(
        _Stored(
            request.goal.contract, request.mode, request.nonce, request.claim, request.evidence,
            tuple(_stored(verdict.criteria)), tuple(_stored(verdict.constraints)),
            tuple(_stored(verdict.stops)),
        )
    )  # fmt: skip


def read_request(value: Any, goal: Goal) -> JudgeRequest:
    """The request that `write_request` wrote of *goal*. Raises BadRequest."""
    from pydantic import ValidationError

    try:
        found = _reader().validate_python(value)
    except ValidationError as error:
        raise BadRequest(f"this is no request of a judgement: {first_fault(error)}") from None
    if found.contract != goal.contract:
        raise BadRequest(f"the request is of the contract {found.contract}, not of {goal.contract}")
    verdict = Verdict(
        goal.id,
        goal.contract,
        tuple(_results(found.criteria, goal.criteria)),
        tuple(_results(found.constraints, goal.constraints)),
        tuple(_results(found.stops, goal.stops)),
    )
    return JudgeRequest(goal, verdict, found.evidence, found.claim, found.nonce, found.mode)


def _stored(results: Iterable[Result]) -> Iterator[_Result]:
    for result in results:
        yield _Result(result.id, result.outcome, result.mode, result.explanation)


def _results(stored: tuple[_Result, ...], parts: tuple[Condition, ...]) -> Iterator[Result]:
    if [one.id for one in stored] != [part.id for part in parts]:
        raise BadRequest("the outcomes are not those of the goal's parts, in their order")
    for one, part in zip(stored, parts, strict=True):
        explain = partial(str, one.explanation)
        yield Result(one.id, part.text, one.outcome, one.mode, explain=explain)


@cache
def _reader() -> TypeAdapter[_Stored]:
    from pydantic import TypeAdapter

    return TypeAdapter(_Stored)
