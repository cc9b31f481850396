"""Random well-typed predicates over a fixed set of facts, and random histories to try them on.

All randomness comes from the `random.Random` that is handed in, so that a seed names a case and
Hypothesis can shrink one. Predicates are built as IR nodes: temporal forms stand outside alone,
views on facts alone (ruling 8), quantifiers nest twice (ruling 26). Values come from small pools,
so that equality, boundaries and ties are met often.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple

from goalspec.compiler.ir import expressions as ir
from goalspec.compiler.ir.document import Fact, Range
from goalspec.compiler.ir.expressions import Expr
from goalspec.compiler.ir.types import (
    EnumType,
    ListType,
    MapType,
    MoneyType,
    OptionalType,
    RecordField,
    RecordType,
    ScalarType,
    SetType,
    Type,
)
from goalspec.grammar import literals
from goalspec.tests.reference import values
from goalspec.tests.reference.interpreter import reads

BOOL = ScalarType(kind="bool")
INT = ScalarType(kind="int")
NUMBER = ScalarType(kind="number")
STRING = ScalarType(kind="string")
PERCENT = ScalarType(kind="percent")
DURATION = ScalarType(kind="duration")
SIZE = ScalarType(kind="size")
TIME = ScalarType(kind="time")
DATE = ScalarType(kind="date")
VERSION = ScalarType(kind="version")
PATH = ScalarType(kind="path")
USD = MoneyType(currency="USD")
COLOR = EnumType(members=("red", "green", "blue"))
LEVEL = EnumType(members=("low", "mid", "high"), ordered=True)

SCALARS: tuple[Type, ...] = (
    INT, NUMBER, PERCENT, DURATION, SIZE, USD, TIME, DATE, VERSION, STRING, PATH, COLOR, LEVEL,
)  # fmt: skip
ORDERED = tuple(kind for kind in SCALARS if kind not in (STRING, PATH, COLOR))
QUANTITIES: tuple[Type, ...] = (DURATION, SIZE, USD)


def optional(of: Type) -> OptionalType:
    return OptionalType(of=of)


def record(**fields: Type) -> RecordType:
    return RecordType(
        fields=tuple(RecordField(name=name, type=kind) for name, kind in fields.items())
    )


POINT = record(x=INT, y=INT)
RUN = record(
    name=STRING, n=INT, ok=BOOL, took=DURATION, level=LEVEL, share=PERCENT,
    note=optional(STRING), score=optional(NUMBER), flaky=optional(BOOL),
)  # fmt: skip
JOB = record(name=STRING, tags=ListType(of=STRING), sizes=MapType(of=INT), at=TIME)

_TYPES: dict[str, Type] = {
    "suite.passed": BOOL,
    "suite.green": BOOL,
    "maybe": optional(BOOL),
    "a": INT,
    "b": INT,
    "rated": INT,
    "big": INT,
    "opt.int": optional(INT),
    "x": NUMBER,
    "y": NUMBER,
    "opt.x": optional(NUMBER),
    "cov": PERCENT,
    "ratio": ScalarType(kind="percent", unit="ratio"),
    "points": ScalarType(kind="percent", unit="points"),
    "took": DURATION,
    "lat": ScalarType(kind="duration", unit="ms"),
    "opt.took": optional(DURATION),
    "size": SIZE,
    "disk": ScalarType(kind="size", unit="KB"),
    "cost": USD,
    "price": USD,
    "seen": TIME,
    "closed": optional(TIME),
    "day": DATE,
    "due": optional(DATE),
    "version": VERSION,
    "wanted": VERSION,
    "name": STRING,
    "title": optional(STRING),
    "file": PATH,
    "opt.file": optional(PATH),
    "color": COLOR,
    "paint": COLOR,
    "level": LEVEL,
    "least": LEVEL,
    "opt.level": optional(LEVEL),
    "ints": ListType(of=INT),
    "more": ListType(of=INT),
    "opt.ints": ListType(of=optional(INT)),
    "no.ints": optional(ListType(of=INT)),
    "numbers": ListType(of=NUMBER),
    "names": ListType(of=STRING),
    "files": SetType(of=PATH),
    "tooks": ListType(of=DURATION),
    "covs": ListType(of=PERCENT),
    "costs": ListType(of=USD),
    "bits": ListType(of=BOOL),
    "times": ListType(of=TIME),
    "levels": ListType(of=LEVEL),
    "colors": SetType(of=COLOR),
    "intset": SetType(of=INT),
    "labels": SetType(of=STRING),
    "tags": SetType(of=STRING),
    "counts": MapType(of=INT),
    "limits": MapType(of=INT),
    "notes": MapType(of=optional(STRING)),
    "waits": MapType(of=DURATION),
    "flags": MapType(of=BOOL),
    "point": POINT,
    "corner": POINT,
    "run": RUN,
    "opt.run": optional(RUN),
    "runs": ListType(of=RUN),
    "sorted": ListType(of=RUN, by="took"),
    "jobs": ListType(of=JOB),
}
LASTING = {"price", "labels", "closed", "wanted", "jobs", "least"}
RANGES = {"rated": Range(low=ir.Literal(type="int", value=0), high=ir.Literal(type="int", value=5))}
FACTS = tuple(
    Fact(name=name, type=kind, range=RANGES.get(name), lasting=name in LASTING)
    for name, kind in _TYPES.items()
)


def bare(kind: Type) -> Type:
    """A type without `?`, unit or cap: what an expression's type is."""
    if isinstance(kind, OptionalType):
        return bare(kind.of)
    if isinstance(kind, ScalarType):
        return ScalarType(kind=kind.kind)
    return kind


