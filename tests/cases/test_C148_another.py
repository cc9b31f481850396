"""C148: a hook decides for its own session only, from the store that it is given, wherever the agent
works; where there is no store or no goal, the agent stops."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec.tests.cli.hooked import Hooked, answer_of


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    hooked = Hooked(tmp_path)
    hooked.create("another")
    return hooked


def test_another_sessions_goal_refuses_no_stop(hooked: Hooked) -> None:
    assert hooked.fire(session="s-1") == {}
    assert hooked.record("another").usage.turns == 0
    assert hooked.fire(session="another")["decision"] == "block"


def test_a_subagents_stop_is_none_of_its_sessions(hooked: Hooked) -> None:
    done = hooked.call(hooked.told("another", hook_event_name="SubagentStop"))
    assert answer_of(done) == {}
    assert hooked.record("another").usage.turns == 0


def test_a_file_in_the_working_folder_is_no_store(hooked: Hooked, tmp_path: Path) -> None:
    for name in ("goals.sqlite", "goalspec.sqlite", ".goalspec"):
        (hooked.project / name).write_bytes(hooked.store.read_bytes())
    home = tmp_path / "home"
    data = hooked.told("another")
    done = hooked.call(data, store=False, HOME=str(home), XDG_STATE_HOME=str(home))
    assert answer_of(done) == {}
    assert b"no such store" in done.stderr
    assert hooked.record("another").usage.turns == 0


def test_no_store_is_made_where_there_is_none(hooked: Hooked, tmp_path: Path) -> None:
    missing = tmp_path / "missing.sqlite"
    done = hooked.call(hooked.told("another"), store=False, GOALSPEC_STORE=str(missing))
    assert answer_of(done) == {}
    assert not missing.exists()
