from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ...ir import expressions as ir
from ...reads import clock_facts
from ..rule import Place, Rule
from ..spans import tail


class MixedClocks(Rule):
    """`P for N runs` over facts that arrive apart from each other."""

    code = Code(
        "GS419", "mixed-clocks", "lint", Severity.WARNING,
        "A streak counts the observations that supply every fact of its predicate. Facts of "
        "different sources come in different reports, so that none may ever count and the streak "
        "stays unknown. Name the clock, `for 2 runs of x`: each report of x counts then, and the "
        "other facts are taken as they stand. Facts share a source if they are declared with the "
        "same one, or, without, if their names begin alike.",
        """\
facts {
  suite.passed  : bool
  coverage.line : percent
}

goal g {
  objective "Cover the parser."
  criterion stable "Green and covered, twice in a row"
    check (suite.passed and coverage.line >= 80%) for 2 runs
}
""",
        """\
facts {
  suite.passed  : bool
  coverage.line : percent
}

goal g {
  objective "Cover the parser."
  criterion stable "Green and covered, twice in a row"
    check (suite.passed and coverage.line >= 80%) for 2 runs of suite.passed
}
""",
    )  # fmt: skip
    on = (s.Runs,)

    def look(self, node: s.Runs, at: Place) -> Iterator[Diagnostic]:
        meaning = at.meaning(node)
        if node.clock or meaning is None or not isinstance(meaning.ir, ir.Runs):
            return
        names = sorted(clock_facts(meaning.ir))
        if len(names) < 2 or _come_together(names, at):
            return
        form = tail(at.source, node.inner, node)
        count = at.written(node.count)
        first, last = names[0], names[-1]
        yield self.finding(
            at, form, f"`{first}` and `{last}` have different sources, and only an observation "
            "that supplies all facts counts",
            f"name the clock: `for {count} runs of {first}`, or `for {count} runs of {last}`",
        )  # fmt: skip


def _come_together(names: list[str], at: Place) -> bool:
    facts = [at.checked.facts[name].fact for name in names if name in at.checked.facts]
    sources = {
        (of.name, of.argument, of.directory, of.timeout)
        for fact in facts
        if (of := fact.source) is not None
    }
    if all(fact.source for fact in facts):
        return len(sources) < 2
    return len({name.partition(".")[0] for name in names}) < 2
