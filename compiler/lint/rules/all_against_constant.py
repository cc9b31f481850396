from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ...analysis import MIRRORED
from ...context import ungrouped
from ...ir import expressions as ir
from ...reads import facts_read, walk
from ..conjunctions import of_the_moment
from ..prose import Prose, numbers
from ..rule import Place, Rule

_WHOLE = re.compile(
    r"(?<!\bat )(?<!\bafter )(?<!\babove )\b(?:all|every|each)\b"
    r"(?! (?:in all|over|day|hour|minute|night|week|month|time|other)\b)",
    re.I,
)


class AllAgainstConstant(Rule):
    """`every skill has docs` with `skills.documented >= 16`."""

    code = Code(
        "GS441", "all-against-constant", "lint", Severity.WARNING,
        "The description speaks of all of something, and the check of a number that was right on "
        "the day it was written. With the seventeenth skill the check still holds, and nobody sees "
        "that its page is missing. Compare with how many there are, or look at each one.",
        """\
facts {
  skills.documented : int in 0..
}

goal g {
  objective "Document the skills."
  criterion documented "Every skill has a page"
    check skills.documented >= 16
}
""",
        """\
facts {
  skills : list of { name: string, documented: bool }
}

goal g {
  objective "Document the skills."
  criterion documented "Every skill has a page"
    check each k in skills: k.documented
}
""",
    )  # fmt: skip
    on = (s.Part,)

    def look(self, node: s.Part, at: Place) -> Iterator[Diagnostic]:
        if node.kind != "criterion" or not isinstance(node.text, s.Literal):
            return
        check = next((c.expr for c in node.clauses if c.keyword == "check"), None)
        compare = of_the_moment(check) if check is not None else None
        if not isinstance(compare, s.Compare):
            return
        found = _floor(compare, at)
        if found is None:
            return
        side, constant = found
        prose = Prose(node.text, at.source)
        match = _WHOLE.search(prose.text)
        if match is not None and Decimal(str(constant.value)) not in numbers(prose.text):
            yield self.finding(
                at, constant.span,
                f"the description says `{match[0]}`, and the check compares with the constant "
                f"{constant.text}",
                f"compare `{at.briefly(side)}` with how many there are, or look at each one: "
                "`each x in …`",
            )  # fmt: skip


def _floor(compare: s.Compare, at: Place) -> tuple[s.Expr, s.Literal] | None:
    """What *compare* counts, and the number above 1 that it must reach; None for anything else."""
    op: str = compare.op
    side, constant = compare.left, ungrouped(compare.right)
    if not isinstance(constant, s.Literal):
        side, constant, op = compare.right, ungrouped(compare.left), MIRRORED[op]
    if op not in ("==", ">=", ">") or not isinstance(constant, s.Literal):
        return None
    meaning = at.meaning(side)
    if constant.kind not in ("int", "number") or constant.value <= 1 or meaning is None:
        return None
    plain = not any(isinstance(expr, ir.Quantifier) for expr in walk(meaning.ir))
    return (side, constant) if plain and len(facts_read(meaning.ir)) == 1 else None
