"""Hermes' rows: those of chat completions, with a flag on each that the runtime wrote.

`_todo_snapshot_synthetic` and its like say that a user's row is no person's; `_compressed_summary`
marks a summary. A block that goalspec folds gets the flag that Hermes gives its own.
"""

from __future__ import annotations

from typing import Any

from . import openai_chat
from .shape import UNREAD, Shape, is_unread, one, single, unread

GOAL_FLAG = "_goal_snapshot_synthetic"
SUMMARY_FLAG = "_compressed_summary"
NUDGE_FLAG = "_dropped_toolcall_nudge"
_FLAGS = "goalspec:flags"  # in the metadata: the flags that the row had


def read(row: Any) -> Any:
    if not isinstance(row, dict):
        return row
    metadata = row.get("metadata", {})
    if is_unread(row) or not isinstance(metadata, dict) or _is_taken(metadata):
        return unread(row)
    flags = [key for key in row if _is_flag(key) and row[key] is True]
    if flags:
        provenance = "summary" if SUMMARY_FLAG in flags else "synthetic"
        own = {key: metadata[key] for key in ("provenance",) if key in metadata}
        own |= {} if "metadata" in row else {"bare": True}
        row = {key: value for key, value in row.items() if key not in flags}
        marks = {"provenance": provenance, _FLAGS: {"names": flags, **own}}
        row["metadata"] = {**metadata, **marks}
    return openai_chat.read(row)


def write(message: Any) -> Any:
    if is_unread(message):
        return message[UNREAD]
    row = openai_chat.write(message)
    metadata = row.get("metadata") if isinstance(row, dict) else None
    if not isinstance(metadata, dict) or metadata.get("provenance") not in ("synthetic", "summary"):
        return row
    flags = metadata.get(_FLAGS, {})
    rest = {key: value for key, value in metadata.items() if key not in ("provenance", _FLAGS)}
    rest |= {key: flags[key] for key in ("provenance",) if key in flags}
    row = {key: value for key, value in row.items() if key != "metadata"}
    if rest or (_FLAGS in metadata and "bare" not in flags):
        row["metadata"] = rest
    made = SUMMARY_FLAG if metadata["provenance"] == "summary" else GOAL_FLAG
    return {**row, **dict.fromkeys(flags.get("names", [made]), True)}


def _is_flag(key: str) -> bool:
    return (key.startswith("_") and key.endswith("_synthetic")) or key in (SUMMARY_FLAG, NUDGE_FLAG)


def _is_taken(metadata: dict[str, Any]) -> bool:
    """Does a row say in its metadata what its flags are to say?"""
    return _FLAGS in metadata or metadata.get("provenance") in ("synthetic", "summary")


HERMES = Shape("hermes", "Hermes' rows, with its flags", one(read), single(write))
