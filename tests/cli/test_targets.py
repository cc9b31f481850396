"""Targets that other packages bring: found by their entry points, imported only when they are asked
for, and named in one line where they are broken."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from goalspec.cli import group
from goalspec.compiler.targets.registry import BUILT_IN, all_targets, find_target

ROOT = Path(__file__).resolve().parents[2]
GOAL = 'goal g {\n  objective "Ship it."\n  criterion c "It is shipped"\n}\n\n'
OUTLINE = """\
from goalspec.compiler.targets.target import Artifact, Refusal, Target, stamp_line

def outline(request):
    for goal in request.document.goals:
        yield Artifact(f"{goal.id}.outline", f"# {stamp_line(goal, 'outline')}\\n{goal.objective}\\n")

TARGET = Target(
    name="outline", summary="The objective.", writes=("GOAL.outline",), artifacts=outline
)
"""
Plugin = Callable[..., None]


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plugin:
    """Installs a package whose one module has a text, under a target's name."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(site)

    def install(text: str, name: str = "outline", package: str = "goal-outline") -> None:
        module = package.replace("-", "_")
        (site / f"{module}.py").write_text(text, "utf-8")
        info = site / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(
            f"[goalspec.targets]\n{name} = {module}:TARGET\n", "utf-8"
        )
        monkeypatch.delitem(sys.modules, module, raising=False)

    return install


def run(*arguments: str | Path, stdin: str = GOAL) -> Result:
    return CliRunner().invoke(group, [*map(str, arguments)], input=stdin, catch_exceptions=False)


def compiled(*more: str | Path, target: str = "outline", stdin: str = GOAL) -> Result:
    return run("compile", "-", "--target", target, *more, stdin=stdin)


# --- goalspec's own


def test_the_table_of_goalspecs_own_is_that_of_its_entry_points() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["goalspec.targets"] == {
        name: f"goalspec.compiler.targets.{name.replace('-', '_')}:TARGET" for name in BUILT_IN
    }


@pytest.mark.parametrize("name", BUILT_IN)
def test_goalspecs_own_are_what_their_names_say(name: str) -> None:
    found = find_target(name)
    assert (found.target.name, found.is_own) == (name, True)
    assert len(found.target.summary.splitlines()) == 1
    assert found.target.writes


def test_goalspecs_own_are_used_without_looking_at_what_is_installed(plugin: Plugin) -> None:
    plugin("raise SystemExit('imported')")
    before = set(sys.modules)
    assert compiled(target="json").exit_code == 0
    assert "goal_outline" not in set(sys.modules) - before


def test_they_are_listed() -> None:
    result = run("targets")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[::2]] == [*BUILT_IN]
    described = json.loads(run("targets", "--json").stdout)
    assert [one["name"] for one in described] == [*BUILT_IN]
    assert described[0] == {
        "name": "json",
        "summary": find_target("json").target.summary,
        "artifacts": ["STEM.json"],
        "templates": False,
        "package": "goalspec",
    }


# --- others'


@pytest.mark.row("X07")
def test_a_target_of_another_package(plugin: Plugin, tmp_path: Path) -> None:
    plugin(OUTLINE)
    result = compiled()
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.endswith("\nShip it.\n")
    assert compiled("-o", tmp_path / "out", target="outline,json").exit_code == 0
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["g.outline", "stdin.json"]
    listed = run("targets")
    assert "outline The objective. (of goal-outline)" in " ".join(listed.stdout.split())
    assert json.loads(run("targets", "--json").stdout)[-1]["package"] == "goal-outline"


def test_a_goal_that_is_gone_leaves_an_artifact_over(plugin: Plugin, tmp_path: Path) -> None:
    plugin(OUTLINE)
    other = GOAL.replace("goal g", "goal h")
    assert compiled("-o", tmp_path / "out", stdin=GOAL + other).exit_code == 0
    assert compiled("-o", tmp_path / "out", "--check", stdin=GOAL + other).exit_code == 0
    result = compiled("-o", tmp_path / "out", "--check")
    assert result.exit_code == 1
    left = tmp_path / "out" / "h.outline"
    assert result.stderr == f"{left}: no goal `h` is compiled to it; delete it\n"


def test_what_another_target_made_is_not_left_over(plugin: Plugin, tmp_path: Path) -> None:
    plugin(OUTLINE)
    other = GOAL.replace("goal g", "goal h")
    assert compiled("-o", tmp_path / "out", stdin=other).exit_code == 0
    assert compiled("-o", tmp_path / "out", target="json").exit_code == 0
    assert compiled("-o", tmp_path / "out", "--check", target="json").exit_code == 0


def test_a_file_without_a_goal(plugin: Plugin, tmp_path: Path) -> None:
    plugin(OUTLINE)
    result = compiled(stdin="facts { a.ok : bool }\n")
    assert result.exit_code == 2
    assert "there is no goal here to compile" in result.stderr
    result = compiled("-o", tmp_path / "out", stdin="facts { a.ok : bool }\n")
    assert (result.exit_code, list(tmp_path.glob("out/*"))) == (0, [])


def test_a_misspelt_name_gets_the_nearest_of_others_too(plugin: Plugin) -> None:
    plugin(OUTLINE)
    assert "did you mean `outline`?" in compiled(target="outlines").stderr


