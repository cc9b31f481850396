"""A fix that is called safe changes no verdict.

For every file of a rule's page and tables that has a safe fix: with the safe fixes applied, and
nothing else, random observations lead to the same outcome of every part, to the same floor, and to
*done* at the same moment. The values come from the types of the IR, and at every other time from
the literals that stand in the file, so that its boundaries are met.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from goalspec.compiler import compile_text
from goalspec.compiler.ir import document as ir
from goalspec.compiler.ir.expressions import Index, Like, Literal, Matches
from goalspec.compiler.ir.types import (
    ListType,
    MapType,
    OptionalType,
    RecordType,
    ScalarType,
    SetType,
    Type,
)
from goalspec.compiler.lint import fixing
from goalspec.compiler.lint.catalogue import BY_ID, RULES
from goalspec.compiler.lint.linter import Linter
from goalspec.compiler.reads import walk
from goalspec.grammar.diagnostics import Diagnostic
from goalspec.grammar.literals import write_time
from goalspec.grammar.parser import parse
from goalspec.grammar.source import Source
from goalspec.runtime import Monitor, Verdict
from goalspec.tests.grammar.sentences import disturbed, pieces_of
from goalspec.tests.reference.generate import START, json_of

HERE = Path(__file__).parent
HISTORIES, OBSERVATIONS = 40, 10  # of each file
LAYOUTS = 25
REASONS = ("missing", "stale", "skipped", "error", "invalid")

Pool = Mapping[str, tuple[Any, ...]]  # values by the kind of their type


def lint(text: str) -> tuple[Source, tuple[Diagnostic, ...]]:
    linted = Linter().lint_bytes(text.encode(), "spec.goal")
    return linted.checked.unit.source, linted.found


@cache
def files(safe: bool = True) -> dict[str, str]:
    """The files that have a fix of a kind, by the place they come from."""
    texts = {code.name: code.bad for code in BY_ID.values() if code.stage == "lint"}
    for path in sorted((HERE / "cases").glob("*.toml")):
        for number, entry in enumerate(tomllib.loads(path.read_text("utf-8"))["file"]):
            texts[f"{path.stem} {number}"] = entry["text"]
    return {
        place: text
        for place, text in texts.items()
        if any(d.fix is not None and d.fix.safe is safe for d in lint(text)[1])
    }


def mended(text: str, unsafe: bool = False) -> str:
    source, found = lint(text)
    return fixing.mend(source, found, lint, unsafe).source.text


# --- observations


def pool(goal: ir.Goal) -> Pool:
    """The literals of *goal* by kind, whole numbers with their neighbours, patterns filled in."""
    found: dict[str, list[Any]] = {}
    for condition in (*goal.criteria, *goal.constraints, *goal.stops):
        for expr in (condition.when, condition.given, condition.check):
            for node in walk(expr) if expr is not None else ():
                match node:
                    case Literal(type="int", value=int(value)):
                        found.setdefault("int", []).extend((value - 1, value, value + 1))
                    case Literal(type="string" | "path", value=str(value)):
                        for kind in ("string", "path", "key"):
                            found.setdefault(kind, []).append(value)
                    case Literal(type=kind, value=value) if value is not None:
                        found.setdefault(kind, []).append(value)
                    case Index(key=Literal(value=str(key))):
                        found.setdefault("key", []).append(key)
                    case Like() | Matches():
                        for pattern in node.patterns:
                            texts = filled(pattern)
                            found.setdefault("string", []).extend(texts)
                            found.setdefault("path", []).extend(t.strip("/") or "a" for t in texts)
    return {kind: tuple(values) for kind, values in found.items()}


def filled(pattern: str) -> list[str]:
    """Texts that a glob or a regular expression may match, or just miss."""
    plain = pattern.replace("**", "a/b").replace("*", "x").replace("?", "y")
    bare = plain.translate(str.maketrans("", "", r"^$\()[]|+"))
    return [plain, bare, bare + "z", "z/" + bare, bare.upper()]


def value(kind: Type, known: Pool, rng: Random) -> Any:
    """JSON of a type, half of it from the *known* literals."""
    match kind:
        case OptionalType(of=of):
            return None if rng.random() < 0.3 else value(of, known, rng)
        case ListType(of=of) | SetType(of=of):
            items = [value(of, known, rng) for _ in range(rng.choice((0, 1, 2, 3)))]
            return [*items, *items[:1]] if rng.random() < 0.3 else items
        case MapType(of=of):
            keys = {"a", "b", *known.get("key", ())}
            return {key: value(of, known, rng) for key in sorted(keys) if rng.random() < 0.6}
        case RecordType(fields=fields):
            return {field.name: value(field.type, known, rng) for field in fields}
        case ScalarType() if kind.unit is None and known.get(kind.kind) and rng.random() < 0.5:
            return rng.choice(known[kind.kind])
    return json_of(kind, rng)


def observations(facts: tuple[ir.Fact, ...], known: Pool, rng: Random) -> Iterator[dict[str, Any]]:
    """What `Monitor.observe` takes: partial, unknown, repeated, over several revisions."""
    now, rev, id = START, "r1", 0
    for _ in range(OBSERVATIONS):
        now += rng.choice((0, 30, 60, 120, 600, 3600)) * 10**9
        rev = rng.choice((rev, rev, rev, "r2", "r3"))
        id += rng.random() < 0.8  # else the same once more
        share = rng.choice((0.3, 0.8, 1.0, 1.0))
        given = {
            fact.name: {"$unknown": rng.choice(REASONS)}
            if rng.random() < 0.08
            else value(fact.type, known, rng)
            for fact in facts
            if rng.random() < share
        }
        yield {"facts": given, "at": write_time(now), "rev": rev, "id": f"run{id}"}


def words(verdict: Verdict) -> dict[str, Any]:
    parts = (*verdict.criteria, *verdict.constraints, *verdict.stops)
    outcomes = {part.id: (part.outcome, part.reason is None) for part in parts}
    return {**outcomes, "done": verdict.done, "floor": verdict.floor}


# --- the law


def difference(text: str, other: str, rng: Random) -> dict[str, Any] | None:
    """An observation that leads to one verdict in *text* and to another in *other*."""
    before, after = compile_text(text).document, compile_text(other).document
    assert before is not None and after is not None
    assert [goal.id for goal in before.goals] == [goal.id for goal in after.goals]
    for old, new in zip(before.goals, after.goals, strict=True):
        known = pool(old)
        for _ in range(HISTORIES):
            base = {f.name: value(f.type, known, rng) for f in old.facts if rng.random() < 0.7}
            monitors = Monitor(old, base, before.facts), Monitor(new, base, after.facts)
            for given in observations(before.facts, known, rng):
                told, kept = (words(monitor.observe(**given)) for monitor in monitors)
                if told != kept:
                    return given
    return None


@pytest.mark.row("X09")
@pytest.mark.parametrize("place", files())
def test_safe_fixes_change_no_verdict(place: str) -> None:
    text = files()[place]
    other = mended(text)
    assert other != text
    assert difference(text, other, Random(place)) is None


@pytest.mark.row("X09")
@pytest.mark.parametrize("place", files() | files(safe=False))
def test_fixes_lose_no_comment_and_no_line_end(place: str) -> None:
    """However the file is laid out: its tokens set apart by blanks, line ends and comments."""
    text = (files() | files(safe=False))[place]
    rng = Random(place)
    for _ in range(LAYOUTS):
        before = disturbed(pieces_of(text), rng, comments=rng.choice((0.0, 0.15, 0.5)))
        after = mended(before, unsafe=True)
        assert comments(after) == comments(before), before
        assert not re.search("\r\n|\r", after) or re.search("\r\n|\r", before)
        assert compile_text(after).errors == ()


def comments(text: str) -> list[str]:
    """The comments of *text*, but those that silence a finding, which a fix may delete."""
    file = parse(text, "spec.goal").file
    return [c.text.rstrip() for c in file.comments() if "goalspec:" not in c.text]


def test_a_fix_that_changes_verdicts_is_noticed() -> None:
    """The law can fail: unsafe fixes of checks and of facts break it."""
    noticed = {
        place.replace("_", "-").split()[0]
        for place, text in files(safe=False).items()
        if difference(text, mended(text, unsafe=True), Random(place)) is not None
    }
    assert {"not-lasting", "vacuous-criterion", "one-run-streak"} <= noticed


def test_every_rule_with_safe_fixes_is_tried() -> None:
    tried = {
        d.code.id for text in files().values() for d in fixing.fixable(lint(text)[1], unsafe=False)
    }
    assert {rule.code.id for rule in RULES if rule.fix == "safe"} <= tried


def test_random_observations_meet_the_boundaries() -> None:
    """The law would hold of anything if all were unknown: most files see both words of a part."""
    rng = Random(1)
    seen: dict[str, set[str]] = {}
    for place, text in files().items():
        document = compile_text(text).document
        assert document is not None
        for goal in document.goals:
            known = pool(goal)
            for _ in range(HISTORIES):
                monitor = Monitor(goal, declared=document.facts)
                for given in observations(document.facts, known, rng):
                    verdict = monitor.observe(**given)
                    for part in (*verdict.criteria, *verdict.constraints, *verdict.stops):
                        seen.setdefault(f"{place} {goal.id} {part.id}", set()).add(part.outcome)
    checked = [words for words in seen.values() if words != {"judged"}]
    varied = [words for words in checked if len(words - {"unknown", "waived"}) == 2]
    assert len(varied) > 0.8 * len(checked)
