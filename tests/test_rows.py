"""The report of rows and rulings, tried on a small project of its own."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

HERE = Path(__file__).parent


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder with the plugin, three rows and two rulings; no other plugin, for speed."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(rows=(HERE / "rows.py").read_text())
    (pytester.path / "rows.toml").write_text(
        'A1 = { due = 2, title = "first" }\n'
        'A2 = { due = "later", title = "second" }\n'
        'A3 = { due = 4, title = "third" }\n'
    )
    (pytester.path / "rulings.toml").write_text('1 = "clocks"\n19 = "operators"\n')
    pytester.makeini("[pytest]\nmarkers =\n  row(id): a row\n  ruling(number): a ruling\n")
    pytester.syspathinsert()
    return pytester


def run(project: pytest.Pytester, test: str, *options: str) -> pytest.RunResult:
    project.makepyfile(test_it=f"import pytest\n{test}")
    return project.runpytest("-p", "rows", "-p", "no:cacheprovider", *options)


def test_the_table_counts_passed_tests_and_lists_what_has_none(project: pytest.Pytester) -> None:
    result = run(
        project,
        """
        @pytest.mark.row("A1")
        @pytest.mark.parametrize("n", [1, 2])
        def test_one(n): pass

        @pytest.mark.row("A1", "A3")
        @pytest.mark.ruling(19)
        def test_two(): pass

        @pytest.mark.row("A2")
        def test_three(): assert False
        """.replace("\n        ", "\n"),
        "--rows",
    )
    result.stdout.fnmatch_lines(
        [
            "*= rows =*",
            "A1      3  issue 2  first",
            "A2      0  later    second",
            "A3      1  issue 4  third",
            "rows without a passing test (1 of 3):",
            "  A2",
            "*= rulings =*",
            "1       0  clocks",
            "19      1  operators",
            "rulings without a passing test (1 of 2):",
            "  1",
        ],
        consecutive=False,
    )


def test_a_row_without_a_test_fails_nothing(project: pytest.Pytester) -> None:
    assert run(project, "def test_one(): pass", "--rows").ret is pytest.ExitCode.OK


def test_nothing_is_printed_unless_asked(project: pytest.Pytester) -> None:
    result = run(project, "@pytest.mark.row('A1')\ndef test_one(): pass")
    result.stdout.no_fnmatch_line("*without a passing test*")


@pytest.mark.parametrize(
    "body",
    [
        "@pytest.mark.skip\n@pytest.mark.row('A1')\ndef test_one(): pass",
        "@pytest.mark.xfail\n@pytest.mark.row('A1')\ndef test_one(): assert False",
        "@pytest.mark.xfail\n@pytest.mark.row('A1')\ndef test_one(): pass",
        "@pytest.mark.row('A1')\n@pytest.mark.usefixtures('no_such')\ndef test_one(): pass",
    ],
    ids=["skipped", "xfailed", "xpassed", "broken in setup"],
)
def test_only_a_passed_call_counts(project: pytest.Pytester, body: str) -> None:
    result = run(project, body, "--rows")
    result.stdout.fnmatch_lines(["A1      0  issue 2  first"])


def test_a_marker_on_a_class_and_on_its_method_add_up(project: pytest.Pytester) -> None:
    result = run(
        project,
        "@pytest.mark.row('A1')\nclass TestIt:\n"
        "  @pytest.mark.row('A1', 'A2')\n  def test_one(self): pass",
        "--rows",
    )
    result.stdout.fnmatch_lines(["A1      1 *", "A2      1 *"])


@pytest.mark.parametrize(
    ("marker", "message"),
    [
        ("row('Z9')", "*test_it.py::test_one: no row 'Z9'"),
        ("ruling(2)", "*test_it.py::test_one: no ruling 2"),
        ("row()", "*test_it.py::test_one: row(…) takes ids, one or more"),
        ("row(id='A1')", "*test_it.py::test_one: row(…) takes ids, one or more"),
    ],
)
def test_a_marker_that_names_no_entry_is_a_usage_error(
    project: pytest.Pytester, marker: str, message: str
) -> None:
    result = run(project, f"@pytest.mark.{marker}\ndef test_one(): pass")
    assert result.ret is pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {message}"])


def test_the_lists_of_this_project_are_complete() -> None:
    rows = tomllib.loads((HERE / "rows.toml").read_text())
    counts = {"H": 21, "S": 16, "M": 10, "P": 12, "X": 16}
    ids = [f"D{n}" for n in range(1, 9)]
    ids += [f"{letter}{n:02}" for letter, count in counts.items() for n in range(1, count + 1)]
    assert list(rows) == ids
    rulings = tomllib.loads((HERE / "rulings.toml").read_text())
    assert list(rulings) == [str(n) for n in range(1, 76) if n != 41]


def test_no_two_entries_of_this_project_share_a_title() -> None:
    rows = tomllib.loads((HERE / "rows.toml").read_text())
    titles = [row["title"] for row in rows.values()]
    titles += tomllib.loads((HERE / "rulings.toml").read_text()).values()
    assert len(set(titles)) == len(titles)
