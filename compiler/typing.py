"""The type rules of predicates and values (ruling 19), each in one place.

A rule takes the types of the operands and gives the type of the result, or raises TypeFault with
what is wrong and what to write instead. The checker applies them to the syntax tree, where it has
the places to report; `infer` applies them to the IR, so that code generation and documents that
come as JSON rest on the same rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from .ir import expressions as ir
from .ir.types import AnyType as AnyType  # who asks for a rule names its types by this module
from .ir.types import (
    EnumType,
    ListType,
    MapType,
    MoneyType,
    OptionalType,
    RecordType,
    ScalarType,
    SetType,
    Type,
)
from .ir.types import NullType as NullType
from .ir.types import describe as describe


class TypeFault(Exception):
    """A rule that the operands break."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


BOOL: Final = ScalarType(kind="bool")
INT: Final = ScalarType(kind="int")
NUMBER: Final = ScalarType(kind="number")
STRING: Final = ScalarType(kind="string")
PERCENT: Final = ScalarType(kind="percent")
DURATION: Final = ScalarType(kind="duration")
SIZE: Final = ScalarType(kind="size")
TIME: Final = ScalarType(kind="time")
DATE: Final = ScalarType(kind="date")
VERSION: Final = ScalarType(kind="version")
PATH: Final = ScalarType(kind="path")
NULL: Final = NullType()
SCALARS: Final[dict[str, ScalarType]] = {
    t.kind: t
    for t in (BOOL, INT, NUMBER, STRING, PERCENT, DURATION, SIZE, TIME, DATE, VERSION, PATH)
}


def a(type: AnyType) -> str:
    """The type with its article."""
    text = describe(type)
    return f"{'an' if text[:1] in 'aeiou' else 'a'} {text}" if text[:1].isalpha() else text


def is_number(type: AnyType) -> bool:
    return type.kind in ("int", "number")


def is_quantity(type: AnyType) -> bool:
    """Durations, sizes and money: Q in the table of ruling 19."""
    return type.kind in ("duration", "size", "money")


def base(type: AnyType) -> AnyType:
    """What is there where it is not null."""
    return type.of if isinstance(type, OptionalType) else type


def same(left: AnyType, right: AnyType) -> bool:
    """Equal but for units, caps and order of entry, which matter only where facts enter."""
    match left, right:
        case ScalarType(), ScalarType():
            return left.kind == right.kind
        case ListType(), ListType():
            return same(left.of, right.of)
        case SetType(), SetType():
            return same(left.of, right.of)
        case MapType(), MapType():
            return same(left.of, right.of)
        case OptionalType(), OptionalType():
            return same(left.of, right.of)
        case RecordType(), RecordType():
            return len(left.fields) == len(right.fields) and all(
                a.name == b.name and same(a.type, b.type)
                for a, b in zip(left.fields, right.fields, strict=True)
            )
        case EnumType(), EnumType():
            return left.members == right.members and left.ordered == right.ordered
        case _:
            return left == right


def is_ordered(type: AnyType) -> bool:
    kinds = ("int", "number", "percent", "duration", "size", "money", "time", "date", "version")
    return type.kind in kinds or (isinstance(type, EnumType) and type.ordered)


def is_collection(type: AnyType) -> bool:
    return isinstance(base(type), ListType | SetType | MapType)


def enumerations(type: AnyType) -> Iterator[EnumType]:
    """The enumerations in a type."""
    match type:
        case EnumType():
            yield type
        case OptionalType(of=of) | ListType(of=of) | SetType(of=of) | MapType(of=of):
            yield from enumerations(of)
        case RecordType(fields=fields):
            for part in fields:
                yield from enumerations(part.type)


def holds_optional(type: AnyType) -> bool:
    match type:
        case OptionalType():
            return True
        case ListType(of=of) | SetType(of=of) | MapType(of=of):
            return holds_optional(of)
        case RecordType(fields=fields):
            return any(holds_optional(f.type) for f in fields)
        case _:
            return False


