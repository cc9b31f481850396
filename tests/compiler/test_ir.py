"""The IR: JSON and back, what the contract's hash covers (ruling 32), and the published schema."""

from __future__ import annotations

import json
import re
from dataclasses import FrozenInstanceError
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from goalspec.compiler import ir
from goalspec.compiler.compilation import Compiler, compile_text
from goalspec.compiler.ir.canonical import canonical, plain
from goalspec.compiler.ir.schema import document_schema
from goalspec.tests.compiler.texts import goal_text
from jsonschema import Draft202012Validator
from pydantic import ValidationError

SEEDS = range(60)
BASE = """facts {
  a.ok : bool "is it so"
  a.n : int in 0..100
  a.d : duration as ms
  a.cost : money USD
  a.title : string
  a.files : set of path from git "origin/main...HEAD"
  a.unread : bool
}

goal g {
  objective "Ship it."
  criterion one "It holds" check a.ok and a.d < 1h30m
  criterion "The message explains why"
  constraint c "No x" when a.ok check a.cost <= 5 USD and a.title matches r"^fix"
  stop s "Halt" check a.n > 50
  budget { turns 25 }
  budget advisory { turns 20 }
  pins { keep goal }
  pin decision "Retry in the client"
  protect "tests/**"
  judge { max_invocations 3 }
  criterion files "Docs" check "docs/x.md" in a.files
}
"""


def document_of(text: str) -> ir.Document:
    compilation = compile_text(text, "t.goal")
    assert compilation.document is not None, [d.message for d in compilation.errors]
    return compilation.document


@cache
def generated(seed: int) -> ir.Document | None:
    return compile_text(goal_text(seed), "t.goal").document


# --- JSON and back


def test_the_generator_writes_valid_texts() -> None:
    """All but the few that a predicate makes constant."""
    assert sum(generated(seed) is not None for seed in SEEDS) >= 0.95 * len(SEEDS)


@pytest.mark.row("D3")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_document_is_its_json(seed: int) -> None:
    document = generated(seed)
    if document is None:
        return
    text = ir.write_document(document)
    again = ir.read_document(text)
    assert again == document
    assert ir.write_document(again) == text
    assert json.loads(text) == plain(document)
    assert ir.read_document(text.encode()) == document


HAND_PICKED = {
    "base": BASE,
    "nothing": "",
    "facts alone": "facts { a.x : list max 3 of { n: int, t: time?, } }\n",
    "every type": (
        "facts {\n  a.b : bool\n  a.i : int in -5..\n  a.n : number in ..1.5\n  a.s : string max 3\n"
        "  a.p : percent as points\n  a.d : duration as s\n  a.z : size as KiB\n  a.t : time?\n"
        "  a.y : date in 2026-01-01..\n  a.v : version\n  a.f : path\n  a.m : money EUR\n"
        '  a.e : "x" | "y"\n  a.o : "x" < "y"\n  a.l : list of list of int?\n'
        "  a.h : set max 5 of string\n  a.k : map of { a: map of int }\n"
        "  a.r : list of { at: time, n: int } by at\n}\n"
    ),
    "sources": (
        'facts lasting from run "make test" in "sub" timeout 10m {\n  a.ok : bool\n'
        '  a.n : int at "/n" "how many"\n}\n'
    ).replace('at "/n" "how many"', '"how many" at "/n"'),
    "tests": BASE
    + 'test "t" for g {\n  baseline { a.d = 5ms }\n  observe at 2026-12-31T18:00Z rev "r" '
    '{ a.ok = true a.files = ["x/../y"] a.cost = -1.50 USD }\n'
    "  observe { a.ok = unknown(error) a.n = unknown }\n  expect one unmet\n  expect c held\n"
    "  expect s stopped\n  expect not done\n}\n",
    "hostile text": 'goal g {\n  objective "\\u{1F680} \\u{202E} </script> \\" \\\\ \\n"\n'
    '  criterion c "{{ x }} ${y} \\u{7f}"\n}\n',
    "two goals": BASE + BASE[BASE.index("goal g") :].replace("goal g", "goal h"),
}


@pytest.mark.row("D3")
@pytest.mark.parametrize("name", HAND_PICKED)
def test_hand_picked_documents_are_their_json(name: str) -> None:
    document = document_of(HAND_PICKED[name])
    text = ir.write_document(document)
    assert ir.read_document(text) == document
    assert ir.write_document(ir.read_document(text)) == text
    assert text.endswith("}\n")
    assert text.count("\n") == 1


def test_the_layout_of_json_does_not_matter() -> None:
    document = document_of(BASE)
    pretty = json.dumps(json.loads(ir.write_document(document)), indent=3, sort_keys=False)
    assert ir.read_document(pretty) == document


