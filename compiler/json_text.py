"""JSON as artifacts have it: UTF-8, but what a terminal would obey or hide as escapes, by a table
of its own, since `isprintable` differs between versions of Python."""

from __future__ import annotations

import json
import re
from typing import Any

from .hidden import INVISIBLE

# With the lone surrogates by which Python spells a path that is not UTF-8.
_ESCAPED = re.compile(rf"[\x7f-\x9f{INVISIBLE}\ud800-\udfff]")


def json_text(document: Any, indent: int | None = 2) -> str:
    """*document* as JSON with a final newline."""
    text = json.dumps(document, ensure_ascii=False, indent=indent)
    return _ESCAPED.sub(lambda match: json.dumps(match[0])[1:-1], text) + "\n"
