"""The faster parse loop and lexer give what Lark's own give: trees, mistakes, and where to go on."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from goalspec.grammar import parser
from goalspec.grammar.parser import Parsed, parse
from goalspec.tests.grammar.sentences import disturbed, sentence
from lark import Lark

ROOT = Path(__file__).parents[2]
SEEDS = range(30)
EACH = 20


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Parses a text by Lark's own loop and lexer."""

    def run(text: str) -> Parsed:
        with monkeypatch.context() as patch:
            patch.setattr(parser, "parse_interactive", Lark.parse_interactive)
            return parse(text, "spec.goal")

    return run


def shape(node: Any) -> Any:
    """A tree as plain values, spans included."""
    if is_dataclass(node) and not isinstance(node, type):
        return type(node), *(shape(getattr(node, field.name)) for field in fields(node))
    return [shape(item) for item in node] if isinstance(node, list) else node


def assert_same(text: str, plain: Parsed) -> None:
    lean = parse(text, "spec.goal")
    assert shape(lean.file.statements) == shape(plain.file.statements)
    assert lean.diagnostics == plain.diagnostics
    assert lean.file.lost == plain.file.lost


@pytest.mark.parametrize("seed", SEEDS)
def test_sentences_and_what_is_left_of_them_when_pieces_are_lost(seed: int, plainly: Any) -> None:
    random = Random(f"chains {seed}")
    for _ in range(EACH):
        pieces = sentence(random)
        text = disturbed(pieces, random) if pieces else "\n"
        assert_same(text, plainly(text))
        for _ in range(min(random.randrange(1, 4), len(pieces) - 1)):
            del pieces[random.randrange(len(pieces))]
        text = disturbed(pieces, random) if pieces else "\n"
        assert_same(text, plainly(text))


@pytest.mark.parametrize(
    "path", sorted((ROOT / "specs").rglob("*.goal")), ids=lambda path: path.stem
)
def test_the_shipped_files(path: Path, plainly: Any) -> None:
    text = path.read_text("utf-8")
    assert_same(text, plainly(text))


def test_mutilated_files(plainly: Any) -> None:
    random = Random("mutilated")
    text = (ROOT / "specs" / "examples" / "merge.goal").read_text("utf-8")
    for _ in range(60):
        start = random.randrange(len(text))
        end = min(len(text), start + random.randrange(1, 40))
        other = random.choice(["", '"', "{", "}", "(", "é", "$", "check", "\r", "#", text[:9]])
        broken = text[:start] + other + text[end:]
        assert_same(broken, plainly(broken))
