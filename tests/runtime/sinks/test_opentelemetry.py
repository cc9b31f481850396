"""OpenTelemetry, by its own SDK: a span for a goal, an event for what happens to it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import pytest
from goalspec.runtime.convergence import events
from goalspec.runtime.lifecycle import commands
from goalspec.runtime.record import Record, read_stamp
from goalspec.runtime.sinks import Notice, OpenTelemetrySink, SinkFailed
from goalspec.tests.runtime.convergence.loop import checked
from goalspec.tests.runtime.record.records import GOAL
from goalspec.tests.runtime.sinks.notices import Watched, perform
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

SESSION = Record(session="s-1")


def exported(told: Sequence[Notice]) -> tuple[list[ReadableSpan], list[ReadableSpan]]:
    """The spans that *told* ended, and those that closing the sink ended."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    sink = OpenTelemetrySink(provider)
    for notice in told:
        sink.tell(notice)
    ended = list(exporter.get_finished_spans())
    sink.close()
    return ended, list(exporter.get_finished_spans())[len(ended) :]


@pytest.mark.row("P09")
def test_a_goal_is_a_span_and_what_happens_an_event_on_it() -> None:
    loop = Watched(checked())
    loop.open()
    loop.facts = {"suite.passed": True}
    loop.turn()
    [span], rest = exported(loop.told)
    assert rest == []
    assert span.name == "goalspec.goal"
    assert span.instrumentation_scope is not None and span.instrumentation_scope.name == "goalspec"
    assert dict(span.attributes or {}) == {
        "goalspec.session": "s-1", "goalspec.goal": "ship", "goalspec.generation": 1,
        "goalspec.status": "complete", "goalspec.usage.turns": 1, "goalspec.usage.tokens": 10,
        "goalspec.usage.tool_calls": 0, "goalspec.usage.attempts": 0, "goalspec.usage.runtime": 0,
    }  # fmt: skip
    assert span.status.status_code == StatusCode.OK
    end = loop.kinds().index("status_changed") + 1
    assert [event.name for event in span.events] == loop.kinds()[:end]
    assert span.start_time == read_stamp(loop.told[0].at) * 1_000
    assert span.end_time == span.events[-1].timestamp == read_stamp(loop.told[end - 1].at) * 1_000
    charged = next(event for event in span.events if event.name == "progress_accounted")
    assert charged.attributes is not None
    assert charged.attributes["usage.tokens"] == 10
    assert charged.attributes["actor"] == "runtime"


@pytest.mark.row("P09")
def test_a_goal_that_ends_unmet_is_an_error_with_its_reason() -> None:
    end = commands.End(ending="unverified", reason="the judge failed")
    _, told = perform(SESSION, (commands.Create(goal=GOAL), "person"), (end, "runtime"))
    [span], _ = exported(told)
    assert span.status.status_code == StatusCode.ERROR
    assert span.status.description == "unverified: the judge failed"


def test_a_goal_that_is_cleared_or_makes_way_is_over_without_a_verdict() -> None:
    other = replace(GOAL, id="other")
    _, told = perform(
        SESSION,
        (commands.Create(goal=GOAL), "person"),
        (commands.Create(goal=GOAL, replace=True), "person"),
        (commands.Create(goal=other, replace=True), "person"),
        (commands.Cancel(), "person"),
    )
    ended, rest = exported(told)
    assert [(span.attributes or {})["goalspec.goal"] for span in ended] == ["ship", "ship", "other"]
    assert {span.status.status_code for span in ended} == {StatusCode.UNSET}
    assert rest == []


def test_what_is_not_over_ends_when_the_sink_is_closed() -> None:
    _, told = perform(
        SESSION, (commands.Create(goal=GOAL), "person"), (commands.Pause(reason="lunch"), "person")
    )
    ended, [span] = exported(told)
    assert ended == []
    assert (span.attributes or {})["goalspec.status"] == "paused"
    assert span.status.status_code == StatusCode.UNSET
    assert span.end_time == read_stamp(told[-1].at) * 1_000


def test_a_run_that_is_taken_up_again_is_a_span_from_there() -> None:
    loop = Watched(checked())
    loop.open()
    heard = len(loop.told)
    loop.start()
    loop.send(events.Interrupted(loop.at))
    _, [span] = exported(loop.told[heard:])
    assert span.events[0].name == "continuation_started"


def test_lists_are_texts_and_what_is_absent_is_left_out() -> None:
    notice = Notice("s-1", "ship", 1, "2026-03-01T12:00:00.000000Z", "kept", "runtime",
                    {"drift": ["gone", 1], "reason": None, "outcomes": {"a": "met"}})  # fmt: skip
    _, [span] = exported([notice])
    assert dict(span.events[0].attributes or {}) == {
        "drift": ("gone", "1"), "outcomes.a": "met", "actor": "runtime",
    }  # fmt: skip


def test_without_a_goal_there_is_nothing_to_tell() -> None:
    notice = Notice("s-1", None, 0, "2026-03-01T12:00:00.000000Z", "begun", "runtime", {})
    assert exported([notice]) == ([], [])


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(SinkFailed, match=r"install goalspec\[otel\]"):
        OpenTelemetrySink()
