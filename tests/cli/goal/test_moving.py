"""`goalspec goal fork`, `adopt`, `export`, `import`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from goalspec.tests.cli.goal.sessions import Commands, refused

CANONICAL = {
    "spec": {
        "objective": "Ship it.", "success_criteria": [{"id": "a", "description": "It shipped"}],
        "retired_criteria": [], "constraints": ["Small"], "budget": {"max_iterations": 4},
    },
    "metadata": {"acceptance_note": "Ask Ann."}, "generation": 7,
    "created_at": "2026-03-01T12:00:00Z", "updated_at": "2026-03-01T13:00:00Z", "turn": "idle",
}  # fmt: skip
THREAD = {
    "version": 1,
    "goal": {
        "id": "g-1", "threadId": "t-9", "objective": "Ship it.", "status": "active",
        "tokensUsed": 120, "timeUsedSeconds": 60, "consecutiveContinuations": "many",
        "createdAt": 1772366400, "updatedAt": 1772370000,
    },
}  # fmt: skip


@pytest.mark.row("H21")
def test_a_fork_is_isolated_and_paused(goal: Commands) -> None:
    goal.created()
    assert goal.person("fork", "--to", "s2", "--carry").stdout.startswith("paused (it was forked")
    copy = goal.shown("s2")
    assert (copy["goal"]["id"], copy["lineage"][0]["session"]) == ("ship", "s1")
    goal.person("clear", stdin="ship\n")
    assert goal.shown("s2") == copy
    assert refused(goal.person("fork", "--to", "s2"), "destination_has_history")
    assert goal.person("fork", "--to", "s3").stdout == "no goal\n"
    assert goal.person("fork").exit_code == 2


@pytest.mark.ruling(56)
def test_a_goal_is_adopted_and_has_one_owner(goal: Commands) -> None:
    goal.created()
    result = goal.person("adopt", "--from", "s1", session="s2", stdin="ship\n")
    assert (result.exit_code, result.stdout) == (0, "active: Ship it. [0 of 10 turns]\n")
    old = goal.shown("s1")
    assert (old["goal"], old["status"]["reason"]) == (None, "the session s2 adopted the goal")
    assert goal.shown("s2")["lineage"][0]["how"] == "adopted"
    assert refused(goal.person("adopt", "--from", "s1", session="s2", stdin="ship\n"), "no_goal")
    assert goal.agent("journal", "--verify", session="s1").exit_code == 0
    assert goal.agent("journal", "--verify", session="s2").exit_code == 0


@pytest.mark.ruling(36, 56)
def test_to_take_another_sessions_goal_a_person_speaks_for_that_one(goal: Commands) -> None:
    goal.created()
    its = goal.person("token").stdout.strip()
    mine = goal.person("token", session="s2").stdout.strip()
    taken = goal.agent("adopt", "--from", "s1", "--token", mine, session="s2")
    assert refused(taken, "bad_token")
    assert "not issued for the session s1" in taken.stderr
    assert refused(
        goal.person("adopt", "--from", "s1", session="s2", stdin="no\n"), "not_confirmed"
    )
    assert goal.status("s1") == "active"
    assert goal.agent("adopt", "--from", "s1", "--token", its, session="s2").exit_code == 0
    assert refused(goal.agent("clear", "--token", its, session="s2"), "bad_token")


@pytest.mark.ruling(56)
def test_an_adoption_that_is_refused_leaves_both(goal: Commands) -> None:
    goal.created()
    goal.agent("create", "--text", "Mine.", session="s2")
    before = goal.shown("s1"), goal.shown("s2")
    assert refused(goal.agent("adopt", "--from", "s1", session="s3"), "not_a_person")
    assert refused(
        goal.person("adopt", "--from", "s1", session="s2", stdin="ship\n"), "unfinished_goal"
    )
    same = goal.person("adopt", "--from", "s1", stdin="ship\n")
    assert same.exit_code in (1, 2)
    assert "s1" in same.stderr
    store = goal.store()
    store.lease("s1", "driver-1", 60)
    store.close()
    assert refused(goal.person("adopt", "--from", "s1", session="s3", stdin="ship\n"), "lease_held")
    assert (goal.shown("s1"), goal.shown("s2")) == before


def test_what_is_exported_is_imported(goal: Commands) -> None:
    goal.created()
    text = goal.agent("export").stdout
    assert json.loads(text)["record_version"] == 1
    file = goal.file("s1.json", text)
    result = goal.person("import", file, session="s2")
    assert result.exit_code == 0
    assert result.stderr.endswith(
        "status: it was active, and is paused until a person resumes it\n"
    )
    assert goal.status("s2") == "paused"
    was, now = goal.shown("s1"), goal.shown("s2")
    assert now["goal"] == was["goal"]
    assert (now["usage"], now["created_at"]) == (was["usage"], was["created_at"])
    assert now["generation"] == was["generation"] + 1
    assert goal.agent("journal", "--verify", session="s2").exit_code == 0


def test_a_file_that_is_no_record_is_named(goal: Commands) -> None:
    file = goal.file("r.json", "{")
    result = goal.person("import", file, "--json")
    assert result.exit_code == 2
    error = json.loads(result.stdout)["error"]
    assert error["code"] == "GS505"
    assert error["message"].startswith(f"{file}: it is not JSON")
    missing = goal.person("import", "no.json", "--json")
    assert json.loads(missing.stdout)["error"]["message"].startswith("no.json: ")


def test_importing_is_a_persons_and_over_a_goal_it_is_said(goal: Commands) -> None:
    goal.created()
    file = goal.file("s1.json", goal.agent("export").stdout)
    assert refused(goal.agent("import", file, session="s2"), "not_a_person")
    assert refused(goal.person("import", file), "unfinished_goal")
    assert refused(goal.person("import", file, "--replace", stdin="no\n"), "not_confirmed")
    assert goal.person("import", file, "--replace", stdin="ship\n").exit_code == 0
    assert goal.shown()["generation"] == 2
    assert len(json.loads(goal.agent("history", "--json").stdout)["goals"]) == 1


@pytest.mark.row("H16")
def test_a_canonical_record(goal: Commands) -> None:
    result = goal.person("import", "-", "--json", stdin=json.dumps(CANONICAL))
    shown = json.loads(result.stdout)
    assert result.exit_code == 0
    assert shown["generation"] == 8
    assert shown["goal"]["criteria"] == ["a"]
    assert shown["metadata"]["acceptance_note"] == "Ask Ann."
    assert shown["created_at"] == "2026-03-01T12:00:00.000000Z"
    assert shown["notes"]


@pytest.mark.row("S12")
def test_a_threads_goal_file(goal: Commands) -> None:
    result = goal.person("import", "-", stdin=json.dumps(THREAD))
    assert (result.exit_code, result.stdout) == (
        0,
        "paused (it was imported): Ship it. [0 turns]\n",
    )
    assert "goal.consecutiveContinuations: " in result.stderr
    assert "goal.threadId: it was the thread 't-9', now s1" in result.stderr
    shown = goal.shown()
    assert (shown["usage"]["tokens"], shown["usage"]["runtime"]) == (120, 60 * 10**9)


@pytest.mark.row("H20")
@pytest.mark.parametrize(
    ("record", "says"),
    [
        ("", "it is not JSON"),
        ("[]", "it is a JSON object, not a list"),
        ("{}", "it is neither a canonical record"),
        ('{"spec": null, "spec": null}', 'the key "spec" is there twice'),
        ({"record_version": 2, "session": "s"}, "install a later one"),
        ({"record_version": 1, "session": "s", "gaol": 1}, "gaol: there is no such field"),
        ({**CANONICAL, "spec": None}, "the record has no goal"),
        ({**CANONICAL, "extra": 1}, "extra: there is no such field"),
        ({**CANONICAL, "generation": -1}, "generation: it is a whole number from 0 on"),
        ({**CANONICAL, "updated_at": "2026-03-01T13:00:00+02:00"}, "updated_at: "),
        ({"version": 2, "goal": {}}, "version: a thread's goal file is read in the version 1"),
        ({"version": 1, "goal": None}, "the record has no goal"),
    ],
)
def test_what_is_no_record_is_refused_whole(goal: Commands, record: Any, says: str) -> None:
    before = goal.created().shown()
    text = record if isinstance(record, str) else json.dumps(record)
    result = goal.person("import", "-", stdin=text)
    assert result.exit_code in (1, 2)
    assert says in result.stderr
    assert "pydantic" not in result.stderr
    assert goal.shown() == before


def test_a_goal_that_was_edited_by_hand_is_refused(goal: Commands) -> None:
    goal.created()
    text = goal.agent("export").stdout.replace("The tests pass", "The tests exist")
    result = goal.person("import", goal.file("x.json", text), session="s2")
    assert result.exit_code == 2
    assert "contract" in result.stderr
    missing = goal.person("import", "nowhere.json", session="s2")
    assert (missing.exit_code, missing.stderr) == (
        2, "goalspec: error[GS505]: nowhere.json: No such file or directory\n",
    )  # fmt: skip