def joined(left: AnyType, right: AnyType) -> AnyType | None:
    """The type in which two values can be compared, if there is one."""
    left, right = base(left), base(right)
    if is_number(left) and is_number(right):
        return left if left.kind == right.kind else NUMBER
    return left if same(left, right) else None


# --- comparison and membership


def equality(left: AnyType, right: AnyType) -> None:
    """`==` and `!=`."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, NullType):
            if isinstance(other, NullType):
                raise TypeFault("`null` is compared with itself")
            if not isinstance(other, OptionalType):
                raise TypeFault(
                    f"{a(other)} is never null",
                    f"declare the fact `{describe(other)}?` where it may be, or use `known(…)`",
                )
            return
    if joined(left, right) is None:
        raise _unlike("compares", "with", left, right)
    if holds_optional(base(left)):
        raise TypeFault(
            f"{describe(base(left))} holds values that may be null, so it has no equality",
            "compare its elements or fields one by one",
        )


def order(left: AnyType, right: AnyType) -> None:
    """`<`, `<=`, `>` and `>=`."""
    for side in (left, right):
        if isinstance(side, NullType):
            raise TypeFault("null has no order", "test for it with `== null` or `!= null`")
    if joined(left, right) is None:
        raise _unlike("compares", "with", left, right)
    if not is_ordered(base(left)):
        kind = base(left)
        hint = {
            "bool": "write the fact itself, or `not` and the fact",
            "string": "compare strings with `==`, or with `contains`, `like`, `matches`",
            "path": "compare paths with `==`, or with `like`",
            "enum": 'declare the order: `"low" < "high"`',
        }.get(kind.kind, "compare `count(…)`, or the elements")
        raise TypeFault(f"{a(kind)} has no order", hint)


def membership(item: AnyType, of: AnyType) -> None:
    """`x in xs`."""
    collection = base(of)
    match collection:
        case ListType(of=element) | SetType(of=element):
            if isinstance(item, NullType):
                raise TypeFault(
                    "null is looked for in a collection", "write `any x in xs: x == null`"
                )
            if joined(item, element) is None:
                raise _unlike("looks for", "in a collection of", item, element)
            if holds_optional(base(item)):
                raise TypeFault("values that may hold null have no equality")
        case MapType():
            if base(item).kind not in ("string", "path", "enum"):
                raise TypeFault(
                    f"the keys of a map are strings, not {describe(item)}",
                    "`in` asks a map for its keys",
                )
        case ScalarType(kind="string"):
            raise TypeFault("`in` does not look into a string", 'write `text contains "part"`')
        case _:
            raise TypeFault(f"`in` needs a list, a set, a map or a range, not {a(of)}")


def element(type: AnyType) -> Type:
    """What a quantifier or comprehension binds: an element, or a map's key."""
    match base(type):
        case ListType(of=of) | SetType(of=of):
            return of
        case MapType():
            return STRING
        case other:
            raise TypeFault(
                f"{describe(other)} is no collection", "range over a list, a set or a map"
            )


# --- arithmetic

_SAME_RESULT = ("int", "percent", "duration", "size", "money")


def arithmetic(op: str, left: AnyType, right: AnyType) -> AnyType:
    """`+ - * /`."""
    a, b = base(left), base(right)
    if isinstance(a, NullType) or isinstance(b, NullType):
        raise TypeFault("nothing is computed with null")
    result = _additive(op, a, b) if op in "+-" else _multiplicative(op, a, b)
    if result is None:
        verb = {"+": "adds", "-": "subtracts", "*": "multiplies", "/": "divides"}[op]
        if op == "-":
            raise _unlike(verb, "from", b, a)
        raise _unlike(verb, {"+": "to", "*": "by", "/": "by"}[op], a, b)
    return result


def _additive(op: str, a: AnyType, b: AnyType) -> AnyType | None:
    if a.kind in _SAME_RESULT and same(a, b):
        return a
    if is_number(a) and is_number(b):
        return NUMBER
    if a.kind in ("time", "date"):
        if b.kind == "duration":
            return SCALARS[a.kind]
        if op == "-" and same(a, b):
            return DURATION
    return None


