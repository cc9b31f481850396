"""JSON as goalspec writes it for people and programs: the one way of all outputs that are no
canonical JSON."""

from __future__ import annotations

import json
from typing import Any


def json_text(document: Any, indent: int | None = 2) -> str:
    """*document* as JSON with a final newline: UTF-8, but what a terminal would obey or hide (and
    the lone surrogates by which Python spells a path that is not UTF-8) as escapes."""
    text = json.dumps(document, ensure_ascii=False, indent=indent)
    return (
        "".join(
            char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in text
        )
        + "\n"
    )
