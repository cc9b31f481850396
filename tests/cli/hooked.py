"""A project with a goal that is held by a session, and a host that calls `goalspec hook stop` as hosts
do: a process, with one JSON object on its standard input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from goalspec import load
from goalspec.runtime.goals import Goals
from goalspec.runtime.lifecycle.commands import Create
from goalspec.runtime.record import Record
from goalspec.runtime.store import open_store

GOAL = """\
facts {
  n : int in 0..
}

goal count {
  objective "Count to three."
  criterion there "It is three"
    check n == 3
}
"""
ENVIRONMENT = {name: text for name, text in os.environ.items() if not name.startswith("GOALSPEC_")}
WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()


class Hooked:
    """*project* is where the agent works, *store* and *facts* are beside it."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self.store = folder / "goals.sqlite"
        self.facts = folder / "facts.json"
        (self.project / ".git").mkdir(parents=True)
        self.tell({"n": 0})

    def tell(self, facts: dict[str, Any]) -> None:
        self.facts.write_text(json.dumps(facts))

    def create(self, session: str = "s-1", text: str = GOAL) -> None:
        """Give *session* the goal of a file, as `goalspec goal create` does."""
        file = self.project / "the.goal"
        file.write_text(text)
        Goals(open_store(str(self.store))).perform(
            session, Create(goal=load(str(file)).goals[0]), "person"
        )

    def record(self, session: str = "s-1") -> Record:
        return Goals(open_store(str(self.store))).record(session)

    def command(self, *more: str, store: bool = True) -> list[str]:
        named = ["--store", str(self.store)] if store else []
        given = ["--facts", str(self.facts)]
        return [sys.executable, "-m", "goalspec", "hook", "stop", *named, *given, *more]

    def told(self, session: str = "s-1", output: str = "I stop.", **more: Any) -> bytes:
        """What a host writes."""
        values = {
            "session_id": session, "cwd": str(self.project), "hook_event_name": "Stop",
            "stop_hook_active": True, "last_assistant_message": output, **more,
        }  # fmt: skip
        return json.dumps(values).encode()

    def call(
        self, data: bytes, *more: str, store: bool = True, **environment: str
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            self.command(*more, store=store), cwd=self.project, input=data, capture_output=True,
            timeout=60, check=False, env={**ENVIRONMENT, **environment},
        )  # fmt: skip

    def fire(self, *more: str, **told: Any) -> dict[str, Any]:
        """What the host is answered, by a hook that has no trouble."""
        done = self.call(self.told(**told), *more)
        assert done.stderr == b""
        return answer_of(done)


def answer_of(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    """The one document on standard output."""
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert done.stdout.count(b"\n") == 1
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
