from __future__ import annotations

import re
from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from ....grammar.source import Span
from ...ir.types import ListType, MapType, OptionalType, RecordType, SetType, Type
from ..rule import Place, Rule

_TOPICS = frozenset(  # as the first segment of a name
    "alert alerts deploy deployment deployments deploys incident incidents order release releases "
    "review reviews".split()
)
_WORDS = frozenset(  # anywhere in it
    "approval approvals approved approver approvers owner owners reviewer reviewers signoff "
    "signoffs".split()
)
_NAMES = frozenset({"pr.author", "pr.labels"})
_OF_THE_TREE = frozenset({"git", "run"})  # sources that look at one revision
_SEPARATOR = re.compile(r"[._]")


class NotLasting(Rule):
    """An approval, a deployment, an incident that is forgotten at the next commit."""

    code = Code(
        "GS434", "not-lasting", "lint", Severity.WARNING,
        "A fact belongs to the revision at which it was seen: with the next commit it is stale, "
        "and unknown until it is observed again. That is right for builds and tests. Approvals, "
        "deployments, incidents and what people decided outlive a commit; declare them `lasting`, "
        "or give them a source that lasts by itself. The names that this rule knows are English.",
        """\
facts {
  review.approvals : list of { author: string, at: time }  "standing approvals"
}

goal g {
  objective "Ship it."
  awaited criterion approved "Two people approve"
    check count(distinct(a.author for a in review.approvals)) >= 2
}
""",
        """\
facts {
  review.approvals : list of { author: string, at: time } lasting  "standing approvals"
}

goal g {
  objective "Ship it."
  awaited criterion approved "Two people approve"
    check count(distinct(a.author for a in review.approvals)) >= 2
}
""",
    )  # fmt: skip
    on = (s.Fact,)
    fix = "unsafe"

    def look(self, node: s.Fact, at: Place) -> Iterator[Diagnostic]:
        name = node.name.text
        declared = at.checked.facts.get(name)
        if declared is None or declared.fact.lasting:
            return
        source = declared.fact.source
        if source is not None and source.name in _OF_THE_TREE:
            return
        if _outlives(name) or _is_act(declared.fact.type):
            where = "range" if node.range is not None else "type"
            yield self.finding(
                at, node.name.span, f"`{name}` is forgotten at the next commit",
                f"write `lasting` after its {where}", _fix(node, at),
            )  # fmt: skip


def _outlives(name: str) -> bool:
    segments = _SEPARATOR.split(name.lower())
    return name in _NAMES or segments[0] in _TOPICS or not _WORDS.isdisjoint(segments)


def _is_act(type: Type) -> bool:
    """Is it what somebody did at some time: a record with `author` and `at`?"""
    match type:
        case OptionalType(of=of) | ListType(of=of) | SetType(of=of) | MapType(of=of):
            return _is_act(of)
        case RecordType(fields=fields):
            return {"author", "at"} <= {field.name for field in fields}
        case _:
            return False


def _fix(node: s.Fact, at: Place) -> Fix | None:
    place = (node.range or node.type).span.end
    if "(" in at.source.text[node.name.span.end : node.type.span.start]:
        return None  # the type's parenthesis ends behind it
    edit = Edit(Span(place, place), " lasting")
    return Fix("declare it `lasting`", (edit,), safe=False)
