"""Every rule's page is true, and its fix does what it says.

The bad file of a rule has its finding and no other, the good one none; a fix applied leaves no
finding of the rule; one that is called safe leaves every verdict as it was, on random facts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from goalspec.cli.render.text import render
from goalspec.compiler import compile_text
from goalspec.compiler.lint import fixing
from goalspec.compiler.lint.catalogue import BY_ID, BY_NAME, RULES
from goalspec.compiler.lint.linter import Linted, Linter
from goalspec.grammar.diagnostics import Code, Severity

HERE = Path(__file__).parent
CODES = [code for code in BY_ID.values() if code.stage == "lint"]
by_code = pytest.mark.parametrize("code", CODES, ids=[code.name for code in CODES])
fixed = [rule for rule in RULES if rule.fix]
by_fixed_rule = pytest.mark.parametrize("rule", fixed, ids=[rule.code.name for rule in fixed])


def lint(text: str) -> Linted:
    return Linter().lint_bytes(text.encode(), "spec.goal")


def mend(text: str, id: str) -> str:
    """*text* with every fix for the code applied, round after round."""
    for _ in range(10):
        linted = lint(text)
        mine = [d for d in fixing.fixable(linted.found, unsafe=True) if d.code.id == id]
        if not mine:
            return text
        text, applied = fixing.apply(linted.checked.unit.source, mine)
        assert applied
    raise AssertionError(f"no end to the fixes of {id}")


@by_code
def test_the_bad_file_has_the_finding_and_no_other(code: Code) -> None:
    assert {d.code.id for d in lint(code.bad).found} == {code.id}


@by_code
def test_the_good_file_has_none(code: Code) -> None:
    assert [d.message for d in lint(code.good).found] == []


@by_code
def test_the_report_reads_well(code: Code, golden: Callable[[Path, str], None]) -> None:
    golden(HERE / "golden" / f"{code.id}.txt", render(lint(code.bad).found, 1, color=False))


def test_every_golden_file_is_of_a_code() -> None:
    assert {path.stem for path in (HERE / "golden").iterdir()} == {code.id for code in CODES}


@by_code
def test_the_page_says_why_in_sentences(code: Code) -> None:
    assert code.why[0].isupper() or code.why[0] == "`"
    assert code.why.endswith((".", "`."))
    assert len(code.why.split()) >= 15


@pytest.mark.parametrize("rule", RULES, ids=[rule.code.name for rule in RULES])
def test_a_rule_is_one_class_in_a_file_of_its_name(rule: object) -> None:
    module = type(rule).__module__.rpartition(".")[2]
    name = BY_ID[rule.code.id].name  # type: ignore[attr-defined]
    assert module == name.replace("-", "_")
    assert type(rule).__name__ == "".join(word.capitalize() for word in name.split("-"))
    assert type(rule).__doc__


@pytest.mark.row("X09")
@by_fixed_rule
def test_a_fix_leaves_no_finding_of_its_rule(rule: object) -> None:
    code: Code = rule.code  # type: ignore[attr-defined]
    mended = mend(code.bad, code.id)
    assert mended != code.bad
    assert code.id not in {d.code.id for d in lint(mended).found}
    assert compile_text(mended).errors == ()


@pytest.mark.parametrize("rule", RULES, ids=[rule.code.name for rule in RULES])
def test_a_rule_says_what_kind_of_fix_it_has(rule: object) -> None:
    code: Code = rule.code  # type: ignore[attr-defined]
    kinds = {d.fix.safe for d in lint(code.bad).found if d.fix is not None}
    declared = {"safe": {True}, "unsafe": {False}, None: set()}[rule.fix]  # type: ignore[attr-defined]
    assert kinds == declared


# --- tables: cases/NAME.toml has more files for the rule NAME, with what it finds in each


def tables() -> list[tuple[str, dict[str, Any]]]:
    """The code's name and one entry: *text*, *finds* as line:column, perhaps *fixed*."""
    return [
        (path.stem.replace("_", "-"), entry)
        for path in sorted((HERE / "cases").glob("*.toml"))
        for entry in tomllib.loads(path.read_text("utf-8"))["file"]
    ]


@pytest.mark.parametrize(("name", "entry"), tables(), ids=lambda v: v if isinstance(v, str) else "")
def test_a_file_of_the_tables_has_what_it_says(name: str, entry: dict[str, Any]) -> None:
    assert set(entry) <= {"why", "text", "finds", "fixed"}
    code = BY_NAME[name]
    linted = lint(entry["text"])
    assert [d.message for d in linted.checked.found if d.severity is Severity.ERROR] == []
    mine = [d for d in linted.found if d.code is code]
    assert [f"{d.start.line}:{d.start.column}" for d in mine] == entry["finds"]
    if "fixed" in entry:
        assert mend(entry["text"], code.id) == entry["fixed"]


def test_every_rule_has_a_table_with_findings_and_with_none() -> None:
    found: dict[str, set[bool]] = {code.name: set() for code in CODES}
    for name, entry in tables():
        found[name].add(bool(entry["finds"]))
    assert {name: seen for name, seen in found.items() if seen != {True, False}} == {}


# --- what the rulings ask of lint

ASKED = [
    pytest.param(
        75, ("mixed-clocks", "constraint-as-criterion", "placeholder", "mojibake", "unchecked-number",
             "not-lasting"), marks=pytest.mark.ruling(75),
    ),
    pytest.param(4, ("missing-every",), marks=pytest.mark.ruling(4)),
    pytest.param(31, ("missing-id",), marks=pytest.mark.ruling(31)),
    pytest.param(42, ("nothing-decides",)),  # the rest of it is the runtime's
]  # fmt: skip


@pytest.mark.parametrize(("ruling", "names"), ASKED)
def test_what_a_ruling_asks_for_is_found(ruling: int, names: tuple[str, ...]) -> None:
    for name in names:
        assert BY_NAME[name] in {d.code for d in lint(BY_NAME[name].bad).found}
