"""The project's settings: what `[tool.goalspec]` can say, and what is said of what it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec.compiler.lint.config import ANYTHING, BadConfig, Config, Question, load_config
from goalspec.compiler.project import find_root

TABLE = """\
[tool.goalspec]
select = ["ALL"]
ignore = ["missing-id"]
exclude = ["vendor/**", "**/old_*.goal"]
baseline = "known.json"
[tool.goalspec.per-file-ignores]
"legacy/**" = ["GS402", "GS403"]
"**/a.goal" = ["GS410"]
"""


def settings(folder: Path, text: str | bytes) -> Config:
    data = text.encode() if isinstance(text, str) else text
    (folder / "pyproject.toml").write_bytes(data)
    return load_config(folder)


def test_every_key(tmp_path: Path) -> None:
    config = settings(tmp_path, TABLE)
    assert config.question("b.goal", ANYTHING) == Question(("ALL",), ("missing-id",))
    assert config.question("legacy/a.goal", ANYTHING) == Question(
        ("ALL",), ("missing-id", "GS402", "GS403", "GS410")
    )
    assert config.baseline == "known.json"
    places = ("vendor/x.goal", "a/b/old_1.goal", "old_1.goal", "a/vendor/x.goal", "new.goal")
    assert [config.excludes(place) for place in places] == [True, True, True, False, False]


def test_the_command_line_replaces_select_and_joins_ignore(tmp_path: Path) -> None:
    config = settings(tmp_path, TABLE)
    asked = Question(("GS402",), ("GS405",))
    assert config.question("b.goal", asked) == Question(("GS402",), ("missing-id", "GS405"))


@pytest.mark.parametrize(
    "text",
    ["", "[tool.other]\n", "[tool.goalspec]\n", "tool = 5\n", 'tool = "goalspec"\n', "[[tool]]\n"],
)
def test_without_settings_everything_is_looked_for(tmp_path: Path, text: str) -> None:
    assert settings(tmp_path, text) == Config(tmp_path)
    assert load_config(tmp_path / "nowhere") == Config(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tool.goalspec = 5", "it is a table"),
        ("[[tool.goalspec]]", "it is a table"),
        ("[tool.goalspec]\nselct = []", "there is no key `selct`; did you mean `select`?"),
        ("[tool.goalspec]\nper_file_ignores = {}", "did you mean `per-file-ignores`?"),
        ("[tool.goalspec]\nq = 1", "known are select, ignore, exclude, baseline, per-file-ignores"),
        ('[tool.goalspec]\nselect = "GS402"', "`select` is a list of strings"),
        ("[tool.goalspec]\nignore = [402]", "`ignore` is a list of strings"),
        ("[tool.goalspec]\nbaseline = 5", "`baseline` is a path"),
        ('[tool.goalspec]\nexclude = ["../x"]', "`exclude`: `../x`: "),
        ('[tool.goalspec]\nexclude = ["a{b,c}"]', "`exclude`: `a{b,c}`: "),
        ("[tool.goalspec]\nper-file-ignores = []", "`per-file-ignores` is a table of globs"),
        ('[tool.goalspec]\nper-file-ignores."/x" = []', "`per-file-ignores`: `/x`: "),
        ('[tool.goalspec]\nper-file-ignores.x = "GS402"', "`per-file-ignores.x` is a list"),
    ],
)
def test_what_the_table_cannot_say(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BadConfig) as raised:
        settings(tmp_path, text)
    assert str(raised.value).startswith(f"{tmp_path / 'pyproject.toml'}: [tool.goalspec]: ")
    assert says in str(raised.value)


@pytest.mark.parametrize(
    "text",
    ["[tool", "a = 1\na = 2\n", b"\xff\xfe", b"a = '\xe9'", "x = " + "[" * 5_000 + "]" * 5_000],
    ids=["cut", "twice", "utf-16", "latin-1", "deep"],
)
def test_a_file_that_is_no_toml(tmp_path: Path, text: str | bytes) -> None:
    with pytest.raises(BadConfig) as raised:
        settings(tmp_path, text)
    assert str(raised.value).startswith(f"{tmp_path / 'pyproject.toml'}: ")
    below = tmp_path / "below"
    below.mkdir()
    assert find_root(below) == below  # such a file makes no root


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").mkdir()
    with pytest.raises(BadConfig):
        load_config(tmp_path)


@pytest.mark.parametrize(
    ("text", "is_root"), [("[tool.goalspec]", True), ("[tool.other]", False), ("tool = 5", False)]
)
def test_the_root_is_where_the_table_is(tmp_path: Path, text: str, is_root: bool) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert find_root(below) == (tmp_path if is_root else below)


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../known.json", "a/../../known.json", "link.json"]
)
def test_a_baseline_stays_inside_the_project(tmp_path: Path, name: str) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "known.json").write_text("{}")
    (project / "link.json").symlink_to(tmp_path / "known.json")
    with pytest.raises(BadConfig, match="leads out of the project"):
        settings(project, f'[tool.goalspec]\nbaseline = "{name}"\n')
    assert (
        settings(project, '[tool.goalspec]\nbaseline = "a/known.json"\n').baseline == "a/known.json"
    )
