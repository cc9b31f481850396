"""Findings as JSON values and back: nothing of them is lost, wherever they point."""

from __future__ import annotations

import json

import pytest
from goalspec.compiler.lint.records import read_record, source_of, write_record
from goalspec.grammar.diagnostics import Code, Diagnostic, Edit, Fix, Label, Severity
from goalspec.grammar.source import Source, Span
from hypothesis import given
from hypothesis import strategies as st

texts = st.text(max_size=12)
spans = st.builds(Span, st.integers(0, 40), st.integers(0, 40))
codes = st.builds(Code, texts, texts, texts, st.sampled_from(Severity), texts, texts, texts)
sources = st.lists(st.builds(Source, texts, texts), min_size=1, max_size=4)
fixes = st.builds(
    Fix, texts, st.lists(st.builds(Edit, spans, texts), max_size=3).map(tuple), st.booleans()
)


@st.composite
def findings(draw: st.DrawFn) -> tuple[Source, list[Diagnostic]]:
    """The linted file's source, and findings in it and in others; a code's id is its own."""
    places = draw(sources)
    known = {code.id: code for code in draw(st.lists(codes, min_size=1, max_size=4))}
    labels = st.builds(Label, st.sampled_from(places), spans, texts)
    found = st.builds(
        Diagnostic, st.sampled_from(list(known.values())), st.sampled_from(places), spans, texts,
        st.none() | texts, st.lists(labels, max_size=3).map(tuple), st.none() | fixes,
    )  # fmt: skip
    return places[0], draw(st.lists(found, max_size=5))


@given(findings())
def test_findings_come_back(case: tuple[Source, list[Diagnostic]]) -> None:
    source, found = case
    record = json.loads(json.dumps(write_record(source, found)))
    back = read_record(record, source)
    assert list(back) == found
    for one, other in zip(back, found, strict=True):
        assert one.severity is other.severity
        assert (one.source is source) == (other.source == source)


@pytest.mark.parametrize(
    ("data", "text"),
    [(b"goal", "goal"), (b"\xef\xbb\xbfgoal", "goal"), (b"go\xff", "go"), (b"go\0al", "go")],
)
def test_the_source_is_what_could_be_decoded(data: bytes, text: str) -> None:
    assert source_of(data, "a.goal") == Source("a.goal", text)
