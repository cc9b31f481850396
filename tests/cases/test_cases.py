"""Real trouble with goal files, gates and condition engines, each kept impossible by its case.

Each `C*.toml` beside this file is a case: what must not happen, and expectations of the command line
that show it. README.md describes the format; index.toml says which cases are shown where.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from _pytest.mark import ParameterSet
from goalspec import compile_text
from goalspec.tests.cases.commands import formatted, goalspec, put
from goalspec.tests.marks import unmarked
from pydantic import BaseModel, ConfigDict

FOLDER = Path(__file__).parent
_ID = re.compile(r"C\d{3}")


class Strict(BaseModel):
    """A table of a case's file, which has no other keys."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Check(Strict):
    """What `goalspec check` says of a goal and facts."""

    spec: str | None = None
    text: str | None = None
    facts: str
    baseline: str | None = None
    options: list[str] = []
    exit: int
    parts: dict[str, str] = {}
    each: list[dict[str, str]] = []
    says: list[str] = []


class Lint(Strict):
    """What `goalspec lint` says of a text, whose findings are marked in it."""

    text: str
    exit: int | None = None
    says: list[str] = []


class Same(Strict):
    """Texts that mean the same: each of their goals has one contract."""

    texts: list[str]


class Fmt(Strict):
    """What `goalspec fmt` makes of a text."""

    text: str
    gives: str


class Case(Strict):
    """A case's file."""

    title: str
    template: str = "$"
    check: list[Check] = []
    lint: list[Lint] = []
    same: list[Same] = []
    fmt: list[Fmt] = []

    @property
    def expectations(self) -> int:
        return len(self.check) + len(self.lint) + len(self.same) + len(self.fmt)


class Named(NamedTuple):
    """A case with its id."""

    id: str
    case: Case

    def file(self, text: str) -> tuple[str, list[str]]:
        """The file that *text* makes in the case's template, and the findings marked in it."""
        return unmarked(self.case.template.replace("$", text))

    def spec(self, check: Check) -> str:
        """The goal file that a check is about, as text."""
        if check.text is not None:
            assert check.spec is None, "a check has a spec or a text"
            return self.file(check.text)[0]
        return (FOLDER / self.spec_name(check)).read_text("utf-8")

    def spec_name(self, check: Check) -> str:
        return check.spec or f"{self.id}.goal"


def load(path: Path) -> Named:
    with path.open("rb") as file:
        return Named(path.stem, Case.model_validate(tomllib.load(file)))


CASES = [load(path) for path in sorted(FOLDER.glob("C*.toml"))]


def expectations(kind: str) -> list[ParameterSet]:
    """Every expectation of one kind, as `C002-check-1`."""
    return [
        pytest.param(named, expected, id=f"{named.id}-{kind}-{number}")
        for named in CASES
        for number, expected in enumerate(getattr(named.case, kind), 1)
    ]


# --- check


@pytest.mark.parametrize(("named", "expected"), expectations("check"))
def test_check(named: Named, expected: Check, tmp_path: Path) -> None:
    spec = put(tmp_path / f"{named.id}.goal", named.spec(expected))
    facts = put(tmp_path / "facts.json", expected.facts)
    options: list[str | Path] = [*expected.options]
    if expected.baseline is not None:
        options += ["--baseline", put(tmp_path / "baseline.json", expected.baseline)]
    result = goalspec("check", spec, "--facts", facts, "--json", "--each", *options)
    assert result.exit_code == expected.exit, result.output
    verdicts = [json.loads(line) for line in result.stdout.splitlines()]
    if expected.each:
        assert len(verdicts) == len(expected.each)
    wanted = expected.each or ([{}] * (len(verdicts) - 1) + [expected.parts] if verdicts else [])
    for place, (verdict, parts) in enumerate(zip(verdicts, wanted, strict=True), 1):
        assert shown(verdict, parts) == parts, f"observation {place}: {result.output}"
    explanations = "\n".join(text for v in verdicts for text in v["explanations"].values())
    for words in expected.says:
        assert words in f"{explanations}\n{result.stderr}"


