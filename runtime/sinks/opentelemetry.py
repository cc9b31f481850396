"""A sink for OpenTelemetry: a goal is a span, and what happens to it an event on that span. It
comes with the extra `otel`, and sends to what the host has set up."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from ..lifecycle.draft import FINAL
from ..record.times import read_stamp
from .port import Notice, SinkFailed

if TYPE_CHECKING:
    from opentelemetry.trace import Span, TracerProvider

_Attribute: TypeAlias = str | bool | int | float | list[str]

SPAN = "goalspec.goal"

_BEGINNING = frozenset(("created", "forked", "adopted", "imported"))


@dataclass(slots=True)
class _Goal:
    """A session's goal, and when it was heard of last, in nanoseconds. Once it is *over*, what
    happens beside its end is no more of its span."""

    id: str
    span: Span
    at: int
    over: bool = False

    def end(self) -> None:
        if not self.over:
            self.span.end(self.at)
        self.over = True


class OpenTelemetrySink:
    """Tells the *provider*, or the one that the host set up for the process. Raises SinkFailed
    where OpenTelemetry's API is not installed."""

    def __init__(self, provider: TracerProvider | None = None) -> None:
        try:
            from opentelemetry import trace
        except ImportError as error:
            raise SinkFailed(f"{error}: install goalspec[otel]") from None
        from ... import __version__

        self._trace = trace
        self._tracer = trace.get_tracer("goalspec", __version__, provider)
        self._goals: dict[str, _Goal] = {}

    def tell(self, notice: Notice) -> None:
        if notice.goal is None:
            return
        goal = self._goal(notice, notice.goal)
        if goal.over:
            return
        goal.at = read_stamp(notice.at) * 1_000
        said = {**notice.details, "actor": notice.actor}
        goal.span.add_event(notice.kind, dict(_attributes(said)), goal.at)
        goal.span.set_attribute("goalspec.generation", notice.generation)
        if notice.kind == "progress_accounted":
            total = {"goalspec.usage": notice.details.get("total", {})}
            goal.span.set_attributes(dict(_attributes(total)))
        elif notice.kind == "status_changed":
            self._stand(goal.span, notice.details)
        if notice.kind == "cleared" or notice.details.get("to") in FINAL:
            goal.end()

    def close(self) -> None:
        """End the spans of the goals that are not over, at the last that was heard of them."""
        for goal in self._goals.values():
            goal.end()

    def _goal(self, notice: Notice, id: str) -> _Goal:
        """The goal that *notice* is of; one that made way for it is over."""
        before = self._goals.get(notice.session)
        if before is not None:
            if before.id == id and notice.kind not in _BEGINNING:
                return before
            before.end()
        at = read_stamp(notice.at) * 1_000
        attributes = {"goalspec.session": notice.session, "goalspec.goal": id}
        span = self._tracer.start_span(SPAN, attributes=attributes, start_time=at)
        self._goals[notice.session] = begun = _Goal(id, span, at)
        return begun

    def _stand(self, span: Span, details: Mapping[str, Any]) -> None:
        name, reason = details["to"], details.get("reason")
        span.set_attribute("goalspec.status", name)
        code = self._trace.StatusCode
        if name == "complete":
            span.set_status(code.OK)
        elif name == "ended":
            ending = details["ending"]
            span.set_status(code.ERROR, f"{ending}: {reason}" if reason else ending)


def _attributes(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, _Attribute]]:
    """*values* as OpenTelemetry takes them: what an object has stands under both names."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _attributes(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            yield prefix + name, [one if isinstance(one, str) else json.dumps(one) for one in value]
        elif value is not None:
            yield prefix + name, value
