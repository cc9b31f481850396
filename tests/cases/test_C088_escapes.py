"""C088: what a string of the file says is what the contract and its JSON say, and reading that JSON
gives it back: quotes, backslashes, bars, line ends, and any other character."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from goalspec import Document, compile_text, read_document, write_document
from goalspec.tests.cases.commands import goalspec, put
from hypothesis import given
from hypothesis import strategies as st

ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
TEXTS = [
    r"a\|b",
    "\\",
    '"',
    '"""',
    "\\n is no line end",
    "one\ntwo",
    "tab\tand | bar",
    "$ `x` {{ y }} <b> &amp; ${z}",
    "\u202e\u200b\U0001f384 e\u0301",
    "\x00"[1:] + "\x1b[31m",
]


def spelled(text: str) -> str:
    """A literal of the language that says *text*."""
    return '"' + "".join(ESCAPES.get(c) or plain(c) for c in text) + '"'


def plain(character: str) -> str:
    point = ord(character)
    return f"\\u{{{point:x}}}" if point < 0x20 or 0x7F <= point < 0xA0 else character


def document(objective: str, pattern: str = 'r"x"') -> Document:
    compiled = compile_text(
        f"facts {{\n  a.name : string\n}}\ngoal g {{\n  objective {objective}\n"
        f'  criterion c "It matches" check a.name matches {pattern}\n}}\n'
    )
    assert compiled.document is not None, [d.message for d in compiled.diagnostics]
    return compiled.document


def says(text: str) -> None:
    made = document(spelled(text))
    assert made.goals[0].objective == text
    written = write_document(made)
    assert json.loads(written)["goals"][0]["objective"] == text
    assert read_document(written) == made


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_kept(text: str) -> None:
    says(text)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
def test_any_text_is_kept(text: str) -> None:
    if text.strip():
        says(text)


@pytest.mark.parametrize("pattern", [r"a\|b", r"\\", r"[\]\-]", r"\.(md|txt)$", "x\\ty"])
def test_a_pattern_is_one_contract_raw_or_escaped(pattern: str) -> None:
    raw, escaped = (document('"o"', spelling) for spelling in (f'r"{pattern}"', spelled(pattern)))
    assert raw.goals == escaped.goals


def test_the_compiled_file_is_read_as_it_was(tmp_path: Path) -> None:
    text = f'goal g {{\n  objective {spelled("".join(TEXTS))}\n  criterion c "It holds"\n}}\n'
    spec = put(tmp_path / "c.goal", text)
    result = goalspec("compile", spec, "--target", "json", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    made = read_document((tmp_path / "out" / "c.json").read_text("utf-8"))
    assert made.goals[0].objective == "".join(TEXTS)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_kept_in_what_is_emitted(tmp_path: Path, text: str) -> None:
    spec = put(
        tmp_path / "c.goal",
        f"facts {{\n  a.name : string\n}}\ngoal g {{\n  objective {spelled(text)}\n"
        f'  criterion c "It is" check a.name == {spelled(text)}\n}}\n',
    )
    targets = "python,captain,facts-schema,pins"
    made = goalspec("compile", spec, "--target", targets, "-o", tmp_path / "out")
    assert made.exit_code == 0, made.output
    module: dict[str, Any] = {"__name__": "emitted"}
    sys.modules["emitted"] = ModuleType("emitted")
    exec((tmp_path / "out" / "g.py").read_text("utf-8"), module)
    assert module["check"]({"a": {"name": text}}).criteria[0].outcome == "met"
    as_json = json.loads((tmp_path / "out" / "g.captain.json").read_text("utf-8"))
    as_toml = tomllib.loads((tmp_path / "out" / "g.captain.toml").read_text("utf-8"))
    assert as_json["goal"]["objective"] == as_toml["goal"]["objective"] == text
