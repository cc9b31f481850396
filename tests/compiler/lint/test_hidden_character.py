"""Hidden characters where the tables of cases do not reach: files with errors, and many of them."""

from __future__ import annotations

import pytest
from goalspec.compiler.lint.linter import Linter
from goalspec.grammar.diagnostics import Diagnostic


def found(text: str) -> list[Diagnostic]:
    return list(Linter().lint_bytes(text.encode(), "spec.goal").found)


def hidden(text: str) -> list[Diagnostic]:
    return [d for d in found(text) if d.code.id == "GS418"]


def test_a_file_with_errors_is_looked_through() -> None:
    assert len(hidden('goal g { objektive "a\u200bb" }  # \u202e')) == 2


def test_a_run_is_one_finding_and_a_file_has_twenty_at_most() -> None:
    (one,) = hidden("# a" + "\U000e0041" * 300)
    assert (
        one.message
        == "the comment holds U+E0041 (tag latin capital letter a) and 299 more that do not show"
    )
    assert len(hidden("# a\u200b\n" * 50)) == 20


def test_a_control_character_in_a_string_is_the_languages_matter() -> None:
    diagnostics = found('goal g { objective "a\x1b[2Jb" criterion c "It holds" }')
    assert [d.code.id for d in diagnostics] == ["GS004"]


def test_outside_strings_and_comments_it_is_no_text() -> None:
    assert hidden('goal g { objective \u200b"a" }') == []


@pytest.mark.parametrize("string", ['r"a\u200bb"', '"a\\\u200bb"', '"a\\\\\u200bb"'])
def test_what_a_backslash_would_change_has_no_fix(string: str) -> None:
    (one,) = hidden(f"goal g {{ objective {string} }}")
    assert one.fix is None
    assert one.hint == "delete it"


def test_a_byte_order_mark_at_the_start_is_none() -> None:
    assert hidden("\ufeff# a comment\n") == []
