"""A goal that a host builds in Python: a mapping with callables as checks, to the one IR.

Reading is closed and complete: what is unknown, blank, there twice or of the wrong shape is
refused, and one BadGoal lists every problem with its place. Nothing is coerced or left out quietly.
A check becomes `host_check(ID)` in the IR, and its callable is kept beside the goal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from ..grammar.diagnostics import nearest
from ..grammar.literals import (
    DURATION_UNITS,
    LiteralError,
    read_money,
    read_quantity,
    write_duration,
    write_money,
)
from .host_spec import HOST_CURRENCY, HOST_LIMITS
from .ir import document as ir
from .ir.canonical import seal
from .ir.expressions import HostCheck

MAX_COUNT = 2**53 - 1
UNNAMED = "goal"  # the id of a goal that was given none

Check = Callable[[Mapping[str, Any]], Any]

_SPEC = ("id", "objective", "success_criteria", "retired_criteria", "constraints", "budget")
_PART = ("id", "description", "check")
_LIMITS = {name: key for key, host in HOST_LIMITS.items() for name in (key, host)}


class BadGoal(ValueError):
    """A goal, or options for one, that a host gave in Python and that mean nothing. *problems* has
    them all, each with its place: `success_criteria[1].check: a check is callable, not str`."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


@dataclass
class Problems:
    """What is wrong, collected while reading goes on."""

    found: list[str] = field(default_factory=list)

    def add(self, place: str, what: str) -> None:
        self.found.append(f"{place}: {what}" if place else what)

    def keys(self, value: Mapping[Any, Any], known: Collection[str], place: str) -> None:
        """Report every key of *value* that is not *known*."""
        for key in value:
            if key in known:
                continue
            near = nearest(key, known) if isinstance(key, str) else None
            hint = f"did you mean `{near}`?" if near else f"known are {', '.join(known)}"
            self.add(place, f"there is no key `{key}`; {hint}")

    def text(self, value: Any, place: str, what: str, instead: str = "say it in a sentence") -> str:
        """*value* where it is text that says something, with LF for every line end; *instead* is
        what to do where it is blank."""
        if not isinstance(value, str):
            self.add(place, f"{what} is a string, not {_type(value)}")
            return ""
        if not value.strip():
            self.add(place, f"{what} is blank: {instead}")
        elif any("\ud800" <= char <= "\udfff" for char in value):
            self.add(place, f"{what} has a lone surrogate, which is no character")
        return value.replace("\r\n", "\n").replace("\r", "\n")

    def raise_any(self) -> None:
        """Raise BadGoal where anything was found."""
        if self.found:
            raise BadGoal(self.found)


@dataclass(frozen=True, slots=True)
class _Part:
    """A criterion or a constraint as it was given. *given* is its own id."""

    place: str
    id: str
    given: bool
    text: str
    check: Check | None


def read_goal(spec: Mapping[str, Any]) -> tuple[ir.Goal, dict[str, Check]]:
    """The goal that *spec* says, with its contract's hash, and its checks by their ids.

    *spec* has an `objective` and may have `success_criteria` and `constraints` (lists of strings or
    of `{id, description, check}`), `retired_criteria` (of `{id, description}`), a `budget` (by its
    own keys or by those of hosts) and an `id`. Raises BadGoal.
    """
    if not isinstance(spec, Mapping):
        raise BadGoal([f"a goal is a mapping with an `objective`, not {_type(spec)}"])
    problems = Problems()
    problems.keys(spec, _SPEC, "")
    id = _id(spec.get("id", UNNAMED), "id", problems)
    objective = ""
    if "objective" in spec:
        objective = problems.text(spec["objective"], "objective", "an objective")
    else:
        problems.add("objective", "a goal has an objective: say what must become true")
    if len(objective) > ir.MAX_OBJECTIVE:
        problems.add(
            "objective", f"it has {len(objective)} characters, {ir.MAX_OBJECTIVE} is the most"
        )
    criteria = list(_parts(spec.get("success_criteria"), "success_criteria", "sc", problems))
    constraints = list(_parts(spec.get("constraints"), "constraints", "c", problems))
    retired = tuple(_retired(spec.get("retired_criteria"), problems))
    _check_ids([*criteria, *constraints], problems)
    budget = _budget(spec.get("budget"), problems)
    problems.raise_any()
    goal = ir.Goal(
        id=id, objective=objective,
        criteria=tuple(ir.Criterion(**_condition(part)) for part in criteria),
        retired=retired,
        constraints=tuple(ir.Constraint(**_condition(part)) for part in constraints),
        budget=budget, contract="",
    )  # fmt: skip
    checks = {p.id: p.check for p in (*criteria, *constraints) if p.check is not None}
    return seal(goal), checks


def _condition(part: _Part) -> dict[str, Any]:
    check = None if part.check is None else HostCheck(name=part.id)
    return {"id": part.id, "text": part.text, "check": check}


# --- criteria and constraints


def _parts(value: Any, place: str, prefix: str, problems: Problems) -> Iterator[_Part]:
    for index, item in enumerate(_list(value, place, problems)):
        yield _part(item, f"{place}[{index}]", f"{prefix}_{index}", problems)


