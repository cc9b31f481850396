"""C097: no construct that takes a path leads out of the project: not absolute, not upwards, not by a
link, not in the spelling of another system; and no circle is followed."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec.tests.cases.commands import goalspec, put

SECRET = "facts {\n  outside.secret : bool\n}\n"
GOAL = 'goal g {\n  objective "o"\n  criterion c "It holds" check outside.secret\n}\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project beside a file that it may not read."""
    put(tmp_path / "secret.goal", SECRET)
    root = tmp_path / "project"
    put(root / "pyproject.toml", "[tool.goalspec]\n")
    return root


def refused(spec: Path) -> None:
    """Nothing of the secret file was taken: the path and its fact are errors, and none is quoted."""
    result = goalspec("lint", spec)
    assert result.exit_code in (1, 2)
    assert "outside.secret : bool" not in result.output
    assert "error[" in result.output


TARGETS = [
    "../secret.goal", "sub/../../secret.goal", "./../secret.goal", "/etc/secret.goal",
    "//host/share/secret.goal", r"\\\\host\\share\\secret.goal", r"C:\\secret.goal",
    r"..\\secret.goal", "C:/secret.goal", "file:///secret.goal", "~/secret.goal",
    "secret.goal\\u{0}", "SECRET.GOAL", "", ".", "..", "*.goal",
]  # fmt: skip


@pytest.mark.parametrize("target", TARGETS)
def test_use_does_not_lead_out(project: Path, target: str) -> None:
    refused(put(project / "c.goal", f'use "{target}"\n{GOAL}'))


def test_an_absolute_path_is_refused_though_the_file_is_there(project: Path) -> None:
    refused(put(project / "c.goal", f'use "{project.parent / "secret.goal"}"\n{GOAL}'))


@pytest.mark.parametrize("linked", ["file", "folder", "link to a link"])
def test_a_link_does_not_lead_out(project: Path, linked: str) -> None:
    outside = project.parent
    if linked == "file":
        (project / "inner.goal").symlink_to(outside / "secret.goal")
    elif linked == "folder":
        (project / "inner").symlink_to(outside, target_is_directory=True)
    else:
        (project / "step.goal").symlink_to(outside / "secret.goal")
        (project / "inner.goal").symlink_to(project / "step.goal")
    target = "inner/secret.goal" if linked == "folder" else "inner.goal"
    refused(put(project / "c.goal", f'use "{target}"\n{GOAL}'))


def test_a_link_inside_the_project_is_followed(project: Path) -> None:
    put(project / "shared" / "facts.goal", SECRET)
    (project / "inner.goal").symlink_to(project / "shared" / "facts.goal")
    spec = put(project / "c.goal", f'use "inner.goal"\n{GOAL}')
    assert goalspec("lint", spec).exit_code == 0


@pytest.mark.parametrize("names", [["a"], ["a", "b"], ["a", "b", "c"]])
def test_a_circle_is_an_error(project: Path, names: list[str]) -> None:
    for name, after in zip(names, names[1:] + names[:1], strict=True):
        put(project / f"{name}.goal", f'use "{after}.goal"\n')
    result = goalspec("lint", project / "a.goal")
    assert result.exit_code == 1
    assert "GS214" in result.output


def test_a_link_to_itself_ends(project: Path) -> None:
    (project / "loop.goal").symlink_to(project / "loop.goal")
    refused(put(project / "c.goal", f'use "loop.goal"\n{GOAL}'))
    assert goalspec("lint", project / "loop.goal").exit_code == 2


PATTERNS = ["../**", "/etc/**", "a/../../b", r"..\\**"]


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize(
    "part", ['protect "{0}"', 'criterion d "o" check any f in a.files: f like "{0}"']
)
def test_a_glob_does_not_lead_out(project: Path, part: str, pattern: str) -> None:
    text = (
        "facts {\n  a.files : set of path\n}\n\n"
        'goal g {\n  objective "o"\n  criterion c "It holds" check count(a.files) > 0\n'
        f"  {part.format(pattern)}\n}}\n"
    )
    result = goalspec("lint", put(project / "c.goal", text))
    assert result.exit_code in (1, 2)
    assert ":8:" in result.output


@pytest.mark.parametrize("value", ["../x", "a/../../x", "/etc/passwd", "a\\u0000b", ""])
def test_a_fact_does_not_lead_out(project: Path, value: str) -> None:
    text = (
        "facts {\n  a.files : set of path\n}\n\n"
        'goal g {\n  objective "o"\n  criterion c "It holds" check count(a.files) > 0\n}\n'
    )
    spec = put(project / "c.goal", text)
    facts = put(project / "facts.json", f'{{"a.files": ["b.py", "{value}"]}}')
    result = goalspec("check", spec, "--facts", facts)
    assert result.exit_code == 3
    assert "GS501" in result.stderr


@pytest.mark.parametrize("folder", ["..", "../x", "a/../../x", "/srv", "a\\u{0}"])
def test_a_source_runs_inside_the_project(project: Path, folder: str) -> None:
    text = (
        f'facts from run "npm test" in "{folder}" {{\n  a.ok : bool\n}}\n\n'
        'goal g {\n  objective "o"\n  criterion c "It holds" check a.ok\n}\n'
    )
    result = goalspec("lint", put(project / "c.goal", text))
    assert result.exit_code in (1, 2)
    assert "c.goal:1:" in result.output
