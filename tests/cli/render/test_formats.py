"""What holds for every form: whatever is said of whatever file, its readers can take it."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from random import Random
from xml.etree import ElementTree

import pytest
from goalspec.cli.render import FORMATS
from goalspec.grammar.diagnostics import Code, Diagnostic, Edit, Fix, Label, Severity
from goalspec.grammar.source import Source, Span
from hypothesis import given
from hypothesis import strategies as st

ERROR = Code("GS201", "undeclared-fact", "resolve", Severity.ERROR, "why", "bad", "good")
WARNING = Code("GS401", "unread-fact", "lint", Severity.WARNING, "why", "bad", "good")

# Python spells the bytes of a path that are not UTF-8 as these surrogates.
BYTES = st.characters(min_codepoint=0xDC80, max_codepoint=0xDCFF)
ODD = st.sampled_from(list("\x00\x1b\x7f\x9b\u202e\u2028\ufffe\ufeff\n\r\t \"'<>&]%:,{}[()\\"))
TEXTS = st.text(st.one_of(st.characters(), ODD), max_size=20)
PATHS = st.text(st.one_of(st.characters(exclude_categories=["Cs"]), ODD, BYTES), min_size=1)


@st.composite
def diagnostics(draw: st.DrawFn) -> Diagnostic:
    source = Source(draw(PATHS), draw(TEXTS))

    def span() -> Span:
        places = st.integers(0, len(source.text))
        return Span(*sorted((draw(places), draw(places))))

    return Diagnostic(
        draw(st.sampled_from([ERROR, WARNING])),
        source,
        span(),
        draw(TEXTS),
        draw(st.none() | TEXTS),
        (Label(source, span(), draw(TEXTS)),) if draw(st.booleans()) else (),
        Fix(draw(TEXTS), (Edit(span(), draw(TEXTS)),), draw(st.booleans()))
        if draw(st.booleans())
        else None,
    )


COUNTS: dict[str, Callable[[str], int]] = {
    "text": lambda text: text.count("\n   = explain: "),
    "concise": lambda text: sum("[GS" in line for line in text.split("\n")),
    "json": lambda text: len(json.loads(text)["diagnostics"]),
    "sarif": lambda text: len(json.loads(text)["runs"][0]["results"]),
    "github": lambda text: text.count("\n"),
    "gitlab": lambda text: len(json.loads(text)),
    "junit": lambda text: len(ElementTree.fromstring(text.encode()).findall(".//failure")),
}


def test_every_form_is_here() -> None:
    assert list(COUNTS) == list(FORMATS)


each_form = pytest.mark.parametrize("form", FORMATS)


@each_form
@given(found=st.lists(diagnostics(), max_size=4))
def test_any_text_is_well_formed_and_says_every_finding(form: str, found: list[Diagnostic]) -> None:
    text = FORMATS[form](found, 1, color=False)
    assert COUNTS[form](text) == len(found)
    assert text == "" or text.endswith("\n")
    text.encode()


@each_form
@given(found=diagnostics())
def test_nothing_that_a_terminal_obeys_is_raw(form: str, found: Diagnostic) -> None:
    text = FORMATS[form]([found], 1, color=False)
    categories = {unicodedata.category(char) for char in text if char != "\n"}
    assert categories.isdisjoint(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


@each_form
def test_nothing_found_is_nothing_said(form: str) -> None:
    assert COUNTS[form](FORMATS[form]([], 3, color=False)) == 0


@each_form
@given(
    found=st.lists(diagnostics(), max_size=4, unique_by=lambda found: found.sort_key),
    random=st.randoms(use_true_random=False),
)
def test_the_order_of_the_input_does_not_matter(
    form: str, found: list[Diagnostic], random: Random
) -> None:
    shuffled = random.sample(found, len(found))
    assert FORMATS[form](found, 1, color=False) == FORMATS[form](shuffled, 1, color=False)
