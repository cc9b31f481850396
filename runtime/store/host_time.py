"""A host's time: its clock, which somebody may set, and how long it has been up, which nobody does.
By the second a store's time goes on where the first is behind it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from ..record.times import is_stamp, read_stamp, stamp, write_stamp
from .port import StoreError

_LAST = "2900"  # a century before the last time that a record can have, so that spans fit after it


class Uptime(NamedTuple):
    """*microseconds* since a start of the system, which *boot* tells from every other one."""

    boot: str
    microseconds: int


class Start(NamedTuple):
    """From when on a store's time goes with a host's uptime: the store's time then, and the uptime;
    as a row has it, where it may be none."""

    start: Any
    boot: Any
    uptime: Any

    def time_at(self, now: Uptime) -> str:
        """The store's time now; empty where this uptime is not that one."""
        known = isinstance(self.start, str) and is_stamp(self.start) and self.boot == now.boot
        if not (known and isinstance(self.uptime, int) and 0 <= self.uptime <= now.microseconds):
            return ""
        return write_stamp(read_stamp(self.start) + now.microseconds - self.uptime)


def utc_now() -> datetime:
    return datetime.now(UTC)


def read_clock(clock: Callable[[], datetime]) -> str:
    """The clock's time, as records have it."""
    at = stamp(clock())
    if at >= _LAST:
        raise StoreError(f"the clock says {at}, and nothing was written: set it right")
    return at


def uptime() -> Uptime | None:
    """None where the system does not say which of its starts it is: then two readings cannot be
    compared. It goes on while the system sleeps."""
    if sys.platform != "linux":
        return None
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        namespace = os.readlink("/proc/self/ns/time")  # which may have an uptime of its own
    except OSError:
        return None
    return Uptime(f"{boot} {namespace}", time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000)
