"""C090: a byte-order mark changes nothing, another encoding is named, and what cannot be read ends
the command: it is never taken for an empty file."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from goalspec.tests.cases.commands import goalspec, put

SPEC = (
    "facts {\n  suite.passed : bool\n}\n\n"
    'goal g {\n  objective "Pass."\n'
    '  criterion green "The suite passes" check suite.passed\n}\n'
)
FACTS = '{"suite.passed": true}'


def test_a_mark_at_the_start_is_no_part_of_the_file(tmp_path: Path) -> None:
    spec = put(tmp_path / "c.goal", codecs.BOM_UTF8 + SPEC.encode())
    facts = put(tmp_path / "facts.json", codecs.BOM_UTF8 + FACTS.encode())
    assert goalspec("lint", spec).exit_code == 0
    assert goalspec("check", spec, "--facts", facts).exit_code == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (SPEC.encode("utf-16"), "UTF-16"),
        (SPEC.encode("utf-16-le"), "UTF-16"),
        (SPEC.encode("utf-16-be"), "UTF-16"),
        (SPEC.encode("utf-32"), "UTF-"),
        (SPEC.replace("Pass.", "Größe").encode("latin-1"), "UTF-8"),
        (b"\x1f\x8b\x08" + SPEC.encode(), "UTF-8"),
    ],
    ids=["utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "gzip"],
)
def test_another_encoding_is_named(tmp_path: Path, content: bytes, words: str) -> None:
    spec = put(tmp_path / "c.goal", content)
    facts = put(tmp_path / "facts.json", FACTS)
    for command in (("lint", spec), ("check", spec, "--facts", facts)):
        result = goalspec(*command)
        assert result.exit_code == 2
        assert "GS001" in result.output
        assert words in result.output


def test_facts_in_another_encoding_end_the_command(tmp_path: Path) -> None:
    spec = put(tmp_path / "c.goal", SPEC)
    facts = put(tmp_path / "facts.json", FACTS.encode("utf-16"))
    result = goalspec("check", spec, "--facts", facts, "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "GS503" in result.stderr


@pytest.mark.parametrize(
    "settings",
    [
        b"[tool.goalspec\n",
        b'[tool.goalspec]\nselekt = ["ALL"]\n',
        b"[tool.goalspec]\nselect = 3\n",
        codecs.BOM_UTF8 + b"[tool.goalspec\n",
        b"[tool.goalspec]\n".decode().encode("utf-16"),
    ],
    ids=["no TOML", "an unknown key", "a wrong value", "a mark", "UTF-16"],
)
def test_settings_that_cannot_be_read_are_never_left_out(tmp_path: Path, settings: bytes) -> None:
    spec = put(tmp_path / "c.goal", SPEC)
    put(tmp_path / "pyproject.toml", settings)
    result = goalspec("lint", spec)
    assert result.exit_code == 2
    assert "pyproject.toml" in result.output
