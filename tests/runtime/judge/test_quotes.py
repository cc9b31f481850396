"""When a quote stands in what was shown."""

from __future__ import annotations

import time

import pytest
from goalspec.compiler.rendering.escaping import escaped
from goalspec.runtime.judge.quotes import folded, stands_in
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("0 failed", "25 passed, 0 failed", True),
        ("0 failed", "25 passed, 10 failed", False),
        ("5 passed", "25 passed", False),
        ("passed", "the test_passed marker", False),
        ("exit code 1", "exit code 127", False),
        ("exit code 1", "exit code 1\n", True),
        ("passed  in\n3s", "passed in 3s", True),
        ("passed in 3s", "passed\n\tin   3s", True),
        ("Passed", "passed", False),
        ("caf\u00e9 opens", "cafe\u0301 opens", True),
        ("ผ่านหมด", "การทดสอบผ่านหมดแล้ว", True),
        ("通过", "全部测试通过了", False),
        ("测试通过", "全部测试通过了", True),
        ("ok", "ok", True),
        ("ok", "ok then", False),
        ("====", "==== 3 passed ====", False),
        ("", "anything", False),
        (" \n ", "anything", False),
        ("if a < b && c:", "if a < b && c:", True),
        ("if a &lt; b &amp;&amp; c:", "if a < b && c:", True),
        ("  | first line\n  | second", "first line\nsecond line", True),
        ("not passed", "passed", False),
    ],
)
def test_a_quote_is_found_where_it_stands(quote: str, text: str, found: bool) -> None:
    assert stands_in(quote, [folded(text)]) is found


def test_a_quote_stands_in_one_piece() -> None:
    assert stands_in("tail end", ("the head", "the tail end"))
    assert not stands_in("the head the tail", ("the head", "the tail end"))


def test_looking_for_a_quote_takes_no_time() -> None:
    began = time.monotonic()
    assert not stands_in("a" * 5_000 + "b", ["a" * 250_000])
    assert not stands_in("aaaa", ["a" * 250_000])
    assert time.monotonic() - began < 5


@given(st.text(), st.data())
def test_whole_words_of_a_text_are_found_as_it_has_them_and_as_it_is_shown(
    text: str, data: st.DataObject
) -> None:
    words = text.split()
    start = data.draw(st.integers(0, max(0, len(words) - 1)))
    end = data.draw(st.integers(start, len(words)))
    quote = " ".join(words[start:end])
    if len(quote) >= 4 and any(map(str.isalnum, quote)) and quote.isascii():
        assert stands_in(quote, [folded(text)])
        assert stands_in(escaped(quote), [folded(text)])
