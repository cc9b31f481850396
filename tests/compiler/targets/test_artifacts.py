"""What holds for the artifacts of every target: they are the golden ones, they are stamped, they say
what they are called, and nothing but the goal file changes a byte of them.

A target that is added is covered as soon as it is registered; its golden files are written by
`pytest --update-golden`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from goalspec import load
from goalspec.cli import group
from goalspec.compiler.ir.document import Document
from goalspec.compiler.targets.registry import BUILT_IN, find_target
from goalspec.compiler.targets.target import Artifact, Request, read_stamp

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = Path(__file__).parent / "golden"
# The documentation's goal, one that takes all from a captain's presets, and one that a judge closes.
GOALS = (
    ROOT / "docs" / "targets" / "example.goal",
    ROOT / "specs" / "examples" / "merge.goal",
    ROOT / "specs" / "examples" / "review.goal",
)
_LONG = 1_000  # lines: what is longer holds a library, which has tests of its own
_HEAD, _TAIL = 60, 300


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the goal files at its root, so that no path of this checkout is in them."""
    folder = tmp_path_factory.mktemp("project")
    (folder / ".git").mkdir()
    for path in GOALS:
        shutil.copy(path, folder)
    return folder


@cache
def loaded(path: Path) -> Document:
    return load(path)


def artifacts(name: str, path: Path) -> tuple[Artifact, ...]:
    return find_target(name).artifacts(Request(loaded(path), path.stem))


each_target = pytest.mark.parametrize("name", BUILT_IN)
each_goal = pytest.mark.parametrize("goal", [path.name for path in GOALS])


@each_target
@each_goal
def test_artifacts_are_the_golden_ones(
    name: str, goal: str, project: Path, golden: Callable[[Path, str], None]
) -> None:
    for artifact in artifacts(name, project / goal):
        golden(golden_file(goal, artifact), shortened(artifact.text))


def golden_file(goal: str, artifact: Artifact) -> Path:
    """Where an artifact's golden text is; one that was shortened is no program any more."""
    ending = ".txt" if shortened(artifact.text) != artifact.text else ""
    return GOLDEN / Path(goal).stem / f"{artifact.name}{ending}"


def shortened(text: str) -> str:
    lines = text.splitlines()
    if len(lines) <= _LONG:
        return text
    return "\n".join([*lines[:_HEAD], "[…]", *lines[-_TAIL:], ""])


def test_no_golden_file_is_left_of_an_artifact_that_is_gone(project: Path) -> None:
    made = {
        golden_file(path.name, artifact)
        for path in GOALS for name in BUILT_IN for artifact in artifacts(name, project / path.name)
    }  # fmt: skip
    assert {path for path in GOLDEN.rglob("*") if path.is_file()} == made


@each_target
@each_goal
def test_artifacts_are_stamped_and_named_as_their_target_says(
    name: str, goal: str, project: Path
) -> None:
    path = project / goal
    [compiled] = loaded(path).goals
    made = artifacts(name, path)
    forms = [
        form.replace("GOAL", compiled.id).replace("STEM", path.stem)
        for form in find_target(name).target.writes
    ]
    pythonic = [form.replace("-", "_") for form in forms]  # a Python module's name
    assert made
    for artifact in made:
        assert artifact.name in forms or artifact.name in pythonic
        assert artifact.text.endswith("\n")
        assert compiled.contract in artifact.text
        if name != "json":  # whose stamp is its own content
            assert read_stamp(artifact.text) == {"target": name, "goal": compiled.id}
        if artifact.name.endswith(".json"):
            json.loads(artifact.text)


@each_target
def test_an_artifact_changes_with_the_contract_and_with_nothing_else(
    name: str, tmp_path: Path
) -> None:
    text = GOALS[0].read_text("utf-8")
    changed = text.replace("for 2 runs", "for 3 runs")
    assert changed != text
    one, same, other = (tmp_path / f"{folder}/example.goal" for folder in "abc")
    for path, content in ((one, text), (same, text), (other, changed)):
        (path.parent / ".git").mkdir(parents=True)
        path.write_text(content, "utf-8")
    assert artifacts(name, one) == artifacts(name, same)
    assert artifacts(name, one) != artifacts(name, other)


# --- nothing but the goal file

# Compiles on another day: the clock of `time` and `datetime` is replaced before goalspec is there.
_ON = """\
import datetime, sys, time
class Then(datetime.datetime):
    @classmethod
    def now(cls, tz=None): return cls.fromtimestamp(time.time(), tz)
    utcnow = today = now
now = float(sys.argv.pop(1))
time.time = lambda: now
time.time_ns = lambda: int(now * 1e9)
datetime.datetime = Then
from goalspec.cli import main
sys.argv[0] = "goalspec"
main()
"""


def compiled(project: Path, out: Path, *, arguments: list[str], at: float, **settings: str) -> None:
    command = ["compile", *arguments, "--target", ",".join(BUILT_IN), "-o", str(out)]
    environment = {**os.environ, "GOALSPEC_CACHE_DIR": str(out.parent / "cache"), **settings}
    folder = settings.pop("folder", str(project))
    done = subprocess.run(
        [sys.executable, "-c", _ON, str(at), *command],
        capture_output=True, text=True, env=environment, cwd=folder, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.row("X07")
def test_the_same_bytes_whenever_and_wherever(project: Path, tmp_path: Path) -> None:
    names = [path.name for path in GOALS]
    absolute = [str(project / name) for name in reversed(names)]
    compiled(project, tmp_path / "one", arguments=names, at=1e9, PYTHONHASHSEED="0", TZ="UTC")
    compiled(
        project, tmp_path / "two", arguments=absolute, at=2e9, PYTHONHASHSEED="4242",
        TZ="Asia/Kathmandu", LC_ALL="C", PYTHONUTF8="0", NO_COLOR="1", folder=str(tmp_path),
    )  # fmt: skip
    compiled(  # no cache: what was compiled once is compiled again
        project, tmp_path / "three", arguments=[".", names[0]], at=1.7e9, PYTHONHASHSEED="7",
        LC_ALL="tr_TR.UTF-8", LANG="tr_TR.UTF-8", GOALSPEC_CACHE_DIR="", COLUMNS="20",
    )  # fmt: skip
    one, two, three = (contents(tmp_path / name) for name in ("one", "two", "three"))
    assert len(one) >= len(GOALS) * len(BUILT_IN)
    assert one == two == three


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@each_target
def test_what_is_compiled_is_current_until_a_goal_is_gone(
    name: str, project: Path, tmp_path: Path
) -> None:
    def run(goals: Path, *more: str) -> Result:
        command = ["compile", str(goals), "--target", name, "-o", str(tmp_path), *more]
        return CliRunner().invoke(group, command, catch_exceptions=False)

    assert run(project).exit_code == 0
    assert run(project, "--check").exit_code == 0
    one = run(project / GOALS[0].name, "--check")
    assert one.exit_code == 1
    gone = sorted(a.name for path in GOALS[1:] for a in artifacts(name, project / path.name))
    assert [line.partition(":")[0] for line in one.stderr.splitlines()] == [
        str(tmp_path / file) for file in gone
    ]
