"""What an event says is written down, whatever is decided after it: the answers to what was asked,
and what became of the continuation."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from ..judge.outcome import Outage
from ..judge.quorum import Decided
from ..lifecycle.commands import Begin, DeferClaim, EndClaim, Observe, Propose, Recover, StartClaim
from ..lifecycle.draft import is_unfinished
from . import events
from .course import Course
from .effects import Disarm, Withdraw
from .fingerprints import digest
from .guards import note_continued, note_look
from .policy import BUSY_WAIT, wait_before
from .state import State


def rebind(course: Course) -> None:
    """Another goal begins with guards of its own, and a changed one with another look. A person's
    amendment has unpinned the files, and is an act of theirs, as is how the goal stands now where
    the loop did not make it so."""
    record, state = course.record, course.state
    if record.created_at != state.goal:
        _withdraw(course)
        ledger = replace(state.ledger, judgements=0, judge_tokens=0, judge_cost="0")
        course.state = State(goal=record.created_at, ledger=ledger, asks=state.asks)
        course.gates = None
    elif record.generation != state.generation:
        course.keep(fresh=False, judge_at=None)
        if course.gates is None:  # an agent's amendment calls nobody back: what it costs is charged
            _withdraw(course)
            course.forgive()
            course.keep(drift=())
    elif record.status.since != state.since and record.status.name == "active":
        course.forgive()
        course.keep(fresh=False)


def _withdraw(course: Course) -> None:
    """What a judge is asked about the goal as it was is asked no more."""
    asked = course.state.asked
    if asked is not None and asked.what == "judge":
        course.keep(asked=None)
        course.effects.append(Withdraw(asked.number))


def take(course: Course) -> None:
    match course.event:
        case events.Began():
            _begin(course, course.event)
        case events.Proposed(_, outcome, reason):
            if course.record.status.name == "active":
                course.do(Propose(outcome=outcome, reason=reason), "agent")
        case events.Observed():
            _observed(course, course.event)
        case events.Judged():
            _judged(course, course.event)
        case events.Continued():
            _continued(course, course.event)
        case events.Woke(_, monitors, human):
            if human:
                course.forgive()
            course.keep(monitors=monitors, released=True, path="monitor", fresh=False)
        case events.Timer():
            course.keep(path="timer", fresh=course.state.fresh and _awaits_judge(course))
        case events.Restarted():
            turn = course.record.turn
            if turn.state == "open" and turn.run is not None:
                course.do(Recover(run=turn.run))
            course.keep(path="restart", fresh=False, asked=None, person_waits=False, reminders=0)


def _awaits_judge(course: Course) -> bool:
    """Is a judge asked about the facts as they are? A look at the clock makes nobody ask anew."""
    asked = course.state.asked
    return asked is not None and asked.what == "judge"


def _begin(course: Course, event: events.Began) -> None:
    """A run begins: the one of the continuation, or one that comes before it."""
    claim = course.record.claim
    if course.record.turn.state == "open":
        return  # another run is at work; to begin over it would clear its goal
    held = claim is not None and claim.state == "started" and course.before(claim.expires_at)
    if event.claim is not None and (claim is None or claim.key != event.claim or not held):
        return  # somebody spoke, or it was too late
    if claim is not None:
        failed = None if claim.state == "started" else "another run began before it"
        course.do(EndClaim(key=claim.key, owner=claim.owner, failed=failed))
        if failed is not None:
            course.effects.append(Disarm(claim.key, failed))
    course.guard(failures=0)
    if not course.record.sealed:
        course.do(Begin(run=event.run))


def _observed(course: Course, event: events.Observed) -> None:
    asked, verdict = course.state.asked, course.verdict
    if asked is None or asked.what != "facts" or asked.number != event.number:
        return  # the answer to a question of the past
    course.keep(asked=None)
    goal = course.record.goal
    if not is_unfinished(course.record) or goal is None or verdict is None:
        return
    if verdict.contract != goal.contract:
        return  # the goal changed while its facts were taken
    course.do(Observe(monitor=event.monitor))
    parts = (*verdict.criteria, *verdict.constraints, *verdict.stops)
    outcomes = {part.id: part.outcome for part in parts}
    same_parts = outcomes.keys() == course.state.outcomes.keys()
    course.keep(fresh=True, outcomes=outcomes)
    if course.gates is None:
        course.gates = dict(event.gates)
    turned = sorted((r.id, r.outcome) for r in (*verdict.criteria, *verdict.constraints))
    seen = digest("criteria", *(f"{id}={outcome}" for id, outcome in turned))
    note_look(course, seen, counts=same_parts)
    if event.files is not None:
        note_look(course, digest("files", event.files))


def _judged(course: Course, event: events.Judged) -> None:
    """What a judgement took is charged, also where its answer comes too late."""
    asked, ledger = course.state.asked, course.state.ledger
    if asked is None or asked.what != "judge" or asked.number != event.number:
        return
    cost = Decimal(ledger.judge_cost) + event.cost
    ledger = replace(
        ledger,
        judgements=ledger.judgements + event.judgements,
        judge_tokens=ledger.judge_tokens + event.tokens,
        judge_cost=str(cost),
    )
    course.keep(asked=None, ledger=ledger, exhibit=event.exhibit)
    course.was_asked, course.asked_mode = asked.evaluation, asked.mode
    if not isinstance(event.outcome, Outage):
        course.guard(outages=0)
        course.keep(judge_at=None)
        if isinstance(event.outcome, Decided):
            course.keep(judged_turns=course.record.usage.turns)


def _continued(course: Course, event: events.Continued) -> None:
    claim = course.record.claim
    if claim is None or claim.key != event.key or claim.state == "deferred":
        return  # it is of a continuation of the past
    failures = course.state.guards.failures
    if event.outcome == "started":
        if claim.state == "claimed" and course.before(claim.expires_at):
            course.do(StartClaim(key=claim.key, owner=claim.owner))
            if course.state.counted != claim.key:
                course.keep(counted=claim.key)
                course.tell("auto_continued", key=claim.key)
                note_continued(course)
        return
    if event.outcome == "busy":
        wait = wait_before(claim.attempt + 1, BUSY_WAIT)
    else:
        failures += 1
        wait = wait_before(failures)
        course.guard(failures=failures)
        course.tell("retry_scheduled", what="continuation", attempt=failures, reason=event.detail)
    retry_at = course.later(wait)
    reason = f"{event.outcome}: {event.detail}".rstrip(": ")
    course.do(DeferClaim(key=claim.key, owner=claim.owner, retry_at=retry_at, reason=reason))