# --- values: pools of JSON and of literals that meet one another

START = literals.read_time("2026-01-01T00:00Z")
_KEYS = ("a", "b", "c")
_STRINGS = ("", "a", "b", "c", "ab", "Abc", "éA", "fix(ui)")
_PATHS = ("src/a.py", "src/b/c.py", "docs/a.md", "tests/test_a.py", "a", "src")
_GLOBS = (
    "src/**", "**/*.py", "*.md", "docs/*.md", "tests/test_?.py", "**/a.*", "src/*", "**", "[ab]",
    "*/[!a]*", "a", "**/b/**",
)  # fmt: skip
_REGEXES = ("a", "^a", "b$", "^$", "^[a-c]+$", r"\.py$", "(?:fix|feat)\\(", r"\w\w", "a|b", "A")
_PERCENTS = ("-5%", "0%", "0.5%", "33.3%", "50%", "85%", "100%", "120%")
_DURATIONS = ("0s", "1ns", "500ms", "1s", "90s", "1m30s", "5m", "1h", "1d", "-2m", "1h30m")
_SIZES = ("0B", "1B", "1000B", "1KB", "1KiB", "10MiB", "1.5MB", "-1KB")
_MONEY = ("0 USD", "0.01 USD", "5 USD", "5.00 USD", "12.345 USD", "-3 USD")
_VERSIONS = ("v1.0.0", "v1.0.0-rc.1", "1.0.0-rc.2", "v1.10.0", "v1.2.0", "v1.0.0-alpha", "v2.0.0")
_DATES = ("2025-12-31", "2026-01-01", "2026-01-02", "2026-02-28")
_INTS = (-2, -1, 0, 1, 2, 3, 5, 10)
_NUMBERS = ("-1.5", "0", "0.1", "0.5", "1", "1.0", "2.5", "3", "1e3", "0.3333333333333333333")
_REASONS = ("missing", "stale", "null", "skipped", "error", "invalid")
_ILL: tuple[Any, ...] = (
    True, "?", Decimal("3.5"), 7, [], {}, "", None, ["a", 1], {"a": "b"}, "85", "5 EUR", "1 h",
    2**53, Decimal("NaN"), "../up", "/abs", [None], "2026-13-01", "1.2", Decimal("1e309"),
)  # fmt: skip


def _instant(rng: Random) -> int:
    return START + rng.choice((-3600, -60, 0, 30, 60, 120, 300, 600, 3600)) * 10**9


def json_of(kind: Type, rng: Random) -> Any:
    """JSON that mostly is of a type; within maps and records sometimes not."""
    match kind:
        case OptionalType(of=of):
            return None if rng.random() < 0.3 else json_of(of, rng)
        case MoneyType():
            return rng.choice(_MONEY)
        case EnumType(members=members):
            return rng.choice(members)
        case ListType(of=of) | SetType(of=of):
            return [json_of(of, rng) for _ in range(rng.choice((0, 1, 2, 3, 3, 4)))]
        case MapType(of=of):
            return {
                key: rng.choice(_ILL) if rng.random() < 0.08 else json_of(of, rng)
                for key in _KEYS
                if rng.random() < 0.6
            }
        case RecordType(fields=fields):
            return {
                field.name: json_of(field.type, rng)
                for field in fields
                if rng.random() > (0.4 if isinstance(field.type, OptionalType) else 0.01)
            }
    return _scalar_json(kind, rng)


