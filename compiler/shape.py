"""The places that forms may stand in, and the parentheses they need (rulings 8, 27, 71).

What has two readings is refused with both, so that a person who reads the file in a pull request
sees one meaning. This looks at the tree as it is written; types come later.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..grammar import syntax as s
from ..grammar.source import Span
from ..grammar.walk import children
from . import codes
from .context import Report

_TEMPORAL = (s.Runs, s.Held, s.History)


def check_shape(node: s.Expr, report: Report) -> bool:
    """Report every form of *node* that stands where it may not, or lacks its parentheses; True
    where there is none."""
    before = len(report.found)
    for inner in _walk(node, report):
        match inner:
            case s.Chain():
                _chain(inner, report)
            case s.Not():
                _not(inner, report)
            case s.Quantifier():
                _body(inner, report)
            case s.Binary(op="??"):
                _fallback(inner, report)
            case s.History():
                _history(inner, report)
    return len(report.found) == before


def _walk(node: s.Expr, report: Report) -> Iterator[s.Expr]:
    """Every node, outside first; on the way, the places of temporal forms and views."""
    stack: list[tuple[Any, str | None]] = [(node, None)]
    while stack:
        current, inside = stack.pop()
        yield current
        if isinstance(current, _TEMPORAL):
            if inside is not None:
                _misplaced(current, inside, report)
            inside = "another `for`, `always` or `ever`"
        elif isinstance(current, s.Quantifier):
            inside = f"`{current.op}`"
        elif isinstance(current, s.Call):
            inside = f"`{current.name.text}(…)`"
        elif isinstance(current, s.Binary) and current.op == "??":
            inside = "`??`"
        elif isinstance(current, s.View) and isinstance(current.inner, s.View):
            report(
                codes.VIEW_PLACE, current.span,
                "`at start`, `at baseline`, `previous` and `fresh` do not stack",
                "each is said of a fact alone",
            )  # fmt: skip
        stack.extend((child, inside) for child in reversed(children(current)))


def _text(node: Any, report: Report) -> str:
    return _slice(node.span, report)


def _slice(span: Span, report: Report) -> str:
    text = " ".join(report.source.text[span.start : span.end].split())
    return text if len(text) <= 60 else text[:57] + "…"


def _misplaced(node: Any, inside: str, report: Report) -> None:
    hint = "it stands outside: `(all s in xs: s.ok) for 2m`"
    if isinstance(node, s.Runs):
        hint += "; for the same element several times, write `streak(…)` over a list"
    report(
        codes.TEMPORAL_PLACE, node.span,
        f"`for`, `always` and `ever` do not stand inside {inside}", hint,
    )  # fmt: skip


def _readings(span: Span, what: str, readings: tuple[str, ...], report: Report) -> None:
    report(
        codes.PARENTHESES, span, f"{what} needs parentheses here",
        "write " + ", or ".join(f"`{reading}`" for reading in readings),
    )  # fmt: skip


def _chain(node: s.Chain, report: Report) -> None:
    for place, item in enumerate(node.items):
        if isinstance(item, s.Runs | s.Held):
            what, split = f"a temporal form beside `{node.op}`", item.inner
        elif isinstance(item, s.History | s.Quantifier):
            kind = "a quantifier" if isinstance(item, s.Quantifier) else f"`{item.op}`"
            what = f"{kind} beside `{node.op}`"
            split = item.inner if isinstance(item, s.History) else item.body
        elif isinstance(item, s.Binary) and item.op == "??":
            what, split = f"`??` beside `{node.op}`", item.left if place else item.right
        else:
            continue
        _readings(item.span, what, _chain_readings(node, place, split, report), report)


def _chain_readings(node: s.Chain, place: int, split: s.Expr, report: Report) -> tuple[str, ...]:
    """The item in parentheses, and the chain cut at *split*, the part of the item that the
    operator may have been meant to join."""
    item, op = node.items[place], node.op
    text = _text(item, report)
    after = Span(split.span.start, node.span.end)
    if place:
        before = _slice(Span(node.span.start, node.items[place - 1].span.end), report)
        first = f"{before} {op} ({text})"
        if split.span.start == item.span.start:  # `a and b for 2 runs`
            tail = _slice(Span(split.span.end, item.span.end), report)
            return first, f"({before} {op} {_text(split, report)}) {tail}"
        if place == len(node.items) - 1:
            return (first,)
        return first, f"{before} {op} {_head(item, split, report)} ({_slice(after, report)})"
    rest = _slice(Span(item.span.end, node.span.end), report)
    if split.span.start == item.span.start:  # `a for 2 runs and b`
        tail = _slice(Span(split.span.end, item.span.end), report)
        return f"({text}) {rest}", f"({_text(split, report)} {rest}) {tail}"
    return f"({text}) {rest}", f"{_head(item, split, report)} ({_slice(after, report)})"


def _head(item: s.Expr, split: s.Expr, report: Report) -> str:
    return _slice(Span(item.span.start, split.span.start), report)


def _not(node: s.Not, report: Report) -> None:
    inner = node.inner
    text = _text(inner, report)
    if isinstance(inner, s.Runs | s.Held):
        tail = _slice(Span(inner.inner.span.end, inner.span.end), report)
        readings = (f"not ({text})", f"(not {_text(inner.inner, report)}) {tail}")
        _readings(node.span, "a temporal form under `not`", readings, report)
    elif isinstance(inner, s.Quantifier | s.History):
        _readings(node.span, f"`{inner.op}` under `not`", (f"not ({text})",), report)
    elif isinstance(inner, s.Binary) and inner.op == "??":
        _readings(node.span, "`??` under `not`", (f"not ({text})",), report)


def _history(node: s.History, report: Report) -> None:
    if isinstance(node.inner, s.Not | s.Quantifier):
        text = _text(node.inner, report)
        _readings(node.span, f"what stands after `{node.op}`", (f"{node.op} ({text})",), report)


def _body(node: s.Quantifier, report: Report) -> None:
    body = node.body
    head = _slice(Span(node.span.start, body.span.start), report)
    if isinstance(body, s.Chain):
        first = _text(body.items[0], report)
        rest = _slice(Span(body.items[0].span.end, body.span.end), report)
        readings = (f"{head} ({_text(body, report)})", f"({head} {first}) {rest}")
        _readings(body.span, f"the body of `{node.op}`", readings, report)
    elif isinstance(body, s.Binary) and body.op == "??":
        _readings(body.span, "`??` in a body", (f"{head} ({_text(body, report)})",), report)


def _fallback(node: s.Binary, report: Report) -> None:
    for side in (node.left, node.right):
        if isinstance(side, s.Binary) and side.op in ("+", "-"):
            left, right = _text(node.left, report), _text(node.right, report)
            if side is node.right:
                first = _text(side.left, report)
                tail = _slice(Span(side.left.span.end, side.span.end), report)
                readings = (f"({left} ?? {first}) {tail}", f"{left} ?? ({right})")
            else:
                last = _text(side.right, report)
                head = _slice(Span(side.span.start, side.right.span.start), report)
                readings = (f"{head} ({last} ?? {right})", f"({left}) ?? {right}")
            _readings(node.span, f"`??` beside `{side.op}`", readings, report)
