"""The verbs by which a goal stands otherwise, changes, or goes."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from importlib import import_module

import click
import pytest
from goalspec.cli.goal_command import VERBS
from goalspec.cli.goal_command import command as group
from goalspec.runtime.goals import Goals
from goalspec.runtime.lifecycle.commands import Evaluated, Settle
from goalspec.runtime.record import Usage
from goalspec.tests.cli.goal.sessions import SPEC, STRONGER, WEAKER, Commands, refused

NEEDED = {
    "adopt": ["--from", "s0"], "amend": ["g.goal", "--reason", "x"], "create": ["--text", "x"],
    "end": ["x"],
    "fork": ["--to", "s2"], "import": ["-"], "retarget": ["--objective", "x", "--control", "c"],
    "update": ["complete"],
}  # fmt: skip


def command_of(verb: str) -> click.Command:
    module = import_module(f"goalspec.cli.goal.{VERBS[verb][0]}")
    command: click.Command = getattr(module, verb.replace("import", "import_"))
    return command


@pytest.mark.parametrize("verb", VERBS)
def test_help_says_what_the_list_says(goal: Commands, verb: str) -> None:
    command = command_of(verb)
    assert command.name == verb
    assert command.help is not None
    assert command.help.splitlines()[0] == VERBS[verb][1]
    assert goal.agent(verb, "-h", session=None).stdout.startswith(f"Usage: goalspec goal {verb}")
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help and parameter.help.endswith("."), parameter.name


def test_every_verb_is_in_the_list() -> None:
    modules = {module for module, _ in VERBS.values()}
    commands = {
        command.name
        for name in modules
        for command in vars(import_module(f"goalspec.cli.goal.{name}")).values()
        if isinstance(command, click.Command)
    }
    assert commands == set(VERBS)
    assert group.list_commands(click.Context(group)) == sorted(VERBS)


def test_a_verb_that_is_none(goal: Commands) -> None:
    result = goal.agent("puase")
    assert result.exit_code == 2
    assert "There is no command `puase`. Did you mean `pause`?" in result.stderr


# --- sessions and stores


@pytest.mark.row("S01")
@pytest.mark.parametrize("verb", sorted(set(VERBS) - {"show"}))
def test_without_a_session_the_verb_teaches(goal: Commands, verb: str) -> None:
    goal.file("g.goal")
    goal.monkeypatch.chdir(goal.folder)
    result = goal.person(verb, *NEEDED.get(verb, []), session=None, stdin="{}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--session ID, or GOALSPEC_SESSION in the environment" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("verb", "code"),
    [
        ("end", "no_goal"), ("pause", "no_goal"), ("resume", "no_goal"), ("complete", "no_goal"), ("clear", "no_goal"),
        ("amend", "no_goal"), ("retarget", "no_goal"), ("update", "no_goal"),
        ("export", "unknown_session"), ("fork", "unknown_session"), ("adopt", "unknown_session"),
        ("journal", "unknown_session"), ("history", "unknown_session"),
    ],
)  # fmt: skip
def test_a_session_that_the_store_does_not_know(goal: Commands, verb: str, code: str) -> None:
    goal.file("g.goal", SPEC)
    goal.monkeypatch.chdir(goal.folder)
    asks = goal.agent if verb == "update" else goal.person
    result = asks(verb, *NEEDED.get(verb, []), session="nobody")
    assert refused(result, code)
    as_json = asks(verb, *NEEDED.get(verb, []), "--json", session="nobody")
    assert as_json.exit_code == 1
    assert json.loads(as_json.stdout)["error"]["code"] == code


@pytest.mark.parametrize("session", ["", " s", "a\nb", "a\x1b[31mb", "a\udc80", "x" * 501])
@pytest.mark.parametrize("verb", ["show", "pause", "journal"])
def test_what_is_no_sessions_name(goal: Commands, session: str, verb: str) -> None:
    result = goal.person(verb, session=session)
    if verb == "show" and not session:
        assert result.exit_code == 0  # it lists the sessions
        return
    assert (result.exit_code, result.stdout) == (2, "")
    assert "\x1b" not in result.stderr


@pytest.mark.row("P05")
@pytest.mark.parametrize("content", [b"garbage", b"SQLite format 3\x00" + b"\xff" * 600])
@pytest.mark.parametrize("verb", VERBS)
def test_a_store_that_cannot_be_read_is_an_error_and_stays(
    goal: Commands, verb: str, content: bytes
) -> None:
    goal.file("g.goal", SPEC)
    goal.monkeypatch.chdir(goal.folder)
    (goal.folder / "goals.sqlite").write_bytes(content)
    result = goal.person(verb, *NEEDED.get(verb, []), stdin="{}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("goalspec: error[GS505]: ")
    assert "goals.sqlite" in result.stderr
    assert (goal.folder / "goals.sqlite").read_bytes() == content


@pytest.mark.row("P05")
@pytest.mark.parametrize("url", ["nowhere/goals.sqlite", "mysql://host/goals", "postgresql://%zz"])
def test_a_store_that_is_none(goal: Commands, url: str) -> None:
    goal.monkeypatch.chdir(goal.folder)
    result = goal.person("show", "--store", url)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("goalspec: error[GS505]: ")


def test_the_users_own_store(goal: Commands) -> None:
    goal.environment |= {"GOALSPEC_STORE": None, "XDG_STATE_HOME": str(goal.folder / "state")}
    goal.created()
    folder = goal.folder / "state" / "goalspec"
    assert (folder / "goals.sqlite").exists()
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_user_without_a_place_for_a_store(goal: Commands) -> None:
    (goal.folder / "state").write_text("a file")
    goal.environment |= {"GOALSPEC_STORE": None, "XDG_STATE_HOME": str(goal.folder / "state")}
    result = goal.person("show")
    assert result.exit_code == 2
    assert "name another store, by --store or GOALSPEC_STORE" in result.stderr


# --- standing


@pytest.mark.row("P01", "S03")
def test_pause_resume_complete(goal: Commands) -> None:
    goal.created()
    assert goal.person("pause", "--reason", "lunch").stdout == (
        "paused (lunch): Ship it. [0 of 10 turns]\n"
    )
    assert refused(goal.person("pause"), "wrong_status")
    assert goal.person("resume").stdout.startswith("active: ")
    assert refused(goal.person("resume"), "wrong_status")
    done = goal.person("complete", "--reason", "I saw it", "--json", stdin="ship\n")
    shown = json.loads(done.stdout)
    assert (shown["status"]["name"], shown["status"]["reason"]) == ("complete", "I saw it")
    assert (shown["version"], shown["posted"]) == (4, None)
    assert refused(goal.person("resume"), "wrong_status")


@pytest.mark.row("S02", "P04")
def test_an_update_only_proposes(goal: Commands) -> None:
    goal.created()
    blank = goal.agent("update", "blocked")
    assert blank.exit_code == 1
    assert "`reason` is blank" in blank.stderr
    assert goal.agent("update", "blocked", "--reason", "No access.").exit_code == 0
    shown = goal.shown()
    assert shown["status"]["name"] == "active"
    assert shown["candidate"]["outcome"] == "blocked"
    assert goal.agent("update", "complete").exit_code == 0
    assert goal.shown()["candidate"]["outcome"] == "complete"
    result = goal.person("update", "complete")
    assert refused(result, "not_the_agent")
    assert "a person ends the goal (`goal complete`)" in result.stderr
    assert goal.agent("update", "done").exit_code == 2


@pytest.mark.parametrize(("verb", "sealed"), [("clear", False), ("reset", False), ("cancel", True)])
def test_letting_go(goal: Commands, verb: str, sealed: bool) -> None:
    goal.created()
    assert goal.person(verb, stdin="ship\n").stdout.startswith("no goal")
    shown = goal.shown()
    assert (shown["goal"], shown["status"]["name"], shown["sealed"]) == (None, "cleared", sealed)
    assert shown["generation"] == 2
    (archived,) = json.loads(goal.agent("history", "--json").stdout)["goals"]
    assert archived["goal"]["id"] == "ship"
    assert refused(goal.agent("create", "--text", "x"), "not_a_person")
    assert goal.person("create", goal.file("g.goal")).exit_code == 0


def test_a_cancel_says_why(goal: Commands) -> None:
    goal.created()
    goal.person("cancel", "--reason", "wrong branch", stdin="ship\n")
    (archived,) = json.loads(goal.agent("history", "--json").stdout)["goals"]
    assert archived["status"]["ending"] == "cancelled"
    assert archived["status"]["reason"] == "wrong branch"


# --- changing


@pytest.mark.row("X13")
@pytest.mark.ruling(33)
def test_an_amendment_keeps_the_reason_and_the_measurement(goal: Commands) -> None:
    goal.created()
    file = goal.file("w.goal", WEAKER)
    measured = ["--measurement", '{"lines": 900}']
    done = goal.person("amend", file, "--reason", "Too strict.", *measured, stdin="ship\n")
    assert done.exit_code == 0
    last = json.loads(goal.agent("journal", "--json").stdout)["entries"][-1]["event"]
    assert last["kind"] == "amended"
    assert last["details"]["reason"] == "Too strict."
    assert last["details"]["measurement"] == {"lines": 900}
    assert goal.shown()["generation"] == 2


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["g.goal"], 2, "Missing option '--reason'"),
        (["g.goal", "--reason", " "], 1, "`reason` is blank"),
        (["g.goal", "--reason", "x"], 1, "nothing to amend"),
        (["other.goal", "--reason", "x"], 1, "the goal is `ship`, and this is `other`"),
        (["s.goal", "--reason", "x", "--measurement", "{"], 2, "--measurement: "),
        (["s.goal", "--reason", "x", "--measurement", "NaN"], 2, "--measurement: nan is not"),
        (["s.goal", "--reason", "x", "--measurement", "9" * 400], 2, "--measurement: the number"),
        (["s.goal", "--reason", "a\udc80"], 1, "lone surrogate"),
        (["none.goal", "--reason", "x"], 2, "none.goal"),
    ],
)
def test_wrong_amendments(goal: Commands, arguments: list[str], status: int, says: str) -> None:
    before = goal.created().shown()
    goal.file("g.goal")
    goal.file("s.goal", STRONGER)
    goal.file("other.goal", SPEC.replace("goal ship", "goal other"))
    goal.monkeypatch.chdir(goal.folder)
    result = goal.person("amend", *arguments, stdin="ship\n")
    assert result.exit_code == status
    assert says in " ".join(result.stderr.split())
    assert goal.shown() == before


@pytest.mark.row("H15")
@pytest.mark.ruling(55)
def test_a_retarget_retires_the_criteria(goal: Commands) -> None:
    goal.created()
    asked = ["retarget", "--objective", "Ship the docs.", "--control", "m7"]
    assert goal.person(*asked, "--criterion", "Docs are live", stdin="ship\n").exit_code == 0
    shown = goal.shown()
    assert shown["goal"]["objective"] == "Ship the docs."
    assert (shown["goal"]["criteria"], shown["goal"]["retired"]) == (["sc_0"], ["tests"])
    assert shown["status"]["name"] == "active"
    last = json.loads(goal.agent("journal", "--json").stdout)["entries"][-1]["event"]
    assert last["details"]["control_id"] == "m7"
    asked[2] = "Ship nothing."
    assert goal.person(*asked, stdin="ship\n").exit_code == 0
    assert goal.status() == "blocked"


def test_a_retarget_to_nothing(goal: Commands) -> None:
    before = goal.created().shown()
    long = goal.person("retarget", "--objective", "x" * 4_001, "--control", "c", stdin="ship\n")
    assert long.exit_code == 2
    assert "4000 is the most" in " ".join(long.stderr.split())
    blank = goal.person("retarget", "--objective", " ", "--control", "c", stdin="ship\n")
    assert (blank.exit_code, blank.stdout) == (2, "")
    assert goal.shown() == before


# --- writers


@pytest.mark.row("H18")
@pytest.mark.ruling(44)
def test_another_writer_shuts_the_agent_out_and_no_person(goal: Commands) -> None:
    goal.created()
    store = goal.store()
    lease = store.lease("s1", "driver-1", 60)
    out = goal.agent("update", "complete")
    assert refused(out, "lease_held")
    assert "driver-1" in out.stderr
    waits = goal.person("complete", "--json", stdin="ship\n")
    assert waits.exit_code == 0
    assert "another writer has the session" in waits.stderr
    assert json.loads(waits.stdout)["posted"] == 1
    assert goal.status() == "active"
    Goals(store).take_inbox("s1", lease)
    store.close()
    assert goal.status() == "complete"


def test_a_goal_that_waits_for_a_writer_of_an_empty_session(goal: Commands) -> None:
    with closing(goal.store()) as store:
        store.lease("s1", "driver-1", 60)
    waits = goal.person("create", goal.file("g.goal"), "--json")
    assert waits.exit_code == 0
    said = json.loads(waits.stdout)
    assert (said["posted"], said["status"]["name"], said["version"]) == (1, "cleared", 0)
    cleared = goal.person("clear", stdin="ship\n")  # what waits comes first, and then goes
    assert cleared.exit_code == 0
    with closing(goal.store()) as store:
        assert [one.goal and one.goal.id for one in store.history("s1")] == ["ship"]


@pytest.mark.ruling(44)
@pytest.mark.parametrize(("verb", "status"), [("pause", "paused"), ("clear", "cleared")])
def test_pause_and_clear_wait_for_nobody(goal: Commands, verb: str, status: str) -> None:
    goal.created()
    store = goal.store()
    lease = store.lease("s1", "driver-1", 60)
    assert goal.person(verb, stdin="ship\n").exit_code == 0
    assert goal.status() == status
    with pytest.raises(Exception, match="driver-1"):
        Goals(store).perform("s1", Settle(settlement="r1", usage=Usage(turns=1)), "runtime", lease)
    store.close()


@pytest.mark.row("P01", "P12")
def test_the_dashboard_has_what_was_used_and_the_last_evaluation(goal: Commands) -> None:
    goal.created()
    store = goal.store()
    goals = Goals(store)
    usage = Usage(turns=1, tokens=420, cost="0.25 USD", runtime=90 * 10**9 + 7)
    done = goals.perform("s1", Settle(settlement="r1", usage=usage), "runtime")
    assert done.record.pending is not None
    answer = Evaluated(
        evaluation=done.record.pending.evaluation, outcome="continue", reason="two\nare open"
    )
    goals.perform("s1", answer, "runtime")
    store.close()
    lines = goal.agent("show").stdout.splitlines()
    assert lines[0] == "active: Ship it. [1 of 10 turns]"
    told = {line[:14].strip(): line[14:] for line in lines[1:]}
    assert told["tokens"] == "420 of 1,000"
    assert told["runtime"] == "90s of 2h"
    assert told["cost"] == "0.25 USD"
    assert told["evaluation"].startswith("continue: two are open (")


@pytest.mark.row("P05")
def test_a_store_that_another_process_locks_is_said(goal: Commands) -> None:
    goal.created()
    for module in ("sql", "sqlite"):
        goal.monkeypatch.setattr(f"goalspec.runtime.store.{module}.PATIENCE", 0.2)
    database = sqlite3.connect(goal.store_url, isolation_level=None)
    database.execute("BEGIN EXCLUSIVE")
    result = goal.person("pause")
    database.execute("ROLLBACK")
    database.close()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("goalspec: error[GS505]: ")
    assert "locked" in result.stderr or "busy" in result.stderr
    assert goal.status() == "active"
    assert goal.person("pause").exit_code == 0
