"""`goalspec replay`: each judgement decided again from the store alone, with its exit codes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from goalspec.cli import group
from goalspec.runtime.lifecycle.commands import Pause
from goalspec.runtime.store import open_store
from goalspec.tests.runtime.judge.goals import GOOD, said
from goalspec.tests.runtime.judged_sessions import JudgedSession
from goalspec.tests.runtime.store.decisions import edit

UNMET = said("continue", cause="unmet")


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of a session that was judged twice."""
    path = tmp_path_factory.mktemp("judged") / "goals.db"
    session = JudgedSession(store=open_store(str(path)))
    assert session.evaluate([UNMET]) == "continuing"
    assert session.evaluate([GOOD]) == "accepted"
    session.store.close()
    return path


@pytest.fixture
def file(judged: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy that a test may change."""
    copy = tmp_path / "goals.db"
    with closing(sqlite3.connect(judged)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    yield copy


def run(path: Path | str, *arguments: str, session: str = "s-1") -> Result:
    return CliRunner().invoke(
        group, ["replay", session, "--store", str(path), *arguments], catch_exceptions=False
    )


def replayed(path: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    result = run(path, "--json", *arguments)
    return result.exit_code, json.loads(result.stdout)


@pytest.mark.row("X14")
def test_the_same_decisions_come_again(file: Path) -> None:
    code, said = replayed(file)
    assert code == 0
    first, second = said["judgements"]
    assert (said["session"], said["problems"]) == ("s-1", [])
    assert first == {
        "evaluation": first["evaluation"], "mode": "full", "recorded": "continue",
        "again": "continue", "same": True, "refused": None, "taken": True,
    }  # fmt: skip
    assert (second["recorded"], second["again"]) == ("accept", "accept")
    result = run(file)
    assert result.exit_code == 0
    assert result.stdout == (
        f"{first['evaluation']}  full  continue  continue  same\n"
        f"{second['evaluation']}  full  accept  accept  same\n"
    )
    assert result.stderr == "2 judgements, 0 refused\n"


@pytest.mark.row("X14")
def test_nothing_is_asked_of_a_network(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    assert run(file).exit_code == 0


def test_one_evaluation_alone(file: Path) -> None:
    _, said = replayed(file)
    second = said["judgements"][1]
    assert replayed(file, "--evaluation", second["evaluation"]) == (
        0, {"session": "s-1", "judgements": [second], "problems": []},
    )  # fmt: skip
    result = run(file, "--evaluation", "none")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "no judgement was recorded\n"


TAMPERED = {
    "evidence": ("kind = 'request'", "wait for the session", "wait for the sesSion", "the evidence"),
    "claim": ("kind = 'request'", "is stable now", "is steady now", "the evidence or the claim"),
    "answer": ("kind = 'judgement'", "It names what", "It shows what", "not the judgement that entry"),
    "filed call": ("kind = 'call'", "It names what", "It shows what", "the calls that were filed"),
    "prompt": ("kind = 'judgement'", "sha256:", "sha255:", "not the judgement that entry"),
    "decision": ("kind = 'judgement'", '"decision":"accept"', '"decision":"blocked"', "not the judgement that entry"),
    "contract": ("kind = 'request'", '"contract":"c1:', '"contract":"c2:', "never had the goal"),
}  # fmt: skip


@pytest.mark.row("X14")
@pytest.mark.parametrize(("where", "old", "new", "why"), TAMPERED.values(), ids=TAMPERED)
def test_what_was_changed_is_refused(file: Path, where: str, old: str, new: str, why: str) -> None:
    last = "number > (SELECT max(number) FROM goalspec_exhibits) - 3"
    changed = f"content = replace(content, '{old}', '{new}')"
    edit(file, f"UPDATE goalspec_exhibits SET {changed} WHERE {where} AND {last}")
    code, said = replayed(file)
    assert code == 1
    first, second = said["judgements"]
    assert first["same"]
    assert (second["same"], second["again"]) == (False, None)
    assert why in second["refused"]
    result = run(file)
    assert result.exit_code == 1
    assert f"refused: {second['refused']}" in result.stdout
    assert result.stderr == "2 judgements, 1 refused\n"


@pytest.mark.row("X14")
def test_a_judgement_that_was_taken_away_is_missed(file: Path) -> None:
    edit(file, "DELETE FROM goalspec_exhibits")
    code, said = replayed(file)
    assert code == 1
    assert [one["recorded"] for one in said["judgements"]] == [None, None]
    assert all("is not there" in one["refused"] for one in said["judgements"])
    assert run(file).stdout.count("  -  -  -  refused: ") == 2


@pytest.mark.row("X14")
def test_a_journal_that_was_changed_shows_nothing(file: Path) -> None:
    """Who changes a judgement must change its hash in the journal, which breaks the chain."""
    changed = 'event = replace(event, \'"exhibit":"sha256:\', \'"exhibit":"sha256:0\')'
    edit(file, f"UPDATE goalspec_journal SET {changed}")
    result = run(file)
    assert result.exit_code == 1
    assert "session s-1: error[journal]: entry " in result.stderr
    assert replayed(file)[1]["problems"]


def test_a_judgement_that_no_run_took_up_is_said(tmp_path: Path) -> None:
    path = tmp_path / "goals.db"
    session = JudgedSession(store=open_store(str(path)))
    session.evaluate([GOOD], taken=False)
    session.store.close()
    result = run(path)
    assert result.exit_code == 0
    assert result.stdout.endswith("  full  accept  accept  same (the run never took it up)\n")


def test_where_no_judgement_was_recorded_nothing_is_told(tmp_path: Path) -> None:
    path = tmp_path / "goals.db"
    session = JudgedSession(store=open_store(str(path)))
    session.store.close()
    result = run(path)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "no judgement was recorded\n"
    assert replayed(path) == (3, {"session": "s-1", "judgements": [], "problems": []})


def test_what_cannot_be_read_is_an_error_that_names_it(file: Path, tmp_path: Path) -> None:
    result = run(file, session="gone")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "error[unknown_session]: the store has no session `gone`" in result.stderr
    result = run(file, session=" ")
    assert result.exit_code == 2
    assert "is no session" in result.stderr
    edit(file, "UPDATE goalspec_exhibits SET content = '{cut' WHERE number = 2")
    result = run(file)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "goals.db: exhibit 2 of session s-1 cannot be read" in result.stderr
    result = run(tmp_path / "no" / "goals.db")
    assert result.exit_code == 2
    assert "there is no folder" in result.stderr


def test_a_text_of_the_store_paints_nothing(file: Path) -> None:
    edit(file, "UPDATE goalspec_exhibits SET evaluation = 'e' || char(27) || '[31m'")
    result = run(file)
    assert "\x1b" not in result.output
    assert "e\\u{1b}[31m" in result.stdout


def test_a_living_run_is_not_in_the_way(file: Path) -> None:
    store = open_store(str(file))
    store.lease("s-1", "driver", 60)
    store.post("s-1", Pause(), "person")
    assert run(file).exit_code == 0
    store.close()
