"""Several sinks as one. A sink that fails keeps no other from being told, and is told no more: what
it has ends where it failed, without a gap."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .port import EventSink, Notice, SinkFailed


class Several:
    """Tells each of *sinks*, and never raises: *failed* is told once of a sink that failed, why."""

    def __init__(self, sinks: Iterable[EventSink], failed: Callable[[str], None]) -> None:
        self._open = list(sinks)
        self._failed = failed

    def tell(self, notice: Notice) -> None:
        self._each(lambda sink: sink.tell(notice))

    def close(self) -> None:
        self._each(lambda sink: sink.close())
        self._open = []

    def _each(self, do: Callable[[EventSink], None]) -> None:
        for sink in tuple(self._open):
            try:
                do(sink)
            except Exception as error:  # a host's own sink may raise anything
                self._open.remove(sink)
                self._failed(_words(sink, error))


def _words(sink: EventSink, error: Exception) -> str:
    said = str(error) if isinstance(error, SinkFailed) else f"{type(error).__name__}: {error}"
    return f"{said}; the run goes on, and {type(sink).__name__} is told no more"