def test_a_refusal_is_told_as_the_target_words_it(plugin: Plugin, tmp_path: Path) -> None:
    plugin(OUTLINE.replace("    for goal", "    raise Refusal('no \\x1b[1mroom')\n    for goal"))
    result = compiled("-o", tmp_path / "out", target="json,outline")
    assert result.exit_code == 2
    assert result.stderr == "<stdin>: error[GS506]: no \\u{1b}[1mroom\n"
    assert not (tmp_path / "out").exists()


PROBLEMS = {
    "import": ("import nowhere", "cannot be imported: ModuleNotFoundError: No module named 'nowhe"),
    "exits": ("raise SystemExit", "cannot be imported: SystemExit"),
    "no object": ("x = 1", "cannot be imported: AttributeError: module 'goal_outline' has no"),
    "wrong object": ("TARGET = 3", "(`goal_outline:TARGET`) is of the type int, not a goalspec Ta"),
    "other name": (OUTLINE.replace('name="outline"', 'name="o"'), "calls itself `o`: both names"),
    "no summary": (OUTLINE.replace("The objective.", ""), "has a summary that is not one line"),
    "long summary": (OUTLINE.replace("The ", "The\\n"), "has a summary that is not one line"),
}  # fmt: skip


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_target_that_cannot_be_had_is_named(plugin: Plugin, problem: str) -> None:
    text, said = PROBLEMS[problem]
    plugin(text)
    for result in (compiled(), run("targets"), run("targets", "--json")):
        assert result.exit_code == 2
        assert "goalspec: error[GS506]: the target `outline` of goal-outline " in result.stderr
        assert said in result.stderr
    assert "json" in run("targets").stdout  # the others are listed all the same
    assert compiled(target="json").exit_code == 0


YIELDED = (
    'Artifact(f"{goal.id}.outline", f"# {stamp_line(goal, \'outline\')}\\n{goal.objective}\\n")'
)
BAD_OUTPUT = {
    "raises": ("1 / 0", "failed: ZeroDivisionError: division by zero"),
    "recursion": ("outline(request)", "gave generator where an Artifact is due"),
    "exits": ("exit(0)", "failed: SystemExit: 0"),
    "no artifact": ('"text"', "gave str where an Artifact is due"),
    "bytes": ('Artifact("a", b"x\\n")', "gave Artifact where an Artifact is due"),
    "folder": ('Artifact("../a", "x\\n")', "names an artifact `../a`: a file name without folders"),
    "backslash": (r'Artifact("..\\a", "x\n")', "names an artifact `..\\a`: a file name without"),
    "dots": ('Artifact("..", "x\\n")', "names an artifact `..`: a file name without folders"),
    "nothing": ('Artifact("", "x\\n")', "names an artifact ``: a file name without folders is due"),
    "nul": ('Artifact("a\\0", "x\\n")', "names an artifact `a\\u{0}`"),
    "no end": ('Artifact("a", "x")', "ends a without a newline"),
    "surrogate": ('Artifact("a", "\\ud800\\n")', "writes a lone surrogate into a"),
}  # fmt: skip


@pytest.mark.parametrize("problem", BAD_OUTPUT)
def test_artifacts_that_cannot_be_written_are_refused(
    plugin: Plugin, problem: str, tmp_path: Path
) -> None:
    made, said = BAD_OUTPUT[problem]
    assert YIELDED in OUTLINE
    plugin(OUTLINE.replace(YIELDED, made))
    result = compiled("-o", tmp_path / "out", target="json,outline")
    assert result.exit_code == 2
    assert f"<stdin>: error[GS506]: the target `outline` of goal-outline {said}" in result.stderr
    assert not (tmp_path / "out").exists()


def test_two_artifacts_of_one_name(plugin: Plugin, tmp_path: Path) -> None:
    plugin(OUTLINE.replace("{goal.id}.outline", "all.outline"))
    result = compiled("-o", tmp_path / "out", stdin=GOAL + GOAL.replace("goal g", "goal h"))
    assert result.exit_code == 2
    assert "two artifacts of <stdin> would both be all.outline" in " ".join(result.stderr.split())


def test_two_targets_of_one_name(plugin: Plugin) -> None:
    plugin(OUTLINE)
    plugin(OUTLINE, package="another")
    for result in (compiled(), run("targets")):
        assert result.exit_code == 2
        said = "the target `outline` is there twice, of another and of goal-outline: uninstall one"
        assert said in result.stderr


def test_goalspecs_own_cannot_be_replaced(plugin: Plugin) -> None:
    plugin(OUTLINE, name="json")
    assert json.loads(compiled(target="json").stdout)["ir_version"] == 1
    result = run("targets")
    assert result.exit_code == 2
    assert "`json` of goal-outline has the name of one of goalspec's own" in result.stderr


def test_a_broken_target_does_not_hide_the_others(plugin: Plugin) -> None:
    plugin("import nowhere")
    plugin(OUTLINE.replace('"outline"', '"plan"'), name="plan", package="planner")
    names = [getattr(found, "target", None) and found.target.name for found in all_targets()]  # type: ignore[union-attr]
    assert names == [*BUILT_IN, None, "plan"]