def _scalar_json(kind: ScalarType, rng: Random) -> Any:
    match kind.kind:
        case "bool":
            return rng.random() < 0.6
        case "int":
            if rng.random() < 0.03:
                return rng.choice((2**53 - 1, -(2**53) + 1, Decimal("2.0")))
            return rng.choice(_INTS)
        case "number":
            return rng.choice((Decimal(rng.choice(_NUMBERS)), rng.choice(_INTS)))
        case "percent":
            if kind.unit == "ratio":
                return Decimal(rng.choice(("0", "0.5", "0.85", "1", "0.333")))
            if kind.unit == "points":
                return rng.choice((0, 50, 85, Decimal("33.3"), 100))
            return rng.choice(_PERCENTS)
        case "duration":
            if kind.unit is not None and rng.random() < 0.7:
                return rng.choice((0, 1, 500, 1000, 90000, Decimal("0.5")))
            return rng.choice(_DURATIONS)
        case "size":
            if kind.unit is not None and rng.random() < 0.7:
                return rng.choice((0, 1, 1000, Decimal("0.5")))
            return rng.choice(_SIZES)
        case "time":
            return literals.write_time(_instant(rng))
        case "date":
            return rng.choice(_DATES)
        case "version":
            return rng.choice(_VERSIONS)
        case "path":
            return rng.choice((*_PATHS, "./src/a.py", "src//b/../a.py"))
        case "string":
            return rng.choice(_STRINGS)


def literal(kind: Type, rng: Random) -> ir.Literal:
    """A literal of a scalar type, as the IR spells it."""
    match kind:
        case MoneyType(currency=currency):
            amount = literals.read_money(rng.choice(_MONEY))[0]
            return ir.Literal(type="money", value=literals.write_money(amount, currency))
        case EnumType(members=members):
            return ir.Literal(type="enum", value=rng.choice(members))
        case ScalarType(kind=name):
            return ir.Literal(type=name, value=_spelled(name, rng))
    raise AssertionError(kind)


def _spelled(name: str, rng: Random) -> bool | int | str:
    match name:
        case "bool":
            return rng.random() < 0.5
        case "int":
            return rng.choice(_INTS)
        case "number":
            return literals.write_number(Decimal(rng.choice(_NUMBERS)))
        case "percent":
            return literals.write_percent(Decimal(literals.read_signed(rng.choice(_PERCENTS))[1]))
        case "duration":
            return literals.write_duration(int(literals.read_signed(rng.choice(_DURATIONS))[1]))
        case "size":
            return literals.write_size(int(literals.read_signed(rng.choice(_SIZES))[1]))
        case "time":
            return literals.write_time(_instant(rng))
        case "date":
            return rng.choice(_DATES)
        case "version":
            return literals.write_version(literals.read_version(rng.choice(_VERSIONS)))
        case "path":
            return rng.choice(_PATHS)
        case _:
            return rng.choice(_STRINGS)


# --- predicates


class Source(NamedTuple):
    """An expression that a value can be read from, and its declared type."""

    expr: Expr
    type: Type


