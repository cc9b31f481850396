"""The formatter's laws, over sentences drawn from the grammar with comments wherever they may stand,
over every goal file of this project, and over anything at all; and its layout, in golden files."""

from __future__ import annotations

import dataclasses
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from goalspec.compiler import compile_text
from goalspec.grammar import File, parse
from goalspec.grammar import formatting as f
from goalspec.grammar.comments import STRING, find_comments
from goalspec.grammar.formatting import documents, format_bytes, format_text
from goalspec.tests.compiler.texts import goal_text
from goalspec.tests.grammar.sentences import disturbed, pieces_of, plain, productions, sentence
from hypothesis import given, settings
from hypothesis import strategies as st
from lark.grammar import Rule

ROOT = Path(__file__).resolve().parents[2]
LAYOUTS = Path(__file__).parent / "data" / "layouts"
FENCE = re.compile(r"^```goal\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = 10_000
PARTS = 20
FUZZ = settings(deadline=None, max_examples=100, derandomize=True, database=None)


def laid_out(text: str) -> str:
    """The layout of a text that must have one."""
    formatted = format_text(text)
    assert formatted.diagnostics == ()
    assert formatted.text is not None
    return formatted.text


def written() -> Iterator[tuple[str, str]]:
    """Every goal file of this project, and the examples of its pages."""
    for path in sorted((ROOT / "specs").rglob("*.goal")):
        yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for match in FENCE.finditer(page.read_text("utf-8")):
            yield f"{page.name}:{match.start()}", match[1]


WRITTEN = dict(written())


# --- what a text says


def tree(value: Any) -> Any:
    """A syntax tree without its places; line ends in strings are LF."""
    if isinstance(value, File):
        return [tree(statement) for statement in value.statements]
    if isinstance(value, list):
        return [tree(item) for item in value]
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value) if field.name != "span"]
        return type(value), [tree(getattr(value, name)) for name in names]
    return re.sub("\r\n?", "\n", value) if isinstance(value, str) else value


def comments(text: str) -> list[tuple[str, bool, int]]:
    """Each comment, whether it stands alone on its line, and how much else stands before it."""
    found = []
    kept, at = "", 0
    for comment in find_comments(text):
        kept += text[at : comment.span.start]
        at = comment.span.end
        line = re.split("[\r\n]", kept)[-1]
        found.append((comment.text.rstrip(), not line.strip(), len(re.sub(r"\s", "", kept))))
    return found


def holds_the_laws(text: str) -> str:
    once = laid_out(text)
    assert laid_out(once) == once
    assert tree(parse(once, "x").file) == tree(parse(text, "x").file)
    assert comments(once) == comments(text)
    assert "\r" not in once
    assert once == "" or re.search(r"\S\n\Z", once)
    return once


def unstrung(text: str) -> str:
    """The text with its strings on one line each."""
    return re.sub(STRING + r"|(#[^\n]*)", lambda match: match[1] or '"…"', text)


# --- the laws


@pytest.mark.row("X09")
@pytest.mark.parametrize("part", range(PARTS))
def test_the_laws_over_generated_files(part: int) -> None:
    for seed in range(part, FILES, PARTS):
        random = Random(seed)
        text = disturbed(sentence(random), random)
        once = holds_the_laws(text)
        lines = unstrung(once).split("\n")
        assert not [line for line in lines if line != line.rstrip()]
        assert "\n\n\n" not in unstrung(once)
        assert not re.search(r"\{\n\n|\n\n *\}", unstrung(once))


def test_the_generated_files_use_every_production() -> None:
    used: set[Rule] = set()
    for seed in range(FILES):
        sentence(Random(seed), used)
    assert [rule for rule in productions().all if rule not in used and rule.expansion] == []


@pytest.mark.parametrize("seed", range(0, FILES, 50))
def test_line_breaks_of_the_author_do_not_count(seed: int) -> None:
    pieces = sentence(Random(seed))
    assert laid_out(plain(pieces, "\n")) == laid_out(plain(pieces, " "))


@pytest.mark.parametrize("name", WRITTEN)
def test_the_laws_over_what_people_wrote(name: str) -> None:
    random = Random(name)
    for _ in range(5):
        holds_the_laws(disturbed(pieces_of(WRITTEN[name]), random))


@pytest.mark.parametrize("name", WRITTEN)
def test_what_this_project_ships_has_the_layout(name: str) -> None:
    assert laid_out(WRITTEN[name]) == WRITTEN[name]


@pytest.mark.row("X09")
@pytest.mark.parametrize(
    "text",
    [*map(goal_text, range(60)), *(text for text in WRITTEN.values() if "\ngoal " in text)],
)
def test_the_contract_is_the_same(text: str) -> None:
    loose = disturbed(pieces_of(text), Random(text))
    before, after = compile_text(loose).document, compile_text(laid_out(loose)).document
    assert before is not None
    assert after is not None
    assert [goal.contract for goal in after.goals] == [goal.contract for goal in before.goals]
    assert after.facts == before.facts
    assert after.tests == before.tests


# --- bytes


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"\n\n", ""),
        (b" \t\r\n\r", ""),
        (b"\xef\xbb\xbf", ""),
        (b"\xef\xbb\xbfedition 1", "edition 1\n"),
        (b"# only", "# only\n"),
        (b"\n\n  # one  \n\n\n\t# two\r\n\r\n", "# one\n\n# two\n"),
        (b"#\r#", "#\n#\n"),
        (b"edition 1\r\redition\r1", "edition 1\n\nedition 1\n"),
        (b'use """a\r\nb\rc"""\r\n', 'use """a\nb\nc"""\n'),
    ],
)
def test_ends_of_lines_and_of_the_file(data: bytes, text: str) -> None:
    assert format_bytes(data, "x").text == text
    assert format_bytes(text.encode(), "x").text == text


