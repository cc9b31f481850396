"""Where the events of a goal go beside the journal: the port of a sink, and three of them."""

from typing import TYPE_CHECKING

from ...exports import exporting

if TYPE_CHECKING:
    from .jsonl import JsonlSink
    from .kinds import KINDS
    from .opentelemetry import OpenTelemetrySink
    from .port import EventSink, Notice, SinkFailed, notices
    from .several import Several

_HOMES = {
    "JsonlSink": "jsonl",
    "KINDS": "kinds",
    "OpenTelemetrySink": "opentelemetry",
    **dict.fromkeys(("EventSink", "Notice", "SinkFailed", "notices"), "port"),
    "Several": "several",
}

__all__ = [
    "KINDS", "EventSink", "JsonlSink", "Notice", "OpenTelemetrySink", "Several", "SinkFailed",
    "notices",
]  # fmt: skip

__getattr__ = exporting(__name__, _HOMES)
