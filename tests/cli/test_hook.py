"""`goalspec hook stop`: what a host is answered, and that nothing but one document ever is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from goalspec.runtime.driving.firing import MAX_INPUT
from goalspec.runtime.goals import Goals
from goalspec.runtime.lifecycle.commands import Clear, Pause
from goalspec.runtime.store import open_store
from goalspec.tests.cli.hooked import ENVIRONMENT, WORDS, Hooked, answer_of

ACCEPTS = {
    "criteria": {
        "said": {
            "evidence": [{"source": "facts", "quote": '"n": 3'}],
            "reason": "It does.",
            "outcome": "met",
        },
    },
    "decision": "accept",
    "next_step": None,
}


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    return Hooked(tmp_path)


@pytest.mark.parametrize(
    ("host", "word"), [("claude", "block"), ("codex", "block"), ("gemini", "deny")]
)
def test_an_open_goal_refuses_the_stop_as_the_host_spells_it(
    hooked: Hooked, host: str, word: str
) -> None:
    hooked.create()
    answer = hooked.fire("--host", host)
    assert answer.keys() == {"decision", "reason"}
    assert answer["decision"] == word
    assert "n is 0: n == 3 does not hold" in answer["reason"]
    record = hooked.record()
    assert (record.usage.turns, record.continuations, record.turn.state) == (1, 1, "open")


def test_a_goal_whose_checks_hold_is_complete_and_the_agent_stops(hooked: Hooked) -> None:
    hooked.create()
    assert hooked.fire()["decision"] == "block"
    hooked.tell({"n": 3})
    assert hooked.fire(output="Counted.") == {}
    assert hooked.record().status.name == "complete"
    assert hooked.fire(output="Bye.") == {}
    assert Goals(open_store(str(hooked.store))).check_journal("s-1") == []


def test_facts_come_from_commands_where_they_may_run(hooked: Hooked) -> None:
    hooked.create()
    script = hooked.project / "facts.py"
    script.write_text("print('{\"n\": 3}')")
    facts = ["--facts-command", f"{sys.executable} facts.py"]
    done = hooked.call(hooked.told(), *facts)
    assert answer_of(done) == {}
    assert b"--allow-run" in done.stderr
    assert hooked.record().usage.turns == 0
    hooked.facts.write_text("{}")
    assert hooked.fire(*facts, "--allow-run") == {}
    assert hooked.record().status.name == "complete"


def test_facts_that_the_agent_could_write_are_refused(hooked: Hooked) -> None:
    hooked.create()
    hooked.facts = hooked.project / "facts.json"
    hooked.tell({"n": 3})
    done = hooked.call(hooked.told())
    assert answer_of(done) == {}
    assert b"--facts-from-agent" in done.stderr
    assert hooked.record().status.name == "active"
    assert hooked.fire("--facts-from-agent") == {}
    assert hooked.record().status.name == "complete"


def test_a_protected_file_that_changed_keeps_the_goal_from_being_done(hooked: Hooked) -> None:
    goal = """\
facts { n : int in 0.. }
goal count {
  objective "Count to three."
  criterion there "It is three" check n == 3
  protect "tests/**"
}
"""
    hooked.create(text=goal)
    test = hooked.project / "tests" / "test_n.py"
    test.parent.mkdir()
    test.write_text("assert n == 3\n")
    assert hooked.fire()["decision"] == "block"
    test.write_text("assert True\n")
    hooked.tell({"n": 3})
    answer = hooked.fire(output="goalspec: complete")
    assert answer["decision"] == "block"
    assert hooked.record().status.name == "active"


def test_a_judge_says_whether_what_no_machine_decides_is_met(
    hooked: Hooked, tmp_path: Path
) -> None:
    hooked.create(
        text="""\
