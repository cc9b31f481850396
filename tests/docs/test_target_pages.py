"""The pages of targets are in step with their code, and the guide's example of a target of one's own
works as it stands there."""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner
from goalspec import load
from goalspec.cli import group
from goalspec.compiler.targets.registry import BUILT_IN, Installed, find_target
from goalspec.compiler.targets.target import Request

DOCS = Path(__file__).resolve().parents[2] / "docs"
GUIDE = DOCS / "targets.md"
PAGES = DOCS / "targets"
EXAMPLE = PAGES / "example.goal"
MADE = "<!-- Made by tests/docs/test_target_pages.py; renew with `pytest --update-golden`. -->"
_SHOWN = 100  # lines of an artifact on its page, half of them from its end
_LANGUAGES = {"json": "json", "md": "markdown", "py": "python", "toml": "toml"} | {
    "mjs": "javascript", "mts": "typescript",
}  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the example's goal file alone."""
    (tmp_path / ".git").mkdir()
    shutil.copy(EXAMPLE, tmp_path)
    return tmp_path


def page(target: Installed, goal_file: Path) -> str:
    """What a target's module says of it, and what it makes of the example's file."""
    found = target.target
    module = import_module(f"goalspec.compiler.targets.{found.name.replace('-', '_')}")
    assert module.__doc__ is not None
    parts = [MADE, f"# {found.name}", module.__doc__.strip()]
    if found.renders:
        parts.append("It takes [templates of your own](../targets.md#templates-of-your-own).")
    parts += ["## Example", "What it makes of [this goal file](example.goal):"]
    for artifact in target.artifacts(Request(load(goal_file), goal_file.stem)):
        language = _LANGUAGES.get(artifact.name.rpartition(".")[2], "")
        parts += [f"`{artifact.name}`", fenced(cut(artifact.text), language)]
    return "\n\n".join(parts) + "\n"


def cut(text: str) -> str:
    """*text* without its middle, where it is long, and no line wider than a page."""
    lines = [line if len(line) <= 400 else f"{line[:400]} […]" for line in text.splitlines()]
    if len(lines) > _SHOWN:
        lines[_SHOWN // 2 : -_SHOWN // 2] = ["", "[…]", ""]
    return "\n".join(lines)


def fenced(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    marks = "`" * max(3, longest + 1)
    return f"{marks}{language}\n{text}\n{marks}"


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_page_of_a_target_is_in_step(
    name: str, project: Path, golden: Callable[[Path, str], None]
) -> None:
    golden(PAGES / f"{name}.md", page(find_target(name), project / EXAMPLE.name))


def test_no_page_is_left_of_a_target_that_is_gone() -> None:
    known = {PAGES / f"{name}.md" for name in BUILT_IN} | {EXAMPLE}
    assert set(PAGES.iterdir()) == known


def test_the_example_is_in_order() -> None:
    for command in (["lint", str(EXAMPLE)], ["fmt", "--check", str(EXAMPLE)]):
        assert CliRunner().invoke(group, command).exit_code == 0


def test_links_of_the_pages_lead_to_files() -> None:
    for path in PAGES.glob("*.md"):
        text = re.sub(r"^(`{3,}).*?^\1$|`[^`\n]*`", "", path.read_text("utf-8"), flags=re.M | re.S)
        for link in re.findall(r"\]\(([^)#\s]+)", text):
            assert (path.parent / link).exists(), (path.name, link)


# --- the guide's target


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE.read_text("utf-8"), re.M | re.S)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The guide's package, installed as `pip` would: what its pyproject.toml says."""
    site = tmp_path / "site"
    [pyproject], [module] = blocks("toml"), blocks("python")
    project = tomllib.loads(pyproject)["project"]
    [name] = tomllib.loads(pyproject)["tool"]["setuptools"]["py-modules"]
    info = site / f"{name}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (site / f"{name}.py").write_text(module, "utf-8")
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    points = project["entry-points"]["goalspec.targets"]
    lines = "".join(f"{target} = {place}\n" for target, place in points.items())
    (info / "entry_points.txt").write_text(f"[goalspec.targets]\n{lines}", "utf-8")
    monkeypatch.syspath_prepend(site)
    monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def run(*arguments: str | Path) -> str:
    result = CliRunner().invoke(group, [*map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.mark.row("X07")
def test_the_guides_target_works_as_it_is_written(installed: Path) -> None:
    out = installed / "out"
    command = ("compile", EXAMPLE, "--target", "outline,json", "-o", out)
    run(*command)
    run(*command, "--check")
    assert sorted(path.name for path in out.iterdir()) == ["example.json", "fix-login.outline"]
    assert "A goal's criteria, one a line. (of goal-outline)" in run("targets")


def test_the_guide_shows_what_its_target_prints(installed: Path) -> None:
    [shown] = blocks("text")
    command, first, *rest = shown.splitlines()
    assert command == "$ goalspec compile login.goal --target outline"
    printed = run("compile", EXAMPLE, "--target", "outline").splitlines()
    assert printed[0].startswith(re.sub("c1:.*", "c1:", first))
    assert printed[1 : len(rest) + 1] == rest


def test_the_guide_names_commands_that_there_are(project: Path) -> None:
    (project / "specs").mkdir()
    shutil.copy(EXAMPLE, project / "specs" / "login.goal")
    for line in "".join(blocks("sh")).splitlines():
        words = line.partition("#")[0].split()
        assert words[0] == "goalspec"
        paths = [str(project / w) if w.startswith(("specs", "build")) else w for w in words[1:]]
        run(*paths)
