"""`goalspec report`: where the page goes, and what is said where there is none."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from goalspec.cli import group
from goalspec.runtime.goals import Goals
from goalspec.runtime.lifecycle.commands import Create, Pause
from goalspec.runtime.store import open_store
from goalspec.tests.runtime.convergence.loop import checked


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with the session `s1`, in a folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "goals.sqlite"
    add(file, "s1")
    return file


def add(file: Path, session: str) -> None:
    store = open_store(str(file))
    goals = Goals(store)
    goals.perform(session, Create(goal=checked()), "person")
    goals.perform(session, Pause(reason="lunch\x1b[31m <b>"), "person")
    store.close()


def report(*arguments: str) -> Result:
    return CliRunner(env={"GOALSPEC_STORE": None, "GOALSPEC_SESSION": None}).invoke(
        group, ["report", *arguments], prog_name="goalspec", catch_exceptions=False
    )


def refused(result: Result, says: str) -> bool:
    said = result.stderr.startswith("goalspec: error[") and says in result.stderr
    return (result.exit_code, result.stdout, said) == (2, "", True)


def test_a_file_of_the_sessions_name_is_written(store: Path) -> None:
    result = report("s1", "--store", str(store))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "wrote goalspec-s1.html\n"
    text = Path("goalspec-s1.html").read_text("utf-8")
    assert text.startswith("<!doctype html>\n<html lang=")
    assert text.endswith("</html>\n")
    assert "lunch\\u{1b}[31m &lt;b&gt;" in text


@pytest.mark.skipif(os.name != "posix", reason="there are no modes")
def test_nobody_else_may_read_it(store: Path) -> None:
    report("s1", "--store", str(store), "-o", "out/page.html")
    assert stat.S_IMODE(Path("out/page.html").stat().st_mode) == 0o600


def test_the_same_session_gives_the_same_bytes_wherever_they_go(store: Path) -> None:
    report("s1", "--store", str(store), "-o", "a.html")
    report("s1", "--store", str(store), "-o", "a.html")
    printed = report("s1", "--store", str(store), "-o", "-")
    assert (printed.exit_code, printed.stderr) == (0, "")
    assert printed.stdout_bytes == Path("a.html").read_bytes()


def test_what_the_page_has_as_json(store: Path) -> None:
    result = report("s1", "--store", str(store), "--json")
    assert result.exit_code == 0
    page = json.loads(result.stdout)
    assert page["session"] == "s1"
    assert page["standing"]["name"] == "paused"
    assert page["standing"]["reason"] == "lunch\x1b[31m <b>"
    assert [line["kind"] for line in page["journal"]["first"]] == ["created", "status_changed"]
    assert "\x1b" not in result.stdout
    assert not list(Path().glob("*.html"))


def test_json_goes_without_a_file(store: Path) -> None:
    result = report("s1", "--store", str(store), "--json", "-o", "a.html")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--json prints to standard output" in result.stderr


@pytest.mark.parametrize(
    ("session", "name"),
    [
        ("../../etc/x", "goalspec-.._.._etc_x.html"), ("a b", "goalspec-a_b.html"),
        ("sé", "goalspec-s_.html"), ("x" * 200, f"goalspec-{'x' * 100}.html"),
    ],
)  # fmt: skip
def test_an_odd_name_of_a_session_names_a_plain_file(store: Path, session: str, name: str) -> None:
    add(store, session)
    result = report(session, "--store", str(store))
    assert (result.exit_code, result.stderr) == (0, f"wrote {name}\n")
    assert Path(name).is_file()


def test_the_session_may_be_named_by_the_environment(store: Path) -> None:
    environment = {"GOALSPEC_SESSION": "s1", "GOALSPEC_STORE": str(store)}
    result = CliRunner(env=environment).invoke(group, ["report", "-o", "-"])
    assert result.exit_code == 0


def test_a_session_that_is_none(store: Path) -> None:
    assert refused(report("s2", "--store", str(store)), "the store has no session `s2`")
    assert not list(Path().glob("*.html"))


def test_without_a_session() -> None:
    assert report().exit_code == 2


@pytest.mark.parametrize(
    ("spoils", "says"),
    [
        ("UPDATE goalspec_journal SET event = '{' WHERE number = 2", "s1"),
        ("UPDATE goalspec_sessions SET record = 'x'", "s1"),
        (
            'UPDATE goalspec_journal SET event = replace(event, \'"objective":"Ship it."\','
            " '\"objective\":7') WHERE number = 1",
            "has what is no record's",
        ),
    ],
)
def test_a_session_that_cannot_be_read(store: Path, spoils: str, says: str) -> None:
    with sqlite3.connect(store) as database:
        assert database.execute(spoils).rowcount == 1
    assert refused(report("s1", "--store", str(store)), says)


def test_a_journal_that_was_changed_is_reported_as_such(store: Path) -> None:
    with sqlite3.connect(store) as database:
        database.execute("UPDATE goalspec_journal SET event = replace(event, 'lunch', 'theft')")
    result = report("s1", "--store", str(store), "-o", "-")
    assert result.exit_code == 0
    assert "The journal is not whole" in result.stdout


@pytest.mark.parametrize("target", ["folder", "file/page.html", "readonly/page.html"])
def test_a_place_that_cannot_be_written(store: Path, target: str) -> None:
    Path("folder").mkdir()
    Path("file").write_text("")
    Path("readonly").mkdir(mode=0o500)
    if target.startswith("readonly") and os.access("readonly", os.W_OK):
        pytest.skip("this user may write everywhere")
    result = report("s1", "--store", str(store), "-o", target)
    assert (result.exit_code, result.stdout) == (2, "")
    assert target in result.stderr


def test_a_store_that_is_none(store: Path) -> None:
    Path("broken.sqlite").write_text("no database")
    assert refused(report("s1", "--store", "broken.sqlite"), "broken.sqlite")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_written_to_and_not_replaced(store: Path) -> None:
    os.mkfifo("pipe")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(Path("pipe").read_text("utf-8")))
    reader.start()
    result = report("s1", "--store", str(store), "-o", "pipe")
    reader.join(20)
    assert result.exit_code == 0
    assert read[0].endswith("</html>\n")
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)
