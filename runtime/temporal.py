"""The state of streaks, holds and histories: two counters, or three times, each.

Each has the same three methods: `counted` (the state after an observation at which the predicate
was *value*), `outcome` (True, False or Unknown as of *now*, in nanoseconds) and `words` (how far it
is, for the explanation).

A form is counted at the observations that supply what its predicate reads (rulings 1 to 6). The
state is a frozen value; counting gives a new one, so an observation that comes in parts under one
id is counted again from the state before it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ..compiler.kernel import Unknown
from ..compiler.program import Form
from ..grammar.literals import spell_duration, write_duration


@dataclass(frozen=True, slots=True)
class Streak:
    """`P for N runs`: how many runs held in a row, and how many came since the last that did not
    hold and since the last that was unknown (None: there was none)."""

    held: int = 0
    since_false: int | None = None
    since_unknown: int | None = None
    unknown: Unknown | None = None

    def counted(self, form: Form, value: Any, now: int | None) -> Streak:
        since_false = None if self.since_false is None else self.since_false + 1
        since_unknown = None if self.since_unknown is None else self.since_unknown + 1
        if value is True:
            held = self.held + 1
            return replace(self, held=held, since_false=since_false, since_unknown=since_unknown)
        if value is False:
            return replace(self, held=0, since_false=0, since_unknown=since_unknown)
        return replace(self, held=0, since_false=since_false, since_unknown=0, unknown=value)

    def outcome(self, form: Form, now: int | None, rev: str | None) -> Any:
        if form.one_revision and rev is None:
            return Unknown("missing", words="the observations carry no revision")
        if self.held >= form.count:
            return True
        if self.since_false is not None and self.since_false < form.count:
            return False
        words = f"{self.held} of {form.count} runs in a row so far"
        if self.unknown is not None and (self.since_unknown or 0) < form.count:
            return Unknown(self.unknown.reason, self.unknown.subject, words)
        return Unknown("missing", words=words)

    def words(self, form: Form) -> str:
        return f"{self.held} in a row, {form.count} needed"


@dataclass(frozen=True, slots=True)
class Hold:
    """`P for D`: since when it holds unbroken, when it was last counted, when it last was false
    (nanoseconds)."""

    since: int | None = None
    last: int | None = None
    false_at: int | None = None

    def counted(self, form: Form, value: Any, now: int | None) -> Hold:
        if now is None:
            return self
        gap = form.every is not None and self.last is not None and now - self.last > form.every
        since = None if gap else self.since
        if value is True:
            return Hold(now if since is None else since, now, self.false_at)
        if value is False:
            return Hold(None, now, now)
        return Hold(None, now, self.false_at)

    def outcome(self, form: Form, now: int | None, rev: str | None) -> Any:
        if now is None:
            return Unknown("missing", words="the observations carry no time")
        if self.last is None:
            return Unknown("missing", words="it was not observed yet")
        if self.false_at is not None and self.last - self.false_at <= form.duration:
            return False
        if form.every is not None and now - self.last > form.every:
            silent = spell_duration(now - self.last)
            most = write_duration(form.every)
            return Unknown("stale", words=f"not observed for {silent}, {most} is the most")
        if self.since is not None and self.last - self.since >= form.duration:
            return True
        return Unknown("missing", words=self.words(form))

    def words(self, form: Form) -> str:
        needed = f"{write_duration(form.duration)} needed"
        if self.since is None or self.last is None:
            return f"not held now, {needed}"
        return f"held for {spell_duration(self.last - self.since)}, {needed}"


@dataclass(frozen=True, slots=True)
class Past:
    """`always P` and `ever P`: how many were counted, and whether any was true, false, unknown."""

    count: int = 0
    true: bool = False
    false: bool = False
    unknown: Unknown | None = None

    def counted(self, form: Form, value: Any, now: int | None) -> Past:
        unknown = self.unknown
        if unknown is None and isinstance(value, Unknown):
            unknown = value
        true, false = self.true or value is True, self.false or value is False
        return Past(self.count + 1, true, false, unknown)

    def outcome(self, form: Form, now: int | None, rev: str | None) -> Any:
        decided = self.false if form.kind == "always" else self.true
        if decided:
            return form.kind == "ever"
        if self.unknown is not None:
            words = (
                "an earlier observation left it unknown, and that stays until a person waives it"
            )
            return Unknown(self.unknown.reason, self.unknown.subject, words)
        if self.count == 0:
            return Unknown("missing", words="it was not observed yet")
        return form.kind == "always"

    def words(self, form: Form) -> str:
        return ""


State: TypeAlias = Streak | Hold | Past


def initial(form: Form) -> State:
    """The state before anything was counted."""
    match form.kind:
        case "runs":
            return Streak()
        case "held":
            return Hold()
        case _:
            return Past()
