"""The parser: recovery, spans, comments, words for terminals, hostile and huge inputs, its cache."""

from __future__ import annotations

import dataclasses
import gc
import logging
import os
import re
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import lark
import pytest
from goalspec.grammar import expected, parse, parse_bytes, parse_file, tables
from goalspec.grammar import syntax as s
from goalspec.grammar.build import Builder
from goalspec.grammar.parser import Parsed
from goalspec.grammar.source import Source, Span

EXAMPLE = Path(__file__).parent / "data" / "example.goal"
GOAL = 'goal g {\n  objective "Ship it."\n  criterion c "It holds"\n}\n'


def messages(parsed: Parsed) -> list[str]:
    return [f"{d.start.line}:{d.start.column} {d.code.id} {d.message}" for d in parsed.diagnostics]


def places(parsed: Parsed) -> list[str]:
    return [f"{d.start.line}:{d.start.column} {d.code.id}" for d in parsed.diagnostics]


def expression(text: str) -> s.Expr:
    """The tree of one predicate."""
    parsed = parse(f"let x = {text}\n", "x.goal")
    assert messages(parsed) == []
    (let,) = parsed.file.statements
    assert isinstance(let, s.Let)
    return let.value


# --- spans


def nodes(value: Any) -> Iterator[Any]:
    """Every node with a span below *value*, outer ones first."""
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack.extend(node)
        elif dataclasses.is_dataclass(node):
            if not isinstance(node, Source | s.File):
                yield node
            stack.extend(getattr(node, field.name) for field in dataclasses.fields(node))


def _part(node: s.Part) -> str:
    modifier = f"{node.modifier.text} " if node.modifier else ""
    return re.escape(f"{modifier}{node.kind}")


# What a node's text looks like; a node without an entry has a test of its own below.
SHAPES: dict[type, Callable[[Any], str]] = {
    s.Name: lambda n: re.escape(n.text),
    s.Path: lambda n: re.escape(n.text),
    s.Word: lambda n: re.escape(n.text),
    s.Literal: lambda n: re.escape(n.text),
    s.Group: lambda n: r"\(.*\)",
    s.ListLiteral: lambda n: r"\[.*\]",
    s.ListValue: lambda n: r"\[.*\]",
    s.RecordValue: lambda n: r"\{.*\}",
    s.RecordType: lambda n: r"\{.*\}",
    s.Call: lambda n: rf"{n.name.text}\(.*\)",
    s.Index: lambda n: r".*\[.*\]",
    s.Not: lambda n: r"not .*",
    s.History: lambda n: rf"{n.op} .*",
    s.Quantifier: lambda n: rf"{n.op} {n.var.text} in .*: .*",
    s.Runs: lambda n: r".* for \d+ runs( of \S+)?( on one revision)?",
    s.Held: lambda n: r".* for \w+( every \w+)?",
    s.Negative: lambda n: r"-.*",
    s.View: lambda n: {"previous": "previous .*", "fresh": r".* fresh \w+"}.get(
        n.view, f".* at {n.view}"
    ),
    s.Range: lambda n: r"\S*\.\.\S*",
    s.Edition: lambda n: r"edition 1",
    s.Use: lambda n: r'use .*"',
    s.Let: lambda n: rf"let {n.name.text} = .*",
    s.Facts: lambda n: r"facts .*\}",
    s.Fact: lambda n: rf"{n.name.text}\s+: .*\S",
    s.Origin: lambda n: rf"from {n.name.text} .*",
    s.FieldType: lambda n: rf"{n.name.text}: .*",
    s.CollectionType: lambda n: rf"{n.kind} .*of .*",
    s.OptionalType: lambda n: r".*\?",
    s.EnumType: lambda n: r'".*"',
    s.ScalarType: lambda n: rf"{n.name.text}.*",
    s.Clause: lambda n: rf"{n.keyword} .*",
    s.Part: lambda n: rf"{_part(n)} .*",
    s.PresetUse: lambda n: r"preset [\w, ]+",
    s.Objective: lambda n: r'objective ".*"',
    s.Protect: lambda n: r'protect ".*"',
    s.Setting: lambda n: rf"{n.name.text} \S.*",
    s.Budget: lambda n: r"budget .*\}",
    s.Judge: lambda n: r"judge \{.*\}",
    s.Keep: lambda n: r"keep [\w, ]+",
    s.Kind: lambda n: rf"kind {n.name.text} lane {n.lane.text}",
    s.Pins: lambda n: r"pins .*\}",
    s.Pin: lambda n: rf'pin {n.kind.text} +".*"',
    s.Goal: lambda n: rf"goal {n.id.text} \{{.*\}}",
    s.Preset: lambda n: rf"preset {n.id.text} \{{.*\}}",
    s.Test: lambda n: r'test ".*" for \S+ \{.*\}',
    s.Observe: lambda n: r"observe .*\}",
    s.Baseline: lambda n: r"baseline \{.*\}",
    s.Assignment: lambda n: rf"{n.name.text} = .*",
    s.Entry: lambda n: r"\S+: .*",
    s.Expect: lambda n: rf"expect .*{n.outcome.text}",
    s.UnknownValue: lambda n: rf"unknown\({n.reason.text}\)",
}
# Their text is what lies between their outer parts.
BETWEEN: dict[type, Callable[[Any], tuple[Any, Any]]] = {
    s.Chain: lambda n: (n.items[0], n.items[-1]),
    s.Compare: lambda n: (n.left, n.right),
    s.TextTest: lambda n: (n.left, n.right),
    s.Binary: lambda n: (n.left, n.right),
    s.Member: lambda n: (n.item, n.of),
    s.FieldOf: lambda n: (n.inner, n.name),
    s.Argument: lambda n: (n.value, n.where or n.domain or n.value),
}


