from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ... import typing as t
from ...ir import expressions as ir
from ...ir.types import EnumType
from ..rule import Place, Rule

_FAILURES = frozenset(
    "aborted blocked broken canceled cancelled crashed denied dirty down error errored expired "
    "fail failed failing failure fatal red rejected rolled_back timed_out timeout unhealthy".split()
)
_SUCCESSES = frozenset(
    "accepted approved closed complete completed done finished green healthy live merged ok pass "
    "passed passing ready resolved succeeded success successful up".split()
)
_SHOWN = 3  # values in a message


class DenyList(Rule):
    """`state != "failure"` where more than `success` is left."""

    code = Code(
        "GS439", "deny-list", "lint", Severity.WARNING,
        "A check that only rules failures out is met by everything else: by a job that was "
        "skipped, one that still waits, one that somebody cancelled, and by any value that is "
        "added to the enumeration later. Name what counts as success.",
        """\
facts {
  ci.state : "pending" | "success" | "failure" | "skipped"
}

goal g {
  objective "Ship it."
  criterion built "The build is good"
    check ci.state != "failure"
}
""",
        """\
facts {
  ci.state : "pending" | "success" | "failure" | "skipped"
}

goal g {
  objective "Ship it."
  criterion built "The build is good"
    check ci.state == "success"
}
""",
    )  # fmt: skip
    on = (s.Compare, s.Member)

    def look(self, node: s.Compare | s.Member, at: Place) -> Iterator[Diagnostic]:
        denies = node.negated if isinstance(node, s.Member) else node.op == "!="
        if not denies or not _decides(node, at):
            return
        found = _denied(node, at)
        if found is None:
            return
        side, type, denied = found
        others = [member for member in type.members if member not in denied]
        open_ = [member for member in others if _word(member) not in _SUCCESSES]
        if not denied or not open_ or len(type.members) < 3:
            return
        if any(_word(member) not in _FAILURES for member in denied):
            return
        good = [member for member in others if member not in open_]
        yield self.finding(
            at, node.span, f"`{at.briefly(node)}` lets {_list(open_)} pass too",
            _hint(at.briefly(side), good),
        )  # fmt: skip


def _decides(node: Any, at: Place) -> bool:
    """Does the comparison, as it stands, help to meet a criterion's check?"""
    for around in reversed(at.around):
        match around:
            case s.Clause(keyword=keyword):
                part = at.nearest(s.Part)
                return keyword == "check" and part is not None and part.kind == "criterion"
            case s.Group() | s.Chain() | s.Runs() | s.Held() | s.History(op="always"):
                pass
            case s.Quantifier(op="any" | "all" | "each", body=body) if body is node:
                pass
            case s.Argument(value=value) if value is node:
                pass
            case s.Call(name=s.Name(text="streak" | "longest" | "share")):
                pass
            case _:
                return False
        node = around
    return False


def _denied(node: s.Compare | s.Member, at: Place) -> tuple[s.Expr, EnumType, set[str]] | None:
    """The value that is tested, its type, and the members that it may not be."""
    meaning = at.meaning(node)
    match meaning.ir if meaning is not None else None:
        case ir.Compare(left=left, right=right) if isinstance(node, s.Compare):
            members: tuple[ir.Expr, ...]
            first = isinstance(left, ir.Literal)
            side, members = (node.right, (left,)) if first else (node.left, (right,))
        case ir.Not(of=ir.Member(of=ir.ListOf(items=items))) if isinstance(node, s.Member):
            side, members = node.item, items
        case _:
            return None
    tested = at.meaning(side)
    type = t.base(tested.type) if tested is not None else None
    if not isinstance(type, EnumType):
        return None
    values = {str(m.value) for m in members if isinstance(m, ir.Literal) and m.type == "enum"}
    return side, type, values


def _word(member: str) -> str:
    return member.lower().replace("-", "_").replace(" ", "_")


def _list(members: list[str]) -> str:
    shown = [f'"{member}"' for member in members[:_SHOWN]]
    if len(members) > _SHOWN:
        return f"{', '.join(shown)} and {len(members) - _SHOWN} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _hint(side: str, good: list[str]) -> str:
    quoted = [f'"{member}"' for member in good]
    match quoted:
        case []:
            return f"name the values that may pass: `{side} in […]`"
        case [only]:
            return f"write `{side} == {only}`"
        case _:
            return f"write `{side} in [{', '.join(quoted)}]`"
