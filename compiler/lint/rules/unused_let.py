from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from ....grammar.walk import children
from ..rule import Place, Rule
from ..spans import may_hold_comment, with_line


class UnusedLet(Rule):
    """A `let` whose name nothing reads."""

    code = Code(
        "GS421", "unused-let", "lint", Severity.WARNING,
        "Nothing reads the name, so the predicate behind it decides nothing. Perhaps the part that "
        "used it is gone, or a check spells out what it should have named. Names of a goal or a "
        "preset hold in it, those at the top in the whole file; files that use this one do not "
        "have them.",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Mend the login."
  let stable = suite.passed for 2 runs
  criterion green "Every test passes, twice in a row"
    check suite.passed for 2 runs
}
""",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Mend the login."
  let stable = suite.passed for 2 runs
  criterion green "Every test passes, twice in a row"
    check stable
}
""",
    )  # fmt: skip
    on = (s.File,)
    fix = "safe"

    def look(self, node: s.File, at: Place) -> Iterator[Diagnostic]:
        if not _has_let(node):
            return
        named: list[s.Let] = []
        everywhere: set[str] = set()
        for statement in node.statements:
            read = set(_names(statement))
            everywhere |= read
            if isinstance(statement, s.Let):
                named.append(statement)
            elif isinstance(statement, s.Goal | s.Preset):
                for part in statement.parts:
                    if isinstance(part, s.Let) and part.name.text not in read:
                        yield self._finding(part, at)
        for let in named:
            if let.name.text not in everywhere:
                yield self._finding(let, at)

    def _finding(self, node: s.Let, at: Place) -> Diagnostic:
        edit = Edit(with_line(at.source, node.span), "")
        return self.finding(
            at, node.name.span, f"nothing reads `{node.name.text}`", "read it, or delete the `let`",
            None if may_hold_comment(at.source, edit.span)
            else Fix(f"delete `let {node.name.text}`", (edit,), safe=True),
        )  # fmt: skip


def _has_let(file: s.File) -> bool:
    return any(
        isinstance(statement, s.Let)
        or (
            isinstance(statement, s.Goal | s.Preset)
            and any(isinstance(part, s.Let) for part in statement.parts)
        )
        for statement in file.statements
    )


def _names(node: Any) -> Iterator[str]:
    """The first word of every path in *node*."""
    stack = [node]
    while stack:
        inner = stack.pop()
        if isinstance(inner, s.Path):
            yield inner.text.partition(".")[0]
        stack.extend(children(inner))
