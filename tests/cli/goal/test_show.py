"""`goalspec goal show` and `hide`: what a person, a status bar and a program see."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest
from goalspec.runtime.goals import Goals
from goalspec.runtime.lifecycle.commands import Evaluated, Pause, Propose, Settle
from goalspec.runtime.record import Usage
from goalspec.tests.cli.goal.sessions import SPEC, Commands

HOSTILE = "Ship\\u{1b}[31m\\u{202e}tpircs\\u{200b}\\n\\u{7}now " + "漢" * 90


@pytest.mark.row("P01")
def test_without_a_goal(goal: Commands) -> None:
    result = goal.agent("show")
    assert (result.exit_code, result.stdout) == (1, "no goal\ngoal          none\n")
    assert goal.agent("show", "--line").stdout == "no goal\n"
    assert goal.shown()["goal"] is None


@pytest.mark.row("P01")
def test_the_line_and_the_dashboard(goal: Commands) -> None:
    goal.created()
    result = goal.agent("show")
    assert result.exit_code == 0
    line, *rest = result.stdout.splitlines()
    assert line == "active: Ship it. [0 of 10 turns]"
    assert goal.agent("show", "--line").stdout == f"{line}\n"
    assert rest[0] == "goal          ship"
    assert rest[-1] == "continuation  none"


@pytest.mark.row("P12")
def test_hostile_text_stays_in_its_line(goal: Commands) -> None:
    goal.created(SPEC.replace("Ship it.", HOSTILE))
    line, *rest = goal.agent("show").stdout.splitlines()
    assert line.startswith("active: Ship[31mtpircs now 漢")
    assert line.endswith("…" + " [0 of 10 turns]")
    assert all(row.isprintable() for row in [line, *rest])
    listed = goal.agent("show", session=None).stdout
    assert listed == f"s1  {line}\n"
    assert "\x1b" in goal.shown()["goal"]["objective"]  # an object has it word for word
    assert "\x1b" not in goal.agent("show", "--json").stdout


@pytest.mark.row("P12")
def test_whatever_was_said_of_a_goal_stays_in_its_line(goal: Commands) -> None:
    said = "no\x1b[2J\x1b]0;x\x07 access\u202e\r\nactive: all is well\u2028" + "w" * 500
    goal.created(SPEC.replace("Ship it.", HOSTILE))
    with closing(goal.store()) as store:
        goals = Goals(store)
        goals.perform("s1", Propose(outcome="blocked", reason=said), "agent")
        settled = goals.perform("s1", Settle(settlement=said, usage=Usage(turns=1)), "runtime")
        pending = settled.record.pending
        assert pending is not None
        answer = Evaluated(evaluation=pending.evaluation, outcome="continue", reason=said)
        goals.perform("s1", answer, "runtime")
        goals.perform("s1", Propose(outcome="complete"), "agent")
        goals.perform("s1", Pause(reason=said), "person")
    told = {
        "show": goal.agent("show").stdout,
        "line": goal.agent("show", "--line").stdout,
        "all": goal.agent("show", session=None).stdout,
        "journal": goal.agent("journal").stdout,
    }
    goal.person("clear", stdin="ship\n")
    told["history"] = goal.agent("history").stdout
    for verb, text in told.items():
        rows = text.removesuffix("\n").split("\n")
        assert all(row.isprintable() for row in rows), verb
        assert not any(row.startswith("active: all is well") for row in rows), verb
        assert "w" * 100 not in text, verb
    dashboard = told["show"].splitlines()
    assert [row.split()[0] for row in dashboard] == [
        "paused", "goal", "objective", "status", "turns", "tokens", "runtime", "proposed",
        "evaluation", "continuation",
    ]  # fmt: skip
    assert sum("no[2J]0;x access active: all" in row for row in dashboard) == 2


def test_keys_are_the_same_for_every_session(goal: Commands) -> None:
    goal.created()
    empty, full = goal.shown("other"), goal.shown()
    assert list(empty) == list(full)
    assert list(full) == [
        "session", "goal", "status", "generation", "usage", "budget", "advisory_budget",
        "metadata", "turn", "candidate", "pending", "evaluation", "continuation", "wake_at",
        "drift", "lineage", "hidden", "sealed", "created_at", "updated_at", "version", "inbox",
    ]  # fmt: skip


@pytest.mark.row("P01")
def test_hidden_until_it_is_shown(goal: Commands) -> None:
    goal.created()
    assert goal.person("hide").exit_code == 0
    line = goal.agent("show", "--line")
    assert (line.exit_code, line.stdout) == (0, "")
    assert goal.shown()["hidden"] is True
    assert "continuation" in goal.agent("show").stdout
    assert goal.shown()["hidden"] is False
    assert goal.agent("show", "--line").stdout != ""


def test_a_look_takes_no_writers_lease(goal: Commands) -> None:
    goal.created()
    goal.person("hide")
    store = goal.store()
    store.lease("s1", "driver-1", 60)
    store.close()
    result = goal.agent("show")
    assert result.exit_code == 0
    assert result.stdout.startswith("active: Ship it.")
    assert result.stderr.startswith("goalspec: note[lease_held]: it stays hidden: ")


@pytest.mark.ruling(44)
def test_what_waits_for_the_writer(goal: Commands) -> None:
    goal.created()
    store = goal.store()
    store.lease("s1", "driver-1", 60)
    store.close()
    goal.person("complete", stdin="ship\n")
    goal.person("hide")
    told = goal.agent("show").stdout.splitlines()
    assert told[-1] == "inbox         2 commands waiting for the next writer"
    assert goal.shown()["inbox"] == 2


def test_a_sealed_record_can_be_looked_at(goal: Commands) -> None:
    goal.created()
    goal.person("hide")
    goal.person("cancel", stdin="ship\n")
    result = goal.agent("show")
    assert (result.exit_code, result.stderr) == (1, "")
    assert "sealed        the run was cancelled" in result.stdout


def test_all_sessions_the_last_changed_first(goal: Commands) -> None:
    none = goal.agent("show", session=None)
    assert (none.exit_code, none.stdout) == (0, "")
    goal.created()
    goal.agent("create", "--text", "Two.", session="s2")
    goal.person("pause")
    assert goal.agent("show", session=None).stdout == (
        "s1  paused: Ship it. [0 of 10 turns]\ns2  active: Two. [0 of 25 turns]\n"
    )
    listed = json.loads(goal.agent("show", "--json", session=None).stdout)["sessions"]
    assert [one["session"] for one in listed] == ["s1", "s2"]
    goal.environment["GOALSPEC_SESSION"] = "s2"
    assert goal.agent("show", "--line", session=None).stdout.startswith("active: Two.")


@pytest.mark.row("S12")
def test_a_session_that_cannot_be_read_is_named_beside_the_others(goal: Commands) -> None:
    goal.created()
    goal.agent("create", "--text", "Two.", session="s2")
    with closing(sqlite3.connect(goal.store_url)) as database, database:
        database.execute("UPDATE goalspec_sessions SET record = '{}' WHERE session = 's2'")
    listed = goal.agent("show", session=None)
    assert (listed.exit_code, listed.stdout) == (2, "s1  active: Ship it. [0 of 10 turns]\n")
    assert "the record of session s2 cannot be read" in listed.stderr
    assert goal.store_url in listed.stderr
    shown = json.loads(goal.agent("show", "--json", session=None).stdout)
    assert [one["session"] for one in shown["sessions"]] == ["s1"]
    assert list(shown["unreadable"]) == ["s2"]


def test_colour_is_a_terminals(goal: Commands) -> None:
    goal.created()
    assert "\x1b[36mactive\x1b[0m: Ship it." in goal.at_terminal("show")
    assert "\x1b" not in goal.at_terminal("show", NO_COLOR="1")
    assert "\x1b" not in goal.agent("show").stdout
