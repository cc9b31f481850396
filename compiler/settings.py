"""The keys of `budget`, `judge` and `pins`, and how each reads its value.

A reader gives the value for the IR or raises BadSetting with what is wrong and what to write.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..grammar import syntax as s
from ..grammar.codes import LITERAL
from ..grammar.diagnostics import Code
from ..grammar.literals import write_duration, write_money
from . import codes
from .ir import document as ir


class BadSetting(Exception):
    def __init__(self, message: str, hint: str | None = None, code: Code = codes.SETTING) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code


Reader = Callable[[s.Setting], Any]


def _literal(setting: s.Setting, kind: str, example: str) -> s.Literal:
    value = setting.value
    if isinstance(value, s.BadLiteral):
        raise BadSetting(value.message, value.hint, LITERAL)
    if not isinstance(value, s.Literal) or value.kind != kind or setting.of is not None:
        raise BadSetting(
            f"`{setting.name.text}` takes {_KIND_WORDS[kind]}",
            f"write `{setting.name.text} {example}`",
        )
    return value


_KIND_WORDS = {
    "int": "a whole number",
    "money": "an amount of money",
    "duration": "a duration",
    "string": "a string",
}


def _positive(setting: s.Setting, kind: str, example: str) -> s.Literal:
    literal = _literal(setting, kind, example)
    limit: Any = literal.value
    least = limit >= 1 if kind == "int" else limit > 0
    if not least:
        least_words = "at least 1" if kind == "int" else "above 0"
        raise BadSetting(
            f"`{setting.name.text}` is {least_words}", "leave the key out for no limit"
        )
    return literal


def _count(setting: s.Setting) -> int:
    value = _positive(setting, "int", "25").value
    assert isinstance(value, int)
    return value


def _money(setting: s.Setting) -> str:
    literal = _positive(setting, "money", "5.00 USD")
    return write_money(literal.value, literal.currency or "")


def _duration(setting: s.Setting) -> str:
    return write_duration(_positive(setting, "duration", "4h").value)


def _string(setting: s.Setting) -> str:
    text = str(_literal(setting, "string", '"…"').value)
    if not text.strip():
        raise BadSetting(f"`{setting.name.text}` is blank", None, codes.BLANK)
    return text


def _on_error(setting: s.Setting) -> str:
    value = setting.value
    word = value.text if isinstance(value, s.Word) else None
    if word not in ("fail", "pause"):
        raise BadSetting("`on_error` is `fail` or `pause`", "nothing accepts on an error")
    return word


def _quorum(setting: s.Setting) -> ir.Quorum:
    needed, of = setting.value, setting.of
    if not (
        isinstance(needed, s.Literal) and isinstance(of, s.Literal)
        and needed.kind == of.kind == "int"
    ):  # fmt: skip
        raise BadSetting("`quorum` takes two whole numbers", "write `quorum 2 of 3`")
    low, high = needed.value, of.value
    assert isinstance(low, int) and isinstance(high, int)
    if not 1 <= low <= high:
        raise BadSetting("a quorum is at least 1 and at most all", "write `quorum 2 of 3`")
    return ir.Quorum(needed=low, of=high)


BUDGET_KEYS: dict[str, Reader] = {
    "cost": _money,
    "tokens": _count,
    "turns": _count,
    "attempts": _count,
    "tool_calls": _count,
    "runtime": _duration,
}
JUDGE_KEYS: dict[str, Reader] = {
    "model": _string,
    "provider": _string,
    "max_invocations": _count,
    "on_error": _on_error,
    "quorum": _quorum,
    "feedback": _string,
}
PINS_KEYS: dict[str, Reader] = {"max_body": _count}
