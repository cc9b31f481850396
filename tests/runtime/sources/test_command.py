"""Commands that print the facts, and every way in which they do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec.runtime.sources import CommandFacts
from goalspec.tests.runtime.sources.goals import asked, goal_with, python, why

FACTS = goal_with("facts {\n  a.ok : bool\n  n : int\n}").facts


def command(code: str, folder: Path, **values: object) -> CommandFacts:
    return CommandFacts(python(code), FACTS, folder, **{"allow_run": True, **values})  # type: ignore[arg-type]


def test_the_facts_are_what_it_prints(tmp_path: Path) -> None:
    code = """import json, os; print(json.dumps({"a": {"ok": True}, "n": len(os.listdir())}))"""
    source = command(code, tmp_path)
    assert asked(source) == {"a.ok": True, "n": 0}
    (tmp_path / "file").touch()
    assert asked(source)["n"] == 1


BAD = {
    "exit code": ("import sys; print('{}'); sys.exit('it broke')", "exit code 1: it broke"),
    "signal": ("import os; os.kill(os.getpid(), 9)", "killed by signal 9"),
    "no JSON": ("print('ok')", "not JSON"),
    "nothing": ("pass", "the facts are empty"),
    "another JSON": ("print('[]')", "no observation"),
    "too much": ("while True: print('x' * 100000)", "printed more than 16,777,216 bytes"),
    "not in time": ("import time; time.sleep(60)", "killed after 0.5s, its timeout"),
    "no UTF-8": (r"import sys; sys.stdout.buffer.write(b'{\xff}')", "not UTF-8"),
    "a time of its own": ("print('{\"at\": \"2026-01-01T00:00Z\", \"facts\": {}}')", "no `at`"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_what_fails_shows_nothing(tmp_path: Path, kind: str) -> None:
    code, said = BAD[kind]
    timeout = 0.5 if kind == "not in time" else 60.0
    answer = asked(command(code, tmp_path, timeout=timeout))
    assert answer.keys() == {"a.ok", "n"}
    for name in answer:
        reason, words = why(answer, name)
        assert reason == "error" and said in words


@pytest.mark.ruling(41)
def test_nothing_runs_that_is_not_allowed(tmp_path: Path) -> None:
    answer = asked(command(f"open({str(tmp_path / 'ran')!r}, 'w')", tmp_path, allow_run=False))
    assert why(answer, "n")[1].endswith("is not allowed to run")
    assert not (tmp_path / "ran").exists()


def test_what_cannot_be_started_says_so(tmp_path: Path) -> None:
    def words(command: list[str], folder: Path) -> str:
        return why(asked(CommandFacts(command, FACTS, folder, allow_run=True)), "n")[1]

    assert "`no-such-command` was not started" in words(["no-such-command"], tmp_path)
    assert "there is no folder" in words(python("pass"), tmp_path / "gone")
    assert "is empty" in words([], tmp_path)


def test_a_persons_token_is_not_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOALSPEC_TOKEN", "secret")
    code = "import os; print('{\"a.ok\": %s}' % str('GOALSPEC_TOKEN' in os.environ).lower())"
    assert asked(command(code, tmp_path))["a.ok"] is False
