"""The IR written back in the language, each expression, type and declaration on one line: for
explanations, messages and pages."""

from __future__ import annotations

from ...grammar.literals import write_string
from . import expressions as ir
from .document import Fact, FactSource, Range
from .types import (
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

# How tightly a form binds; a part that binds looser than its place gets parentheses.
_LOOSE, _AND, _NOT, _TIME, _TEST, _DEFAULT, _SUM, _PRODUCT, _SIGN, _TIGHT = range(10)


def write_expression(node: ir.Expr) -> str:
    """*node* as a person would write it."""
    return _write(node)[0]


def _at(node: ir.Expr, level: int) -> str:
    text, binding = _write(node)
    return text if binding >= level else f"({text})"


def _write(node: ir.Expr) -> tuple[str, int]:
    match node:
        case ir.Literal(type="string" | "path" | "enum", value=str(value)):
            return write_string(value), _TIGHT
        case ir.Literal(value=None):
            return "null", _TIGHT
        case ir.Literal(value=bool(value)):
            return str(value).lower(), _TIGHT
        case ir.Literal(value=value):
            return str(value), _TIGHT
        case ir.ListOf(items=items):
            return "[" + ", ".join(write_expression(item) for item in items) + "]", _TIGHT
        case ir.FactRead():
            return _read(node), _TIGHT if node.view == "now" else _SIGN
        case ir.Known(name=name):
            return f"known({name})", _TIGHT
        case ir.HostCheck(name=name):
            return f"host_check({write_string(name)})", _TIGHT
        case ir.Variable(name=name) | ir.Named(name=name):
            return name, _TIGHT
        case ir.FieldRead(of=of, name=name):
            return f"{_at(of, _TIGHT)}.{name}", _TIGHT
        case ir.Index(of=of, key=key):
            return f"{_at(of, _TIGHT)}[{write_expression(key)}]", _TIGHT
        case ir.And(items=items):
            return " and ".join(_at(item, _TIME + 1) for item in items), _AND
        case ir.Or(items=items):
            return " or ".join(_at(item, _TIME + 1) for item in items), _LOOSE
        case ir.Not(of=of):
            return f"not {_at(of, _TIGHT)}", _NOT
        case ir.Compare(op=op, left=left, right=right):
            return f"{_at(left, _DEFAULT)} {op} {_at(right, _DEFAULT)}", _TEST
        case ir.Between(of=of, low=low, high=high):
            ends = [write_expression(end) if end is not None else "" for end in (low, high)]
            return f"{_at(of, _DEFAULT)} in {ends[0]}..{ends[1]}", _TEST
        case ir.Member(item=item, of=of):
            return f"{_at(item, _DEFAULT)} in {_at(of, _DEFAULT)}", _TEST
        case ir.Like(of=of, patterns=patterns) | ir.Matches(of=of, patterns=patterns):
            texts = [write_string(pattern) for pattern in patterns]
            globs = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
            return f"{_at(of, _DEFAULT)} {node.kind} {globs}", _TEST
        case ir.Contains(of=of, text=part):
            return f"{_at(of, _DEFAULT)} contains {_at(part, _DEFAULT)}", _TEST
        case ir.Default(of=of, fallback=fallback):
            return f"({_at(of, _PRODUCT)} ?? {_at(fallback, _PRODUCT)})", _TIGHT
        case ir.Arithmetic(first=first, rest=rest):
            level = _SUM if rest[0].op in "+-" else _PRODUCT
            steps = "".join(f" {step.op} {_at(step.value, level + 1)}" for step in rest)
            return _at(first, level) + steps, level
        case ir.Negate(of=of):
            return f"-{_at(of, _TIGHT)}", _SIGN
        case ir.Call(function=function, argument=argument):
            return f"{function}({write_expression(argument)})", _TIGHT
        case ir.Quantifier():
            where = f" where {write_expression(node.where)}" if node.where is not None else ""
            body = _at(node.body, _NOT)
            return f"{node.op} {node.var} in {_at(node.over, _TIGHT)}{where}: {body}", _LOOSE
        case ir.Aggregate():
            return _aggregate(node), _TIGHT
        case ir.Runs(of=of, count=count):
            tail = f" of {node.clock}" if node.clock else ""
            tail += " on one revision" if node.one_revision else ""
            return f"{_at(of, _TEST)} for {count} runs{tail}", _TIME
        case ir.Held(of=of, duration=duration, every=every):
            tail = f" every {every}" if every else ""
            return f"{_at(of, _TEST)} for {duration}{tail}", _TIME
        case ir.History(op=op, of=of):
            return f"{op} {_at(of, _TEST)}", _NOT


def _read(node: ir.FactRead) -> str:
    match node.view:
        case "now":
            return node.name
        case "previous":
            return f"previous {node.name}"
        case "fresh":
            return f"{node.name} fresh {node.within}"
        case view:
            return f"{node.name} at {view}"


def _aggregate(node: ir.Aggregate) -> str:
    over = _at(node.over, _TIGHT)
    if node.var is None:
        inside = write_expression(node.over)
    elif node.value is None:
        inside = f"{node.var} in {over}"
    else:
        inside = f"{write_expression(node.value)} for {node.var} in {over}"
    if node.where is not None:
        inside += f" where {write_expression(node.where)}"
    if node.rank is not None:
        inside += f", {node.rank}"
    return f"{node.op}({inside})"


def lets_of(node: ir.Expr) -> dict[str, ir.Expr]:
    """What the names of `let` in *node* stand for, each after those that it is made of."""
    found: dict[str, ir.Expr] = {}
    for part in ir.children(node):
        found |= lets_of(part)
    if isinstance(node, ir.Named):
        found.setdefault(node.name, node.of)
    return found


# --- declarations


def write_fact(fact: Fact) -> str:
    """The declaration of *fact*."""
    words = [f"{fact.name} : {write_type(fact.type)}"]
    if fact.range is not None:
        words.append(f"in {write_range(fact.range)}")
    if fact.lasting:
        words.append("lasting")
    if fact.description is not None:
        words.append(write_string(fact.description))
    if fact.source is not None:
        words.append(write_source(fact.source))
    return " ".join(words)


def write_type(type: Type) -> str:
    """*type* with its units and caps."""
    match type:
        case ScalarType(kind=kind, unit=unit, max=most):
            return kind + _max(most) + (f" as {unit}" if unit else "")
        case MoneyType(currency=currency):
            return f"money {currency}"
        case EnumType(members=members, ordered=ordered):
            return (" < " if ordered else " | ").join(map(write_string, members))
        case RecordType(fields=fields):
            inside = ", ".join(f"{field.name}: {write_type(field.type)}" for field in fields)
            return f"{{ {inside} }}"
        case OptionalType(of=ListType() | SetType() | MapType() as of):
            return f"({write_type(of)})?"
        case OptionalType(of=of):
            return f"{write_type(of)}?"
        case ListType(of=of, max=most, by=by):
            return f"list{_max(most)} of {write_type(of)}" + (f" by {by}" if by else "")
        case SetType(of=of, max=most) | MapType(of=of, max=most):
            return f"{type.kind}{_max(most)} of {write_type(of)}"


def _max(most: int | None) -> str:
    return f" max {most}" if most is not None else ""


def write_range(range: Range) -> str:
    low, high = (
        write_expression(end) if end is not None else "" for end in (range.low, range.high)
    )
    return f"{low}..{high}"


def write_source(source: FactSource) -> str:
    words = [f"from {source.name}"]
    if source.argument is not None:
        words.append(write_string(source.argument))
    if source.directory is not None:
        words.append(f"in {write_string(source.directory)}")
    if source.timeout is not None:
        words.append(f"timeout {source.timeout}")
    if source.selector is not None:
        words.append(f"at {write_string(source.selector)}")
    return " ".join(words)