def test_a_document_is_frozen() -> None:
    document = document_of(BASE)
    with pytest.raises(FrozenInstanceError):
        document.goals = ()  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        document.goals[0].objective = "x"


# --- what is refused


def changed(path: tuple[str | int, ...], value: Any) -> str:
    """The base document as JSON with *value* at *path*."""
    data = json.loads(ir.write_document(document_of(HAND_PICKED["tests"])))
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return json.dumps(data)


@pytest.mark.row("D3")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("goals", 0, "objective"), "Ship it!"),
        (("goals", 0, "criteria", 0, "text"), "It holds."),
        (("goals", 0, "criteria", 0, "id"), "two"),
        (("goals", 0, "criteria", 0, "mode"), "advisory"),
        (("goals", 0, "constraints"), []),
        (("goals", 0, "budget", "turns"), 26),
        (("goals", 0, "advisory_budget", "turns"), 19),
        (("goals", 0, "pins", "keep"), []),
        (("goals", 0, "judge", "max_invocations"), 4),
        (("goals", 0, "protect", 0, "globs"), ["**"]),
        (("goals", 0, "pinned", 0, "content"), "x"),
        (("goals", 0, "facts", 0, "lasting"), True),
        (("goals", 0, "edition"), 2),
        (("goals", 0, "contract"), "c1:" + "0" * 64),
        (("goals", 0, "contract"), ""),
    ],
)
def test_a_changed_contract_is_refused(path: tuple[str | int, ...], value: Any) -> None:
    with pytest.raises((ir.ContractError, ValidationError)):
        ir.read_document(changed(path, value))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("ir_version",), 2),
        (("ir_version",), "1"),
        (("goals", 0, "nonsense"), 1),
        (("goals", 0, "objective"), 5),
        (("goals", 0, "criteria", 0, "check", "kind"), "eval"),
        (("goals", 0, "criteria", 0, "mode"), "optional"),
        (("goals", 0, "budget", "turns"), "25"),
        (("goals", 0, "budget", "turns"), 25.5),
        (("goals", 0, "judge", "on_error"), "accept"),
        (("tests", 0, "steps", 0, "kind"), "shell"),
        (("facts", 0, "type", "kind"), "callable"),
    ],
)
def test_a_document_of_another_shape_is_refused(path: tuple[str | int, ...], value: Any) -> None:
    with pytest.raises(ValidationError):
        ir.read_document(changed(path, value))


@pytest.mark.parametrize("text", ["", "[]", "null", "{", '{"goals": 5}', '{"ir_version": 1} x'])
def test_what_is_no_document_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        ir.read_document(text)


def test_what_stands_outside_the_contract_may_change() -> None:
    text = changed(("source", "files"), [])
    assert ir.read_document(text).source.files == ()


# --- the contract's hash


def contract(text: str) -> str:
    return document_of(text).goal("g").contract


def edited(*pairs: tuple[str, str]) -> str:
    text = BASE
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


