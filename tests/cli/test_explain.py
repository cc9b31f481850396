"""`goalspec explain`: every code has its page, by id or by name."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result
from goalspec.cli import group
from goalspec.cli.pages import page
from goalspec.compiler.lint.catalogue import CODES, FIXES
from goalspec.grammar.diagnostics import Code


def explain(*arguments: str) -> Result:
    return CliRunner().invoke(group, ["explain", *arguments], catch_exceptions=False)


def test_without_a_code_all_are_listed() -> None:
    result = explain()
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines == [[code.id, code.severity.value, code.name] for code in CODES]


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.id)
def test_the_page_of_a_code(code: Code) -> None:
    result = explain(code.id)
    assert (result.exit_code, result.stdout) == (0, page(code, FIXES.get(code.id)))
    assert result.stdout.startswith(f"# {code.id} {code.name}\n")
    assert code.why in result.stdout
    if code.bad.isascii():
        assert code.bad.rstrip() in result.stdout and code.good.rstrip() in result.stdout


@pytest.mark.parametrize("spelling", ["gs201", "GS201", "undeclared-fact", "Undeclared-Fact"])
def test_spellings(spelling: str) -> None:
    assert explain(spelling).stdout.startswith("# GS201 undeclared-fact\n")


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("GS2O1", "did you mean GS"),
        ("undeclared-fct", "did you mean undeclared-fact?"),
        ("nothing-like-it-at-all", "`goalspec explain` lists them"),
        ("", "`goalspec explain` lists them"),
    ],
)
def test_no_such_code(code: str, hint: str) -> None:
    result = explain(code)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"there is no code `{code}`; {hint}" in result.stderr


def test_pages_are_plain_text() -> None:
    for code in CODES:
        assert all(char.isprintable() or char == "\n" for char in page(code, FIXES.get(code.id))), (
            code.id
        )