@pytest.mark.row("X01")
def test_every_span_slices_what_its_node_stands_for() -> None:
    parsed = parse_file(EXAMPLE, "example.goal")
    assert messages(parsed) == []
    text = parsed.file.source.text
    seen: set[type] = set()
    for node in nodes(parsed.file.statements):
        seen.add(type(node))
        piece = text[node.span.start : node.span.end]
        assert piece == piece.strip(), node
        if type(node) in BETWEEN:
            first, last = BETWEEN[type(node)](node)
            assert node.span == Span(first.span.start, last.span.end), piece
        else:
            assert re.fullmatch(SHAPES[type(node)](node), piece, re.DOTALL), (type(node), piece)
    # all but what stands for a mistake, and `xs[1].f`, which is tried below
    missing = {*SHAPES, *BETWEEN} - seen
    assert missing == {s.FieldOf}


def test_a_span_lies_inside_its_parent() -> None:
    parsed = parse_file(EXAMPLE, "example.goal")
    for node in nodes(parsed.file.statements):
        for child in nodes([getattr(node, f.name) for f in dataclasses.fields(node)]):
            assert node.span.start <= child.span.start <= child.span.end <= node.span.end


def test_statements_and_parts_stand_in_order_and_apart() -> None:
    def check(siblings: list[Any]) -> None:
        for one, other in pairwise(siblings):
            assert one.span.end <= other.span.start

    statements = parse_file(EXAMPLE).file.statements
    check(statements)
    for node in statements:
        if isinstance(node, s.Goal | s.Preset):
            check(node.parts)
        if isinstance(node, s.Facts):
            check(node.facts)
        if isinstance(node, s.Test):
            check(node.steps)


