"""Safe fixes change no verdict, whatever the predicate: random ones are written as text, spoiled in
the ways that the linter mends, mended, and held together on random histories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from goalspec.compiler import compile_text
from goalspec.compiler.ir.document import Document
from goalspec.compiler.ir.text import write_expression
from goalspec.compiler.ir.types import (
    EnumType,
    ListType,
    MapType,
    MoneyType,
    OptionalType,
    RecordType,
    SetType,
    Type,
)
from goalspec.compiler.lint import fixing
from goalspec.compiler.lint.linter import Linter
from goalspec.grammar.diagnostics import Diagnostic
from goalspec.grammar.source import Source
from goalspec.runtime import Monitor, Verdict
from goalspec.tests.reference.generate import FACTS, Predicates, Report, baseline, history

PREDICATES = 40  # of each seed; some cannot be meant, and are left out
SPOILED = (
    "not (not ({0}))",
    "({0}) == true",
    "true != ({0})",
    "not (({0}) == false)",
    "not (not (not ({0})))",
    "{0} or {1} and {2}",
    "({0}) == true for 2 runs",
    "ever (({0}) != false)",
    "(not (not ({0}))) for 2m every 1m",
    "any r in runs: (r.ok == true)",
    "count(r in runs where not (r.n >= 2)) > 0 or ({0})",
    "not (a in [1, 1, 2]) and ({0})",
    "not (any f in files: (f like ['src/**', 'docs/**', 'src/**']))",
)


def written(kind: Type, inside: bool = False) -> str:
    """A type as it is declared; *inside* another one, in parentheses where it has several words."""
    match kind:
        case OptionalType(of=of):
            return f"{written(of, inside=True)}?"
        case MoneyType(currency=currency):
            return f"money {currency}"
        case RecordType(fields=fields):
            return "{ " + ", ".join(f"{f.name}: {written(f.type)}" for f in fields) + " }"
        case EnumType(members=members, ordered=ordered):
            text = (" < " if ordered else " | ").join(f'"{member}"' for member in members)
        case ListType(of=of, by=by):
            text = f"list of {written(of, inside=True)}{f' by {by}' if by else ''}"
        case SetType(of=of) | MapType(of=of):
            text = f"{kind.kind} of {written(of, inside=True)}"
        case _:
            return f"{kind.kind} as {kind.unit}" if kind.unit else kind.kind
    return f"({text})" if inside else text


def file(predicate: str) -> str:
    facts = "".join(
        f"  {fact.name} : {written(fact.type)}{' in 0..5' if fact.range else ''}"
        f"{' lasting' if fact.lasting else ''}\n"
        for fact in FACTS
    )
    return (
        f'facts {{\n{facts}}}\n\ngoal g {{\n  objective "x"\n  criterion c "it holds"\n'
        f"    check {predicate}\n}}\n"
    )


def spoiled(rng: Random) -> str:
    parts = []
    for _ in range(3):
        text = write_expression(Predicates(rng).predicate(rng.randrange(3), ()))
        if rng.random() < 0.3:
            text = rng.choice(SPOILED[:5]).format(text)
        parts.append(text)
    first, *rest = parts
    template = rng.choice(SPOILED).replace("'", '"')
    return template.format(first, *(f"({part})" for part in rest))


def lint(text: str) -> tuple[Source, tuple[Diagnostic, ...]]:
    linted = Linter().lint_bytes(text.encode(), "spec.goal")
    return linted.checked.unit.source, linted.found


def word(verdict: Verdict) -> tuple[object, ...]:
    [part] = verdict.criteria
    return part.outcome, part.reason is None, verdict.done, verdict.floor


def words(
    document: Document, reports: Sequence[Report], base: Mapping[str, Any] | None
) -> list[tuple[object, ...]]:
    monitor = Monitor(document.goals[0], base, document.facts)
    return [word(monitor.observe(r.facts, at=r.at, id=r.id, rev=r.rev)) for r in reports]


@pytest.mark.row("X09")
@pytest.mark.parametrize("seed", range(8))
def test_a_mended_predicate_has_the_same_verdicts(seed: int) -> None:
    rng = Random(seed)
    applied: Counter[str] = Counter()
    for _ in range(PREDICATES):
        text = file(spoiled(rng))
        source, found = lint(text)
        fixable = fixing.fixable(found, unsafe=False)
        before = compile_text(text).document
        if before is None or not fixable:
            continue
        applied.update(diagnostic.code.id for diagnostic in fixable)
        mended = fixing.mend(source, found, lint, unsafe=False).source.text
        after = compile_text(mended).document
        assert after is not None
        for _ in range(3):
            reports, base = history(rng), baseline(rng)
            assert words(after, reports, base) == words(before, reports, base), (text, mended)
    assert applied.total() > PREDICATES // 2
    assert {"GS402", "GS437", "GS438", "GS442"} <= set(applied)