def _multiplicative(op: str, a: AnyType, b: AnyType) -> AnyType | None:
    if is_number(a) and is_number(b):
        return INT if op == "*" and a.kind == b.kind == "int" else NUMBER
    percents = (a.kind == "percent") + (b.kind == "percent")
    if op == "*":
        if percents == 2:
            return PERCENT
        if is_quantity(a) and (is_number(b) or b.kind == "percent"):
            return a
        if is_quantity(b) and (is_number(a) or a.kind == "percent"):
            return b
        if percents and (is_number(a) or is_number(b)):
            return NUMBER
        return None
    if percents == 2 or (is_quantity(a) and same(a, b)):
        return NUMBER
    if is_quantity(a) and (is_number(b) or b.kind == "percent"):
        return a
    if a.kind == "percent" and is_number(b):
        return PERCENT
    if is_number(a) and b.kind == "percent":
        return NUMBER
    return None


def signed(type: AnyType, name: str) -> AnyType:
    """Unary minus and `abs`."""
    inner = base(type)
    if is_number(inner) or is_quantity(inner) or inner.kind == "percent":
        return inner
    raise TypeFault(f"{name} takes a number, a percent or a quantity, not {a(type)}")


def fallback(of: AnyType, value: AnyType) -> AnyType:
    """`x ?? v`."""
    if isinstance(of, NullType) or isinstance(value, NullType):
        raise TypeFault("`??` gives a value where one is unknown or null, not null")
    result = joined(of, value)
    if result is None:
        raise _unlike("falls back from", "to", of, value)
    return OptionalType(of=result) if isinstance(value, OptionalType) else result  # type: ignore[arg-type]


# --- aggregates and calls


def aggregate(op: str, value: AnyType) -> AnyType:
    """The result of an aggregate over values of type *value* (for streak, longest, share: bool)."""
    inner = base(value)
    match op:
        case "count":
            return INT
        case "streak" | "longest" | "share":
            if inner.kind != "bool":
                raise TypeFault(
                    f"`{op}` takes a condition, not {a(value)}",
                    f"write `{op}(r.passed for r in runs)`",
                )
            return PERCENT if op == "share" else INT
        case "distinct":
            return SetType(of=value)  # type: ignore[arg-type]
        case "sum" if is_number(inner) or is_quantity(inner) or inner.kind == "percent":
            return inner
        case "mean" if is_number(inner):
            return NUMBER
        case "mean" if is_quantity(inner) or inner.kind == "percent":
            return inner
        case "min" | "max" | "percentile" if is_ordered(inner):
            return inner
    wanted = "ordered values" if op in ("min", "max", "percentile") else "numbers or quantities"
    raise TypeFault(f"`{op}` takes {wanted}, not {a(value)}")


FUNCTIONS: Final = ("abs", "len", "lower", "age", "past", "percent", "number")
AGGREGATES: Final = (
    "count", "sum", "min", "max", "mean", "percentile", "distinct", "streak", "longest", "share",
)  # fmt: skip


def call(function: str, argument: AnyType) -> AnyType:
    inner = base(argument)
    match function:
        case "abs":
            return signed(argument, "`abs`")
        case "len" if inner.kind in ("string", "path"):
            return INT
        case "len" if isinstance(inner, ListType | SetType | MapType):
            raise TypeFault("`len` counts a string's characters", "write `count(…)`")
        case "lower" if inner.kind == "string":
            return STRING
        case "age" if inner.kind == "time":
            return DURATION
        case "past" if inner.kind == "time":
            return BOOL
        case "percent" if is_number(inner):
            return PERCENT
        case "number" if inner.kind in ("percent", "int"):
            return NUMBER
    wanted = {
        "len": "a string",
        "lower": "a string",
        "age": "a time",
        "past": "a time",
        "percent": "a number",
        "number": "a percent",
    }[function]
    hint = "a date has no clock; there is no *today*" if inner.kind == "date" else None
    raise TypeFault(f"`{function}` takes {wanted}, not {a(argument)}", hint)


