from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ..rule import Place, Rule


class UnboundedStrings(Rule):
    """`list of string`, with no `max` on either."""

    code = Code(
        "GS408", "unbounded-strings", "lint", Severity.WARNING,
        "A list of strings without a `max` takes 3,000 of them, each of up to 65,536 characters: "
        "log lines, mostly, or the output of a tool. The cost of every predicate is reckoned with "
        "those bounds, and a fact over 1 MiB is refused as a whole. Say how many there can be, or "
        "how long one is. A set is let be, since it holds nothing twice.",
        """\
facts {
  build.lines : list of string
}

goal g {
  objective "Quiet the build."
  criterion quiet "No line warns"
    check each l in build.lines: not (l contains "warning:")
}
""",
        """\
facts {
  build.lines : list max 500 of string
}

goal g {
  objective "Quiet the build."
  criterion quiet "No line warns"
    check each l in build.lines: not (l contains "warning:")
}
""",
    )  # fmt: skip
    on = (s.CollectionType,)

    def look(self, node: s.CollectionType, at: Place) -> Iterator[Diagnostic]:
        if node.kind != "list" or node.max is not None:
            return
        of = node.of.of if isinstance(node.of, s.OptionalType) else node.of
        if isinstance(of, s.ScalarType) and of.name.text == "string" and of.max is None:
            element = at.written(node.of)
            yield self.finding(
                at, node.span, f"`{at.briefly(node)}` bounds neither the list nor its strings",
                f"write `list max 100 of {element}` with the number that there can be",
            )  # fmt: skip
