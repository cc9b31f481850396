"""Figures against handwritten code and plain Lark, in one run: `python benchmarks/run.py`.

Every figure is a ratio to a baseline that is timed just before and just after it (A-B-A), the
median over interleaved rounds, since absolute times wander on a shared machine.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import lark
from goalspec.compiler import compile_text
from goalspec.compiler.codegen import compile_predicate
from goalspec.compiler.kernel import Facts
from goalspec.grammar import parse
from goalspec.grammar.tables import GRAMMAR_FILE

ROUNDS = 41

_SPEC = """
facts {
  tests.failed     : int in 0..
  coverage.line    : percent
  diff.files       : set of path
  review.approvals : int in 0..
}

goal ship {
  objective "Ship it."
  criterion ready "Tests, coverage and review are right"
    check tests.failed == 0 and coverage.line >= 85% and not ("src/auth.go" in diff.files)
      and review.approvals >= 2
}
"""

_NEEDED = Decimal("0.85")


def handwritten(facts: dict[str, Any]) -> bool:
    """What a person would write over the same converted values: it short-circuits and has no
    wrapper. This is the published baseline."""
    return (
        facts["tests.failed"] == 0
        and facts["coverage.line"] >= _NEEDED
        and "src/auth.go" not in facts["diff.files"]
        and facts["review.approvals"] >= 2
    )


def _facts() -> Facts:
    return Facts(
        {
            "tests.failed": 0,
            "coverage.line": Decimal("0.91"),
            "diff.files": frozenset(f"src/file{n}.go" for n in range(10)),
            "review.approvals": 3,
        }
    )


def timed(run: Callable[[Any], object], argument: Any, repeat: int) -> float:
    """Seconds of *repeat* calls, nothing between the loop and the function."""
    start = time.perf_counter()
    for _ in range(repeat):
        run(argument)
    return time.perf_counter() - start


def ratio(
    base: Callable[[Any], object], other: Callable[[Any], object], argument: Any, repeat: int,
    rounds: int,
) -> list[float]:  # fmt: skip
    """*other* relative to *base*, round by round, each between two timings of the base."""
    timed(base, argument, repeat)
    timed(other, argument, repeat)
    ratios = []
    for _ in range(rounds):
        gc.collect()
        before = timed(base, argument, repeat)
        middle = timed(other, argument, repeat)
        after = timed(base, argument, repeat)
        ratios.append(middle / ((before + after) / 2))
    return sorted(ratios)


def _said(ratios: list[float]) -> str:
    quarter = len(ratios) // 4
    middle, low, high = statistics.median(ratios), ratios[quarter], ratios[-quarter - 1]
    return f"{middle:5.2f}  ({low:.2f} to {high:.2f})"


def evaluation() -> None:
    document = compile_text(_SPEC).document
    assert document is not None
    goal = document.goals[0]
    check = goal.criteria[0].check
    assert check is not None
    predicate = compile_predicate(check, {fact.name: fact.type for fact in goal.facts})
    facts = _facts()
    assert handwritten(facts) is predicate.decide(facts) is True
    absent = Facts({key: value for key, value in facts.items() if key != "coverage.line"})
    repeat = 20_000
    each = timed(handwritten, facts, repeat) / repeat * 1e9
    print("evaluation: four clauses, all facts known, all true")
    print(f"  handwritten            {each:6.0f} ns a call")
    straight = ratio(handwritten, predicate.decide, facts, repeat, ROUNDS)
    print(f"  straight / handwritten {_said(straight)}   aim: at most 1.25")

    def missing(_: Facts) -> object:
        return predicate.decide(absent)

    print(f"  one fact missing       {_said(ratio(handwritten, missing, facts, 2_000, ROUNDS))}")
    reasons = ratio(handwritten, predicate.explain, facts, 2_000, ROUNDS)
    print(f"  with its reasons       {_said(reasons)}")


def _large(goals: int) -> str:
    example = Path(__file__).parents[1] / "specs" / "examples" / "fix_flaky_login.goal"
    lines = example.read_text(encoding="utf-8").splitlines(keepends=True)
    body = "".join(line for line in lines if not line.startswith("edition"))
    return body * goals


def parsing() -> None:
    text = _large(25)
    count = text.count("\n")
    plain = lark.Lark(
        GRAMMAR_FILE.read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        keep_all_tokens=True,
        maybe_placeholders=True,
    )
    assert not parse(text, "large.goal").diagnostics

    def tree(source: str) -> object:
        return parse(source, "large.goal")

    print(f"\nparsing: {count} lines, {len(text) / 1000:.0f} kB")
    seconds = min(timed(plain.parse, text, 1) for _ in range(5))
    print(f"  plain Lark, same grammar  {count / seconds:8.0f} lines a second (best of 5)")
    seconds = min(timed(tree, text, 1) for _ in range(5))
    print(f"  with the syntax tree      {count / seconds:8.0f} lines a second (best of 5)")
    print(f"  tree / plain Lark         {_said(ratio(plain.parse, tree, text, 1, 9))}")


def main() -> None:
    print(f"Python {sys.version.split()[0]}, lark {lark.__version__}, {ROUNDS} rounds, medians\n")
    evaluation()
    parsing()


if __name__ == "__main__":
    main()
