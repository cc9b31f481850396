"""The JavaScript library, room by room, held to the Python that it was written after."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import goalspec
import pytest
from goalspec.compiler import kernel
from goalspec.compiler.ir.canonical import plain
from goalspec.compiler.ir.types import ListType, MapType, OptionalType, ScalarType, SetType
from goalspec.compiler.kernel import Map, Unknown
from goalspec.compiler.patterns import (
    Eat,
    Fork,
    Instructions,
    PatternError,
    compile_globs,
    compile_regexes,
    glob_instructions,
    regex_instructions,
)
from goalspec.compiler.program import Bounds, FactSpec
from goalspec.compiler.targets.javascript.library import ROOMS, CannotLink, library, link, names_in
from goalspec.compiler.targets.javascript.printer import library_names
from goalspec.grammar import literals
from goalspec.grammar.diagnostics import nearest
from goalspec.runtime.conversion import Invalid, fact_converter
from goalspec.runtime.facts import BadFacts, BadNumber, parse_json
from goalspec.tests.compiler.targets.javascript.node import HERE, as_json, run
from goalspec.tests.reference.generate import FACTS, json_of

TESTS = Path(goalspec.__path__[0], "tests")
LIBRARY = Path(goalspec.__path__[0], "compiler", "targets", "javascript", "lib")
LITERALS = tomllib.loads((TESTS / "grammar" / "data" / "literals.toml").read_text("utf-8"))
VECTORS = json.loads((TESTS / "compiler" / "data" / "patterns.json").read_text("utf-8"))


def ask(questions: list[list[Any]]) -> list[Any]:
    return run(HERE / "library.mjs", questions, LIBRARY.as_posix())


def spelled(value: Any) -> Any:
    """A value as library.mjs spells it."""
    match value:
        case bool() | None | str():
            return value
        case int():
            return {"whole": str(value)}
        case Decimal():
            return {"decimal": literals.write_number(value)}
        case BadNumber(text=text):
            return {"bad": text}
        case Unknown(reason=reason, words=words):
            return {"unknown": reason, "words": words}
        case Map() | dict():
            return {"map": [[key, spelled(item)] for key, item in value.items()]}
        case frozenset():
            return {"set": [spelled(item) for item in value]}
        case _:
            return [spelled(item) for item in value]


def told(compute: Callable[[], Any]) -> Any:
    """What *compute* gives or why it gives nothing, as library.mjs answers."""
    try:
        return {"is": spelled(compute())}
    except (literals.LiteralError, Invalid) as error:
        return {"error": str(error), "hint": getattr(error, "hint", None)}
    except (kernel.Undecided, ArithmeticError):
        return {"undecided": True}


def compare(cases: list[tuple[list[Any], Any]]) -> None:
    """The library's answers to the questions are these."""
    answers = ask([question for question, _ in cases])
    wrong = [
        f"{question}\n  python     {expected}\n  javascript {answer}"
        for (question, expected), answer in zip(cases, answers, strict=True)
        if answer != expected and unordered(answer) != unordered(expected)
    ]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(cases)} differ", *wrong[:5]])


def unordered(answer: Any) -> Any:
    """*answer* with sets in one order; Python's has none."""
    if isinstance(answer, Mapping):
        inner = {key: unordered(item) for key, item in answer.items()}
        return {"set": sorted(inner["set"], key=json.dumps)} if "set" in inner else inner
    return [unordered(item) for item in answer] if isinstance(answer, list) else answer


# --- literals

READERS = {
    "readSigned": literals.read_signed,
    "readMoney": literals.read_money,
    "readTime": literals.read_time,
    "readDate": literals.read_date,
    "readVersion": literals.read_version,
}
ODD = [
    "", "-", "--1", "-0", "-0.0", "-5%", "٣", "٣s", "1٣%", "0009-01-01", "9999-12-31T23:59:59.999Z",
    "2024-02-29", "0001-01-01T00:00+23:59", "2026-12-31t18:00z", "1" * 401, "😀" * 201, "1 h", "5 EUR",
    "-5.00 USD", "-0 USD", "5\tUSD", "1_000.50 EUR", "v1.0.0+build", "1.0.0-0", "v1.2.3-" + "a" * 300,
    "0" * 400, "9" * 35, "0." + "0" * 308 + "1", "0." + "0" * 307 + "1", "1" + "0" * 309 + "%",
]  # fmt: skip


def literal_texts() -> list[str]:
    names = ("good", "bad", "bad_times", "bad_dates", "bad_versions")
    listed = [row[0] for name in names for row in LITERALS[name]]
    return [*listed, *(f"-{text}" for text in listed), *LITERALS["versions"], *ODD]


