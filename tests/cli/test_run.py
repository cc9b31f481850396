"""`goalspec run`: a command-line agent that is driven, what is said of it, and what it may not do."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime.goals import Goals
from goalspec.runtime.store import open_store

PYTHON = sys.executable
FACTS = f"{PYTHON} facts.py"
GOAL = """\
facts {
  n : int in 0..
}

goal count {
  objective "Count to three."
  criterion there "It is three"
    check n == 3
  budget { turns 9 }
}
"""
COUNTS = """\
import pathlib, sys
sys.stdin.read()
file = pathlib.Path("n")
file.write_text(str(int(file.read_text()) + 1))
print("counted")
"""
TELLS = 'import json, pathlib; print(json.dumps({"n": int(pathlib.Path("n").read_text())}))\n'


class Project:
    """A project with a goal, an agent and facts, and a store of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root / "project"
        self.store = root / "goals.sqlite"
        self.root.mkdir()
        (self.root / ".git").mkdir()
        self.write("count.goal", GOAL)
        self.write("agent.py", COUNTS)
        self.write("facts.py", TELLS)
        self.write("n", "0")

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def command(
        self, *more: str, agent: str = f"{PYTHON} agent.py", file: str = "count.goal"
    ) -> Any:
        return [
            PYTHON, "-m", "goalspec", "run", file, "--agent", agent, "--store", str(self.store),
            *more,
        ]  # fmt: skip

    def run(
        self, *more: str, facts: bool = True, **values: Any
    ) -> subprocess.CompletedProcess[str]:
        given = ["--facts-command", FACTS, "--allow-run"] if facts else []
        return subprocess.run(
            self.command(*given, *more, **values), cwd=self.root, capture_output=True, text=True,
            timeout=60, check=False, stdin=subprocess.DEVNULL, env=ENVIRONMENT,
        )  # fmt: skip

    def goals(self) -> Goals:
        return Goals(open_store(str(self.store)))


# Without what this run of pytest was given, which the suite in the project would take for its own.
ENVIRONMENT = {
    name: text for name, text in os.environ.items() if not name.startswith(("GOALSPEC_", "PYTEST_"))
}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    yield Project(tmp_path)


@pytest.mark.row("D7", "P03")
def test_an_agent_is_driven_until_its_goal_is_met(project: Project) -> None:
    done = project.run("--session", "s-1")
    assert done.returncode == 0, done.stderr
    assert "budget    turns 9" in done.stdout
    assert "count: done" in done.stdout
    assert done.stdout.count("auto continued") == 3
    record = project.goals().record("s-1")
    assert (record.status.name, record.usage.turns) == ("complete", 3)
    assert project.goals().check_journal("s-1") == []


@pytest.mark.row("P09")
def test_as_json_every_line_is_an_object_and_a_file_gets_the_same(project: Project) -> None:
    done = project.run("--session", "s-1", "--json", "--events", "../events.jsonl")
    first, *notices, last = map(json.loads, done.stdout.splitlines())
    assert (first["kind"], first["session"], first["goal"]) == ("run", "s-1", "count")
    assert first["budget"].startswith("turns 9")
    assert last["reason"] == "complete"
    kinds = [notice["kind"] for notice in notices]
    assert kinds.count("auto_continued") == 3
    assert kinds[-1] in ("status_changed", "kept")
    written = [json.loads(line) for line in (project.root.parent / "events.jsonl").open()]
    assert written == notices


