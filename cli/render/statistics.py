"""How often each code was found, the most frequent first; as a table or as JSON.

    12  GS402  [*]  unread-fact

The mark says whether findings of that code have a safe fix: `[*]` all, `[-]` some, `[ ]` none. The
JSON is an array of {"code", "name", "count", "fixable"}, *fixable* the number with a safe fix.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...grammar.diagnostics import Code, Diagnostic
from ..terminal import json_text
from .words import fixable, has_safe_fix


def statistics(diagnostics: Sequence[Diagnostic], *, as_json: bool) -> str:
    """The counts; as a table they are the empty text where nothing was found."""
    counts = Counter(diagnostic.code for diagnostic in diagnostics)
    safe = Counter(diagnostic.code for diagnostic in diagnostics if has_safe_fix(diagnostic))
    codes = sorted(counts, key=lambda code: (-counts[code], code.id))
    if as_json:
        return json_text(
            [{"code": c.id, "name": c.name, "count": counts[c], "fixable": safe[c]} for c in codes]
        )
    width = len(str(max(counts.values(), default=0)))
    rows = [
        f"{counts[code]:>{width}}  {code.id}  {_mark(code, counts, safe)}  {code.name}\n"
        for code in codes
    ]
    return "".join(rows) + fixable(diagnostics)


def _mark(code: Code, counts: Counter[Code], safe: Counter[Code]) -> str:
    if not safe[code]:
        return "[ ]"
    return "[*]" if safe[code] == counts[code] else "[-]"