SAME = {
    "comments": edited(("goal g {", "# why\ngoal g { # because")),
    "layout": re.sub(r"[ \n]+", " ", BASE.replace('"is it so"', '"is it so"')),
    "CRLF between tokens": BASE.replace("\n", "\r\n"),
    "the edition that holds anyway": "edition 1\n" + BASE,
    "a fact's description": edited(('"is it so"', '"is it really so"')),
    "no description": edited((' "is it so"', "")),
    "an unread fact": edited(("a.unread : bool", "a.other : string")),
    "no unread fact": edited(("  a.unread : bool\n", "")),
    "the order of facts": edited(
        ("  a.n : int in 0..100\n", ""), ("facts {\n", "facts {\n  a.n : int in 0..100\n")
    ),
    "two blocks of facts": edited(("  a.title : string\n", "}\nfacts {\n  a.title : string\n")),
    "a test": BASE + 'test "t" for g {\n  observe { a.ok = true }\n}\n',
    "another goal": BASE + 'goal h {\n  objective "H"\n  criterion c "C"\n}\n',
    "another goal before": 'goal h {\n  objective "H"\n  criterion c "C"\n}\n' + BASE,
    "1h30m is 90m": edited(("1h30m", "90m")),
    "1h30m is 5400s": edited(("1h30m", "5400s")),
    "5 USD is 5.00 USD": edited(("5 USD", "5.00 USD")),
    "25 is 2_5": edited(("turns 25", "turns 2_5")),
    "a range's end with underscores": edited(("0..100", "0..1_00")),
    "parentheses": edited(("check a.ok and", "check (a.ok) and")),
    "an escape for its character": edited(("Ship it.", "\\u{53}hip it.")),
    "a long string for a short one": edited(('"Ship it."', '"""\n    Ship it.\n  """')),
    "a raw string for an escaped one": edited(('r"^fix"', '"^fix"')),
    "the id that is generated": edited(
        ('criterion "The message', 'criterion sc_1 "The message')
    ),
    "budget before objective": edited(
        ("  budget { turns 25 }\n", ""), ("  objective", "  budget { turns 25 }\n  objective")
    ),
    "a let for a value": edited(
        ("  criterion one", "  let limit = 1h30m\n  criterion one"), ("a.d < 1h30m", "a.d < limit")
    ),
    "a let for a predicate": edited(
        ("  criterion one", "  let fine = a.ok\n  criterion one"), ("check a.ok and", "check fine and")
    ),
    "an unused let": edited(("  criterion one", "  let fine = a.ok\n  criterion one")),
    "a preset's budget": 'preset p { budget { turns 25 } }\n'
    + edited(("  budget { turns 25 }\n", "  preset p\n")),
    "a preset that brings nothing": "preset p { }\n" + edited(("  objective", "  preset p\n  objective")),
}  # fmt: skip
OTHER = {
    "the objective": edited(("Ship it.", "Ship it!")),
    "white space in the objective": edited(("Ship it.", "Ship  it.")),
    "a criterion's text": edited(('"It holds"', '"It holds."')),
    "a criterion's id": edited(("criterion one", "criterion uno")),
    "a check": edited(("a.d < 1h30m", "a.d <= 1h30m")),
    "a check's literal": edited(("1h30m", "1h31m")),
    "the order of a conjunction": edited(("a.ok and a.d < 1h30m", "a.d < 1h30m and a.ok")),
    "no check": edited((' check a.ok and a.d < 1h30m', "")),
    "a when": edited(("when a.ok check", "when not a.ok check")),
    "no when": edited(("when a.ok check", "check")),
    "given for when": edited(("when a.ok check", "given a.ok check")),
    "advisory": edited(("criterion one", "advisory criterion one")),
    "awaited": edited(("criterion one", "awaited criterion one")),
    "one criterion more": edited(("  stop s", '  criterion z "Z"\n  stop s')),
    "the order of criteria": edited(
        ('  criterion files "Docs" check "docs/x.md" in a.files\n', ""),
        ("  criterion one", '  criterion files "Docs" check "docs/x.md" in a.files\n  criterion one'),
    ),
    "a constraint for a criterion": edited(("criterion files", "constraint files")),
    "no stop": edited(('  stop s "Halt" check a.n > 50\n', "")),
    "a read fact's type": edited(("a.n : int in 0..100", "a.n : number in 0..100")),
    "a read fact's range": edited(("0..100", "0..101")),
    "a read fact's unit": edited(("duration as ms", "duration as s")),
    "a read fact's cap": edited(("a.title : string", "a.title : string max 100")),
    "a read fact that lasts": edited(("a.title : string", "a.title : string lasting")),
    "a read fact's source": edited(("origin/main...HEAD", "origin/dev...HEAD")),
    "the budget": edited(("turns 25", "turns 26")),
    "a budget's new key": edited(("turns 25", "turns 25 attempts 3")),
    "the advisory budget": edited(("turns 20", "turns 19")),
    "no budget": edited(("  budget { turns 25 }\n", "")),
    "the pins' policy": edited(("keep goal", "keep goal, constraint")),
    "max_body": edited(("keep goal", "keep goal max_body 100")),
    "a pin": edited(("Retry in the client", "Retry in the server")),
    "a pin's kind": edited(("pin decision", "pin constraint")),
    "the judge": edited(("max_invocations 3", "max_invocations 4")),
    "no judge": edited(("  judge { max_invocations 3 }\n", "")),
    "protect": edited(('"tests/**"', '"tests/*"')),
    "allow new": edited(('"tests/**"', '"tests/**" allow new "tests/new/*"')),
    "a pattern": edited(('r"^fix"', 'r"^feat"')),
    "Unicode is not normalized": edited(("Ship it.", "Ship \u00e9t.")),
    "Unicode, composed otherwise": edited(("Ship it.", "Ship e\u0301t.")),
}  # fmt: skip


@pytest.mark.ruling(32)
@pytest.mark.parametrize("name", SAME)
def test_the_hash_does_not_cover(name: str) -> None:
    assert contract(SAME[name]) == contract(BASE)


@pytest.mark.ruling(32)
@pytest.mark.parametrize("name", OTHER)
def test_the_hash_covers(name: str) -> None:
    assert contract(OTHER[name]) != contract(BASE)


def test_no_two_changes_have_one_hash() -> None:
    assert len({contract(text) for text in OTHER.values()}) == len(OTHER)