def test_a_field_of_a_value() -> None:
    node = expression('m["x"].n')
    assert isinstance(node, s.FieldOf)
    assert node.span == Span(8, 16)
    assert node.name.span == Span(15, 16)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a or b and c", "(a or (b and c))"),
        ("a and b or c", "((a and b) or c)"),
        ("not a and b", "((not a) and b)"),
        ("not a == b", "(not (a == b))"),
        ("a and b and c", "(a and b and c)"),
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a / b * c", "((a / b) * c)"),
        ("a ?? b > c", "((a ?? b) > c)"),
        ("a + b ?? c", "((a + b) ?? c)"),
        ("a ?? b ?? c", "((a ?? b) ?? c)"),
        ("-a * b", "((-a) * b)"),
        ("a - -1", "(a - -1)"),
        ("-a at start", "(-(a at start))"),
        ("previous a + b", "((previous a) + b)"),
        ("a at start - b", "((a at start) - b)"),
        ("a == b for 2 runs", "((a == b) for 2 runs)"),
        ("a and b for 2 runs", "(a and (b for 2 runs))"),
        ("always a and b", "((always a) and b)"),
        ("all x in xs: x and y or z", "(all x in xs: ((x and y) or z))"),
        ("a or any x in xs: x and y", "(a or (any x in xs: (x and y)))"),
        ("any x in xs: all y in ys: x == y", "(any x in xs: (all y in ys: (x == y)))"),
        ("any x in xs where p and q: r", "(any x in xs where (p and q): r)"),
        ("x not in xs", "(x not in xs)"),
        ("x in 1..5 and y", "((x in 1..5) and y)"),
        ("x in 1.. and y in ..5", "((x in 1..) and (y in ..5))"),
        ("a < b <= c", "((a < b) <= c)"),
        ('a like "x" or b', '((a like "x") or b)'),
    ],
)
def test_what_binds_tighter(text: str, tree: str) -> None:
    assert written(expression(text)) == tree


def written(node: Any) -> str:
    """A tree with all its parentheses."""
    match node:
        case s.Path() | s.Literal():
            return str(node.text)
        case s.Chain():
            return "(" + f" {node.op} ".join(map(written, node.items)) + ")"
        case s.Not():
            return f"(not {written(node.inner)})"
        case s.Negative():
            return f"(-{written(node.inner)})"
        case s.History():
            return f"({node.op} {written(node.inner)})"
        case s.Runs():
            return f"({written(node.inner)} for {written(node.count)} runs)"
        case s.View():
            if node.view == "previous":
                return f"(previous {written(node.inner)})"
            return f"({written(node.inner)} at {node.view})"
        case s.Compare() | s.Binary() | s.TextTest():
            return f"({written(node.left)} {node.op} {written(node.right)})"
        case s.Member():
            word = "not in" if node.negated else "in"
            return f"({written(node.item)} {word} {written(node.of)})"
        case s.Range():
            low, high = (written(end) if end else "" for end in (node.low, node.high))
            return f"{low}..{high}"
        case s.Quantifier():
            where = f" where {written(node.where)}" if node.where else ""
            head = f"{node.op} {node.var.text} in {written(node.domain)}{where}"
            return f"({head}: {written(node.body)})"
    raise AssertionError(node)


# --- comments


def test_comments_are_found_where_they_stand() -> None:
    text = '# one\ngoal g { # two\r\n  objective "# none" # three\r# four'
    found = list(parse(text, "x.goal").file.comments())
    assert [comment.text for comment in found] == ["# one", "# two", "# three", "# four"]
    assert all(text[c.span.start : c.span.end] == c.text for c in found)


@pytest.mark.parametrize(
    "text",
    [
        '"""\n# none\n"""',
        r'r"\# none \"',
        r'"\"# none"',
        '""" "# none" """',
    ],
)
def test_a_string_holds_no_comment(text: str) -> None:
    assert [c.text for c in parse(f"use {text} # c", "x.goal").file.comments()] == ["# c"]


def test_the_example_keeps_its_comments() -> None:
    comments = [c.text for c in parse_file(EXAMPLE).file.comments()]
    assert len(comments) == 4
    assert "# packs that ship with goalspec" in comments


# --- recovery