def test_literals_are_read_alike() -> None:
    compare(
        [
            (["read", name, text], told(lambda read=read, text=text: read(text)))  # type: ignore[misc]
            for name, read in READERS.items()
            for text in literal_texts()
        ]
    )


def test_values_are_written_alike() -> None:
    rng = Random(1)
    spans = [0, 1, -1, 10**9, -90 * 10**9, *literals.DURATION_UNITS.values()]
    spans += [rng.randrange(-(10**16), 10**16) * rng.choice([1, 10**6, 10**9]) for _ in range(300)]
    sizes = [
        0,
        1,
        *literals.SIZE_UNITS.values(),
        *(rng.randrange(-(2**50), 2**50) for _ in range(99)),
    ]
    sizes += [rng.randrange(999) * rng.choice([*literals.SIZE_UNITS.values()]) for _ in range(99)]
    cases: list[tuple[list[Any], Any]] = []
    for name, write, values in (
        ("writeDuration", literals.write_duration, spans),
        ("spellDuration", literals.spell_duration, spans),
        ("writeTime", literals.write_time, spans),
        ("writeSize", literals.write_size, sizes),
        ("writeDate", literals.write_date, [-1, 0, 1, 719_163, 3_652_059, 3_652_060]),
    ):
        cases += [(["write", name, f"{value}n"], {"is": write(value)}) for value in values]
    for value in decimals(rng, 300):
        cases.append((["write", "writePercent", str(value)], {"is": literals.write_percent(value)}))
        cases.append((["spell", str(value)], {"is": literals.write_number(value)}))
    compare(cases)


# --- decimals


def decimals(rng: Random, count: int) -> list[Decimal]:
    """Short and long, small and huge, with ties and trailing zeros."""
    made = [Decimal(text) for text in ("0", "0.000", "1", "-1", "0.5", "2.5", "1E+300", "1E-300")]
    for _ in range(count):
        digits = str(rng.randrange(10 ** rng.choice([1, 3, 17, 33, 34])))
        text = f"{digits}{rng.choice(['', '0', '000', '5'])}"[:34]
        sign, exponent = rng.choice(["", "-"]), rng.choice([0, 0, -1, -2, -17, -34, 5, 250, -250])
        made.append(Decimal(f"{sign}{text}E{exponent}"))
    return made


def test_arithmetic_is_exact_and_rounds_alike() -> None:
    rng = Random(2)
    cases: list[tuple[list[Any], Any]] = []
    binary = ("add", "subtract", "multiply", "divide")
    for one, other in pairwise(decimals(rng, 1_500)):
        name = rng.choice(binary)
        function = getattr(kernel, name)
        expected = told(lambda: function(one, other))  # noqa: B023
        cases.append((["compute", name, str(one), str(other)], expected))
        unary = rng.choice(("minus", "absolute"))
        value = getattr(kernel, unary)(one)
        cases.append((["compute", unary, str(one)], {"is": spelled(value)}))
        quantity = rng.randrange(-(10**12), 10**12)
        scaling = rng.choice(("scale", "unscale"))
        if -60 < other.adjusted() < 60:
            expected = told(lambda: getattr(kernel, scaling)(quantity, other))  # noqa: B023
            cases.append((["compute", scaling, f"{quantity}n", str(other)], expected))
    compare(cases)


def test_products_leave_the_bounds_alike() -> None:
    """Beyond the largest number there is none; below the smallest, digits are lost, then all."""
    huge, tiny = Decimal("9.999E6144"), Decimal("1.2345E-6170")
    cases = [
        (["compute", "multiply", str(one), str(other)], told(lambda: kernel.multiply(one, other)))  # noqa: B023
        for one in (huge, tiny)
        for other in map(Decimal, ("10", "0.1", "1E-5", "1E-7", "1E-40", "2"))
    ]
    compare(cases)


# --- patterns


def told_instructions(program: Instructions) -> list[Any]:
    return [
        step.ranges
        if isinstance(step, Eat)
        else step.jumps
        if isinstance(step, Fork)
        else step.what
        for step in program
    ]


def test_the_vectors_of_patterns_hold() -> None:
    cases: list[tuple[list[Any], Any]] = []
    for kind, instructions in (("regex", regex_instructions), ("glob", glob_instructions)):
        for vector in VECTORS[kind]:
            if "error" not in vector:
                program = told_instructions(instructions([vector["pattern"]]))
                texts = [*vector["matches"], *vector["rejects"]]
                expected = [text in vector["matches"] for text in texts]
                cases.append((["matches", program, texts], {"is": expected}))
    assert len(cases) > 100
    compare(cases)


