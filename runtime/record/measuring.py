"""The canonical record, which hosts exchange, and how large a record may be."""

from __future__ import annotations

import json
from typing import Any

from ...compiler.host_spec import spec_of
from ...compiler.ir.canonical import canonical, plain
from .parts import Record

MAX_RECORD = 65_536  # bytes of the canonical record
MAX_BESIDE = 1_048_576  # of what stands beside it: the goal with its checks, the monitor's state, …

_CANONICAL = ("metadata", "generation", "created_at", "updated_at", "turn")


def canonical_record(record: Record) -> dict[str, Any]:
    """The six fields that hosts exchange, `spec` null where there is no goal."""
    spec = None if record.goal is None else spec_of(record.goal)
    return {"spec": spec, **{name: plain(getattr(record, name)) for name in _CANONICAL}}


def measure(record: Record) -> int:
    """The UTF-8 bytes of the canonical record in its RFC 8785 spelling."""
    return len(canonical(canonical_record(record)))


def measure_beside(record: Record) -> int:
    """The UTF-8 bytes of all else of the record, as compact JSON."""
    beside = {
        name: plain(getattr(record, name))
        for name in record.field_names
        if name not in _CANONICAL
    }  # fmt: skip
    return len(json.dumps(beside, ensure_ascii=False, separators=(",", ":")).encode())