def test_what_follows_a_mistake_is_still_there() -> None:
    text = (
        "facts {\n  a.ok bool\n  b.ok : bool\n}\n"
        'goal g {\n  objective\n  criterion c "C"\n  criterion d D\n  constraint e "E"\n}\n'
        'test "t" for g {\n  observe { b.ok true }\n  expect c met\n}\n'
    )
    parsed = parse(text, "x.goal")
    assert places(parsed) == ["2:3 GS101", "7:3 GS101", "8:15 GS101", "12:13 GS101"]
    assert parsed.file.lost
    facts, goal, test = parsed.file.statements
    assert isinstance(facts, s.Facts)
    assert [fact.name.text for fact in facts.facts] == ["b.ok"]
    assert isinstance(goal, s.Goal)
    ids = [part.id.text for part in goal.parts if isinstance(part, s.Part) and part.id]
    assert [name for name in ids if name != "d"] == ["c", "e"]
    assert isinstance(test, s.Test)
    assert isinstance(test.steps[-1], s.Expect)


def test_a_missing_brace_does_not_swallow_the_next_statement() -> None:
    text = f'goal a {{\n  objective "A"\n  budget {{ turns 5\n\n{GOAL}'
    parsed = parse(text, "x.goal")
    assert len(parsed.diagnostics) == 1
    assert [node.id.text for node in parsed.file.statements if isinstance(node, s.Goal)] == [
        "a", "g",
    ]  # fmt: skip


def test_mistakes_before_and_after_a_good_goal() -> None:
    parsed = parse(f'fcts {{ a : bool }}\n{GOAL}tst "x" for g {{ }}\n', "x.goal")
    assert places(parsed) == ["1:1 GS101", "6:1 GS101"]
    assert len(parsed.file.statements) == 1


def test_a_mistake_in_a_part_leaves_the_other_parts_of_its_block() -> None:
    text = 'goal g {\n  budget {\n    turns =\n    tokens 5\n  }\n  pin decision\n  stop "S"\n}\n'
    parsed = parse(text, "x.goal")
    assert places(parsed) == ["3:11 GS101", "7:3 GS101"]
    (goal,) = parsed.file.statements
    assert isinstance(goal, s.Goal)
    assert [type(part) for part in goal.parts] == [s.Budget, s.Part]
    budget = goal.parts[0]
    assert isinstance(budget, s.Budget)
    assert [setting.name.text for setting in budget.settings][-1] == "tokens"


@pytest.mark.parametrize("seed", range(40))
def test_one_lost_token_of_the_example_costs_at_most_its_statement(seed: int) -> None:
    """One token fewer: few errors, and the goal and the test are still read."""
    text = EXAMPLE.read_text("utf-8")
    tokens = list(re.finditer(r'"[^"\n]*"|[A-Za-z_][\w.-]*|\d[\w.%]*|[^\s\w]', text))
    token = tokens[(seed * 7919) % len(tokens)]
    parsed = parse(text[: token.start()] + text[token.end() :], "x.goal")
    assert len(parsed.diagnostics) <= 3
    assert len(parsed.file.statements) >= 6


# --- words for terminals


def terminals() -> list[str]:
    names = [definition.name for definition in tables.parser().terminals]
    return [name for name in names if not name.startswith("__")]  # what is skipped


@pytest.mark.parametrize("terminal", [*terminals(), "$END"])
def test_every_terminal_has_words(terminal: str) -> None:
    """A keyword stands for itself; everything else has an entry."""
    definition = {t.name: t for t in tables.parser().terminals}.get(terminal)
    words = expected.in_words(terminal)
    if terminal in expected._WORDS:
        assert terminal not in words
    else:
        assert definition is not None
        word = WHOLE_WORD.sub("", definition.pattern.value)
        assert words == f"`{word}`"


WHOLE_WORD = re.compile(r"\(\?!.*\)$")
NAMES = re.compile(rf"\b(?:{'|'.join(terminals())}|__\w+)\b|\$END")