def _part(item: Any, place: str, generated: str, problems: Problems) -> _Part:
    if isinstance(item, str):
        return _Part(place, generated, False, problems.text(item, place, "a description"), None)
    if not isinstance(item, Mapping):
        problems.add(
            place, f"it is a string or a mapping with a `description`, not {_type(item)}"
        )  # fmt: skip
        return _Part(place, generated, False, "", None)
    problems.keys(item, _PART, place)
    given = item.get("id") is not None
    id = _id(item["id"], f"{place}.id", problems) if given else generated
    check = item.get("check")
    if check is not None and not callable(check):
        problems.add(f"{place}.check", f"a check is callable, not {_type(check)}")
        check = None
    return _Part(place, id, given, _description(item, place, problems), check)


def _retired(value: Any, problems: Problems) -> Iterator[ir.Retired]:
    place = "retired_criteria"
    for index, item in enumerate(_list(value, place, problems)):
        here = f"{place}[{index}]"
        if not isinstance(item, Mapping):
            problems.add(here, f"it is a mapping {{id, description}}, not {_type(item)}")
            continue
        problems.keys(item, _PART[:2], here)
        id = _id(item.get("id"), f"{here}.id", problems)
        yield ir.Retired(id=id, text=_description(item, here, problems))


def _list(value: Any, place: str, problems: Problems) -> list[Any] | tuple[Any, ...]:
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return value
    problems.add(place, f"it is a list, not {_type(value)}")
    return ()


def _description(item: Mapping[str, Any], place: str, problems: Problems) -> str:
    if "description" not in item:
        problems.add(place, "it has no `description`")
        return ""
    return problems.text(item["description"], f"{place}.description", "a description")


def _id(value: Any, place: str, problems: Problems) -> str:
    if not isinstance(value, str):
        problems.add(place, f"an id is a string, not {_type(value)}")
        return ""
    if not value.strip():
        problems.add(place, "an id is not blank")
    elif value != value.strip() or not value.isprintable():
        problems.add(place, "an id is one line without white space around it")
    return value


def _check_ids(parts: list[_Part], problems: Problems) -> None:
    first: dict[str, _Part] = {}
    for part in parts:
        earlier = first.setdefault(part.id, part)
        if earlier is part or not part.id.strip():
            continue
        if part.given and earlier.given:
            problems.add(
                f"{part.place}.id", f"the id `{part.id}` is there twice, first in {earlier.place}"
            )
            continue
        unnamed, named = (earlier, part) if part.given else (part, earlier)
        problems.add(
            f"{named.place}.id",
            f"the id `{part.id}` is also generated for {unnamed.place}, which has none: "
            "give both an id of their own",
        )


# --- the budget


def _budget(value: Any, problems: Problems) -> ir.Budget | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        problems.add("budget", f"it is a mapping of limits, not {_type(value)}")
        return None
    problems.keys(value, tuple(_LIMITS), "budget")
    limits: dict[str, Any] = {}
    names: dict[str, str] = {}
    for name, limit in value.items():
        key = _LIMITS.get(name)
        if key is None:
            continue
        if limit is None:
            problems.add(f"budget.{name}", "it is null: leave the key out for no limit")
            continue
        if key in names:
            problems.add(f"budget.{name}", f"it is the same limit as `{names[key]}`: keep one")
            continue
        names[key] = name
        try:
            limits[key] = _limit(key, name, limit)
        except LiteralError as error:
            hint = f": {error.hint}" if error.hint else ""
            problems.add(f"budget.{name}", f"{error.message}{hint}")
    return ir.Budget(**limits) if limits else None


def _limit(key: str, name: str, value: Any) -> int | str:
    """A limit for the IR. Raises LiteralError."""
    in_words = name == key  # `cost` and `runtime` have their unit in a string
    if key == "cost":
        amount, currency = (
            read_money(_string(value, "5.00 USD"))
            if in_words
            else (_number(value), HOST_CURRENCY)
        )  # fmt: skip
        return write_money(_positive(amount), currency)
    if key == "runtime":
        if not in_words:
            return write_duration(_count(value) * DURATION_UNITS["ms"])
        kind, length = read_quantity(_string(value, "4h"))
        if kind != "duration":
            raise LiteralError(f"`{value}` is no duration", "write `4h`")
        return write_duration(int(_positive(length)))
    return _count(value)


def _string(value: Any, example: str) -> str:
    if not isinstance(value, str):
        raise LiteralError(f"it is a string with its unit, not {_type(value)}", f"`{example}`")
    return value


def _number(value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise LiteralError(f"it is a number, not {_type(value)}")
    if not Decimal(str(value)).is_finite():
        raise LiteralError("it is not finite", "leave the key out for no limit")
    return read_money(f"{Decimal(str(value)):f} {HOST_CURRENCY}")[0]


def _count(value: Any) -> int:
    if isinstance(value, float) and not math.isfinite(value):
        raise LiteralError("it is not finite", "leave the key out for no limit")
    if isinstance(value, bool) or not isinstance(value, int):
        raise LiteralError(f"it is a whole number, not {_type(value)}")
    if value > MAX_COUNT:
        raise LiteralError(f"it is {MAX_COUNT} at most", "leave the key out for no limit")
    return int(_positive(value))


def _positive(value: Decimal | int) -> Any:
    if value <= 0:
        raise LiteralError("a limit is above 0", "leave the key out for no limit")
    return value


def _type(value: Any) -> str:
    return "None" if value is None else type(value).__name__
