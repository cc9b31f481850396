"""What a project copies to adopt the linter is true: the hooks that this repository offers, and
every command of the guides on linting and CI, run in a project that is in order."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from goalspec.cli import COMMANDS, group
from goalspec.compiler.lint.config import ANYTHING, KEYS, load_config

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs" / name for name in ("ci.md", "linting.md")]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GOAL = (
    "facts {\n  suite.passed : bool\n}\n\n"
    'goal green {\n  objective "Make the suite pass."\n'
    '  criterion green "The suite passes"\n    check suite.passed\n}\n'
)


def blocks(language: str) -> Iterator[str]:
    for page in PAGES:
        for found, text in _BLOCK.findall(page.read_text("utf-8")):
            if found == language:
                yield text


def commands() -> list[str]:
    """Each `goalspec …` of the pages' shell and YAML blocks, comments left out."""
    lines = [line for kind in ("sh", "yaml") for text in blocks(kind) for line in text.splitlines()]
    found = (
        re.fullmatch(r"(?:\s*- )?(?:\s*run: )?(goalspec .*?)(?:\s+#.*)?", line) for line in lines
    )
    return list(dict.fromkeys(match[1] for match in found if match))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / ".git").mkdir()
    for name in ("specs/a.goal", "old/deep/b.goal"):
        path = folder / name
        path.parent.mkdir(parents=True)
        path.write_text(GOAL)
    (folder / "goalspec-baseline.json").write_text('{"version": 1, "findings": []}')
    return folder


def test_the_pages_have_commands() -> None:
    assert len(commands()) >= 20
    assert sum("--watch" in command for command in commands()) == 1


@pytest.mark.row("D8")
@pytest.mark.parametrize("command", [c for c in commands() if "--watch" not in c])
def test_a_command_of_the_guides_succeeds(project: Path, command: str) -> None:
    python = shlex.join([sys.executable, "-m", "goalspec"])
    run = subprocess.run(
        ["sh", "-c", f'goalspec() {{ {python} "$@"; }}\n{command}'],
        cwd=project, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "GOALSPEC_CACHE_DIR": str(project / ".cache")},
    )  # fmt: skip
    assert (run.returncode, run.stderr if run.returncode else "") == (0, "")


def test_the_settings_that_the_guide_shows_are_read(tmp_path: Path) -> None:
    [table] = blocks("toml")
    (tmp_path / "pyproject.toml").write_text(table)
    config = load_config(tmp_path)
    assert all(re.search(rf"\b{key}\b", table) for key in KEYS)
    assert config.excludes("vendor/a/b.goal")
    from goalspec.compiler.lint.selection import select

    question = config.question("drafts/a.goal", ANYTHING)
    assert "GS402" in select(question.select, question.ignore)
    assert "GS430" not in select(question.select, question.ignore)


# --- the hooks of pre-commit


def hooks() -> list[dict[str, str]]:
    """The entries of the file, which is a list of flat mappings of plain texts."""
    found: list[dict[str, str]] = []
    for line in (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8").splitlines():
        match = re.fullmatch(r"(- |  )([a-z_]+): (\S.*)", line)
        assert match, line
        if match[1] == "- ":
            found.append({})
        assert match[2] not in found[-1]
        found[-1][match[2]] = match[3]
    return found


@pytest.mark.row("X09")
def test_the_hooks() -> None:
    assert {hook["id"] for hook in hooks()} == {"goalspec-lint", "goalspec-fmt"}
    for hook in hooks():
        assert set(hook) >= {"name", "description", "entry", "language", "files"}
        assert hook["language"] == "python"
        program, command, *options = shlex.split(hook["entry"])
        assert (program, hook["id"]) == ("goalspec", f"goalspec-{command}")
        known = group.get_command(click.Context(group), command)
        assert command in COMMANDS and known is not None
        assert set(options) <= {name for param in known.params for name in param.opts}
        for name, taken in (
            ("a.goal", True),
            ("deep/b.goal", True),
            ("a.goals", False),
            ("goal", False),
        ):
            assert bool(re.search(hook["files"], name)) is taken


def test_the_guide_names_the_hooks() -> None:
    named = {id for text in blocks("yaml") for id in re.findall(r"- id: (\S+)", text)}
    assert named == {hook["id"] for hook in hooks()}


def test_what_the_hooks_run_fails_where_a_file_is_bad(tmp_path: Path) -> None:
    bad = tmp_path / "bad.goal"
    bad.write_text(GOAL.replace("check suite", "check suit"))
    for hook in hooks():
        command = shlex.split(hook["entry"])[1:]
        result = CliRunner().invoke(group, [*command, str(bad)])
        assert (result.exit_code != 0) is (command == ["lint"])