def test_open_brackets_at_the_end_of_a_test_are_an_error() -> None:
    assert places(parse('test "t" for g { observe { x = [{', "x.goal"))[:1] == ["1:34 GS101"]


@pytest.mark.parametrize("end", range(0, 6_000, 122))
def test_no_message_names_a_terminal(end: int) -> None:
    """The example, cut anywhere, and with a foreign token there."""
    text = EXAMPLE.read_text("utf-8")
    for cut in (text[:end], text[:end] + " ~ " + text[end:], text[:end] + " ) " + text[end:]):
        for found in parse(cut, "x.goal").diagnostics:
            said = f"{found.message} {found.hint or ''}"
            shown = re.sub(r"`[^`]*`", "", said)
            assert not NAMES.search(shown), said


# --- the grammar


@pytest.mark.row("D1")
def test_the_grammar_has_no_conflict_that_is_settled_silently(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Lark says at level DEBUG which shift/reduce conflicts it resolves by shifting."""
    grammar = tables.GRAMMAR_FILE.read_text("utf-8")
    with caplog.at_level(logging.DEBUG, logger=lark.logger.name):
        build = partial(lark.Lark, parser="lalr", maybe_placeholders=True, debug=True)
        build(grammar)
        assert "conflict" not in caplog.text
        build('start: "a" start "b"? | "a"\n')
        assert "conflict" in caplog.text  # it would be said


@pytest.mark.row("D1")
def test_every_rule_has_its_method() -> None:
    built = tables.parser()
    needed = {str(rule.alias or rule.options.template_source or rule.origin.name)
              for rule in built.rules}  # fmt: skip
    public = {name for name in needed if not name.startswith("_")}
    methods = {name for name in vars(Builder) if not name.startswith("_")}
    inlined = {"expr", "type", "value", "conjunction", "open_conjunction", "negation",
               "open_negation", "temporal", "comparison", "fallback", "sum", "product", "unary",
               "view", "suffixed", "postfix", "primary"}  # fmt: skip
    assert public - methods <= inlined
    assert methods <= public


# --- names


@pytest.mark.ruling(69)
@pytest.mark.parametrize(
    "name",
    [
        "goal.x", "check.passed", "in.progress", "not.done", "any.thing", "null.value", "true.north",
        "for.ever", "facts.all", "test.name", "criterion.met", "and.or", "at.start", "lasting.x",
        "from.here", "edition.n", "let.it", "previous.run", "each.one", "x.for.y", "done.when",
    ],
)  # fmt: skip
def test_a_keyword_before_a_dot_is_a_name(name: str) -> None:
    parsed = parse(
        f'facts {{\n  {name} : bool\n}}\ngoal g {{\n  objective "x"\n  criterion c "x"\n'
        f"    check {name} and not {name} or ({name} for 2 runs of {name})\n  let l = {name}\n}}\n"
        f'test "t" for g {{\n  observe {{ {name} = true }}\n}}\n',
        "x.goal",
    )
    assert messages(parsed) == []
    paths = {node.text for node in nodes(parsed.file.statements) if isinstance(node, s.Path)}
    assert paths == {name}


@pytest.mark.ruling(69)
@pytest.mark.parametrize("name", ["goal", "passed", "check", "facts", "not", "at", "in", "edition"])
def test_a_fact_has_one_segment(name: str) -> None:
    parsed = parse(
        f'facts {{\n  {name} : bool\n}}\ntest "t" for g {{\n  observe {{ {name} = true }}\n}}\n',
        "x.goal",
    )
    assert messages(parsed) == []


@pytest.mark.parametrize("space", ["", " ", "\t", "  "])
def test_a_declared_name_may_stand_before_its_sign_with_or_without_space(space: str) -> None:
    assert messages(parse(f"facts {{ goal.x{space}:{space}bool }}\n", "x.goal")) == []


@pytest.mark.parametrize(
    "joined",
    [
        "check a.ok andb.ok", "check a.ok orb.ok", "check a.n in1..5", "checka.ok", "check nota.ok b",
        'check a.s like"x" likely "y"', "check a.ok forever", "check a.ok for 2 runss",
    ],
)  # fmt: skip
def test_a_keyword_is_a_whole_word(joined: str) -> None:
    """`orb` is no `or` with a `b`: a slip of the keys must not change what a contract means."""
    parsed = parse(f'goal g {{\n  objective "x"\n  criterion c "x" {joined}\n}}\n', "x.goal")
    assert len(parsed.diagnostics) == 1


@pytest.mark.parametrize("line", ["goals g { }", "goalg { }", 'tests "t" for g { }', "facts2 { }"])
def test_a_statement_keyword_is_a_whole_word(line: str) -> None:
    assert places(parse(line, "x.goal")) == ["1:1 GS101"]


# --- odd files


@pytest.mark.parametrize("text", ["", " \n\t\r\n", "# only\n# comments", "#", "\n\n"])
def test_files_of_nothing(text: str) -> None:
    parsed = parse(text, "x.goal")
    assert (messages(parsed), parsed.file.statements, parsed.file.lost) == ([], [], frozenset())


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "mark"])
@pytest.mark.parametrize("last", [True, False], ids=["ended", "open"])
def test_line_ends_and_a_mark_change_no_tree(end: str, mark: bytes, last: bool) -> None:
    text = EXAMPLE.read_text("utf-8")
    changed = (text if last else text.rstrip("\n")).replace("\n", end)
    parsed = parse_bytes(mark + changed.encode(), "x.goal")
    assert messages(parsed) == []
    plain = parse(text, "x.goal")
    assert values(parsed) == values(plain)
    for one, other in zip(nodes(parsed.file.statements), nodes(plain.file.statements), strict=True):
        first, second = parsed.file.source, plain.file.source
        assert first.position(one.span.start) == second.position(other.span.start)


def values(parsed: Parsed) -> list[object]:
    return [node.value for node in nodes(parsed.file.statements) if isinstance(node, s.Literal)]


def test_tabs_are_one_column_and_emoji_are_code_points() -> None:
    before = '\tobjective\t"🚀👩‍💻"\t'
    found = parse(f"goal g {{\n{before}!\n}}\n", "x.goal")
    assert places(found) == [f"2:{len(before) + 1} GS002"]


@pytest.mark.parametrize(
    "text",
    [
        "{" * 10_000, "}" * 10_000, "(" * 10_000, '"' * 9_999, "[" * 10_000, "#" * 10_000,
        "goal " * 5_000, "goal g {" * 3_000, "let x = " + "not " * 8_000, "let x = " + "-" * 8_000,
        "let x = " + "(" * 8_000 + "a" + ")" * 8_000, "let x = a" + ".b" * 8_000,
        "let x = a" + "[a" * 5_000 + "]" * 5_000, "facts { x : " + "list of " * 5_000 + "int }",
        "facts { x : int" + "?" * 5_000 + " }", "facts { x : " + "(" * 5_000 + "int" + ")" * 5_000
        + "}", "facts { x : " + "{ a: " * 10_000 + "int" + "}" * 10_000 + "}",
        "let x = " + "any x in xs: " * 10_000 + "x", "let x = " + "a ?? " * 5_000 + "a",
        "let x = " + "a and " * 8_000 + "a", "let x = " + "a + " * 8_000 + "a",
        'test "t" for g { observe { x = ' + "[" * 5_000 + "]" * 5_000 + "}}", "\x00", "\ud800",
        "1" * 50_000, "let x = " + "1" * 50_000, "\\" * 10_000, '"""' + "\\" * 10_001, "a." * 5_000,
        "let x = r" + '"' * 10_000, "let x = " + "previous " * 5_000 + "a", "for" + " " * 50_000,
        "let x = a for" + " #\n" * 8_000, "let x = a" + " for 2 runs" * 10_000,
        "let x = " + "always " * 5_000 + "a", "é" * 8_000, "\u202e" * 1_000, "v1" + ".1" * 8_000,
    ],
    ids=lambda text: f"{ascii(text[:14])[1:-1]}_{len(text)}",
)  # fmt: skip
def test_hostile_texts_give_few_diagnostics_and_no_exception(text: str) -> None:
    parsed = parse(text, "x.goal")
    assert len(parsed.diagnostics) <= 101
    for found in parsed.diagnostics:
        assert 0 <= found.span.start <= found.span.end <= len(text)