def shown(verdict: dict[str, Any], wanted: dict[str, str]) -> dict[str, str]:
    """The outcomes of the parts that are *wanted*, each with its reason where that is asked for,
    and the floor."""
    found = {}
    for name, word in wanted.items():
        outcome = verdict["floor"] if name == "floor" else outcome_of(verdict, name)
        reason = verdict["reasons"].get(name)
        found[name] = f"{outcome}:{reason}" if ":" in word else outcome
    return found


def outcome_of(verdict: dict[str, Any], id: str) -> str:
    outcomes = ["met", "unmet", "unknown", "waived", "judged", "held", "violated", "stopped"]
    found = [outcome for outcome in outcomes if id in verdict[outcome]]
    assert len(found) == 1, f"{id} is {found}"
    return found[0]


# --- lint


@pytest.mark.parametrize(("named", "expected"), expectations("lint"))
def test_lint(named: Named, expected: Lint, tmp_path: Path) -> None:
    text, places = named.file(expected.text)
    result = goalspec("lint", put(tmp_path / "case.goal", text), "--format", "json")
    found = json.loads(result.stdout)["diagnostics"]
    assert [place(d) for d in found] == places, result.stdout
    words = "\n".join(line for diagnostic in found for line in lines(diagnostic))
    for said in expected.says:
        assert said in words
    if expected.exit is not None:
        assert result.exit_code == expected.exit


def place(diagnostic: dict[str, Any]) -> str:
    return f"{position(diagnostic)} {diagnostic['code']}"


def position(placed: dict[str, Any]) -> str:
    return f"{placed['start']['line']}:{placed['start']['column']}"


def lines(diagnostic: dict[str, Any]) -> list[str]:
    """What a finding says: its message, its hint, and its labels with their places."""
    labels = [f"{position(label)} {label['text']}" for label in diagnostic["labels"]]
    return [diagnostic["message"], diagnostic["hint"] or "", *labels]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.goal")), ids=lambda path: path.stem)
def test_a_contract_has_no_findings(path: Path) -> None:
    result = goalspec("lint", path, "--format", "json")
    assert json.loads(result.stdout)["diagnostics"] == []


# --- same


@pytest.mark.parametrize(("named", "expected"), expectations("same"))
def test_same(named: Named, expected: Same) -> None:
    assert len(expected.texts) > 1
    contracts = {contract(named.file(text)[0]): text for text in expected.texts}
    assert len(contracts) == 1, contracts


def contract(text: str) -> tuple[str, ...]:
    compiled = compile_text(text)
    assert compiled.document is not None, [d.message for d in compiled.diagnostics]
    return tuple(goal.contract for goal in compiled.document.goals)


# --- fmt


@pytest.mark.parametrize(("named", "expected"), expectations("fmt"))
def test_fmt(named: Named, expected: Fmt) -> None:
    text, gives = (named.file(text)[0] for text in (expected.text, expected.gives))
    assert formatted(text) == gives
    assert formatted(gives) == gives


# --- the files


def test_every_case_expects_something() -> None:
    for named in CASES:
        assert _ID.fullmatch(named.id)
        assert named.case.expectations, named.id


def test_every_contract_is_checked() -> None:
    used = {n.spec_name(check) for n in CASES for check in n.case.check if check.text is None}
    assert {path.name for path in FOLDER.glob("*.goal")} == used
    assert all(name.startswith(n.id) for n in CASES for c in n.case.check if (name := c.spec))


def test_the_index_lists_every_case_and_where_it_is_shown() -> None:
    with (FOLDER / "index.toml").open("rb") as file:
        index: dict[str, dict[str, Any]] = tomllib.load(file)
    assert list(index) == [f"C{number:03}" for number in range(1, 160)]
    for id, entry in index.items():
        assert entry.keys() <= {"tested", "elsewhere", "cannot"}, id
        assert any(entry.values()), id
        files = [FOLDER / f"{id}.toml", *FOLDER.glob(f"test_{id}_*.py")]
        assert entry.get("tested", False) == any(file.exists() for file in files), id
