"""The page on who may do what says what the reducer and the command line do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from goalspec.cli.goal.actor import HOST_MARKS
from goalspec.cli.goal_command import VERBS
from goalspec.runtime.lifecycle import AUTHORITY
from goalspec.tests.cli.goal.sessions import SPEC, Commands, refused

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "threat-model.md").read_text("utf-8")
ROWS = {
    verb: (person, agent)
    for verb, person, agent in re.findall(r"^\| `([\w -]+)` \| ([^|]+) \| ([^|]+) \|$", PAGE, re.M)
}
COMMANDS = {"update": "propose", "hide": "show"}  # of another name than their verb
ARGUMENTS = {
    "amend": ["weaker.goal", "--reason", "x"], "adopt": ["--from", "s2"], "create": ["--text", "x"],
    "fork": ["--to", "s9"], "retarget": ["--objective", "x", "--control", "c"],
    "update": ["complete"], "import": ["record.json"], "end": ["It cannot be."],
}  # fmt: skip


def test_the_page_has_every_verb_and_every_mark() -> None:
    assert {verb.partition(" ")[0] for verb in ROWS} == set(VERBS)
    assert dict(re.findall(r"^\| `([A-Z_]+)` \| (.+) \|$", PAGE, re.M)) == HOST_MARKS


@pytest.mark.ruling(36)
@pytest.mark.parametrize("verb", [verb for verb in ROWS if COMMANDS.get(verb, verb) in AUTHORITY])
def test_the_reducer_says_the_same(verb: str) -> None:
    leave = AUTHORITY[COMMANDS.get(verb, verb)]
    person, agent = ROWS[verb]
    assert leave["agent"] == agent
    assert (leave["person"] == "no") == (person == "no")


@pytest.mark.ruling(36)
@pytest.mark.parametrize("verb", ROWS)
def test_the_command_line_does_so(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goal = Commands(tmp_path, monkeypatch).created()
    goal.person("create", "--text", "Elsewhere.", session="s2")
    goal.file("weaker.goal", SPEC.replace('  constraint size "The diff stays small"\n', ""))
    goal.file("record.json", goal.agent("export", session="s2").stdout)
    monkeypatch.chdir(tmp_path)
    name, *options = verb.split()
    command = [name, *ARGUMENTS.get(name, []), *options]
    session = "s3" if verb in ("adopt", "import") else "s1"
    person, agent = ROWS[verb]
    asked = goal.agent(*command, session=session)
    assert refused(asked, "not_a_person") == (agent not in ("yes",)), asked.output
    if person == "confirmed":
        assert refused(goal.person(*command, session=session, stdin="no\n"), "not_confirmed")