class Predicates:
    """Generates predicates; `top` is the way in."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.names = 0

    def top(self) -> Expr:
        """A predicate with temporal forms, or none."""
        roll = self.rng.random()
        if roll < 0.4:
            return self.predicate(self.rng.randrange(4), ())
        if roll < 0.85:
            return self.temporal()
        parts = tuple(self.top() for _ in range(self.rng.choice((1, 2, 2, 3))))
        if len(parts) == 1:
            return ir.Not(of=parts[0])
        return ir.And(items=parts) if self.rng.random() < 0.5 else ir.Or(items=parts)

    def temporal(self) -> Expr:
        body = self.predicate(self.rng.choice((0, 0, 1, 1, 2)), ())
        while not reads(body):  # no observation would count for it
            body = self.predicate(1, ())
        roll = self.rng.random()
        if roll < 0.4:
            clock = self.rng.choice(FACTS).name if self.rng.random() < 0.3 else None
            return ir.Runs(
                of=body,
                count=self.rng.choice((1, 2, 2, 3)),
                clock=clock,
                one_revision=self.rng.random() < 0.3,
            )
        if roll < 0.7:
            every = self.rng.choice((None, "1m", "2m", "10m"))
            return ir.Held(of=body, duration=self.rng.choice(("30s", "2m", "10m")), every=every)
        return ir.History(op=self.rng.choice(("always", "ever")), of=body)

    def predicate(self, depth: int, scope: Sequence[Source], nest: int = 0) -> Expr:
        """A bool without temporal forms; *nest* quantifiers stand around it."""
        forms: list[Callable[[int, Sequence[Source], int], Expr]] = [
            self.truth, self.comparison, self.comparison, self.equality, self.between, self.member,
            self.text, self.null_test, self.past,
        ]  # fmt: skip
        if nest < 2:
            forms += [self.quantifier, self.quantifier]
        if nest == 1:
            forms += [self.join, self.join]
        if depth > 0:
            forms += [self.junction, self.junction, self.junction, self.negation]
        made = self.rng.choice(forms)(depth - 1, scope, nest)
        if self.rng.random() < 0.03 and not scope:
            self.names += 1
            return ir.Named(name=f"let{self.names}", of=made)
        return made

    def junction(self, depth: int, scope: Sequence[Source], nest: int) -> Expr:
        items = tuple(self.predicate(depth, scope, nest) for _ in range(self.rng.choice((2, 2, 3))))
        return ir.And(items=items) if self.rng.random() < 0.5 else ir.Or(items=items)

    def negation(self, depth: int, scope: Sequence[Source], nest: int) -> Expr:
        return ir.Not(of=self.predicate(depth, scope, nest))

    def truth(self, depth: int, scope: Sequence[Source], nest: int) -> Expr:
        if self.rng.random() < 0.15:
            return ir.Known(name=self.rng.choice(FACTS).name)
        return self.leaf(BOOL, scope, constant=False)

    def comparison(self, depth: int, scope: Sequence[Source], nest: int) -> Expr:
        kind = self.rng.choice(ORDERED)
        left, right = self.pair(kind, depth, scope, nest)
        op: Any = self.rng.choice(("<", "<=", ">", ">="))
        return ir.Compare(op=op, left=left, right=right)

    def equality(self, depth: int, scope: Sequence[Source], nest: int) -> Expr:
        op: Any = self.rng.choice(("==", "!="))
        if self.rng.random() < 0.2:
            pairs = (
                ("ints", "more"), ("labels", "tags"), ("counts", "limits"), ("point", "corner"),
                ("suite.passed", "suite.green"), ("jobs", "jobs"),
            )  # fmt: skip
            one, other = self.rng.choice(pairs)
            return ir.Compare(op=op, left=self.fact(one), right=self.fact(other))
        if self.rng.random() < 0.06:
            return ir.Compare(op=op, left=self.fact("ints"), right=self.written(scope))
        if self.rng.random() < 0.04:
            one, other = self.rng.choice((("ints", "more"), ("jobs", "jobs"), ("intset", "ints")))
            sides = [ir.Aggregate(op="distinct", over=self.fact(name)) for name in (one, other)]
            return ir.Compare(op=op, left=sides[0], right=sides[1])
        left, right = self.pair(self.rng.choice(SCALARS), depth, scope, nest)
        return ir.Compare(op=op, left=left, right=right)

    def written(self, scope: Sequence[Source]) -> Expr:
        return ir.ListOf(items=self.items(INT, scope))

    def pair(self, kind: Type, depth: int, scope: Sequence[Source], nest: int) -> tuple[Expr, Expr]:
        """Two values that compare; an int beside a number at times."""
        left = self.value(kind, depth, scope, nest, constant=False)
        other = self.rng.choice((INT, NUMBER)) if kind in (INT, NUMBER) else kind
        right = self.value(other, depth, scope, nest)
        return (left, right) if self.rng.random() < 0.8 else (right, left)

    def between(self, depth: int, scope: Sequence[Source], nest: int) -> Expr:
        kind = self.rng.choice((INT, NUMBER, PERCENT, DURATION, SIZE, USD, TIME, DATE, VERSION))
        low = literal(kind, self.rng) if self.rng.random() < 0.8 else None
        high = literal(kind, self.rng) if low is None or self.rng.random() < 0.7 else None
        if low is not None and high is not None and _worth(low) > _worth(high):
            low, high = high, low
        return ir.Between(
            of=self.value(kind, depth, scope, nest, constant=False), low=low, high=high
        )

    def member(self, depth: int, scope: Sequence[Source], nest: int) -> Expr:
        if self.rng.random() < 0.25:
            kind = self.rng.choice(SCALARS)
            items = self.items(kind, scope)
            item = self.value(kind, depth, scope, nest, constant=False)
            made: Expr = ir.Member(item=item, of=ir.ListOf(items=items))
        else:
            where, kind = self.collection(depth, scope, nest)
            of = bare(element(kind))
            if isinstance(of, RecordType):
                same = [s for s in scope if bare(s.type) == of and not _holds_optional(of)]
                if not same:
                    return self.text(depth, scope, nest)
                return ir.Member(item=self.rng.choice(same).expr, of=where)
            if of == BOOL:
                made = ir.Member(item=self.leaf(BOOL, scope, constant=False), of=where)
            else:
                made = ir.Member(item=self.value(of, depth, scope, nest), of=where)
        return ir.Not(of=made) if self.rng.random() < 0.2 else made

    def items(self, kind: Type, scope: Sequence[Source]) -> tuple[Expr, ...]:
        """The elements of a list that is written out: literals, or readings among them."""
        read = self.rng.random() < 0.3
        return tuple(
            self.leaf(kind, scope) if read else literal(kind, self.rng)
            for _ in range(self.rng.choice((1, 2, 3)))
        )

    def text(self, depth: int, scope: Sequence[Source], nest: int) -> Expr:
        of = self.value(self.rng.choice((STRING, PATH)), depth, scope, nest, constant=False)
        roll = self.rng.random()
        count = self.rng.choice((1, 1, 2))
        if roll < 0.4:
            return ir.Like(of=of, patterns=tuple(self.rng.sample(_GLOBS, count)))
        if roll < 0.7:
            return ir.Matches(of=of, patterns=tuple(self.rng.sample(_REGEXES, count)))
        return ir.Contains(of=of, text=self.value(STRING, 0, scope, nest))

    def null_test(self, depth: int, scope: Sequence[Source], nest: int) -> Expr:
        found = [s for s in self.sources(scope) if isinstance(s.type, OptionalType)]
        source = self.rng.choice(found)
        op: Any = self.rng.choice(("==", "!="))
        return ir.Compare(
            op=op, left=self.viewed(source.expr), right=ir.Literal(type="null", value=None)
        )

    def past(self, depth: int, scope: Sequence[Source], nest: int) -> Expr:
        return ir.Call(
            function="past", argument=self.value(TIME, depth, scope, nest, constant=False)
        )

    def quantifier(self, depth: int, scope: Sequence[Source], nest: int) -> Expr:
        over, kind = self.collection(depth, scope, nest)
        name, inner = self.bind(kind, scope)
        where = self.filter(inner, nest) if self.rng.random() < 0.35 else None
        body = self.predicate(min(depth, 1), inner, nest + 1)
        if self.rng.random() < 0.5:
            body = self.about(inner[-1], nest + 1) or body
        op: Any = self.rng.choice(("any", "all", "none", "each"))
        return ir.Quantifier(op=op, var=name, over=over, where=where, body=body)

    def join(self, depth: int, scope: Sequence[Source], nest: int) -> Expr:
        """`any b in ys: b.k == a.k`: a loop that an index may serve."""
        outer = self.fields(scope)
        pairs = []
        for over, kind in self.collections(()):
            if not isinstance(over, ir.FactRead):
                continue
            name, inner = self.bind(kind, scope)
            for own in self.fields(inner[-1:]):
                if _holds_optional(bare(own.type)):
                    continue
                for other in outer:
                    numbers = bare(own.type) in (INT, NUMBER) and bare(other.type) in (INT, NUMBER)
                    if numbers or bare(own.type) == bare(other.type):
                        pairs.append((over, name, own.expr, other.expr))
        if not pairs:
            return self.comparison(depth, scope, nest)
        over, name, key, wanted = self.rng.choice(pairs)
        sides = (key, wanted) if self.rng.random() < 0.5 else (wanted, key)
        op: Any = self.rng.choice(("any", "none"))
        body = ir.Compare(op="==", left=sides[0], right=sides[1])
        return ir.Quantifier(op=op, var=name, over=self.viewed(over), body=body)

    def filter(self, scope: Sequence[Source], nest: int) -> Expr:
        return self.about(scope[-1], nest + 1) or self.predicate(0, scope, nest + 1)

    def about(self, source: Source, nest: int) -> Expr | None:
        """A predicate that surely reads the variable just bound."""
        of = source.type.of if isinstance(source.type, OptionalType) else source.type
        if isinstance(of, RecordType):
            field = self.rng.choice(of.fields)
            inner = Source(ir.FieldRead(of=source.expr, name=field.name), field.type)
            return self.about(inner, nest)
        if bare(of) == BOOL:
            return source.expr
        if bare(of) in SCALARS:
            order = ("<", "<=", ">", ">=") if bare(of) in ORDERED else ()
            op: Any = self.rng.choice((*order, "==", "!="))
            return ir.Compare(op=op, left=source.expr, right=literal(bare(of), self.rng))
        return None

    # --- values

    def value(
        self, kind: Type, depth: int, scope: Sequence[Source], nest: int, *, constant: bool = True
    ) -> Expr:
        """An expression of a scalar type."""
        if depth >= 0 and self.rng.random() < 0.5:
            made = self.compound(kind, depth - 1, scope, nest)
            if made is not None:
                return made
        return self.leaf(kind, scope, constant=constant)

    def compound(self, kind: Type, depth: int, scope: Sequence[Source], nest: int) -> Expr | None:
        options: list[Callable[[], Expr | None]] = []

        def sub(other: Type) -> Expr:
            return self.value(other, depth, scope, nest)

        if kind in (INT, NUMBER, PERCENT, *QUANTITIES):
            options += [
                lambda: self.chain("+-", kind, lambda _: sub(self.addend(kind))),
                lambda: ir.Negate(of=sub(kind)),
                lambda: ir.Call(function="abs", argument=sub(kind)),
                lambda: self.product(kind, sub),
            ]
        if kind == INT:
            options += [
                lambda: ir.Call(function="len", argument=sub(STRING)),
                lambda: self.counting(depth, scope, nest),
                lambda: self.counting(depth, scope, nest),
            ]
        elif kind == NUMBER:
            options.append(lambda: ir.Call(function="number", argument=sub(PERCENT)))
        elif kind == PERCENT:
            options += [
                lambda: ir.Call(function="percent", argument=sub(NUMBER)),
                lambda: self.streaks("share", depth, scope, nest),
            ]
        elif kind == DURATION:
            options += [
                lambda: ir.Call(function="age", argument=sub(TIME)),
                lambda: self.chain("-", TIME, lambda _: sub(TIME), 1),
                lambda: self.chain("-", DATE, lambda _: sub(DATE), 1),
            ]
        elif kind == TIME:
            options.append(lambda: self.chain("+-", TIME, lambda _: sub(DURATION)))
        elif kind == DATE:
            days = ir.Literal(type="duration", value=self.rng.choice(("1d", "7d")))
            options.append(lambda: self.chain("+-", DATE, lambda _: days))
        elif kind == STRING:
            options.append(lambda: ir.Call(function="lower", argument=sub(STRING)))
        if kind in ORDERED:
            options.append(lambda: self.aggregate(kind, depth, scope, nest))
        options.append(lambda: self.default(kind, depth, scope, nest))
        return self.rng.choice(options)()

    def addend(self, kind: Type) -> Type:
        return self.rng.choice((INT, NUMBER)) if kind == NUMBER else kind

    def chain(
        self, ops: str, first: Type, value: Callable[[int], Expr], length: int | None = None
    ) -> Expr:
        steps = length or self.rng.choice((1, 1, 2))
        head = self.value(first, -1, (), 0) if first in (TIME, DATE) else value(-1)
        rest = tuple(
            ir.Step(op=self.rng.choice(ops), value=value(place))  # type: ignore[arg-type]
            for place in range(steps)
        )
        return ir.Arithmetic(first=head, rest=rest)

    def product(self, kind: Type, sub: Callable[[Type], Expr]) -> Expr:
        """Every way in which ruling 19 makes a value of a type with `*` or `/`."""
        count = self.rng.choice((INT, NUMBER))
        ways: list[tuple[Type, str, Type]]
        if kind == INT:
            ways = [(INT, "*", INT)]
        elif kind == NUMBER:
            quantity = self.rng.choice(QUANTITIES)
            ways = [
                (NUMBER, "*", count), (count, "*", NUMBER), (count, "/", INT), (INT, "/", count),
                (quantity, "/", quantity), (PERCENT, "/", PERCENT), (PERCENT, "*", count),
                (count, "*", PERCENT), (count, "/", PERCENT),
            ]  # fmt: skip
        elif kind == PERCENT:
            ways = [(PERCENT, "*", PERCENT), (PERCENT, "/", count)]
        else:
            ways = [
                (PERCENT, "*", kind), (kind, "*", PERCENT), (kind, "*", count), (count, "*", kind),
                (kind, "/", count), (kind, "/", PERCENT),
            ]  # fmt: skip
        left, op, right = self.rng.choice(ways)
        step = ir.Step(op=op, value=sub(right))  # type: ignore[arg-type]
        return ir.Arithmetic(first=sub(left), rest=(step,))

    def default(self, kind: Type, depth: int, scope: Sequence[Source], nest: int) -> Expr | None:
        of = self.leaf(kind, scope, constant=False)
        if kind != BOOL and self.rng.random() < 0.2 and nest < 2 and kind in ORDERED:
            of = self.aggregate(kind, depth, scope, nest) or of
        if self.rng.random() < 0.3:
            return ir.Default(of=of, fallback=self.leaf(kind, scope))
        return ir.Default(of=of, fallback=literal(kind, self.rng))

    def counting(self, depth: int, scope: Sequence[Source], nest: int) -> Expr | None:
        if nest >= 2 or self.rng.random() < 0.3:
            return ir.Aggregate(op="count", over=self.collection(depth, scope, nest)[0])
        if self.rng.random() < 0.4:
            return self.streaks(self.rng.choice(("streak", "longest")), depth, scope, nest)
        over, kind = self.collection(depth, scope, nest)
        name, inner = self.bind(kind, scope)
        where = self.filter(inner, nest)
        if self.rng.random() < 0.3:
            distinct = ir.Aggregate(
                op="distinct", var=name, over=over, where=where, value=self.read(inner[-1])
            )
            return ir.Aggregate(op="count", over=distinct)
        return ir.Aggregate(op="count", var=name, over=over, where=where)

    def read(self, source: Source) -> Expr:
        """The variable, or a field of it."""
        of = source.type.of if isinstance(source.type, OptionalType) else source.type
        if isinstance(of, RecordType):
            plain = [field for field in of.fields if not isinstance(field.type, MapType)]
            return ir.FieldRead(of=source.expr, name=self.rng.choice(plain).name)
        return source.expr

    def streaks(self, op: Any, depth: int, scope: Sequence[Source], nest: int) -> Expr | None:
        if nest >= 2:
            return None
        over, kind = self.rng.choice(
            [(self.fact(n), _TYPES[n]) for n in ("bits", "runs", "sorted", "ints", "levels")]
        )
        name, inner = self.bind(kind, scope)
        where = self.filter(inner, nest) if self.rng.random() < 0.4 else None
        condition = self.about(inner[-1], nest + 1) or self.predicate(0, inner, nest + 1)
        return ir.Aggregate(op=op, var=name, over=over, where=where, value=condition)

    def aggregate(self, kind: Type, depth: int, scope: Sequence[Source], nest: int) -> Expr | None:
        ops = ["min", "max", "percentile"]
        if kind in (INT, NUMBER, PERCENT, *QUANTITIES):
            ops.append("sum")
        if kind in (NUMBER, PERCENT, *QUANTITIES):
            ops.append("mean")
        op: Any = self.rng.choice(ops)
        rank = self.rng.choice(("50%", "95%", "100%", "0.1%", "33.3%"))
        rank_of = rank if op == "percentile" else None
        plain = [
            (expr, of)
            for expr, of in self.collections(scope)
            if bare(element(of)) == kind
            or (op == "mean" and kind == NUMBER and of == _TYPES["ints"])
        ]
        if plain and (nest >= 2 or self.rng.random() < 0.4):
            over, _ = self.rng.choice(plain)
            return ir.Aggregate(op=op, over=self.viewed(over), rank=rank_of)
        if nest >= 2:
            return None
        over, of = self.collection(depth, scope, nest)
        name, inner = self.bind(of, scope)
        where = self.filter(inner, nest) if self.rng.random() < 0.4 else None
        fields = [s.expr for s in self.fields(inner[-1:]) if bare(s.type) == kind]
        value = (
            self.rng.choice(fields)
            if fields
            else self.value(kind, 0, inner, nest + 1, constant=not isinstance(kind, EnumType))
        )  # a literal of an enumeration stands only beside what says which one it is of
        return ir.Aggregate(op=op, var=name, over=over, where=where, value=value, rank=rank_of)

    # --- what values are read from

    def leaf(self, kind: Type, scope: Sequence[Source], *, constant: bool = True) -> Expr:
        if constant and self.rng.random() < 0.35:
            return literal(kind, self.rng)
        found = [s.expr for s in self.sources(scope) if bare(s.type) == kind]
        bound = [s.expr for s in self.fields(scope) if bare(s.type) == kind]
        if bound and self.rng.random() < 0.7:
            return self.rng.choice(bound)
        return self.viewed(self.rng.choice(found))

    def sources(self, scope: Sequence[Source]) -> list[Source]:
        """Facts, their fields and entries, and what hangs on variables."""
        facts = [Source(ir.FactRead(name=name), kind) for name, kind in _TYPES.items()]
        return self.fields([*facts, *scope])

    def fields(self, sources: Sequence[Source]) -> list[Source]:
        found = []
        for source in sources:
            found.append(source)
            of = source.type.of if isinstance(source.type, OptionalType) else source.type
            if isinstance(of, RecordType):
                inner = [
                    Source(ir.FieldRead(of=source.expr, name=field.name), field.type)
                    for field in of.fields
                ]
                found += self.fields(inner)
            elif isinstance(of, MapType):
                key: Expr = ir.Literal(type="string", value=self.rng.choice((*_KEYS, "z")))
                if self.rng.random() < 0.2:
                    key = ir.FactRead(name=self.rng.choice(("name", "title", "file")))
                found.append(Source(ir.Index(of=source.expr, key=key), of.of))
        return found

    def viewed(self, expr: Expr) -> Expr:
        """The same reading, at times of another view of its fact."""
        match expr:
            case ir.FactRead(name=name):
                return self.fact(name)
            case ir.FieldRead(of=of, name=name):
                return ir.FieldRead(of=self.viewed(of), name=name)
            case ir.Index(of=of, key=key):
                return ir.Index(of=self.viewed(of), key=key)
        return expr

    def fact(self, name: str) -> ir.FactRead:
        roll = self.rng.random()
        if roll < 0.07:
            return ir.FactRead(name=name, view="start")
        if roll < 0.15:
            return ir.FactRead(name=name, view="previous")
        if roll < 0.19:
            return ir.FactRead(name=name, view="baseline")
        if roll < 0.26:
            within = self.rng.choice(("30s", "2m", "10m"))
            return ir.FactRead(name=name, view="fresh", within=within)
        return ir.FactRead(name=name)

    def collections(self, scope: Sequence[Source]) -> list[tuple[Expr, Type]]:
        return [
            (s.expr, s.type.of if isinstance(s.type, OptionalType) else s.type)
            for s in self.sources(scope)
            if isinstance(
                s.type.of if isinstance(s.type, OptionalType) else s.type,
                ListType | SetType | MapType,
            )
        ]

    def collection(self, depth: int, scope: Sequence[Source], nest: int) -> tuple[Expr, Type]:
        if self.rng.random() < 0.08:
            kind = self.rng.choice(SCALARS[:-2])  # literals of an enumeration do not say which
            made: Expr = ir.ListOf(items=self.items(kind, scope))
            if not scope and self.rng.random() < 0.3:
                self.names += 1
                made = ir.Named(name=f"let{self.names}", of=made)
            return made, ListType(of=kind)
        expr, kind = self.rng.choice(self.collections(scope))
        inner = [c for c in self.collections(scope) if _root(c[0]) is ir.Variable]
        if inner and self.rng.random() < 0.5:
            expr, kind = self.rng.choice(inner)
        expr = self.viewed(expr)
        if isinstance(kind, ListType) and self.rng.random() < 0.08:
            return ir.Aggregate(op="distinct", over=expr), ListType(of=kind.of)
        return expr, kind

    def bind(self, kind: Type, scope: Sequence[Source]) -> tuple[str, Sequence[Source]]:
        name = f"v{len(scope)}"
        return name, [*scope, Source(ir.Variable(name=name), element(kind))]


def _worth(node: ir.Literal) -> Any:
    return values.literal(node.type, node.value)


def _holds_optional(kind: Type) -> bool:
    """Values that may hold null have no equality."""
    match kind:
        case RecordType(fields=fields):
            return any(_holds_optional(field.type) for field in fields)
        case ListType(of=of) | SetType(of=of) | MapType(of=of):
            return _holds_optional(of)
    return isinstance(kind, OptionalType)


def element(kind: Type) -> Type:
    return kind.of if isinstance(kind, ListType | SetType) else STRING


def _root(expr: Expr) -> type:
    while isinstance(expr, ir.FieldRead | ir.Index):
        expr = expr.of
    return type(expr)


# --- histories


class Report(NamedTuple):
    """One observation as JSON, and its envelope."""

    facts: dict[str, Any]
    at: str | None = None
    id: str | None = None
    rev: str | None = None


def history(rng: Random) -> list[Report]:
    """Observations: partial, withdrawn, ill-typed, repeated, out of step; at times the last id
    gives a fact two values (what that means for an older one is left to the tables)."""
    names = tuple(_TYPES)
    timed, revised, named = rng.random() < 0.85, rng.random() < 0.4, rng.random() < 0.4
    now, rev = START, "r1"
    reports: list[Report] = []
    for place in range(rng.choice((3, 6, 8, 10))):
        if place:
            now += rng.choice((0, 30, 60, 60, 120, 120, 300, 600, 3600)) * 10**9
        if revised and rng.random() < 0.2:
            rev = rng.choice(("r1", "r2", "r3"))
        shown = rev if revised and rng.random() < 0.8 else None
        at = now - (rng.choice((60, 300)) * 10**9 if place and rng.random() < 0.05 else 0)
        stamp = literals.write_time(at) if timed else None
        if timed and rng.random() < 0.07:
            reports.append(Report({}, stamp, None, shown))
            continue
        told = [report for report in reports if report.id is not None]
        if told and (rng.random() < 0.1 or (reports[-1].id is not None and rng.random() < 0.3)):
            one = reports[-1] if reports[-1].id is not None else rng.choice(told)
            if rng.random() < 0.2:
                one = rng.choice(told)
            since = next(place for place, part in enumerate(reports) if part.id == one.id)
            last = all(part.id == one.id for part in reports[since:])
            for part in told:  # all that its id has said
                if part.id == one.id:
                    one = one._replace(facts={**part.facts, **one.facts})
            reports.append(again(one, names, rng, last)._replace(at=stamp))
            continue
        id = f"run{place}" if named and rng.random() < 0.8 else None
        reports.append(Report(some_facts(names, rng), stamp, id, shown))
    return reports


def again(report: Report, names: Sequence[str], rng: Random, conflicts: bool) -> Report:
    """The same id once more: the same facts, more of them, or other values."""
    roll = rng.random()
    if roll < 0.3:
        return report
    more = some_facts(names, rng)
    kept = (
        more
        if conflicts and roll > 0.8
        else {k: v for k, v in more.items() if k not in report.facts}
    )
    return report._replace(facts={**kept} if roll < 0.6 else {**report.facts, **kept})


def some_facts(names: Sequence[str], rng: Random) -> dict[str, Any]:
    share = rng.choice((0.15, 0.5, 0.9, 1.0, 1.0))
    return {name: fact_json(name, rng) for name in names if rng.random() < share}


def fact_json(name: str, rng: Random) -> Any:
    roll = rng.random()
    if roll < 0.03:
        return {"$unknown": rng.choice(_REASONS)}
    if roll < 0.05:
        return rng.choice(_ILL)
    if name == "rated" and roll < 0.2:
        return rng.choice((-1, 6))
    return json_of(_TYPES[name], rng)


def baseline(rng: Random) -> dict[str, Any] | None:
    if rng.random() < 0.3:
        return None
    return {name: json_of(kind, rng) for name, kind in _TYPES.items() if rng.random() < 0.7}
