"""What a judge's answer says, or what is wrong with it.

An answer counts only if it holds together: each judged part once, in its own words, with quotes
that stand in the evidence; what is shown rests on a fact or on a tool's result; and no accept
beside anything that bars it. What is wrong is said without repeating the answer, which may have
been copied from the evidence. Words are compared without their case and the white space around
them; keys that nobody asked for are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from ...compiler.judging import DECISIONS, OUTCOMES, Kind, decisions
from ...compiler.rendering.escaping import escaped_id
from .evidence import SHOWING
from .quotes import stands_in
from .reading import NoObject, Trouble, read_object
from .request import JudgeRequest

Decision: TypeAlias = Literal["accept", "continue", "blocked"]
Finish: TypeAlias = Literal["stop", "length", "filtered", "other"]
"""How a model ended: by itself, at a limit of its tokens, or stopped by its provider."""

InvalidKind: TypeAlias = (
    Trouble
    | Literal["encoding", "filtered", "missing", "word", "parts", "step", "contradiction", "quote",
              "claim"]
)  # fmt: skip

GOOD: Mapping[Kind, str] = {"criteria": "met", "constraints": "held", "stops": "held"}
"""The outcome of a part that keeps nobody from accepting."""
BARRING: Mapping[Kind, str] = {"criteria": "unmet", "constraints": "violated", "stops": "stopped"}
"""The outcome that no other judge outvotes."""
_SHOWN: Mapping[Kind, str] = {"criteria": "met", "constraints": "held", "stops": "stopped"}
"""The outcome that needs something to be shown."""

MAX_QUOTES = 16  # of one part


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of an evidence item."""

    source: str
    quote: str


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """What is said of one judged part, and what it rests on."""

    kind: Kind
    id: str
    outcome: str
    reason: str
    evidence: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class NextStep:
    """What would help the worker most, and the part that it serves."""

    part: str
    step: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A judge's answer, as it was asked for."""

    decision: Decision
    parts: tuple[PartVerdict, ...]
    next_step: NextStep | None

    def to_json(self) -> dict[str, Any]:
        """The answer in the form that its schema asks for."""
        lists: dict[str, Any] = {}
        for part in self.parts:
            lists.setdefault(part.kind, {})[part.id] = {
                "evidence": [{"source": q.source, "quote": q.quote} for q in part.evidence],
                "reason": part.reason,
                "outcome": part.outcome,
            }
        step = self.next_step
        asked = None if step is None else {"part": step.part, "step": step.step}
        return {**lists, "decision": self.decision, "next_step": asked}


@dataclass(frozen=True, slots=True)
class Invalid:
    """An answer that is none. *words* tell the judge what was wrong, in full sentences."""

    kind: InvalidKind
    words: str


class _Refused(Exception):
    """An answer that does not hold together, while it is read."""

    def __init__(self, kind: InvalidKind, words: str) -> None:
        super().__init__(words)
        self.kind: InvalidKind = kind
        self.words = words


def read_answer(
    text: str | bytes, request: JudgeRequest, finish: Finish = "stop"
) -> Answer | Invalid:
    """What the judge of *request* says in *text*, after which the model ended as *finish* says."""
    if finish == "length":
        return Invalid("truncated", "it was cut at the limit of its length.")
    if finish == "filtered":
        return Invalid("filtered", "its provider withheld it.")
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError:
            return Invalid("encoding", "it is not UTF-8.")
    found = read_object(text)
    if isinstance(found, NoObject):
        return Invalid(found.kind, found.words)
    try:
        answer = _answer(found, request)
        _check_together(answer, request)
    except _Refused as refused:
        return Invalid(refused.kind, refused.words)
    return answer


# --- the shape


def _answer(found: Mapping[str, Any], request: JudgeRequest) -> Answer:
    lists = dict(request.judged.lists())
    parts = [part for kind in OUTCOMES for part in _parts(found, kind, lists.get(kind, ()))]
    decision = _word(found, "decision", DECISIONS, "the decision")
    if decision not in decisions(request.accepts):
        raise _Refused(
            "contradiction",
            "`accept` is not yours to say here: a part that is not yours is still open.",
        )
    return Answer(cast("Decision", decision), tuple(parts), _next_step(found, request))


