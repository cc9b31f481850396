"""The report a person reads: each diagnostic with an excerpt of its file, then a line that sums up.

Owns how source text looks in a terminal: what is escaped, how wide a character is, where the marks
stand. A file under inspection is not trusted, so nothing of it reaches the terminal that could move
the cursor, change colours, turn the writing direction or hide.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

import click

from ...grammar.diagnostics import Diagnostic, Severity
from ...grammar.source import Source, Span

_WIDTH = 120  # the columns of an excerpt; a longer line shows a window of this size
_MARGIN = 20  # the columns kept before a mark that does not fit in the window
_REACH = 600  # code points looked at around a mark: 120 columns, each with its combining marks
_TAB = " " * 4
_STACK = 4  # combining marks drawn on one character; what is piled higher is escaped

# Drawn as nothing or as a blank although Unicode calls them letters, marks or symbols.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_SELECTORS = (
    range(0x180B, 0x1810),  # Mongolian variation selectors
    range(0xFE00, 0xFE10),  # variation selectors 1 to 16
    range(0xE0100, 0xE01F0),  # variation selectors 17 to 256
)
# Vowels and finals of a decomposed Hangul syllable are drawn inside the syllable's cell.
_JAMO = (range(0x1161, 0x1200), range(0xD7B0, 0xD7FC))

_STYLES: dict[str, Callable[[str], str]] = {
    "error": lambda text: click.style(text, fg="red", bold=True),
    "warning": lambda text: click.style(text, fg="yellow", bold=True),
    "label": lambda text: click.style(text, fg="cyan"),
    "frame": lambda text: click.style(text, fg="blue", bold=True),
    "strong": lambda text: click.style(text, bold=True),
}

_Style = Callable[[str, str], str]


def render(diagnostics: Sequence[Diagnostic], files: int, *, color: bool) -> str:
    """The report as text, in the order of the findings' places, coloured only if *color*."""
    style = _colored if color else _plain
    found = sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key)
    blocks = ["\n".join(_block(diagnostic, style)) + "\n\n" for diagnostic in found]
    return "".join(blocks) + _summary(found, files) + "\n"


def _plain(role: str, text: str) -> str:
    return text


def _colored(role: str, text: str) -> str:
    return _STYLES[role](text)


def _summary(diagnostics: Sequence[Diagnostic], files: int) -> str:
    severities = [diagnostic.severity for diagnostic in diagnostics]
    counts = [(severities.count(severity), severity.value) for severity in Severity]
    found = ", ".join(_count(number, noun) for number, noun in counts if number)
    return f"{found or 'no findings'} in {_count(files, 'file')}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


# --- one diagnostic ---------------------------------------------------------------------------


class _Mark(NamedTuple):
    """An underline: in *line*, from *start* to *stop* (columns from 0), and the words beside it."""

    line: int
    rank: int  # 0 for the finding itself, then the labels in their order
    start: int
    stop: int
    words: str
    role: str


def _block(diagnostic: Diagnostic, style: _Style) -> Iterator[str]:
    marks = _marks(diagnostic)
    width = max(2, *(len(str(mark.line)) for group in marks.values() for mark in group))
    margin = style("frame", " " * width + " |")
    severity = diagnostic.severity.value
    head = style(severity, f"{severity}[{diagnostic.code.id}]")
    yield head + style("strong", f": {_visible(diagnostic.message)}")
    for number, (source, group) in enumerate(marks.items()):
        arrow = style("frame", " " * width + (":::" if number else "-->"))
        yield f"{arrow} {_visible(source.path)}:{group[0].line}:{group[0].start + 1}"
        yield margin
        yield from _excerpt(source, group, width, style)
    yield margin
    for name, text in _notes(diagnostic):
        yield from _note(name, text, width, style)


