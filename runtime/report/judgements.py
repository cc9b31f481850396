"""The evaluations: what each came to, and, where a judge was asked, what it was shown and said, as
the exhibits have it that the store keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..exhibits import Exhibit
from ..judge.request import digest
from ..record.reading import BadRecord
from .contract import PartKind
from .filed import (
    FiledAnswer,
    FiledCall,
    FiledItem,
    FiledJudgement,
    FiledPart,
    FiledRequest,
    read_filed,
)
from .moments import Moment, field_of
from .texts import Text, newest, said, shortened

MAX_EVALUATIONS = 64
MAX_SHOWN = 30_000  # characters of the evidence of one request
MAX_ITEM = 4_000  # of an item, a claim, or an answer as it came
MAX_ITEMS = 64
MAX_WORDS = 1_000  # of a reason, a quote or an explanation
MAX_CALLS = 32


@dataclass(frozen=True, slots=True)
class Item:
    """What the judge was shown: one thing, and whose word it is."""

    id: str
    provenance: str
    text: Text


@dataclass(frozen=True, slots=True)
class Check:
    """What the machine had found of a part when the judge was asked."""

    id: str
    outcome: str
    explanation: Text


@dataclass(frozen=True, slots=True)
class Quote:
    source: str
    quote: Text


@dataclass(frozen=True, slots=True)
class Said:
    """What a judge says of one part, and what it rests on."""

    kind: PartKind
    id: str
    outcome: str
    reason: Text
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole answer of one judge."""

    decision: str
    parts: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a judge: *read_as* is what it was read as, *reply* the answer as it came."""

    at: str
    took: float
    model: str
    provider: str
    parameters: Text | None
    member: int
    problem: Text | None
    read_as: str
    reply: Text | None
    tokens: int | None
    cost: str | None
    hashes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Request:
    """What a judge was asked about: *items* are its evidence, of which *left_out* are not here."""

    contract: str
    mode: str
    claim: Text
    checks: tuple[Check, ...]
    items: tuple[Item, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class CameTo:
    """What came of a judgement, and what it took; *answers* are there where several judges gave
    one."""

    state: str
    decision: str | None
    detail: Text | None
    next_step: Text | None
    parts: tuple[Said, ...]
    answers: tuple[Answer, ...]
    invocations: int
    tokens: int
    cost: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge was asked, and what it *came_to*, unless it never ended. *entry* is that of the
    journal which took it up, under its *hash*. *unreadable* has what of its exhibits is not what
    goalspec writes."""

    request: Request | None = None
    calls: tuple[Call, ...] = ()
    calls_left_out: int = 0
    came_to: CameTo | None = None
    hash: str | None = None
    entry: int | None = None
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """*entry*, *at*, *outcome* and *reason* are the journal's answer to it, where it has one."""

    id: str
    entry: int | None
    at: str | None
    outcome: str | None
    reason: str | None
    judgements: tuple[Judgement, ...]


@dataclass(frozen=True, slots=True)
class Evaluations:
    """Those of the goal, the oldest first, after *left_out* others. *missing* are the entries that
    took up a judgement of which no exhibit is kept."""

    shown: tuple[Evaluation, ...]
    left_out: int
    missing: tuple[int, ...]


def evaluations_of(
    earlier: Iterable[Moment], moments: Sequence[Moment], exhibits: Iterable[Exhibit]
) -> Evaluations:
    """What is known of the evaluations in *moments*; those of *earlier* goals are left aside."""
    taken = dict(_taken(moments))
    before = set(_awaited(earlier))
    filed: dict[str, list[Exhibit]] = {id: [] for id in _awaited(moments)}
    for exhibit in exhibits:
        if exhibit.evaluation not in before:
            filed.setdefault(exhibit.evaluation, []).append(exhibit)
    answers = {
        str(moment.event.details.get("evaluation")): moment
        for moment in moments
        if moment.event.kind == "evaluated"
    }
    whole = [
        _evaluation(id, answers.get(id), filed[id], taken)
        for id in filed
        if filed[id] or id in answers
    ]
    found = {one.hash for evaluation in whole for one in evaluation.judgements}
    shown, left_out = newest(whole, MAX_EVALUATIONS)
    missing = tuple(entry for hash, entry in taken.items() if hash not in found)
    return Evaluations(shown, left_out, missing)


def last_judged(evaluations: Evaluations) -> dict[str, str]:
    """What the last judge that decided found of each part, by its id."""
    for evaluation in reversed(evaluations.shown):
        for judgement in reversed(evaluation.judgements):
            if judgement.came_to is not None and judgement.came_to.parts:
                return {part.id: part.outcome for part in judgement.came_to.parts}
    return {}


def _taken(moments: Iterable[Moment]) -> Iterator[tuple[str, int]]:
    """The hashes of the judgements that the loop took up, each with its entry."""
    for moment in moments:
        hash = field_of(moment.after, "loop", "exhibit")
        if isinstance(hash, str) and hash != field_of(moment.before, "loop", "exhibit"):
            yield hash, moment.number


def _awaited(moments: Iterable[Moment]) -> Iterator[str]:
    """The ids of what awaited an evaluation, in order."""
    for moment in moments:
        id = field_of(moment.event.changes, "pending", "evaluation")
        if isinstance(id, str):
            yield id