def test_the_agent_is_told_its_turn_and_nothing_that_speaks_for_a_person(project: Project) -> None:
    project.write(
        "agent.py",
        COUNTS
        + "import json, os\n"
        + "names = ('GOALSPEC_TOKEN', 'GOALSPEC_SESSION', 'GOALSPEC_TURN', 'AGENT')\n"
        + "print(json.dumps({name: os.environ.get(name) for name in names}),"
        + " file=open('../seen', 'a'))\n",
    )
    given = ["--facts-command", FACTS, "--allow-run", "--session", "s-1"]
    subprocess.run(
        project.command(*given), cwd=project.root, capture_output=True, timeout=60, check=True,
        stdin=subprocess.DEVNULL, env=ENVIRONMENT,
    )  # fmt: skip
    seen = [json.loads(line) for line in (project.root.parent / "seen").open()]
    assert seen[1] == {
        "GOALSPEC_TOKEN": None, "GOALSPEC_SESSION": "s-1", "GOALSPEC_TURN": "2", "AGENT": "goalspec",
    }  # fmt: skip


# --- how it ends


@pytest.mark.parametrize(
    ("agent", "rest", "code", "status", "said"),
    [
        ("import sys; sys.exit(3)", "", 1, "blocked", "exit code 3"),
        ("import sys; sys.exit('no key')", "", 1, "blocked", "no key"),
        ("import sys; sys.exit(77)", "", 1, "blocked", "login"),
        ("print('goalspec: blocked no registry')", "", 1, "blocked", "no registry"),
        ("print('Done!')", "", 1, "blocked", "3 equal replies"),
        (COUNTS, "budget { turns 2 }\n", 1, "budget_limited", "turns: 2 of 2"),
        (COUNTS, 'stop far "Too far"\n check n >= 2\n', 4, "blocked", "stop: far"),
    ],
)
def test_what_is_not_complete_is_no_success(
    project: Project, agent: str, rest: str, code: int, status: str, said: str
) -> None:
    project.write("agent.py", agent)
    project.write("count.goal", GOAL.replace("  budget { turns 9 }\n", rest))
    done = project.run("--session", "s-1")
    assert done.returncode == code, done.stdout + done.stderr
    record = project.goals().record("s-1")
    assert record.status.name == status
    assert said in (record.status.reason or "")


def test_facts_that_cannot_be_had_cannot_be_told(project: Project) -> None:
    project.write("facts.py", "import sys; sys.exit('no database')")
    project.write("count.goal", GOAL.replace("turns 9", "turns 1"))
    done = project.run()
    assert done.returncode == 3
    assert "no database" in done.stdout


# --- wrong input


@pytest.mark.row("X01")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--agent", ""], "--agent: it is empty"),
        (["--agent", "a 'b"], "is no command: No closing quotation"),
        ([], "the goal reads facts, and there are none"),
        (["--facts-command", FACTS], "let it be run with --allow-run"),
        (["--facts", "n"], "the agent could write it; put it elsewhere, or say --facts-from-agent"),
        (["--facts", "../none.json"], "../none.json: no such file"),
        (["--judge", "j", "--allow-run", "--facts", "n", "--facts-from-agent"], "has no `judge`"),
        (["--evidence", "e", "--allow-run", "--facts-command", FACTS], "is for a judge"),
        (["--in", "nowhere"], "there is no such folder"),
        (["--turn-timeout", "5"], "write a duration, such as 90m"),
        (["--turn-timeout", "0s"], "write a duration, such as 90m"),
        (["--interval", "-1"], "--interval"),
        (["--goal", "other"], "other"),
        (["--baseline", "../none.json"], "none.json"),
        (["--max-iterations=3"], "No such option"),
        (["count.goal"], "unexpected extra argument"),
    ],
)
def test_a_wrong_command_says_what_is_wrong_and_runs_nothing(
    project: Project, options: list[str], said: str
) -> None:
    done = project.run(*options, "--session", "s-1", facts=False)
    assert done.returncode == 2, done.stdout
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert (project.root / "n").read_text() == "0"
    assert project.goals().store.get("s-1") is None


def test_a_spec_with_errors_is_shown(project: Project) -> None:
    project.write("count.goal", GOAL.replace("n == 3", "m == 3"))
    done = project.run()
    assert (done.returncode, "count.goal:8:" in done.stderr) == (2, True)