ATOMS = [
    "a",
    "b",
    "A",
    r"\d",
    r"\w",
    r"\W",
    r"\s",
    ".",
    "é",
    "[^a-c]",
    "[A-z]",
    r"\b",
    r"\B",
    "^",
    "$",
]
GLOB_PARTS = ["a", "b", "*", "?", "**", "/", ".", "[ab]", "[!a]", "src", "é"]


def some_regex(rng: Random, depth: int = 3) -> str:
    if depth == 0:
        return rng.choice(ATOMS)
    one, other = some_regex(rng, depth - 1), some_regex(rng, depth - 1)
    repeated = f"(?:{one}){rng.choice(['*', '+', '?', '{2}', '{0,2}', '{1,}'])}"
    return rng.choice([one + other, f"(?:{one}|{other})", repeated])


def test_random_patterns_match_alike() -> None:
    rng = Random(3)
    cases: list[tuple[list[Any], Any]] = [(["matches", told_instructions(regex_instructions([])), ["", "a"]], {"is": [False, False]})]  # fmt: skip
    while len(cases) < 700:
        regexes = tuple(
            rng.choice(["", "(?m)", "(?i)", "(?s)"]) + some_regex(rng)
            for _ in range(rng.choice((1, 1, 2)))
        )
        globs = ("".join(rng.choices(GLOB_PARTS, k=rng.randrange(1, 6))),)
        texts = ["".join(rng.choices("abAz0_/. \né😀", k=rng.randrange(9))) for _ in range(12)]
        for compiled, instructions, texts_of in (
            (compile_regexes, regex_instructions, regexes),
            (compile_globs, glob_instructions, globs),
        ):
            try:
                matcher = compiled(texts_of)
            except PatternError:
                continue
            program = told_instructions(instructions(texts_of))
            cases.append((["matches", program, texts], {"is": [*map(matcher, texts)]}))
    compare(cases)


@pytest.mark.ruling(24)
def test_a_match_takes_linear_time() -> None:
    """A pattern at which engines that backtrack take exponential time, and a long text."""
    program = told_instructions(regex_instructions([r"^(?:a+)+$", r"(?:a|a|b)*c(?:a|b){200}d"]))
    [answer] = ask([["matches", program, ["a" * 60_000 + "!"]]])
    assert answer == {"is": [False]}


# --- facts


JSON_TEXTS = [
    "{}", "[]", " [1, 2.50, -0, -0.0, 1e3, 1E-3] ", '"\\u00e9\\n\\ud83d\\ude00 \\/"', "true", "null",
    '{"b": 1, "10": 2, "9": 3, "__proto__": {"a": 1}, "constructor": null}', "NaN", "[-Infinity]",
    "1e400", "1e999999999999999999999", "1" * 308, "1" * 309, "0.1" + "0" * 50,
]  # fmt: skip
BROKEN_JSON = [
    "", "{", "[", "[1,", "[1,]", "{1: 2}", '{"a" 1}', '{"a": 1,}', "01", "1.", ".5", "+1", "nul", "'a'",
    '"a', '"\\x"', '"\\u12"', '"\n"', "[1] 2", "\ufeff{}", "[1 2]", "Nan", "--1",
]  # fmt: skip


def test_json_is_read_alike() -> None:
    compare([(["parse", text], {"is": spelled(parse_json(text))}) for text in JSON_TEXTS])


def test_what_is_no_json_is_refused_with_its_place() -> None:
    for text, answer in zip(BROKEN_JSON, ask([["parse", t] for t in BROKEN_JSON]), strict=True):
        with pytest.raises(BadFacts) as refused:
            parse_json(text)
        assert answer["error"].startswith("not JSON: "), text
        if "Illegal trailing comma" not in str(refused.value):  # which newer Pythons tell apart
            place = str(refused.value).rpartition(" (")[2]
            assert answer["error"].rpartition(" (")[2] == place or "BOM" in str(refused.value), text


def test_doubled_keys_and_depth_are_refused() -> None:
    doubled, deep = ask([["parse", '{"a": 1, "a": 1}'], ["parse", "[" * 5_000 + "]" * 5_000]])
    assert doubled["error"] == 'the key "a" is there twice'
    assert "nests too deep" in deep["error"]


