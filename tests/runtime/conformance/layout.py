"""JSON that people review: what fits on a line stands on one."""

from __future__ import annotations

import json
from typing import Any

WIDTH = 240


def laid_out(value: Any, indent: int = 0) -> str:
    """*value* as JSON, broken where it is too long for a line."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= WIDTH or not isinstance(value, dict | list) or not value:
        return flat
    inner, outer = " " * (indent + 1), " " * indent
    if isinstance(value, dict):
        named = (
            f"{json.dumps(k, ensure_ascii=False)}: {laid_out(v, indent + 1)}"
            for k, v in value.items()
        )
        return "{\n" + ",\n".join(f"{inner}{one}" for one in named) + f"\n{outer}}}"
    items = (laid_out(item, indent + 1) for item in value)
    return "[\n" + ",\n".join(f"{inner}{one}" for one in items) + f"\n{outer}]"