@pytest.mark.ruling(41)
def test_facts_of_the_agents_own_folder_are_stated(project: Project) -> None:
    project.write("facts.json", '{"n": 3}')
    given = ["--facts", "facts.json", "--facts-from-agent", "--session", "s-1"]
    done = project.run(*given, facts=False)
    assert done.returncode == 0
    source = project.goals().record("s-1").metadata.source
    assert source == {"facts": "from a file that the agent can write"}
    assert "facts     from a file that the agent can write" in done.stdout


@pytest.mark.row("X11")
@pytest.mark.ruling(34)
def test_an_agent_that_edits_what_measures_it_is_not_done(project: Project) -> None:
    project.write("agent.py", "open('facts.py', 'w').write('print(\\'{\"n\": 3}\\')')")
    done = project.run("--session", "s-1")
    assert done.returncode == 1
    record = project.goals().record("s-1")
    assert record.status.name == "blocked"
    assert record.loop is not None
    assert record.loop["drift"] == ["facts.py was changed"]  # type: ignore[index,call-overload]
    assert "not done, whatever the checks say: facts.py was changed" in done.stdout


# --- interrupted, and gone on with


SLOW = (
    COUNTS.replace(
        "sys.stdin", "import time\ntime.sleep(0 if file.read_text() != '1' else 60)\nsys.stdin"
    )
    .replace('file = pathlib.Path("n")\n', "")
    .replace("import pathlib, sys\n", 'import pathlib, sys\nfile = pathlib.Path("n")\n')
)


def started(project: Project, *more: str) -> subprocess.Popen[str]:
    """A run whose second turn takes a minute, in that turn."""
    project.write("agent.py", SLOW)
    command = project.command("--facts-command", FACTS, "--allow-run", "--session", "s-1", *more)
    process = subprocess.Popen(
        command, cwd=project.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        stdin=subprocess.DEVNULL, env=ENVIRONMENT,
    )  # fmt: skip
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        stored = project.goals().store.get("s-1") if project.store.exists() else None
        if stored is not None and stored.record.turn.state == "open" and stored.record.usage.turns:
            return process
        time.sleep(0.05)
    raise AssertionError(process.communicate())


@pytest.mark.row("S08")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_pauses_and_resume_goes_on(project: Project, number: int) -> None:
    process = started(project)
    process.send_signal(number)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 1, err
    record = project.goals().record("s-1")
    assert (record.status.name, record.usage.turns, record.turn.state) == ("paused", 2, "idle")
    project.write("agent.py", COUNTS)
    stopped = project.run("--session", "s-1")
    assert stopped.returncode == 1
    assert "`--resume`" in stopped.stderr
    resumed = project.run("--session", "s-1", "--resume", "--token", token(project))
    assert resumed.returncode == 0, resumed.stderr
    assert project.goals().record("s-1").usage.turns == 4


def token(project: Project) -> str:
    return project.goals().issue_token("s-1", 60)[0]


@pytest.mark.row("P06")
@pytest.mark.ruling(43, 47)
def test_a_run_that_was_killed_goes_on_where_it_was(project: Project) -> None:
    process = started(project)
    process.kill()
    process.communicate()
    project.write("agent.py", COUNTS)
    done = project.run("--session", "s-1")
    assert done.returncode == 0, done.stderr
    record = project.goals().record("s-1")
    assert (record.status.name, record.usage.turns) == ("complete", 3)
    assert project.goals().check_journal("s-1") == []


# --- a real repair


REPAIR = f"""\
facts from run "{PYTHON} -m pytest -q -p no:cacheprovider" in "src" timeout 1m {{
  suite.passed : bool
}}

goal repair {{
  objective "Make the suite pass."
  criterion passes "The suite passes twice in a row"
    check suite.passed for 2 runs
  budget {{ turns 8 }}
  protect "src/test_*.py"
}}
"""
REPAIRS = """\
import os, pathlib, sys
prompt = sys.stdin.read()
calc, turn = pathlib.Path("src/calc.py"), int(os.environ["GOALSPEC_TURN"])
if turn == 2 and "passes" in prompt:
    # Of another length: Python's caches tell two files of one second by it alone.
    calc.write_text("def add(a, b):\\n    return a + b  # and not a - b\\n")
print(f"Turn {turn}: {'tried something' if turn == 1 else 'mended the sum'}.")
print("goalspec: complete")
"""


