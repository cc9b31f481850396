"""Who asks: what counts as a person, and what an agent is refused."""

from __future__ import annotations

import hashlib
import json
import time

import pytest
from goalspec.cli.goal.actor import HOST_MARKS
from goalspec.tests.cli.goal.sessions import SPEC, STRONGER, WEAKER, Commands, refused


@pytest.mark.row("P10", "S01")
@pytest.mark.ruling(36)
@pytest.mark.parametrize(
    "arguments",
    [
        ["clear"], ["reset"], ["cancel"], ["pause"], ["resume"], ["complete"],
        ["end", "It cannot be."],
        ["retarget", "--objective", "Less.", "--control", "c1"],
        ["fork", "--to", "s2"], ["fork", "--to", "s2", "--carry"],
    ],
)  # fmt: skip
def test_an_agent_may_not_do_what_is_a_persons(goal: Commands, arguments: list[str]) -> None:
    before = goal.created().shown()
    result = goal.agent(*arguments)
    assert refused(result, "not_a_person")
    assert "standard input and standard error are no terminal" in result.stderr
    assert "`goalspec goal token`" in result.stderr
    assert goal.shown() == before


@pytest.mark.row("P10")
@pytest.mark.ruling(36)
def test_an_agent_cannot_replace_a_goal(goal: Commands) -> None:
    goal.created()
    file = goal.file("mine.goal", SPEC.replace("goal ship", "goal mine"))
    assert refused(goal.agent("create", file), "not_a_person")
    assert refused(goal.agent("create", file, "--replace"), "not_a_person")
    assert goal.shown()["goal"]["id"] == "ship"


@pytest.mark.ruling(36)
def test_an_agent_can_add_to_a_goal_and_not_weaken_it(goal: Commands) -> None:
    goal.created()
    weaker = goal.agent("amend", goal.file("w.goal", WEAKER), "--reason", "too much")
    assert refused(weaker, "not_a_person")
    assert "the constraint `size` was dropped" in weaker.stderr
    assert goal.shown()["generation"] == 1
    stronger = goal.agent("amend", goal.file("s.goal", STRONGER), "--reason", "docs matter")
    assert stronger.exit_code == 0
    assert goal.shown()["goal"]["criteria"] == ["tests", "docs"]
    assert goal.shown()["goal"]["set_by"] == "person"


def test_an_agent_may_create_where_there_never_was_a_goal(goal: Commands) -> None:
    assert goal.agent("create", "--text", "Mine.").exit_code == 0
    assert goal.shown()["goal"]["set_by"] == "agent"
    assert refused(goal.agent("create", "--text", "Another."), "not_a_person")
    goal.person("complete", stdin="goal\n")
    after = goal.agent("create", "--text", "Another.")
    assert refused(after, "not_a_person")
    assert "what comes after one is a person's to say" in after.stderr


@pytest.mark.ruling(36)
@pytest.mark.parametrize("mark", HOST_MARKS)
def test_inside_of_an_agents_host_nobody_is_a_person(goal: Commands, mark: str) -> None:
    goal.created()
    goal.environment[mark] = "1"
    result = goal.person("pause")
    assert refused(result, "not_a_person")
    assert f"it runs inside of {HOST_MARKS[mark]} ({mark} is set)" in result.stderr
    assert refused(goal.person("token"), "not_a_person")


@pytest.mark.ruling(36)
@pytest.mark.parametrize("verb", ["complete", "clear", "reset", "cancel"])
@pytest.mark.parametrize("typed", ["", "\n", "shop\n", "yes\n"])
def test_at_a_terminal_the_goals_id_is_typed(goal: Commands, verb: str, typed: str) -> None:
    before = goal.created().shown()
    result = goal.person(verb, stdin=typed)
    assert result.exit_code == 1
    assert f"To {verb} the goal of session s1, type its id, ship: " in result.stderr
    assert goal.shown() == before
    assert goal.person(verb, stdin="ship\n").exit_code == 0
    assert goal.shown() != before


@pytest.mark.ruling(44)
def test_what_was_confirmed_falls_on_no_other_goal(
    goal: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the question and the answer the goal was amended: it is another one."""
    goal.created()
    stronger = goal.file("s.goal", STRONGER)

    def typing(*_: object, **__: object) -> str:
        assert goal.agent("amend", stronger, "--reason", "docs matter").exit_code == 0
        goal.monkeypatch.setattr("goalspec.cli.goal.actor._is_terminal", lambda stream: True)
        return "ship"

    monkeypatch.setattr("click.prompt", typing)
    result = goal.person("complete")
    assert refused(result, "stale_goal")
    assert "meant for generation 1, and the session is at 2" in result.stderr
    assert goal.status() == "active"


def test_a_replacement_and_an_amendment_are_confirmed_too(goal: Commands) -> None:
    goal.created()
    other = goal.file("other.goal", SPEC.replace("goal ship", "goal other"))
    assert goal.person("create", other, "--replace").exit_code == 1
    weaker = goal.file("w.goal", WEAKER)
    assert refused(goal.person("amend", weaker, "--reason", "x", stdin="no\n"), "not_confirmed")
    assert goal.person("amend", weaker, "--reason", "x", stdin="ship\n").exit_code == 0
    assert goal.person("create", other, "--replace", stdin="ship\n").exit_code == 0
    assert goal.shown()["goal"]["id"] == "other"


# --- tokens


@pytest.mark.ruling(36)
def test_a_token_speaks_for_a_person_about_its_session(goal: Commands) -> None:
    goal.created()
    issued = goal.person("token")
    token = issued.stdout.strip()
    assert "good for session s1 until " in issued.stderr
    assert goal.agent("pause", "--token", token).exit_code == 0
    goal.environment |= {"GOALSPEC_TOKEN": token, "CLAUDECODE": "1"}
    assert goal.agent("resume").exit_code == 0
    assert goal.agent("clear").exit_code == 0  # and nothing is typed
    assert refused(goal.agent("create", "--text", "x", session="s2"), "bad_token")


@pytest.mark.ruling(36)
def test_the_store_has_only_the_tokens_hash(goal: Commands) -> None:
    token = json.loads(goal.person("token", "--json", "--hours", "1").stdout)["token"]
    files = b"".join(path.read_bytes() for path in goal.folder.iterdir())
    assert token.encode() not in files
    assert hashlib.sha256(token.encode()).hexdigest().encode() in files


def test_a_token_ends(goal: Commands) -> None:
    goal.created()
    token = goal.person("token", "--hours", "0.00002").stdout.strip()
    time.sleep(0.1)
    result = goal.agent("pause", "--token", token)
    assert refused(result, "bad_token")
    assert "has ended: issue another" in result.stderr
    assert goal.status() == "active"


def test_what_is_no_token_is_refused_though_a_person_asks(goal: Commands) -> None:
    goal.created()
    assert refused(goal.person("pause", "--token", "guess"), "bad_token")
    assert goal.person("token", "--hours", "0").exit_code == 2


def test_an_agent_issues_no_token(goal: Commands) -> None:
    assert refused(goal.agent("token"), "not_a_person")


# --- a real terminal


@pytest.mark.ruling(36)
def test_a_real_terminal_is_a_persons(goal: Commands) -> None:
    goal.created()
    assert "paused" in goal.at_terminal("pause")
    cleared = goal.at_terminal("clear", typed="ship\n")
    assert "type its id, ship" in cleared
    assert goal.status() == "cleared"
