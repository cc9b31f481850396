"""JSON as goalspec writes it for people and programs: the one way of all outputs that are no
canonical JSON."""

from __future__ import annotations

import json
import re
from typing import Any

from .hidden import INVISIBLE


# What a terminal would obey or hide, and the lone surrogates by which Python spells a path that is
# not UTF-8. By a table of its own: `isprintable` differs between versions of Python.
_ESCAPED = re.compile(rf"[\x7f-\x9f{INVISIBLE}\ud800-\udfff]")


def json_text(document: Any, indent: int | None = 2) -> str:
    """*document* as JSON with a final newline: UTF-8, but what does not show as escapes."""
    text = json.dumps(document, ensure_ascii=False, indent=indent)
    return _ESCAPED.sub(lambda match: json.dumps(match[0])[1:-1], text) + "\n"
