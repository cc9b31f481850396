from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Edit, Fix, Label, Severity
from ....grammar.source import Span
from ...context import ungrouped
from ..rule import Place, Rule


class RepeatedElement(Rule):
    """The same literal twice in a list whose order and length do not count."""

    code = Code(
        "GS442", "repeated-element", "lint", Severity.WARNING,
        "An element that is there twice changes nothing in a list of patterns, of allowed values "
        "or of protected files. So it is either left over, or it was to be something else: then "
        "one case that somebody had in mind is missing. Delete it, or write what was meant.",
        """\
facts {
  diff.files : set of path
}

goal g {
  objective "Ship it."
  criterion docs-only "Only documentation changes"
    check each f in diff.files: f like ["docs/**", "*.md", "docs/**"]
}
""",
        """\
facts {
  diff.files : set of path
}

goal g {
  objective "Ship it."
  criterion docs-only "Only documentation changes"
    check each f in diff.files: f like ["docs/**", "*.md", "examples/**"]
}
""",
    )  # fmt: skip
    on = (s.ListLiteral, s.Protect, s.Keep)
    fix = "safe"

    def look(self, node: s.ListLiteral | s.Protect | s.Keep, at: Place) -> Iterator[Diagnostic]:
        match node:
            case s.ListLiteral(items=items):
                if len(items) > 1 and (safe := _is_safe(node, at)) is not None:
                    yield from self._repeated(items, safe, at)
            case s.Protect():
                yield from self._repeated(node.globs, True, at)
                yield from self._repeated(node.allow_new, True, at)
            case s.Keep():
                yield from self._repeated(node.kinds, True, at)

    def _repeated(self, items: Sequence[Any], safe: bool, at: Place) -> Iterator[Diagnostic]:
        seen: dict[Hashable, Span] = {}
        for place, item in enumerate(items):
            key = _key(item)
            if key is None or seen.setdefault(key, item.span) == item.span:
                continue
            gap = Span(items[place - 1].span.end, item.span.end)
            fix = Fix("delete the second", (Edit(gap, ""),), safe)
            yield self.finding(
                at, item.span, f"`{at.briefly(item)}` is there twice",
                "delete the second, or write what was meant",
                None if "#" in at.source.text[gap.start : item.span.start] else fix,
                (Label(at.source, seen[key], "the first"),),
            )  # fmt: skip


def _key(item: Any) -> Hashable:
    match item:
        case s.Name(text=text):
            return text
        case s.Literal(kind=kind, value=value, currency=currency):
            return kind, value, currency
        case _:
            return None


def _is_safe(node: s.ListLiteral, at: Place) -> bool | None:
    """Can no verdict change if an element goes that is there twice? None where the list's length
    or order may count."""
    outer = next(around for around in reversed(at.around) if not isinstance(around, s.Group))
    match outer:
        case s.Member(of=of) if not isinstance(of, s.Range) and ungrouped(of) is node:
            return True
        case s.TextTest() | s.Quantifier():
            return True
        case s.Let():
            return False
        case _:
            return None
