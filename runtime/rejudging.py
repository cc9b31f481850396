"""The judgements of a session made again, from its exhibits and without a network, and held against
the hashes that the journal took of them.

What the loop acted on has its hash in the journal, whose chain nobody changes unseen. So each of
these must be there as it was; a judgement that the journal does not have was made and never acted
on, since the run died or the goal changed meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..compiler.ir.document import Goal
from .exhibits import Exhibit
from .judge.evidence import BadRequest
from .judge.outcome import STATES
from .judge.replaying import ReplayRefused, replay
from .judge.request import digest
from .judge.storing import read_request
from .lifecycle.events import Event
from .record.reading import BadRecord, read_field
from .store.port import Entry


@dataclass(frozen=True, slots=True)
class Rejudged:
    """A judgement of *evaluation*, in its *mode*: what was *recorded*, what it is *again*, or why
    it was *refused*. *taken*: does the journal have it?"""

    evaluation: str
    mode: str | None = None
    recorded: str | None = None
    again: str | None = None
    refused: str | None = None
    taken: bool = True

    @property
    def same(self) -> bool:
        return self.refused is None

    def to_json(self) -> dict[str, Any]:
        return {
            "evaluation": self.evaluation,
            "mode": self.mode,
            "recorded": self.recorded,
            "again": self.again,
            "same": self.same,
            "refused": self.refused,
            "taken": self.taken,
        }


@dataclass(frozen=True, slots=True)
class Seal:
    """The hash of a judgement, which entry *number* of the journal took up."""

    number: int
    evaluation: str
    digest: str


def rejudged(
    exhibits: Sequence[Exhibit], entries: Sequence[Entry], kept: int
) -> Iterator[Rejudged]:
    """Each judgement among *exhibits*, oldest first, and then those that are missing: of the last
    *kept* evaluations everything is there."""
    seals = list(sealed(entries))
    goals = goals_of(entry.event for entry in entries)
    cases = _cases(exhibits)
    taken = {(seal.evaluation, seal.digest) for seal in seals}
    found = {(case.evaluation, case.digest) for case in cases}
    missing = {
        seal.evaluation: seal
        for seal in _retained(seals, exhibits, kept)
        if (seal.evaluation, seal.digest) not in found
    }
    for case in cases:
        is_taken = (case.evaluation, case.digest) in taken
        other = None if is_taken else missing.pop(case.evaluation, None)
        yield _rejudged(case, goals, is_taken, other)
    for seal in missing.values():
        why = f"the judgement that entry {seal.number} of the journal took up is not there"
        yield Rejudged(seal.evaluation, refused=why)


def sealed(entries: Iterable[Entry]) -> Iterator[Seal]:
    """The judgements that the journal took up. One that came with a goal is of another session."""
    loop: Mapping[str, Any] = {}
    for entry in entries:
        if "loop" not in entry.event.changes:
            continue
        before, loop = loop, entry.event.changes["loop"] or {}
        taken = loop.get("exhibit")
        if entry.event.kind == "kept" and taken not in (None, before.get("exhibit")):
            asked = before.get("asked") or {}
            yield Seal(entry.number, asked.get("evaluation") or "", taken)


def _retained(seals: Sequence[Seal], exhibits: Sequence[Exhibit], kept: int) -> Sequence[Seal]:
    """Those whose judgements cannot have made way. Evaluations that the journal took nothing of
    take the place of others too."""
    sealed = {seal.evaluation for seal in seals}
    room = kept - len({exhibit.evaluation for exhibit in exhibits} - sealed)
    return seals[-room:] if room > 0 else ()


def goals_of(events: Iterable[Event]) -> dict[str, Goal]:
    """The goals that a session had, by their contracts."""
    goals: dict[str, Goal] = {}
    for event in events:
        value = event.changes.get("goal")
        if value is None:
            continue
        try:
            goal = read_field("goal", value)
        except BadRecord:
            continue  # a judgement on it will say that its goal is not there
        if goal is not None:
            goals[goal.contract] = goal
    return goals


# --- one judgement


@dataclass(frozen=True, slots=True)
class _Case:
    """A judgement and its hash, the request that it answers, and the calls filed between them."""

    evaluation: str
    judgement: Any
    digest: str
    request: Any
    calls: list[Any]


def _cases(exhibits: Iterable[Exhibit]) -> list[_Case]:
    requests: dict[str, Any] = {}
    calls: dict[str, list[Any]] = {}
    cases = []
    for exhibit in exhibits:
        of, content = exhibit.evaluation, exhibit.content
        if exhibit.kind == "request":
            requests[of], calls[of] = content, []
        elif exhibit.kind == "call":
            calls.setdefault(of, []).append(content)
        else:
            made = list(calls.get(of, ()))
            cases.append(_Case(of, content, digest(content), requests.get(of), made))
    return cases


def _rejudged(case: _Case, goals: Mapping[str, Goal], taken: bool, other: Seal | None) -> Rejudged:
    """*other* is the judgement that the journal has in its place."""
    mode, recorded = _said(case.judgement, "mode"), _word(case.judgement)
    try:
        if other is not None:
            raise ReplayRefused(
                f"it is not the judgement that entry {other.number} of the journal took up"
            )
        again = _again(case, goals)
    except (ReplayRefused, BadRequest) as refused:
        return Rejudged(case.evaluation, mode, recorded, None, str(refused), taken)
    return Rejudged(case.evaluation, mode, recorded, again or recorded, None, taken)


def _again(case: _Case, goals: Mapping[str, Goal]) -> str | None:
    """The decision, made again; None where there was none. Raises ReplayRefused, BadRequest."""
    judgement = case.judgement
    if not isinstance(judgement, Mapping):
        raise ReplayRefused("this is no record of a judgement")
    if _said(case.request, "nonce") != judgement.get("nonce") or case.request is None:
        raise ReplayRefused("the request that it answers is not there")
    if case.request.get("mode") != judgement.get("mode"):
        raise ReplayRefused("it was asked for in another mode")
    goal = goals.get(_said(case.request, "contract") or "")
    if goal is None:
        raise ReplayRefused("the session never had the goal that it was asked about")
    request = read_request(case.request, goal)
    if judgement.get("calls") != case.calls:
        raise ReplayRefused("the calls that were filed are not those of the judgement")
    decided = replay(judgement, request)
    if decided is None:
        return None
    return "stopped" if decided.stopped else decided.decision


def _said(value: Any, name: str) -> str | None:
    said = value.get(name) if isinstance(value, Mapping) else None
    return said if isinstance(said, str) else None


def _word(judgement: Any) -> str | None:
    """What was recorded, in a word: the decision, or why there is none."""
    outcome = judgement.get("outcome") if isinstance(judgement, Mapping) else None
    state = _said(outcome, "state")
    if state != "decided":
        return state if state in STATES.values() else None
    stops = outcome.get("stops") if isinstance(outcome, Mapping) else None
    parts = stops.values() if isinstance(stops, Mapping) else ()
    stopped = any(_said(part, "outcome") == "stopped" for part in parts)
    return "stopped" if stopped else _said(outcome, "decision")
