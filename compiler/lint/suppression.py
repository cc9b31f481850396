"""Comments that silence a finding on their line, each with its reason.

    check suite.passed == true   # goalspec: ignore GS402 -- the report spells it so
    # goalspec: ignore unchecked-number, GS410 -- the number is the customer's wording
    criterion …

A comment behind code is about its line, and about the statement that ends there; one on a line of
its own about the next line that holds code, and the statement that begins there: it holds however
the statement is laid out. It names codes by id or name. Errors of the language cannot be silenced:
a file that has them means nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from ...grammar import syntax as s
from ...grammar.comments import Comment
from ...grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity, nearest
from ...grammar.source import Source, Span, line_start
from ...grammar.syntax import File

_EXAMPLE = """\
facts {
  suite.passed : bool
}

goal g {
  objective "Ship it."
  criterion green "The suite passes"
    check suite.passed%s
}
"""
BAD = Code(
    "GS490", "bad-suppression", "lint", Severity.ERROR,
    "A comment that silences a finding says which, and why: `# goalspec: ignore GS402 -- the "
    "reason`. Whoever reads the file later can then tell whether the reason still holds. A comment "
    "that cannot be read silences nothing.",
    _EXAMPLE % "  # goalspec: ignore GS402",
    _EXAMPLE % " == true  # goalspec: ignore GS402 -- the team's style guide wants it",
)  # fmt: skip
UNUSED = Code(
    "GS491", "unused-suppression", "lint", Severity.WARNING,
    "The comment silences a finding that is not there. Perhaps the line was mended and the comment "
    "forgotten, or it stands on the wrong line; left there, it would hide the next mistake.",
    _EXAMPLE % "  # goalspec: ignore GS402 -- the team's style guide wants it",
    _EXAMPLE % "",
)  # fmt: skip
CODES = (BAD, UNUSED)

_LONGEST = 200  # lines of a statement that one comment can be about
_LINE_END = re.compile(r"\r\n|\r|\n")
_MARK = re.compile(r"#+[ \t]*goalspec:[ \t]*")
_IGNORE = re.compile(
    r"ignore[ \t]+(?P<codes>[\w-]+(?:[ \t]*,[ \t]*[\w-]+)*)(?:[ \t]+--[ \t]*(?P<why>.*))?"
)


@dataclass
class Suppression:
    """One comment: the *lines* it is about, and the codes that it silences there."""

    comment: Comment
    lines: range
    codes: tuple[Code, ...]
    used: set[str] = field(default_factory=set)


def apply(
    file: File, found: Iterable[Diagnostic], known: Mapping[str, Code], looked: frozenset[str]
) -> list[Diagnostic]:
    """What is left of *found*, and what is to be said of the suppressions themselves.

    *known* has the codes by id and name; a suppression of a code that was not looked for (*looked*
    has those that were) is not called unused.
    """
    if "goalspec:" not in file.source.text:
        return list(found)
    kept: list[Diagnostic] = []
    suppressions = list(_read(file, known, kept))
    by_place: dict[tuple[int, str], Suppression] = {}
    for suppression in suppressions:
        for line, code in product(suppression.lines, suppression.codes):
            by_place.setdefault((line, code.id), suppression)
    for diagnostic in found:
        own = diagnostic.source is file.source
        match = by_place.get((diagnostic.start.line, diagnostic.code.id)) if own else None
        if match is None:
            kept.append(diagnostic)
        else:
            match.used.add(diagnostic.code.id)
    for suppression in suppressions:
        unused = [c for c in suppression.codes if c.id not in suppression.used and c.id in looked]
        if unused:
            kept.append(_unused(file.source, suppression, unused))
    return kept


def _read(file: File, known: Mapping[str, Code], found: list[Diagnostic]) -> Iterable[Suppression]:
    lines = _Lines(file)
    for comment in file.comments():
        mark = _MARK.match(comment.text)
        if mark is None:
            continue
        match = _IGNORE.fullmatch(comment.text, mark.end())
        if match is None or not (match["why"] or "").strip(" \t-"):
            message = "the comment says no reason" if match else "the comment cannot be read"
            hint = "write `# goalspec: ignore CODE -- the reason`"
            found.append(Diagnostic(BAD, file.source, comment.span, message, hint))
            continue
        codes = _codes(match, comment, file.source, known, found)
        if codes:
            yield Suppression(comment, lines.of(comment), codes)


def _codes(
    match: re.Match[str], comment: Comment, source: Source, known: Mapping[str, Code],
    found: list[Diagnostic],
) -> tuple[Code, ...]:  # fmt: skip
    codes = []
    for word in re.finditer(r"[\w-]+", match["codes"]):
        code = known.get(word[0])
        if code is not None and code.can_be_silenced:
            codes.append(code)
            continue
        start = comment.span.start + match.start("codes") + word.start()
        span = Span(start, start + len(word[0]))
        if code is None:
            near = nearest(word[0], set(known))
            message = f"there is no code `{word[0]}`"
            hint = f"did you mean `{near}`?" if near else "`goalspec explain` lists them"
        else:
            message = f"{code.id} cannot be silenced: it is an error of the language"
            hint = "mend the line that has it"
        found.append(Diagnostic(BAD, source, span, message, hint))
    return tuple(codes)


class _Lines:
    """Which lines of a file a comment is about."""

    def __init__(self, file: File) -> None:
        self._source = file.source
        lines = enumerate(_LINE_END.split(file.source.text), 1)
        self._code = [n for n, line in lines if (bare := line.strip()) and bare[0] != "#"]
        self._last: dict[int, int] = {}  # of the longest statement that begins on a line
        self._first: dict[int, int] = {}  # of the longest statement that ends on a line
        for span in _statements(file):
            first = file.source.position(span.start).line
            last = file.source.position(span.end).line
            if last - first < _LONGEST:
                self._last[first] = max(last, self._last.get(first, 0))
                self._first[last] = min(first, self._first.get(last, last))

    def of(self, comment: Comment) -> range:
        text = self._source.text
        line = self._source.position(comment.span.start).line
        start = line_start(text, comment.span.start)
        if text[start : comment.span.start].strip():
            return range(self._first.get(line, line), line + 1)
        place = bisect_right(self._code, line)
        line = self._code[place] if place < len(self._code) else line
        return range(line, self._last.get(line, line) + 1)


def _statements(file: File) -> Iterator[Span]:
    """What a comment may be about as a whole: what stands on its own between braces or at the top
    of a file, but not what holds others of the kind."""
    for statement in file.statements:
        match statement:
            case s.Goal(parts=parts) | s.Preset(parts=parts):
                for part in parts:
                    yield part.span
                    if isinstance(part, s.Part):
                        yield from (clause.span for clause in part.clauses)
            case s.Facts(facts=facts):
                yield from (fact.span for fact in facts)
            case s.Test(steps=steps):
                yield from (step.span for step in steps)
            case _:
                yield statement.span


def _unused(source: Source, suppression: Suppression, unused: list[Code]) -> Diagnostic:
    comment = suppression.comment
    names = ", ".join(code.id for code in unused)
    fix = None
    if len(unused) == len(suppression.codes):
        fix = Fix("delete the comment", (Edit(_whole(source.text, comment), ""),), safe=True)
    return Diagnostic(
        UNUSED, source, comment.span, f"nothing on {_said(suppression.lines)} has {names}",
        "delete the comment" if fix else f"take {names} out of the comment", fix=fix,
    )  # fmt: skip


def _said(lines: range) -> str:
    first, last = lines[0], lines[-1]
    return f"line {first}" if first == last else f"lines {first} to {last}"


def _whole(text: str, comment: Comment) -> Span:
    """The comment with the blanks before it, and its line where it stands alone there."""
    start = line_start(text, comment.span.start)
    if not text[start : comment.span.start].strip():
        end = comment.span.end
        newline = 2 if text.startswith("\r\n", end) else 1
        return Span(start, min(len(text), end + newline))
    return Span(len(text[: comment.span.start].rstrip(" \t")), comment.span.end)
