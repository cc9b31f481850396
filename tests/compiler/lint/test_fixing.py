"""Applying fixes: which are taken, in which order, and when a text is not taken."""

from __future__ import annotations

import pytest
from goalspec.compiler.lint import fixing
from goalspec.grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from goalspec.grammar.source import Source, Span
from hypothesis import given
from hypothesis import strategies as st

WARNING = Code("GS402", "w", "lint", Severity.WARNING, "", "", "")
ERROR = Code("GS201", "e", "resolve", Severity.ERROR, "", "", "")
SOURCE = Source("a.goal", "0123456789")


def finding(*edits: tuple[int, int, str], safe: bool = True, source: Source = SOURCE) -> Diagnostic:
    fix = Fix("mend it", tuple(Edit(Span(a, b), text) for a, b, text in edits), safe)
    return Diagnostic(WARNING, source, Span(edits[0][0], edits[-1][1]), "m", fix=fix)


@pytest.mark.parametrize(
    ("found", "text", "applied"),
    [
        ([], "0123456789", 0),
        ([finding((0, 1, "a"))], "a123456789", 1),
        ([finding((0, 10, ""))], "", 1),
        ([finding((10, 10, "x"))], "0123456789x", 1),
        ([finding((2, 3, "long")), finding((5, 5, "+"))], "01long34+56789", 2),
        ([finding((5, 6, "")), finding((0, 1, ""))], "12346789", 2),
        # the edits of one fix stand or fall together
        ([finding((0, 1, "("), (8, 9, ")"))], "(1234567)9", 1),
        ([finding((0, 1, "("), (8, 9, ")")), finding((3, 4, "x"))], "(12x4567)9", 2),
        ([finding((0, 3, "a")), finding((2, 3, "b"), (6, 7, "c"))], "a3456789", 1),
        # of two that touch one another the first is taken
        ([finding((0, 4, "a")), finding((2, 6, "b"))], "a456789", 1),
        ([finding((0, 4, "a")), finding((4, 6, "b"))], "a456789", 1),
        ([finding((4, 4, "a")), finding((4, 4, "b"))], "0123a456789", 1),
        ([finding((0, 9, "a")), finding((2, 3, "b"))], "a9", 1),
        # what is found in another file is mended there
        ([finding((0, 1, "a"), source=Source("b.goal", "0"))], "0123456789", 0),
    ],
)
def test_edits(found: list[Diagnostic], text: str, applied: int) -> None:
    assert fixing.apply(SOURCE, found) == (text, applied)


edits = st.tuples(st.integers(0, 10), st.integers(0, 10), st.sampled_from(["", "x", "yy"])).map(
    lambda edit: (min(edit[:2]), max(edit[:2]), edit[2])
)


@given(st.lists(edits.map(finding), max_size=6), st.randoms())
def test_the_order_of_findings_does_not_matter(found: list[Diagnostic], rng: object) -> None:
    """The same findings in another order are the same text, and what no edit names stays."""
    text, applied = fixing.apply(SOURCE, found)
    shuffled = list(found)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    by_key = {d.sort_key: d for d in found}
    if len(by_key) == len(found):
        assert fixing.apply(SOURCE, shuffled) == (text, applied)
    left = [c for n, c in enumerate(SOURCE.text) if not any(_covers(d, n) for d in found)]
    digits = [c for c in text if c.isdigit()]
    assert set(left) <= set(digits)
    assert digits == sorted(digits)


def _covers(diagnostic: Diagnostic, offset: int) -> bool:
    assert diagnostic.fix is not None
    return any(edit.span.start <= offset < edit.span.end for edit in diagnostic.fix.edits)


def test_unsafe_fixes_are_applied_when_asked_for() -> None:
    found = [finding((0, 1, "a")), finding((5, 6, "b"), safe=False)]
    assert fixing.fixable(found, unsafe=False) == found[:1]
    assert fixing.fixable(found, unsafe=True) == found


# --- rounds


def _lint(text: str) -> tuple[Source, tuple[Diagnostic, ...]]:
    """Every `a` is to be a `b`, but of `aa` the first is to go; a `!` is an error."""
    source = Source("a.goal", text)
    found = []
    for place, char in enumerate(text):
        if char == "!":
            found.append(Diagnostic(ERROR, source, Span(place, place + 1), "e"))
        elif text[place : place + 2] == "aa":
            found.append(finding((place, place + 1, ""), source=source))
        elif char == "a" and not text[:place].endswith("a"):
            found.append(finding((place, place + 1, "b"), source=source))
        elif char == "?":
            found.append(finding((place, place + 1, "!"), source=source))
    return source, tuple(found)


@pytest.mark.parametrize(
    ("before", "after", "applied", "left"),
    [
        ("xyz", "xyz", 0, 0),
        ("a-a", "b-b", 2, 0),
        ("aaa", "b", 3, 0),  # one uncovers another
        ("a-!", "b-!", 1, 1),
        ("a-?", "a-?", 0, 2),  # what makes errors is not taken
    ],
)
def test_rounds(before: str, after: str, applied: int, left: int) -> None:
    mended = fixing.mend(*_lint(before), _lint, unsafe=False)
    assert (mended.source.text, mended.applied, len(mended.found)) == (after, applied, left)


def test_fixes_without_an_end_end() -> None:
    def lint(text: str) -> tuple[Source, tuple[Diagnostic, ...]]:
        source = Source("a.goal", text)
        return source, (finding((0, 1, "ba"[text == "b"]), source=source),)

    assert fixing.mend(*lint("a"), lint, unsafe=False).source.text in ("a", "b")