@pytest.mark.row("D7", "H13", "X11")
def test_an_agent_repairs_a_repository_vetoed_at_first_and_done_in_the_end(
    project: Project,
) -> None:
    project.write("repair.goal", REPAIR)
    project.write("repair.py", REPAIRS)
    project.write("src/calc.py", "def add(a, b):\n    return a - b\n")
    project.write(
        "src/test_calc.py", "from calc import add\n\ndef test_add():\n    assert add(1, 2) == 3\n"
    )
    done = project.run(
        "--allow-run", "--session", "s-1", "--json",
        facts=False, file="repair.goal", agent=f"{PYTHON} repair.py",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    answers = [
        json.loads(line)["details"]
        for line in done.stdout.splitlines()
        if json.loads(line).get("kind") == "evaluated"
    ]
    assert [answer["outcome"] for answer in answers] == ["continue", "continue", "complete"]
    assert answers[0]["reason"] == "open: passes"
    suite = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    for _ in range(2):
        done = subprocess.run(suite, cwd=project.root / "src", check=False, env=ENVIRONMENT)
        assert done.returncode == 0


# --- on a terminal


@pytest.mark.row("S15")
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("color", [True, False])
def test_a_terminal_shows_the_run_as_it_goes(project: Project, color: bool) -> None:
    command = project.command("--facts-command", FACTS, "--allow-run", "--session", "s-1")
    pid, descriptor = pty.fork()
    if pid == 0:
        os.chdir(project.root)
        environment = {**ENVIRONMENT, "TERM": "xterm-256color", "COLUMNS": "90"}
        os.execve(command[0], command, environment | ({} if color else {"NO_COLOR": "1"}))
    shown = b""
    while True:
        try:
            piece = os.read(descriptor, 65_536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    _, status = os.waitpid(pid, 0)
    text = shown.decode()
    assert os.waitstatus_to_exitcode(status) == 0, text
    assert "count · session s-1 · " in text
    assert "3 of 9" in text
    assert "✓" in text
    assert "count: done" in text
    assert ("\x1b[32m" in text) == color


# --- what is said at the end


def test_a_run_that_may_not_go_on_says_what_was_seen_last(project: Project) -> None:
    project.write("count.goal", GOAL.replace("turns 9", "turns 1"))
    assert project.run("--session", "s-1").returncode == 1
    again = project.run("--session", "s-1")
    assert again.returncode == 1
    assert "turns: 1 of 1" in again.stdout


@pytest.mark.row("X08")
def test_what_a_judge_accepted_is_done(project: Project) -> None:
    goal = GOAL.replace("n == 3", "n >= 1").replace(
        "  budget", '  criterion told "It is told"\n  judge { model "j" provider "p" }\n  budget'
    )
    project.write("count.goal", goal)
    project.write("agent.py", COUNTS + "print('goalspec: complete')\n")
    answer = {
        "criteria": {
            "told": {
                "evidence": [{"source": "evidence-1", "quote": "It was counted."}],
                "reason": "The log says so.",
                "outcome": "met",
            }
        },
        "decision": "accept",
        "next_step": None,
    }
    project.write("judge.py", f"import json; print(json.dumps({{'text': {json.dumps(answer)!r}}}))")
    project.write("log.py", "print('It was counted.')")
    judged = ["--judge", f"{PYTHON} judge.py", "--evidence", f"{PYTHON} log.py"]
    done = project.run("--session", "s-1", *judged)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "count: done" in done.stdout
    assert "the judge accepts" in done.stdout
    kinds = [one.kind for one in project.goals().store.exhibits("s-1")]
    assert kinds == ["request", "call", "judgement"]