@pytest.mark.ruling(32)
def test_line_ends_in_strings_are_lf() -> None:
    text = edited(('"Ship it."', '"""\n  Ship it.\n  Today.\n  """'))
    assert contract(text.replace("\n", "\r\n")) == contract(text)
    assert contract(text.replace("\n", "\r")) == contract(text)
    assert contract(text) == contract(edited(("Ship it.", "Ship it.\\nToday.")))


@pytest.mark.ruling(32)
@pytest.mark.ruling(72)
def test_the_name_of_a_let_is_outside_the_contract() -> None:
    def named(name: str) -> str:
        text = edited(("  criterion one", f"  let {name} = a.n < 5 or a.ok\n  criterion one"),
                      ("check a.ok and", f"check {name} and"))  # fmt: skip
        return contract(text)

    assert named("few") == named("little")
    assert named("few") == contract(edited(("check a.ok and", "check (a.n < 5 or a.ok) and")))


@pytest.mark.ruling(32)
def test_the_hash_does_not_cover_where_a_file_stands_or_how_use_is_spelled(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    facts, goal = BASE[: BASE.index("goal g")], BASE[BASE.index("goal g") :]
    (tmp_path / "facts.goal").write_text(facts)
    found = set()
    for name, use in (
        ("a.goal", "facts.goal"), ("b.goal", "./sub/../facts.goal"),
        ("sub/c.goal", "../facts.goal"), ("sub/deep/d.goal", "../../facts.goal"),
    ):  # fmt: skip
        (tmp_path / name).write_text(f'use "{use}"\n{goal}')
        document = Compiler().compile_file(tmp_path / name, "elsewhere.goal").document
        assert document is not None
        found.add(document.goal("g").contract)
    assert found == {contract(BASE)}


@pytest.mark.ruling(32)
def test_a_contract_is_named_and_hexadecimal() -> None:
    assert re.fullmatch(r"c1:[0-9a-f]{64}", contract(BASE))


@pytest.mark.ruling(32)
def test_this_contract_is_for_ever() -> None:
    """A hash that moves breaks every kept contract: change it only with a new edition."""
    text = (
        'facts {\n  a.n : int\n}\ngoal g {\n  objective "x"\n  criterion c "y" check a.n > 5\n}\n'
    )
    goal = plain(document_of(text).goal("g"))
    del goal["contract"]
    assert goal == {
        "id": "g",
        "edition": 1,
        "objective": "x",
        "criteria": [
            {
                "id": "c", "text": "y", "mode": "gating",
                "check": {
                    "kind": "compare", "op": ">", "left": {"kind": "fact", "name": "a.n", "view": "now"},
                    "right": {"kind": "literal", "type": "int", "value": 5},
                },
            }
        ],
        "retired": [], "constraints": [], "stops": [], "pinned": [], "protect": [],
        "facts": [{"name": "a.n", "type": {"kind": "int"}, "lasting": False}],
    }  # fmt: skip


def test_canonical_json_is_that_of_rfc_8785() -> None:
    value = {"b": [1, True, None], "a": '\u20ac\u0001"', "\U0001f600": {}, "\ufb33": []}
    assert canonical(value) == (
        '{"a":"\u20ac\\u0001\\"","b":[1,true,null],"\U0001f600":{},"\ufb33":[]}'.encode()
    )


def test_compiling_twice_gives_the_same_document() -> None:
    for seed in range(20):
        text = goal_text(seed)
        assert compile_text(text) == compile_text(text)


# --- the schema


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = document_schema()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.row("D3")
@pytest.mark.parametrize("name", HAND_PICKED)
def test_the_schema_holds_for_hand_picked_documents(
    name: str, validator: Draft202012Validator
) -> None:
    validator.validate(json.loads(ir.write_document(document_of(HAND_PICKED[name]))))


def test_the_schema_holds_for_generated_documents(validator: Draft202012Validator) -> None:
    for seed in range(5):
        document = generated(seed)
        if document is not None:
            validator.validate(json.loads(ir.write_document(document)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("ir_version",), 2),
        (("goals", 0, "nonsense"), 1),
        (("goals", 0, "budget", "turns"), "25"),
        (("goals", 0, "criteria", 0, "check", "kind"), "eval"),
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(
    path: tuple[str | int, ...], value: Any, validator: Draft202012Validator
) -> None:
    assert not validator.is_valid(json.loads(changed(path, value)))


def test_the_schema_says_which_version_it_is_of() -> None:
    schema = document_schema()
    assert schema["$id"] == f"urn:goalspec:ir:{ir.IR_VERSION}"
    assert json.loads(json.dumps(schema)) == schema
