"""The guards against a loop that leads nowhere. Progress is an effect: a tool's successful result,
a change of the files, a criterion that turned, a todo. The words of a reply are none; equal words
count against a loop only where nothing else happened."""

from __future__ import annotations

from collections.abc import Iterable

from ..lifecycle.commands import Block, Park
from ..record.times import DAY, SECOND, read_stamp, write_stamp
from .course import Course
from .events import Settled
from .fingerprints import digest, fingerprint, output_digest
from .policy import (
    ATTEMPTS,
    CONTINUATIONS_WITHOUT_EFFECT,
    CONTINUATIONS_WITHOUT_PROGRESS,
    EQUAL_OUTPUTS,
    ERROR_RECOVERIES,
    FINGERPRINTS,
    LOOKS,
    MONITOR_WAIT,
    TRUNCATION_RECOVERIES,
    wait_before,
)
from .state import NOTHING_SETTLED, LastTurn


def note_effects(course: Course, done: Iterable[str]) -> None:
    """Remember what was *done*; one that is not among those remembered is progress."""
    known = course.effects_seen
    fresh = [one for one in dict.fromkeys(done) if one not in known]
    if fresh:
        course.effects_seen = (*known, *fresh)[-FINGERPRINTS:]
        _advance(course)


def note_look(course: Course, seen: str, counts: bool = True) -> None:
    """The same for what was *seen* of the criteria, the files or the todos: to go back and forth is
    no progress. Nor is what does not *count*: other criteria, or the first todos."""
    known = course.state.looks
    if seen not in known:
        course.keep(looks=(*known, seen)[-LOOKS:])
        if counts:
            _advance(course)


def _advance(course: Course) -> None:
    course.guard(without_effect=0, without_progress=0, outputs=())


def note_continued(course: Course) -> None:
    """A continuation began. One that monitors delayed is not counted against progress."""
    guards, counted = course.state.guards, 0 if course.state.delayed else 1
    course.guard(
        without_effect=guards.without_effect + 1,
        without_progress=guards.without_progress + counted,
    )
    course.keep(continued_after=_last_settlement(course))


def note_unannounced(course: Course) -> None:
    """A run that nobody sent off settled as a continuation's: it counts like one."""
    if not follows_last_settlement(course):
        note_continued(course)


def follows_last_settlement(course: Course) -> bool:
    """Did nothing settle since the last continuation began?"""
    return course.state.continued_after == _last_settlement(course)


def _last_settlement(course: Course) -> str:
    settled = course.record.settled
    return settled[-1] if settled else NOTHING_SETTLED


def note_settled(course: Course, event: Settled) -> None:
    """What a run that settled leaves of effects, of words, of trouble."""
    state, guards = course.state, course.state.guards
    done = [effect for effect in event.effects if effect.succeeded]
    words = output_digest(event.output)
    same = (*guards.outputs, words) if words in guards.outputs else (words,)
    course.guard(
        without_effect=0 if done else guards.without_effect,
        without_tool=0 if _used_tools(event) else guards.without_tool + 1,
        outputs=() if done else same[-EQUAL_OUTPUTS:],
        truncations=guards.truncations + 1 if event.stop == "length" else 0,
        errors=guards.errors + 1 if event.stop == "error" else 0,
    )
    note_effects(course, map(fingerprint, done))
    if event.stop == "error":
        course.tell("error", error=event.error, detail=event.detail)
    if event.todos is not None:
        listed = digest("todos", *map(str, event.todos))
        note_look(course, listed, counts=state.todos is not None)
        course.keep(todos=event.todos)


def _used_tools(event: Settled) -> bool:
    """Did the run use tools, as far as anybody saw?"""
    return bool(event.effects or event.usage.tool_calls) or not event.tools_seen


def progress(course: Course) -> str | None:
    """The guard that keeps the goal from continuing, if there is one."""
    turn = course.state.turn
    if turn is not None and turn.stop == "error":
        stopped = _after_error(course, turn)
        if stopped is not None:
            return stopped
    for reason, said in tripped(course):
        course.do(Block(reason=said, mechanical=True))
        return reason
    immediate = course.state.path == "immediate" and bool(course.record.settled)
    if immediate and follows_last_settlement(course):
        course.wake_at(course.later(MONITOR_WAIT), "nothing settled")
        return "stale"
    return None


def tripped(course: Course) -> Iterable[tuple[str, str]]:
    guards = course.state.guards
    if guards.truncations > TRUNCATION_RECOVERIES:
        yield "truncated", "truncated: the answer was cut off twice in a row"
    if len(guards.outputs) >= EQUAL_OUTPUTS:
        yield "repetition", f"repetition: {EQUAL_OUTPUTS} equal replies without an effect"
    if guards.without_effect >= CONTINUATIONS_WITHOUT_EFFECT:
        yield "no_effect", f"no effect: {guards.without_effect} continuations in a row had none"
    if guards.without_progress >= CONTINUATIONS_WITHOUT_PROGRESS:
        yield "no_progress", f"no progress: {guards.without_progress} continuations, nothing new"


def _after_error(course: Course, turn: LastTurn) -> str | None:
    """What follows of the provider's error that ended the last run; None for one more turn."""
    said = turn.detail or "the provider gave no reason"
    errors = course.state.guards.errors
    match turn.error:
        case "auth":
            course.do(Block(reason=f"login: {said}", mechanical=True))
            return "provider_login"
        case "policy":
            course.do(Block(reason=f"policy: {said}"))
            return "provider_policy"
        case "usage_limit" if turn.retry_at is None or course.before(turn.retry_at):
            return _usage_limit(course, turn, said)
        case "usage_limit":
            return None  # its time is over
        case "retriable" if errors <= ATTEMPTS:
            return _wait_for_provider(course, turn, errors)
        case "terminal" | "system" | None if errors <= ERROR_RECOVERIES:
            return None
    course.do(Block(reason=f"provider: {said} ({errors} runs in a row)", mechanical=True))
    course.tell("retry_exhausted", what="provider", attempts=errors, reason=said)
    return "provider_error"


def _usage_limit(course: Course, turn: LastTurn, said: str) -> str:
    """It waits as long as the provider says, a day at most; without a time, for a person."""
    retry_at = turn.retry_at
    if (
        retry_at is not None
        and course.before(retry_at)
        and read_stamp(retry_at) <= course.now + DAY
    ):
        course.do(Park(reason=f"usage limit: {said}", until=retry_at))
        course.wake_at(retry_at, "usage limit")
    else:
        course.do(Block(reason=f"usage limit: {said}", mechanical=True))
    return "provider_limit"


def _wait_for_provider(course: Course, turn: LastTurn, errors: int) -> str | None:
    due = write_stamp(read_stamp(turn.at) + int(wait_before(errors) * SECOND))
    if not course.before(due):
        return None
    course.tell("retry_scheduled", what="provider", attempt=errors, reason=turn.detail)
    course.wake_at(due, "the provider")
    return "provider_retry"
