"""Which codes are looked for: by id, name, beginning of an id, or ALL."""

from __future__ import annotations

import pytest
from goalspec.compiler.lint.catalogue import CODES
from goalspec.compiler.lint.config import UnknownCode
from goalspec.compiler.lint.linter import Linter
from goalspec.compiler.lint.selection import SELECTABLE, select
from goalspec.grammar.diagnostics import Severity

FORTIES = {id for id in SELECTABLE if id.startswith("GS40")}


@pytest.mark.parametrize(
    ("chosen", "ignored", "expected"),
    [
        (None, [], SELECTABLE),
        (["ALL"], [], SELECTABLE),
        (["all"], [], SELECTABLE),
        ([], [], set()),
        (["GS402"], [], {"GS402"}),
        (["gs402"], [], {"GS402"}),
        ([" GS402 "], [], {"GS402"}),
        (["bool-comparison"], [], {"GS402"}),
        (["Bool-Comparison"], [], {"GS402"}),
        (["GS40"], [], FORTIES),
        (["GS40", "GS491"], ["GS402"], FORTIES - {"GS402"} | {"GS491"}),
        (None, ["GS40"], SELECTABLE - FORTIES),
        (None, ["ALL"], set()),
        (["GS402"], ["GS403"], {"GS402"}),
    ],
)
def test_what_is_selected(chosen: list[str] | None, ignored: list[str], expected: set[str]) -> None:
    assert select(chosen, ignored) == expected


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("GS4O2", "there is no code `GS4O2`; did you mean GS4"),
        ("bool-compare", "did you mean bool-comparison?"),
        ("GS4x", "there is no code `GS4x`; did you mean GS4"),  # GS504 cannot be chosen
        ("GS9", "there is no code `GS9`; "),
        ("GS", "there is no code `GS`; "),
        ("", "there is no code ``; `goalspec explain` lists them"),
        ("x" * 5_000, "`goalspec explain` lists them"),
        ("GS101", "GS101 is an error of the language and is always told"),
        ("undeclared-fact", "GS201 is an error of the language and is always told"),
    ],
)
def test_a_word_that_names_no_code(word: str, says: str) -> None:
    for chosen, ignored in (([word], []), (None, [word])):
        with pytest.raises(UnknownCode) as raised:
            select(chosen, ignored)
        assert says in str(raised.value)


def test_errors_of_the_language_are_always_told() -> None:
    errors = {code.id for code in CODES if code.stage != "lint" and code.severity is Severity.ERROR}
    assert errors and not errors & SELECTABLE
    text = 'goal g {\n  objective "x"\n  criterion c "x" check no.such\n}\n'
    linted = Linter().lint_bytes(text.encode(), "a.goal", active=frozenset())
    assert [d.code.id for d in linted.found] == ["GS201"]


def test_only_what_is_selected_is_told() -> None:
    """Comments that silence nothing, and those that cannot be read, are findings like others."""
    text = (
        'facts {\n  a.ok : bool\n}\ngoal g {\n  objective "x"\n'
        '  criterion c "x" check a.ok == true  # goalspec: ignore GS403 -- why not\n'
        '  criterion d "y" check a.ok != false  # goalspec: ignore\n}\n'
    )
    for chosen, expected in (
        (["ALL"], ["GS402", "GS491", "GS402", "GS490"]),
        (["GS402"], ["GS402", "GS402"]),
        (["GS490"], ["GS490"]),
        (["GS491"], []),  # what the comment silences was not looked for
        (["GS403", "GS491"], ["GS491"]),
        (["GS403"], []),
    ):
        linted = Linter().lint_bytes(text.encode(), "a.goal", active=select(chosen, []))
        assert [d.code.id for d in linted.found] == expected, chosen