def _evaluation(
    id: str, answer: Moment | None, exhibits: Iterable[Exhibit], taken: Mapping[str, int]
) -> Evaluation:
    judgements = tuple(_judgement(group, taken) for group in _groups(exhibits))
    if answer is None:
        return Evaluation(id, None, None, None, None, judgements)
    details = answer.event.details
    outcome, reason = details.get("outcome"), details.get("reason")
    return Evaluation(
        id, answer.number, answer.event.at,
        None if outcome is None else str(outcome), None if reason is None else str(reason),
        judgements,
    )  # fmt: skip


def _groups(exhibits: Iterable[Exhibit]) -> Iterator[list[Exhibit]]:
    """The exhibits of each judgement: a request, its calls, what came of them."""
    group: list[Exhibit] = []
    for exhibit in exhibits:
        if group and (exhibit.kind == "request" or group[-1].kind == "judgement"):
            yield group
            group = []
        group.append(exhibit)
    if group:
        yield group


def _judgement(exhibits: Sequence[Exhibit], taken: Mapping[str, int]) -> Judgement:
    judgement = Judgement()
    calls: list[Call] = []
    unreadable: list[str] = []
    for exhibit in exhibits:
        try:
            match exhibit.kind:
                case "request":
                    filed = read_filed(FiledRequest, exhibit.content)
                    judgement = replace(judgement, request=_request(filed))
                case "call":
                    calls.append(_call(read_filed(FiledCall, exhibit.content)))
                case "judgement":
                    hash = digest(exhibit.content)
                    judgement = replace(judgement, hash=hash, entry=taken.get(hash))
                    ended = read_filed(FiledJudgement, exhibit.content)
                    judgement = replace(judgement, came_to=_came_to(ended))
        except BadRecord as error:
            unreadable.append(f"the {exhibit.kind} cannot be read: {'; '.join(error.problems)}")
    shown, left_out = newest(calls, MAX_CALLS)
    return replace(judgement, calls=shown, calls_left_out=left_out, unreadable=tuple(unreadable))


def _request(filed: FiledRequest) -> Request:
    items, left_out = filed.evidence[:MAX_ITEMS], len(filed.evidence[MAX_ITEMS:])
    each = min(MAX_ITEM, MAX_SHOWN // max(len(items), 1))
    checks = (*filed.criteria, *filed.constraints, *filed.stops)
    return Request(
        contract=filed.contract,
        mode=filed.mode,
        claim=shortened(filed.claim, MAX_ITEM),
        checks=tuple(
            Check(one.id, one.outcome, shortened(one.explanation, MAX_WORDS)) for one in checks
        ),
        items=tuple(_item(one, each) for one in items),
        left_out=left_out,
    )


def _item(filed: FiledItem, most: int) -> Item:
    return Item(filed.id, filed.provenance, shortened(filed.text, most))


def _call(filed: FiledCall) -> Call:
    usage = filed.usage
    return Call(
        at=filed.at,
        took=filed.took,
        model=filed.model,
        provider=filed.provider,
        parameters=said(filed.parameters, MAX_WORDS) if filed.parameters else None,
        member=filed.member,
        problem=None if filed.problem is None else shortened(filed.problem, MAX_WORDS),
        read_as=_read_as(filed),
        reply=None if filed.reply is None else shortened(filed.reply.text, MAX_ITEM),
        tokens=None if usage is None else usage.input_tokens + usage.output_tokens,
        cost=None if usage is None else usage.cost,
        hashes=(
            ("contract", filed.contract),
            ("prompt", filed.prompt_hash),
            ("schema", filed.schema_hash),
            ("evidence", filed.evidence_hash),
        ),
    )


def _read_as(filed: FiledCall) -> str:
    if filed.failure is not None:
        return f"no reply: {filed.failure.kind}: {filed.failure.detail}"
    if "invalid" in filed.verdict:
        return f"no answer: {filed.verdict['invalid']}"
    decision = field_of(filed.verdict, "answer", "decision")
    return "an answer" if decision is None else f"an answer: {decision}"


def _came_to(filed: FiledJudgement) -> CameTo:
    outcome, spent = filed.outcome, filed.spent
    step = outcome.next_step
    several = len(outcome.answers) > 1
    return CameTo(
        state=outcome.state or "",
        decision=outcome.decision,
        detail=None if outcome.detail is None else shortened(outcome.detail, MAX_WORDS),
        next_step=None if step is None else shortened(f"{step.part}: {step.step}", MAX_WORDS),
        parts=tuple(_said(outcome)),
        answers=tuple(_answer(one) for one in outcome.answers) if several else (),
        invocations=spent.invocations,
        tokens=spent.tokens,
        cost=spent.cost,
    )


def _answer(filed: FiledAnswer) -> Answer:
    return Answer(filed.decision or "", tuple(_said(filed)))


def _said(filed: FiledAnswer) -> Iterator[Said]:
    lists: dict[PartKind, dict[str, FiledPart]] = {
        "criterion": filed.criteria, "constraint": filed.constraints, "stop": filed.stops,
    }  # fmt: skip
    for kind, parts in lists.items():
        for id, part in parts.items():
            quotes = (Quote(q.source, shortened(q.quote, MAX_WORDS)) for q in part.evidence)
            reason = shortened(part.reason, MAX_WORDS)
            yield Said(kind, id, part.outcome, reason, tuple(quotes))