# --- size

VALID = (
    "facts {\n"
    + "".join(f'  a{{n}}.b{i} : int in 0.. "described" # why\n' for i in range(20))
    + "}\n"
)
GARBAGE = 'goal ??? "x { } ] check & == criterion \u201cx\u201d 5min \n'


def repeated(text: str, size: int) -> str:
    return "".join(text.replace("{n}", str(n)) for n in range(size // len(text) + 1))


def cost(text: str) -> float:
    """The least of three times, with the collector off: what the parse itself takes."""
    times = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            start = time.process_time()
            parse(text, "x.goal")
            times.append(time.process_time() - start)
    finally:
        gc.enable()
    return min(times)


@pytest.mark.parametrize(
    "piece",
    [
        VALID, GARBAGE, GOAL, "{", "}", '"', "goal g {\n", "  objective\n", "(", "# comment\n", "\r",
        "let x = a and b\n", "facts { x : boolean }\n", "goal g {\n  criterion\n", "x = 1\n",
    ],
    ids=lambda text: ascii(text[:12])[1:-1],
)  # fmt: skip
def test_time_grows_with_the_size_and_no_faster(piece: str) -> None:
    size = 8_000
    for _ in range(3):  # a machine under load may lie once
        small, large = cost(repeated(piece, size)), cost(repeated(piece, 2 * size))
        if large <= 3 * small + 0.02:
            return
    raise AssertionError(f"{small:.3f} s for {size} characters, {large:.3f} s for twice as many")


def test_ten_megabytes_of_garbage_are_given_up_in_bounded_memory() -> None:
    text = repeated(GARBAGE, 10 * 2**20)
    tracemalloc.start()
    parsed = parse(text, "x.goal")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert parsed.diagnostics[-1].code.id == "GS102"
    assert len(parsed.diagnostics) == 101
    assert peak < 64 * 2**20


def test_ten_megabytes_of_goals_are_read_whole() -> None:
    """Mostly prose, as in real files of that size; the memory stays near the text's."""
    prose = "It holds, and here is why at length. " * 2_000
    text = repeated(f'goal g{{n}} {{\n  objective """\n{prose}\n"""\n}}\n', 10 * 2**20)
    tracemalloc.start()
    parsed = parse(text, "x.goal")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert parsed.diagnostics == ()
    assert len(parsed.file.statements) == len(text) // len(prose)
    assert peak < 6 * len(text)


# --- the cache of tables

SCRIPT = (
    "from goalspec.grammar import parse, tables\n"
    "assert not parse('edition 1', 'x').diagnostics\n"
    "print(tables.cache_folder())\n"
)


def run(folder: Path | str, script: str = SCRIPT) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "GOALSPEC_CACHE_DIR": str(folder)}
    return subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A cache folder of this test's own; the tables are built anew before and after."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("GOALSPEC_CACHE_DIR", str(folder))
    tables.parser.cache_clear()
    yield folder
    tables.parser.cache_clear()


def works() -> bool:
    return messages(parse(GOAL, "x.goal")) == [] and len(parse("goal", "x.goal").diagnostics) == 1


def test_the_first_run_keeps_the_tables_and_the_second_reads_them(fresh: Path) -> None:
    assert works()
    (file,) = fresh.iterdir()
    before = file.stat()
    tables.parser.cache_clear()
    assert works()
    assert file.stat().st_mtime_ns == before.st_mtime_ns
    assert file.stat().st_mode & 0o022 == 0


@pytest.mark.parametrize(
    "content",
    [b"", b"garbage", b"cut"],
    ids=["empty", "text", "cut"],
)
def test_a_corrupt_cache_is_built_anew(fresh: Path, content: bytes) -> None:
    assert works()
    (file,) = fresh.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] if content == b"cut" else content)
    tables.parser.cache_clear()
    assert works()
    tables.parser.cache_clear()
    assert works()
    assert [path.name for path in fresh.iterdir()] == [file.name]


