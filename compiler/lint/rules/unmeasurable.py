from __future__ import annotations

import re
from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ..prose import Prose
from ..rule import Place, Rule

_WORDS = (  # as regular expressions
    "adequate(?:ly)?", "appropriate(?:ly)?", "clean", "elegant(?:ly)?", "fast", "intuitive(?:ly)?",
    "latest", "maintainable", "nice(?:ly)?", "performant", "profitabl[ey]", "properly",
    "reasonabl[ey]", "robust(?:ly)?", "scalable", "seamless(?:ly)?", "sufficient(?:ly)?",
)  # fmt: skip
_PHRASES = (
    r"as (?:few|fast|good|little|many|much|simple|small|soon)(?: \w+){0,6} as (?:poss|feas)ible",
    "(?:if|when|where|wherever) (?:appropriate|feasible|necessary|needed|possible)",
    "as (?:appropriate|necessary|needed)", "and so on", r"etc\.", "good enough",
    "easy to (?:maintain|read|understand|use)", "best practices?", "(?:good|high)[- ]quality",
    "low[- ]risk", "production[- ](?:grade|ready)", "state[- ]of[- ]the[- ]art",
    "user[- ]friendly", "world[- ]class",
)  # fmt: skip
_VAGUE = re.compile(rf"(?<![\w-])(?:{'|'.join(_PHRASES + _WORDS)})(?![\w-])", re.I)
# A comparison names what it is better than.
_COMPARATIVE = re.compile(r"\b(?:better|faster|cleaner|simpler|improved?|improves)\b(?!-)", re.I)
_MEASURE = re.compile(r"\d|\bthan\b|\b(?:from|by|to)\b", re.I)


class Unmeasurable(Rule):
    """A criterion for the judge that no two people would judge alike."""

    code = Code(
        "GS440", "unmeasurable", "lint", Severity.WARNING,
        "A criterion without a check is decided by whoever reads it. Words such as `robust`, "
        "`reasonable` or `as fast as possible` leave the bar to the reader, so that one judge "
        "accepts what another refuses, and an agent learns which words please. Say what shows it: "
        "a fact, a number, a list of cases. The words that this rule knows are English.",
        """\
goal g {
  objective "Ship the importer."
  criterion errors "The importer handles broken files properly"
  judge { max_invocations 3 }
}
""",
        """\
goal g {
  objective "Ship the importer."
  criterion errors "The importer names the line and the field of each value that it refuses"
  judge { max_invocations 3 }
}
""",
    )  # fmt: skip
    on = (s.Part,)

    def look(self, node: s.Part, at: Place) -> Iterator[Diagnostic]:
        if node.kind != "criterion" or not isinstance(node.text, s.Literal):
            return
        if any(clause.keyword == "check" for clause in node.clauses):
            return
        prose = Prose(node.text, at.source)
        match = _VAGUE.search(prose.text)
        if match is None and _MEASURE.search(prose.text) is None:
            match = _COMPARATIVE.search(prose.text)
        if match is not None:
            yield self.finding(
                at, prose.span(*match.span()),
                f"`{match[0]}` leaves the bar to whoever judges",
                "say what shows it, a number or cases; or add a check",
            )  # fmt: skip