ILL = [
    "true", "null", '"?"', "3.5", "7", "-0.0", "[]", "{}", '""', '["a", 1]', '{"a": "b"}', '"85"', '"5 EUR"',
    '"1 h"', "9007199254740992", "9007199254740991", "NaN", "1e309", "1e308", '"../up"', '"/abs/a"',
    '"/root/a"', '"a/./b//../c"', '"a\\u0000b"', "[null]", '"2026-13-01"', '"1.2"', '"\\ud800"', "1.50",
    '"' + "x" * 65_537 + '"', '"' + "é" * 40_000 + '"', "[" + "1," * 3_000 + "1]", '"٣s"', "1e-7",
    '{"\\ud800": 1}', '{"__proto__": 1}', '[[1, {"a": [1.5, NaN]}]]', '"' + "😀" * 70 + '"', "12345678901234567890",
    "0.1" + "0" * 40, "1" + "0" * 40, "1" * 35, '[{"name": "a", "odd": 1}]', "[1.25, 2.5]", '"5 USD"', '"84.2%"',
]  # fmt: skip
CAPPED = [
    ListType(of=ScalarType(kind="int"), max=2), SetType(of=ScalarType(kind="string", max=3), max=2),
    MapType(of=ScalarType(kind="int"), max=1), ScalarType(kind="string", max=5),
    OptionalType(of=ListType(of=ScalarType(kind="path"))), ScalarType(kind="duration", unit="m"),
]  # fmt: skip


def test_facts_are_converted_alike() -> None:
    """Values and refusals, word for word, of every type and of values that are mostly wrong."""
    rng = Random(4)
    cases: list[tuple[list[Any], Any]] = []
    for number, type_ in enumerate([*(fact.type for fact in FACTS), *CAPPED]):
        spec = FactSpec(name=f"f{number}", type=type_)
        convert = fact_converter(spec, "/root")
        texts = [*ILL, *(as_json(json_of(type_, rng)) for _ in range(8))]
        for text in texts:
            expected = told(lambda: convert(parse_json(text)))  # noqa: B023
            cases.append((["convert", {"type": plain(type_)}, text, "/root"], expected))
    compare(cases)


def test_ranges_are_kept_alike() -> None:
    bounds = Bounds(low=Decimal("0.5"), high=None, text="0.5..")
    spec = FactSpec(name="x", type=ScalarType(kind="number"), bounds=bounds)
    convert = fact_converter(spec)
    fact = {"type": plain(spec.type), "bounds": {"low": "0.5", "text": "0.5.."}}
    compare(
        [
            (["convert", fact, text, None], told(lambda: convert(parse_json(text))))  # noqa: B023
            for text in ("0.5", "0.50", "0.49", "-1", "7", "null")
        ]
    )


def test_the_nearest_name_is_the_same() -> None:
    rng = Random(5)
    names = [fact.name for fact in FACTS]
    cases: list[tuple[list[Any], Any]] = []
    for name in [*names, "", "Suite_Passed", "SUITE.PASSED", "x" * 201, "😀"]:
        for _ in range(6):
            letters = list(name)
            for _ in range(rng.randrange(4)):
                letters.insert(rng.randrange(len(letters) + 1), rng.choice("abc.-_é"))
                letters.pop(rng.randrange(len(letters)))
            known = rng.sample(names, rng.randrange(len(names)))
            wanted = "".join(letters)
            cases.append((["nearest", wanted, known], {"is": nearest(wanted, known)}))
    compare(cases)


def test_texts_order_by_code_points() -> None:
    texts = ["", "a", "ab", "b", "\uffff", "\U00010000", "a\uffff", "a😀", "é", "\ue000"]
    compare(
        [
            (["compareTexts", one, other], {"is": (one > other) - (one < other)})
            for one in texts
            for other in texts
        ]
    )


# --- the linker


def test_every_room_is_linked() -> None:
    assert {f"{room}.mjs" for room in ROOMS} == {path.name for path in LIBRARY.glob("*.mjs")}


def test_nothing_of_the_library_is_dead() -> None:
    roots = ["BadFacts", "Engine", "RefusedObservation", "Verdict", "parse", *library_names()]
    linked = link(roots)
    assert [name for name in library() if name not in names_in(linked)] == []


def test_a_module_has_no_more_than_it_needs() -> None:
    linked = link(["writeDate"])
    assert "function writeDate(" in linked
    assert "function isDay(" in linked
    assert "import" not in linked
    assert "class Automaton" not in linked


def test_an_unknown_root_is_refused() -> None:
    with pytest.raises(CannotLink, match="no nowhere"):
        link(["nowhere"])