@given(st.binary(max_size=200))
@FUZZ
def test_any_bytes(data: bytes) -> None:
    formatted = format_bytes(data, "x")
    assert (formatted.text is None) == bool(formatted.diagnostics)


@given(st.text(max_size=200))
@FUZZ
def test_any_text(text: str) -> None:
    formatted = format_text(text)
    assert (formatted.text is None) == bool(formatted.diagnostics)


@given(st.text(st.characters(exclude_characters="\r\n\0", codec="utf-8")))
@FUZZ
def test_any_comment(comment: str) -> None:
    holds_the_laws(f"edition #{comment}\n1 #{comment}\n#{comment}")


# --- files with mistakes


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("goal g {", "GS101"),
        ("goal g {\n  objective “x”\n}\n", "GS002"),
        ('use "x', "GS003"),
        ("let a = 10min", "GS004"),
        ("let a = [x, 2026-02-30]", "GS004"),
        ('use "\\q"', "GS004"),
        ("facts { a : int in 1min..2 from x timeout 3min }", "GS004"),
        ('goal g { protect "a", "\\q" }', "GS004"),
        ('test "t" for g { observe { a = { "\\q": 1 } } }', "GS004"),
        ("let a = " + "(" * 100 + "b" + ")" * 100, "GS103"),
        ("facts { a : " + "list of " * 100 + "int }", "GS103"),
        ("\0", "GS001"),
    ],
)
def test_a_file_with_mistakes_has_no_layout(text: str, code: str) -> None:
    formatted = format_text(text)
    assert formatted.text is None
    assert code in [found.code.id for found in formatted.diagnostics]


def test_bytes_of_another_encoding() -> None:
    assert [found.code.id for found in format_bytes(b"\xff\xfeg", "x").diagnostics] == ["GS001"]


@pytest.mark.parametrize("layout", ["", "edition 2\n", "edition 1\n", "# b\nedition 1\n# a\n"])
def test_a_layout_that_says_something_else_is_not_handed_out(
    layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f, "render", lambda document: layout)
    with pytest.raises(f.FormatFault):
        format_text("# a\nedition 1\n# b\n")


# --- the layout


@pytest.mark.parametrize("path", sorted(LAYOUTS.glob("*.goal")), ids=lambda path: path.stem)
def test_the_layout(path: Path, golden: Callable[[Path, str], None]) -> None:
    """`x.goal` is how somebody wrote it, `golden/x.goal` its layout."""
    once = holds_the_laws(path.read_text("utf-8"))
    golden(LAYOUTS / "golden" / path.name, once)
    assert not [line for line in once.split("\n") if len(line) > documents.WIDTH]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # tokens that would be read as something else if they touched
        ("let a = b .c", "let a = b .c"),
        ("let a = b[0] . c . d", "let a = b[0].c .d"),
        ("let a = (b) . c", "let a = (b).c"),
        ("let a = - - 1", "let a = --1"),
        ("let a = b in 1 .. 2", "let a = b in 1..2"),
        ("let a = b in .. - 2", "let a = b in ..-2"),
        ("let a = 1 - - 1", "let a = 1 - -1"),
        ("facts { a : int ? }", "facts {\n  a : int?\n}"),
        ("let a = f ( b , )", "let a = f(b,)"),
        ("let a = [ ]", "let a = []"),
        ("facts { }", "facts { }"),
        ("facts { a : { } }", "facts {\n  a : { }\n}"),
        # a number, and a key that would be its currency
        ("goal g { judge { x 1\nABC 2 } }", "goal g {\n  judge {\n    x 1\n    ABC 2\n  }\n}"),
    ],
)
def test_spaces(text: str, expected: str) -> None:
    assert holds_the_laws(text) == expected + "\n"


# --- size


def seconds(text: str) -> float:
    start = time.perf_counter()
    laid_out(text)
    return time.perf_counter() - start


@pytest.mark.parametrize(
    "text",
    [
        "facts {\n" + "  a : int  # c\n" * 10_000 + "}\n",
        "let a = " + " and ".join(["b.c == 1"] * 1_000),
        "let a = " + " + ".join(["b"] * 100_000),
        "let a = " + "(" * 63 + "b" + ")" * 63,
        "let a = " + "not " * 63 + "b",
        "let a = " + "f(x, [" * 31 + "b" + "])" * 31,
        "facts { a : " + "(" * 50_000 + "int" + ")" * 50_000 + " }",
        "let a = [" + '"some text", ' * 80_000 + '"more"]',
        "goal g {" + ' stop "x"' * 50_000 + "}",
        "edition 1" + " # c\n" * 100_000,
    ],
    ids=[
        "lines", "a chain of and", "a sum", "groups", "nots", "calls", "grouped types",
        "a list of 1 MiB", "parts on one line", "comments",
    ],
)  # fmt: skip
def test_large_files(text: str) -> None:
    assert seconds(text) < 30


@pytest.mark.parametrize(
    "unit",
    [
        "facts {{\n{}}}\n".format("  a : int  # c\n" * 400),
        "let a = " + " and ".join(["f(b.c, [1, 2]) == 1"] * 400) + "\n",
        "let a = [" + '"some text", ' * 1_000 + "]\n",
    ],
    ids=["facts", "a chain", "a list"],
)
def test_time_is_linear(unit: str) -> None:
    seconds(unit)
    small, large = min(seconds(unit * 2) for _ in range(3)), seconds(unit * 16)
    assert large < small * 8 * 4