def test_a_cache_of_another_version_is_not_read(
    fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert works()
    (old,) = fresh.iterdir()
    monkeypatch.setattr(lark, "__version__", "0.0.0")
    tables.parser.cache_clear()
    assert works()
    assert len(list(fresh.iterdir())) == 2
    assert old.exists()


def test_an_empty_name_turns_the_cache_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOALSPEC_CACHE_DIR", "")
    assert tables.cache_folder() is None
    tables.parser.cache_clear()
    assert works()
    tables.parser.cache_clear()


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722])
def test_a_folder_that_others_may_write_is_not_trusted(fresh: Path, mode: int) -> None:
    fresh.mkdir()
    fresh.chmod(mode)
    assert tables.cache_folder() is None
    assert works()
    assert list(fresh.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="the folder is named from HOME")
def test_an_account_without_a_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("GOALSPEC_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    assert tables.cache_folder() is None


def test_a_cache_file_is_never_one_that_others_may_write(fresh: Path) -> None:
    """A pickle runs code: a careless umask must not let another user leave one."""
    fresh.mkdir(mode=0o755)
    before = os.umask(0)
    try:
        assert works()
    finally:
        os.umask(before)
    (file,) = fresh.iterdir()
    assert file.stat().st_mode & 0o022 == 0


@pytest.mark.parametrize("place", ["file", "below", "link"])
def test_a_folder_that_cannot_be_had_is_done_without(fresh: Path, place: str) -> None:
    fresh.parent.mkdir(exist_ok=True)
    if place == "link":
        fresh.symlink_to(fresh.parent / "nowhere")
    else:
        fresh.write_text("a file")
    folder = fresh / "sub" if place == "below" else fresh
    result = run(folder)
    assert (result.returncode, result.stdout.strip()) == (0, "None"), result.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_an_unwritable_folder_is_done_without(fresh: Path) -> None:
    fresh.mkdir(mode=0o500)
    assert works()
    assert list(fresh.iterdir()) == []


def test_a_full_disk_is_done_without(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> tuple[int, str]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tables.tempfile, "mkstemp", full)
    assert works()
    assert list(fresh.iterdir()) == []


def test_first_runs_at_the_same_time_all_succeed(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    environment = {**os.environ, "GOALSPEC_CACHE_DIR": str(folder)}
    started = [
        subprocess.Popen([sys.executable, "-c", SCRIPT], env=environment, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]  # fmt: skip
    for process in started:
        out, err = process.communicate()
        assert (process.returncode, out.strip()) == (0, str(folder)), err
    assert len(list(folder.iterdir())) == 1
    assert run(folder).returncode == 0


def test_ten_megabytes_are_parsed_or_refused() -> None:
    fact = '  # what the host measures, at length and in words\n  a{}.n : int in 0..  "a number"\n'
    body = "".join(fact.format(n) for n in range(15_000))
    valid = (
        "facts {\n" + body + "# " + "x" * 120 + "\n" + ("# " + "y" * 120 + "\n") * 72_000 + "}\n"
    )
    assert len(valid) > 10_000_000
    parsed = parse(valid, "x.goal")
    assert parsed.diagnostics == ()
    assert len(parsed.file.statements[0].facts) == 15_000  # type: ignore[union-attr]
    garbage = "x ( } { y\n" * 1_100_000
    assert [d.code.id for d in parse(garbage, "x.goal").diagnostics][-1] in ("GS101", "GS102")
