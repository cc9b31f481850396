"""The spelling of strings inside a fence: nothing is lost, nothing hides, nothing moves a line."""

from __future__ import annotations

import re

import pytest
from goalspec.compiler.hidden import INVISIBLE, is_called_for
from goalspec.compiler.rendering.escaping import CONTINUED, escaped, escaped_id, unescaped
from hypothesis import given
from hypothesis import strategies as st

HIDDEN = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{INVISIBLE}\ud800-\udfff\ufffe\uffff]")
ANY = st.text(st.characters())  # lone surrogates too, which a host may give


@given(ANY)
def test_nothing_is_lost(text: str) -> None:
    assert unescaped(escaped(text)) == text


@given(ANY, ANY)
def test_two_strings_never_look_the_same(one: str, other: str) -> None:
    assert (escaped(one) == escaped(other)) == (one == other)


@pytest.mark.ruling(38)
@given(ANY)
def test_nothing_hides_and_no_line_begins_anew(text: str) -> None:
    spelled = escaped(text)
    assert not re.search(r"[<>]|\{[{%#]", spelled)
    assert all(is_called_for(spelled, match.start()) for match in HIDDEN.finditer(spelled))
    assert all(line.startswith(CONTINUED) for line in spelled.split("\n")[1:])
    assert len(spelled.splitlines()) <= spelled.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"),
        ("pass\u202eword", "pass&#x202e;word"),
        ("one\ntwo", "one\n  | two"),
        ("one\r\ntwo", "one&#xd;\n  | two"),
        ("{{ x }} {x} {% y %}", "&#x7b;{ x }} {x} &#x7b;% y %}"),
        ("a\tb", "a\tb"),
        ("\x1b[31m", "&#x1b;[31m"),
        ("a\u200bb", "a&#x200b;b"),
        ("👩\u200d💻, می\u200cخواهم, ⚠\ufe0f", "👩\u200d💻, می\u200cخواهم, ⚠\ufe0f"),
        ("a\ud800b", "a&#xd800;b"),
        ("naïve “quotes” – 日本語", "naïve “quotes” – 日本語"),
    ],
)
def test_spellings(text: str, spelled: str) -> None:
    assert escaped(text) == spelled


@pytest.mark.parametrize(
    ("id", "spelled"),
    [("no-auth_2.x", "no-auth_2.x"), ("a b: (c)", "a&#x20;b&#x3a;&#x20;&#x28;c&#x29;")],
)
def test_an_id_is_one_word_whatever_a_host_calls_it(id: str, spelled: str) -> None:
    assert escaped_id(id) == spelled
    assert unescaped(spelled) == id
