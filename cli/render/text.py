"""The report a person reads: each diagnostic with an excerpt of its file, then lines that sum up.

Owns the excerpt: which lines are shown, which part of a long one, and where the marks stand.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, groupby
from typing import NamedTuple

from ...compiler.characters import cells, visible
from ...grammar.diagnostics import Diagnostic
from ...grammar.source import Source, Span
from .style import Style, styler
from .words import notes, summary

_WIDTH = 120  # the columns of an excerpt; a longer line shows a window of this size
_MARGIN = 20  # the columns kept before a mark that does not fit in the window
_REACH = 600  # code points looked at around a mark: 120 columns, each with its combining marks


def render(diagnostics: Sequence[Diagnostic], files: int, *, color: bool) -> str:
    """The report as text, in the order of the findings' places, coloured only if *color*."""
    style = styler(color=color)
    found = _concealed(sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key))
    blocks = ["\n".join(_block(diagnostic, style)) + "\n\n" for diagnostic in found]
    return "".join(blocks) + summary(found, files)


def _concealed(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """*found* with texts in which nobody can read what a finding conceals."""
    texts: dict[Source, str] = {}
    for diagnostic in found:
        if diagnostic.code.conceals:
            source, (start, end) = diagnostic.source, diagnostic.span
            text = texts.get(source, source.text)
            texts[source] = text[:start] + re.sub(r"[^\r\n]", "*", text[start:end]) + text[end:]
    shown = {source: Source(source.path, text) for source, text in texts.items()}
    return [
        replace(
            diagnostic,
            source=shown.get(diagnostic.source, diagnostic.source),
            labels=tuple(
                replace(label, source=shown.get(label.source, label.source))
                for label in diagnostic.labels
            ),
        )
        if shown
        else diagnostic
        for diagnostic in found
    ]


# --- one diagnostic ---------------------------------------------------------------------------


class _Mark(NamedTuple):
    """An underline: in *line*, from *start* to *stop* (columns from 0), and the words beside it."""

    line: int
    rank: int  # 0 for the finding itself, then the labels in their order
    start: int
    stop: int
    words: str
    role: str


def _block(diagnostic: Diagnostic, style: Style) -> Iterator[str]:
    marks = _marks(diagnostic)
    width = max(2, *(len(str(mark.line)) for group in marks.values() for mark in group))
    margin = style("frame", " " * width + " |")
    severity = diagnostic.severity.value
    head = style(severity, f"{severity}[{diagnostic.code.id}]")
    yield head + style("strong", f": {visible(diagnostic.message)}")
    for number, (source, group) in enumerate(marks.items()):
        arrow = style("frame", " " * width + (":::" if number else "-->"))
        yield f"{arrow} {visible(source.path)}:{group[0].line}:{group[0].start + 1}"
        yield margin
        yield from _excerpt(source, group, width, style)
    yield margin
    for name, text in notes(diagnostic):
        yield from _note(name, text, width, style)


def _marks(diagnostic: Diagnostic) -> dict[Source, list[_Mark]]:
    """The marks of each file, the file of the finding first."""
    first = _mark(diagnostic.source, diagnostic.span, "", 0, diagnostic.severity.value)
    marks = {diagnostic.source: [first]}
    for rank, label in enumerate(diagnostic.labels, 1):
        mark = _mark(label.source, label.span, visible(label.text), rank, "label")
        marks.setdefault(label.source, []).append(mark)
    return marks


def _mark(source: Source, span: Span, words: str, rank: int, role: str) -> _Mark:
    """The mark of *span*; one over several lines is drawn in its first and names its end."""
    line, column = source.position(span.start)
    last = source.position(max(span.start, span.end - 1))
    if last.line == line:
        return _Mark(line, rank, column - 1, max(column, last.column), words, role)
    end = f"to line {last.line}, column {last.column}"
    stop = max(column, len(source.line(line)))
    return _Mark(line, rank, column - 1, stop, f"{words} ({end})" if words else end, role)


def _note(name: str, text: str, width: int, style: Style) -> Iterator[str]:
    lead = " " * width + f" = {name}: "
    for number, line in enumerate(text.split("\n")):
        start = " " * len(lead) if number else style("frame", lead)
        yield (start + visible(line)).rstrip(" ")


# --- excerpts ---------------------------------------------------------------------------------


def _excerpt(source: Source, marks: list[_Mark], width: int, style: Style) -> Iterator[str]:
    """The marked lines of *source*, each followed by its marks."""
    previous: int | None = None
    margin = style("frame", " " * width + " |")
    for number, group in groupby(sorted(marks), key=lambda mark: mark.line):
        if previous is not None and number > previous + 1:
            yield style("frame", "...")
        previous = number
        for view, drawn in _views(source.line(number), list(group)):
            lead = style("frame", f"{number:>{width}} |")
            yield f"{lead} {view.text}".rstrip(" ")
            for mark in drawn:
                yield f"{margin} {_underline(view, mark, style)}"


def _underline(view: _View, mark: _Mark, style: Style) -> str:
    start, stop = view.column(mark.start), view.column(mark.stop)
    sign = "-" if mark.rank else "^"
    drawn = sign * max(1, stop - start)
    return " " * start + style(mark.role, f"{drawn} {mark.words}".rstrip(" "))


class _View(NamedTuple):
    """A line, or a window of it, as the terminal shows it.

    *edges* holds the terminal column at which each code point begins, counted from the code point
    *first*, and the column at which the last one ends.
    """

    text: str
    first: int
    edges: list[int]

    def column(self, index: int) -> int:
        """The terminal column of the line's code point *index*, or the nearest one in view."""
        return self.edges[min(max(0, index - self.first), len(self.edges) - 1)]


def _views(line: str, marks: list[_Mark]) -> Iterator[tuple[_View, list[_Mark]]]:
    """One view with all *marks* where the line fits, else a window for each mark."""
    if len(line) <= _REACH:
        shown = cells(line)
        edges = _edges(shown)
        if edges[-1] <= _WIDTH:
            yield _View("".join(text for text, _ in shown), 0, edges), marks
            return
    for mark in marks:
        yield _window(line, mark.start, mark.stop), [mark]


def _window(line: str, start: int, stop: int) -> _View:
    """About 120 columns of a long *line* with the marked part in the middle."""
    start = min(start, len(line))
    first, last = max(0, start - _REACH), min(len(line), start + _REACH)
    shown = cells(line[first:last])
    edges = _edges(shown)
    begin = edges[start - first]
    marked = edges[min(stop, last) - first] - begin
    left = max(0, begin - max(_MARGIN, (_WIDTH - marked) // 2))
    if last == len(line):
        left = max(0, min(left, edges[-1] - _WIDTH))
    low = bisect_left(edges, left)
    high = bisect_right(edges, left + _WIDTH) - 1
    before = "…" if first + low else ""
    after = "…" if first + high < len(line) else ""
    text = before + "".join(text for text, _ in shown[low:high]) + after
    shift = len(before) - edges[low]
    return _View(text, first + low, [edge + shift for edge in edges[low : high + 1]])


def _edges(shown: list[tuple[str, int]]) -> list[int]:
    return list(accumulate((width for _, width in shown), initial=0))