def _marks(diagnostic: Diagnostic) -> dict[Source, list[_Mark]]:
    """The marks of each file, the file of the finding first."""
    first = _mark(diagnostic.source, diagnostic.span, "", 0, diagnostic.severity.value)
    marks = {diagnostic.source: [first]}
    for rank, label in enumerate(diagnostic.labels, 1):
        mark = _mark(label.source, label.span, _visible(label.text), rank, "label")
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


def _notes(diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
    if diagnostic.hint is not None:
        yield "hint", diagnostic.hint
    yield "explain", f"goalspec explain {diagnostic.code.id}"


def _note(name: str, text: str, width: int, style: _Style) -> Iterator[str]:
    lead = " " * width + f" = {name}: "
    for number, line in enumerate(text.split("\n")):
        start = " " * len(lead) if number else style("frame", lead)
        yield (start + _visible(line)).rstrip(" ")


# --- excerpts ---------------------------------------------------------------------------------


def _excerpt(source: Source, marks: list[_Mark], width: int, style: _Style) -> Iterator[str]:
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


def _underline(view: _View, mark: _Mark, style: _Style) -> str:
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
        cells = _cells(line)
        edges = _edges(cells)
        if edges[-1] <= _WIDTH:
            yield _View("".join(text for text, _ in cells), 0, edges), marks
            return
    for mark in marks:
        yield _window(line, mark.start, mark.stop), [mark]


def _window(line: str, start: int, stop: int) -> _View:
    """About 120 columns of a long *line* with the marked part in the middle."""
    start = min(start, len(line))
    first, last = max(0, start - _REACH), min(len(line), start + _REACH)
    cells = _cells(line[first:last])
    edges = _edges(cells)
    begin = edges[start - first]
    marked = edges[min(stop, last) - first] - begin
    left = max(0, begin - max(_MARGIN, (_WIDTH - marked) // 2))
    if last == len(line):
        left = max(0, min(left, edges[-1] - _WIDTH))
    low = bisect_left(edges, left)
    high = bisect_right(edges, left + _WIDTH) - 1
    before = "…" if first + low else ""
    after = "…" if first + high < len(line) else ""
    text = before + "".join(text for text, _ in cells[low:high]) + after
    shift = len(before) - edges[low]
    return _View(text, first + low, [edge + shift for edge in edges[low : high + 1]])


def _edges(cells: list[tuple[str, int]]) -> list[int]:
    return list(accumulate((width for _, width in cells), initial=0))


# --- characters -------------------------------------------------------------------------------


def _visible(text: str) -> str:
    """*text* in one line, with every character that does not show itself escaped."""
    return "".join(shown for shown, _ in _cells(text.replace("\t", _escaped("\t"))))


def _cells(text: str) -> list[tuple[str, int]]:
    """Each code point as it is shown, with the number of terminal columns that it takes."""
    cells: list[tuple[str, int]] = []
    stacked = 0
    for char in text:
        if " " <= char <= "~":
            cells.append((char, 1))
            stacked = 0
            continue
        zero = _takes_no_column(char)
        stacked = stacked + 1 if zero else 0
        if char == "\t":
            cells.append((_TAB, len(_TAB)))
        elif _hides(char) or stacked > _STACK:
            cells.append((_escaped(char), len(_escaped(char))))
        elif zero:
            cells.append((char, 0))
        else:
            cells.append((char, 2 if unicodedata.east_asian_width(char) in "WF" else 1))
    return cells


def _escaped(char: str) -> str:
    return f"\\u{{{ord(char):x}}}"


def _hides(char: str) -> bool:
    """Whether *char* leaves no ink of its own: controls, formats, blanks, unassigned ones."""
    if char in _BLANKS or any(ord(char) in selectors for selectors in _SELECTORS):
        return True
    return unicodedata.category(char)[0] in "CZ" and char != " "


def _takes_no_column(char: str) -> bool:
    if unicodedata.combining(char) or any(ord(char) in jamo for jamo in _JAMO):
        return True
    return unicodedata.category(char) in ("Mn", "Me")
