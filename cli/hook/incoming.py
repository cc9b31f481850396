"""What a host writes to a hook's standard input, read for so long and no longer."""

from __future__ import annotations

import os
import sys
import threading

from ...runtime.driving.firing import MAX_INPUT, BadFiring

PATIENCE = 5.0  # seconds that a host has to write it
_CHUNK = 1 << 16


def read_input(patience: float = PATIENCE) -> bytes:
    """What standard input has until it ends, or until *patience* is: a host may forget to close it.
    Raises BadFiring for a terminal."""
    if sys.stdin is None or sys.stdin.isatty():
        raise BadFiring("standard input is a terminal, and a host writes to a pipe")
    read = bytearray()
    # A thread, since nothing else can be waited for on every system; it may be left to itself.
    reading = threading.Thread(target=_read, args=(sys.stdin.fileno(), read), daemon=True)
    reading.start()
    reading.join(patience)
    return bytes(read)


def _read(stream: int, into: bytearray) -> None:
    while len(into) <= MAX_INPUT:
        try:
            chunk = os.read(stream, _CHUNK)
        except OSError:
            return
        if not chunk:
            return
        into += chunk
