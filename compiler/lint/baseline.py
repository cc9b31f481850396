"""Findings that were there before: a file that lets an old repository adopt the linter at once.

    {"version": 1, "findings": [{"path": …, "code": …, "message": …, "count": …}]}

A finding is known again by its file (relative to the project's root), code and message, not by its
line, so that text added above it changes nothing; of several alike as many are silent as there
were. Errors of the language are never in it.
"""

from __future__ import annotations

import json
import operator
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from ...grammar.diagnostics import Diagnostic
from .run import Answer

_Key = tuple[str, str, str]
_FIELDS = ("path", "code", "message")


class BadBaseline(ValueError):
    """A text that is no baseline."""


def read_baseline(text: str | bytes) -> Counter[_Key]:
    """The findings of a baseline's *text*, with how often each was there. Raises BadBaseline."""
    try:
        document = json.loads(text)
        if document["version"] != 1:
            raise BadBaseline("this goalspec knows version 1 of baselines")
        counts: Counter[_Key] = Counter()
        for entry in document["findings"]:
            path, code, message = (str(entry[field]) for field in _FIELDS)
            counts[path, code, message] += operator.index(entry["count"])
    except BadBaseline:
        raise
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadBaseline("it is no baseline; write one with --write-baseline") from None
    return counts


def write_baseline(answers: Iterable[Answer], place_of: Callable[[Answer], str]) -> str:
    """The baseline that silences what *answers* found."""
    counts = Counter(
        (place_of(answer), diagnostic.code.id, diagnostic.message)
        for answer in answers
        for diagnostic in _own(answer)
        if diagnostic.code.can_be_silenced
    )
    findings = [
        dict(zip((*_FIELDS, "count"), (*key, count), strict=True))
        for key, count in sorted(counts.items())
    ]
    return json.dumps({"version": 1, "findings": findings}, indent=2) + "\n"


def without_known(
    answers: Iterable[Answer], baseline: Counter[_Key], place_of: Callable[[Answer], str]
) -> tuple[list[Answer], int]:
    """*answers* without what *baseline* knows, and how many of its findings in these files are no
    longer there."""
    left = Counter(baseline)
    seen: set[str] = set()
    kept: list[Answer] = []
    for answer in answers:
        place = place_of(answer)
        seen.add(place)
        found = []
        for diagnostic in answer.found:
            key = (place, diagnostic.code.id, diagnostic.message)
            if diagnostic.source is answer.source and left[key] > 0:
                left[key] -= 1
            else:
                found.append(diagnostic)
        kept.append(replace(answer, found=tuple(found)))
    gone = sum(count for (place, _, _), count in left.items() if place in seen)
    return kept, gone


def _own(answer: Answer) -> Iterable[Diagnostic]:
    return (d for d in answer.found if d.source is answer.source)