def _parts(found: Mapping[str, Any], kind: Kind, ids: tuple[str, ...]) -> Iterator[PartVerdict]:
    given = _field(found, kind, dict, "the answer") if ids else found.get(kind) or {}
    if not isinstance(given, dict):
        raise _Refused("shape", f"`{kind}` is an object.")
    missing = [id for id in ids if id not in given]
    invented = [id for id in given if id not in ids]
    if missing:
        raise _Refused("parts", f"`{kind}` leaves out {_names(missing)}.")
    if invented:
        asked = f"only {_names(ids)}" if ids else "none"
        raise _Refused(
            "parts", f"`{kind}` has parts that are not yours: you are asked for {asked}."
        )
    for id in ids:
        said = _field(given, id, dict, f"`{kind}`")
        where = _names([id])
        quotes = _field(said, "evidence", list, where)
        if len(quotes) > MAX_QUOTES:
            raise _Refused("shape", f"{where} has more than {MAX_QUOTES} quotes: choose the best.")
        yield PartVerdict(
            kind,
            id,
            _word(said, "outcome", OUTCOMES[kind], f"the outcome of {where}"),
            _field(said, "reason", str, where),
            tuple(_quote(quote, where) for quote in quotes),
        )


def _quote(said: Any, where: str) -> Quote:
    if not isinstance(said, dict):
        raise _Refused("shape", f"each quote of {where} is an object.")
    within = f"a quote of {where}"
    return Quote(_field(said, "source", str, within).strip(), _field(said, "quote", str, within))


def _next_step(found: Mapping[str, Any], request: JudgeRequest) -> NextStep | None:
    if "next_step" not in found:
        raise _Refused("missing", "the answer has no `next_step`.")
    if found["next_step"] is None:
        return None
    said = _field(found, "next_step", dict, "the answer")
    part = _field(said, "part", str, "`next_step`").strip()
    step = _field(said, "step", str, "`next_step`").strip()
    goal = request.goal
    if part not in {one.id for one in (*goal.criteria, *goal.constraints, *goal.stops)}:
        raise _Refused("step", "the next step is for a part that the goal does not have.")
    if not step:
        raise _Refused("step", "the next step is blank.")
    return NextStep(part, step)


def _field(said: Mapping[str, Any], name: str, kind: type, where: str) -> Any:
    if name not in said:
        raise _Refused("missing", f"{where} has no `{name}`.")
    if not isinstance(said[name], kind):
        raise _Refused("shape", f"`{name}` of {where} is {_A[kind]}.")
    return said[name]


_A: Mapping[type, str] = {dict: "an object", list: "a list", str: "a string"}


def _word(said: Mapping[str, Any], name: str, words: Mapping[str, str], what: str) -> str:
    given: str = _field(said, name, str, what)
    word = given.strip()
    if word.isascii() and word.lower() in words:
        return word.lower()
    known = ", ".join(f"`{one}`" for one in words)
    raise _Refused("word", f"{what} is one of {known}, and no other word.")


def _names(ids: Iterable[str]) -> str:
    return ", ".join(f"`{escaped_id(id)}`" for id in ids)


# --- does it hold together?


def _check_together(answer: Answer, request: JudgeRequest) -> None:
    for part in answer.parts:
        _check_quotes(part, request)
    _check_decision(answer, request)
    _check_step(answer)


def _check_quotes(part: PartVerdict, request: JudgeRequest) -> None:
    name = _names([part.id])
    shown = False
    for number, quote in enumerate(part.evidence, start=1):
        if quote.source not in request.quotable:
            raise _Refused("quote", f"quote {number} of {name} names no item that you were shown.")
        provenance, pieces = request.quotable[quote.source]
        if not stands_in(quote.quote, pieces):
            raise _Refused(
                "quote",
                f"quote {number} of {name} does not stand in `{quote.source}` as you were shown "
                "it: copy whole words of it, in one piece.",
            )
        shown = shown or provenance in SHOWING
    if part.outcome == _SHOWN[part.kind] and not shown:
        raise _Refused(
            "claim",
            f"{name} is said to be {part.outcome} without a quote of a `fact` or a `tool` item: "
            "what somebody wrote is a claim and shows nothing.",
        )


def _check_decision(answer: Answer, request: JudgeRequest) -> None:
    bars = barring(answer, request)
    if answer.decision == "accept" and bars:
        said = ", ".join(f"{_names([part.id])} is {part.outcome}" for part in bars)
        raise _Refused("contradiction", f"`accept` stands beside what bars it: {said}.")


def _check_step(answer: Answer) -> None:
    if (answer.decision == "accept") != (answer.next_step is None):
        raise _Refused(
            "step",
            "`next_step` is null with `accept`, and only then: anything else says what to do next.",
        )


def barring(answer: Answer, request: JudgeRequest) -> list[PartVerdict]:
    """What in *answer* keeps the goal from being done: advisory parts do not, nor does a stop that
    is only unclear."""
    verdict = request.verdict
    results = (*verdict.criteria, *verdict.constraints)
    advisory = {result.id for result in results if result.mode == "advisory"}
    return [
        part
        for part in answer.parts
        if part.id not in advisory
        and part.outcome != GOOD[part.kind]
        and (part.kind != "stops" or part.outcome == "stopped")
    ]