def text_test(op: str, of: AnyType) -> None:
    """`like`, `matches`, `contains`: what stands on the left."""
    if base(of).kind not in ("string", "path"):
        hint = (
            f"write `any x in xs: x {op} …`"
            if isinstance(base(of), ListType | SetType | MapType)
            else None
        )
        raise TypeFault(f"`{op}` looks at a string or a path, not {a(of)}", hint)


def field(of: AnyType, name: str) -> Type:
    record = base(of)
    if isinstance(record, RecordType):
        for candidate in record.fields:
            if candidate.name == name:
                return candidate.type
        names = ", ".join(f"`{candidate.name}`" for candidate in record.fields)
        raise TypeFault(f"the record has no field `{name}`", f"its fields are {names}")
    hint = f'write `["{name}"]` for a map\'s value' if isinstance(record, MapType) else None
    raise TypeFault(f"{describe(of)} has no fields", hint)


def index(of: AnyType, key: AnyType) -> Type:
    mapping = base(of)
    if not isinstance(mapping, MapType):
        raise TypeFault(f"`[…]` takes a map's value, and this is {describe(of)}")
    if base(key).kind not in ("string", "path", "enum"):
        raise TypeFault(f"the keys of a map are strings, not {describe(key)}")
    return mapping.of


def truth(type: AnyType, where: str) -> None:
    """A predicate is due."""
    if base(type).kind != "bool":
        raise TypeFault(
            f"{where} needs a predicate, and this is {a(type)}",
            "compare it with something, as in `x == 0`",
        )


def _unlike(verb: str, preposition: str, left: AnyType, right: AnyType) -> TypeFault:
    return TypeFault(f"this {verb} {a(left)} {preposition} {a(right)}")


# --- the IR


@dataclass(frozen=True)
class Scope:
    """What the names of an expression stand for."""

    facts: Mapping[str, Type]
    variables: Mapping[str, Type]

    def bind(self, name: str, type: Type) -> Scope:
        return Scope(self.facts, {**self.variables, name: type})


def infer(expr: ir.Expr, scope: Scope) -> AnyType:
    """The type of a checked expression. Raises TypeFault where it has none."""
    match expr:
        case ir.Literal(type="null"):
            return NULL
        case ir.Literal(type="money", value=str(value)):
            return MoneyType(currency=value[-3:])
        case ir.Literal(type="enum", value=str(value)):
            return EnumType(members=(value,))
        case ir.Literal(type=kind):
            return SCALARS[kind]
        case ir.ListOf(items=items):
            types = [infer(item, scope) for item in items]
            wide = next((t for t in types if t.kind == "number"), types[0] if types else STRING)
            return ListType(of=base(wide))  # type: ignore[arg-type]
        case ir.FactRead(name=name):
            return _known(scope.facts, name, "fact")
        case ir.Variable(name=name):
            return _known(scope.variables, name, "variable")
        case ir.FieldRead(of=of, name=name):
            return field(infer(of, scope), name)
        case ir.Index(of=of, key=key):
            return index(infer(of, scope), infer(key, scope))
        case ir.Arithmetic(first=first, rest=rest):
            type = infer(first, scope)
            for step in rest:
                type = arithmetic(step.op, type, infer(step.value, scope))
            return type
        case ir.Negate(of=of):
            return signed(infer(of, scope), "`-`")
        case ir.Default(of=of, fallback=ir.Literal(type="enum")):
            return base(infer(of, scope))
        case ir.Default(of=of, fallback=value):
            return fallback(infer(of, scope), infer(value, scope))
        case ir.Aggregate(op=op, var=var, over=over, value=value):
            domain = infer(over, scope)
            if var is None:
                return aggregate(op, element(domain))
            inner = scope.bind(var, element(domain))
            return aggregate(op, BOOL if value is None else infer(value, inner))
        case ir.Call(function=function, argument=argument):
            return call(function, infer(argument, scope))
        case ir.Named(of=of):
            return infer(of, scope)
        case _:
            return BOOL


def _known(types: Mapping[str, Type], name: str, what: str) -> Type:
    try:
        return types[name]
    except KeyError:
        raise TypeFault(f"unknown {what} `{name}`") from None