facts { n : int in 0.. }
goal count {
  objective "Count to three, and say so."
  criterion there "It is three" check n == 3
  criterion said "The reply says it"
  judge { model "judge-1" provider "acme" max_invocations 3 }
}
"""
    )
    hooked.tell({"n": 3})
    judge = tmp_path / "judge.py"
    judge.write_text(
        "import json, sys\n"
        "sys.stdin.read()\n"
        "open('" + str(tmp_path / "asked") + "', 'a').write('x')\n"
        f"print(json.dumps({{'text': json.dumps({ACCEPTS})}}))\n"
    )
    judged = ["--judge", f"{sys.executable} {judge}", "--allow-run"]
    assert hooked.fire(*judged, output="It is three.")["decision"] == "block"
    assert not (tmp_path / "asked").exists()  # nobody proposed an end
    assert hooked.fire(*judged, output="It is three.\ngoalspec: complete") == {}
    assert (tmp_path / "asked").read_text() == "x"
    assert hooked.record().status.name == "complete"


# --- when it decides nothing


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no JSON object"),
        (b"{", "no JSON object"),
        (b"[]", "no object"),
        (b"\xff\xfe{}", "no JSON object"),
        (b"[" * 100_000, "no JSON object"),
        (b"{}", "session_id"),
        (b'{"session_id": ""}', "session_id"),
        (b'{"session_id": 7}', "session_id: it is a text"),
        (b'{"session_id": "s-1", "stop_hook_active": "yes"}', "stop_hook_active"),
        (b'{"session_id": "s-1", "last_assistant_message": []}', "last_assistant_message"),
        (b'{"session_id": "s-1", "hook_event_name": "SubagentStop"}', "SubagentStop"),
        (b'{"session_id": "s-1", "cwd": "nowhere"}', "there is no folder"),
        (b'{"session_id": "s-1", "pad": "' + b"x" * MAX_INPUT + b'"}', "longer than"),
    ],
    ids=lambda value: value[:24] if isinstance(value, str) else None,
)
def test_wrong_input_decides_nothing(hooked: Hooked, data: bytes, words: str) -> None:
    hooked.create()
    done = hooked.call(data)
    assert answer_of(done) == {}
    assert done.stderr.count(b"\n") == 1
    assert words in done.stderr.decode()
    assert hooked.record().usage.turns == 0


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--nonsense"], "--nonsense"),
        (["--host", "another"], "another"),
        (["surplus"], "surplus"),
        (["--facts-command", "'", "--allow-run"], "--facts-command"),
        (["--judge", "true", "--allow-run"], "no `judge` block"),
        (["--facts", "nowhere.json"], "nowhere.json"),
        (["--store", "ftp://x"], "no store"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_wrong_options_decide_nothing_and_no_exit_code_refuses_for_them(
    hooked: Hooked, more: list[str], words: str
) -> None:
    hooked.create()
    done = hooked.call(hooked.told(), *more)
    assert answer_of(done) == {}
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_a_goal_that_is_paused_or_cleared_lets_the_agent_stop(hooked: Hooked) -> None:
    hooked.create()
    goals = Goals(open_store(str(hooked.store)))
    goals.perform("s-1", Pause(), "person")
    assert hooked.fire() == {}
    goals.perform("s-1", Clear(), "person")
    assert hooked.fire() == {}
    assert hooked.record().usage.turns == 0


def test_a_session_that_another_writer_drives_is_left_to_it(hooked: Hooked) -> None:
    hooked.create()
    store = open_store(str(hooked.store))
    store.lease("s-1", "another", 60)
    done = hooked.call(hooked.told())
    assert answer_of(done) == {}
    assert b"another" in done.stderr
    assert hooked.record().usage.turns == 0


def test_help_is_help() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "goalspec", "hook", "stop", "--help"],
        capture_output=True, text=True, timeout=20, check=False, env=ENVIRONMENT,
    )  # fmt: skip
    assert done.returncode == 0
    assert "Say whether the agent may stop." in done.stdout


# --- told again


def test_a_hook_that_is_installed_twice_answers_the_same_and_charges_once(hooked: Hooked) -> None:
    hooked.create()
    told = {"stop_hook_active": False, "prompt_id": "p-1"}
    first, second = hooked.fire(**told), hooked.fire(**told)
    assert first["decision"] == second["decision"] == "block"
    record = hooked.record()
    assert (record.usage.turns, record.continuations) == (1, 1)


def test_what_nobody_read_is_given_again(hooked: Hooked) -> None:
    hooked.create()
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        hooked.command(), cwd=hooked.project, input=hooked.told(), stdout=writer,
        stderr=subprocess.PIPE, timeout=60, check=False, env=ENVIRONMENT,
    )  # fmt: skip
    os.close(writer)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    left = hooked.record()
    assert left.claim is not None
    assert (left.usage.turns, left.continuations, left.turn.state) == (1, 0, "idle")
    assert hooked.fire()["decision"] == "block"
    record = hooked.record()
    assert (record.usage.turns, record.continuations, record.turn.state) == (1, 1, "open")


def test_an_agent_that_repeats_itself_is_charged_and_stopped(hooked: Hooked) -> None:
    hooked.create()
    answers = [hooked.fire(output="I cannot.", turn_id="t-1") for _ in range(5)]
    assert [answer.get("decision") for answer in answers] == [*["block"] * 3, None, None]
    record = hooked.record()
    assert (record.status.name, record.usage.turns) == ("blocked", 4)  # the first look was new
    assert "repetition" in (record.status.reason or "")


def test_a_person_who_speaks_sets_the_guards_back(hooked: Hooked) -> None:
    hooked.create()
    for word in WORDS[:6]:
        assert hooked.fire(output=word)["decision"] == "block"
    assert hooked.fire(output="Yes.", stop_hook_active=False)["decision"] == "block"
    for word in WORDS[7:12]:
        assert hooked.fire(output=word)["decision"] == "block"


def test_two_sessions_beside_each_other_have_a_goal_each(hooked: Hooked) -> None:
    hooked.create("s-1")
    hooked.create("s-2")
    running = [
        subprocess.Popen(
            hooked.command(), cwd=hooked.project, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=ENVIRONMENT,
        )
        for _ in range(2)
    ]  # fmt: skip
    for session, process in zip(("s-1", "s-2"), running, strict=True):
        out, err = process.communicate(hooked.told(session), timeout=60)
        assert (json.loads(out)["decision"], err) == ("block", b"")
    assert [hooked.record(name).usage.turns for name in ("s-1", "s-2")] == [1, 1]
