"""The command line on a session's goal, as a person at a terminal and as an agent ask."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from goalspec.cli import group
from goalspec.cli.goal.actor import HOST_MARKS
from goalspec.runtime.store import open_store
from goalspec.runtime.store.port import Store

SPEC = """\
facts { tests.passed : bool }

goal ship {
  objective "Ship it."
  criterion tests "The tests pass"
    check tests.passed

  constraint size "The diff stays small"
  budget { turns 10  tokens 1000  runtime 2h }
  judge {}
}
"""
WEAKER = SPEC.replace('  constraint size "The diff stays small"\n', "")
STRONGER = SPEC.replace("  judge {}", '  criterion docs "The docs say so"\n  judge {}')


@dataclass
class Commands:
    """Runs verbs on the session `s1` of a store of its own."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    environment: dict[str, str | None] = field(
        default_factory=lambda: dict.fromkeys(
            (*HOST_MARKS, "GOALSPEC_SESSION", "GOALSPEC_TOKEN", "NO_COLOR"), None
        )
    )
    store_url: str = ""

    def __post_init__(self) -> None:
        self.store_url = self.store_url or str(self.folder / "goals.sqlite")
        self.environment["GOALSPEC_STORE"] = self.store_url

    def file(self, name: str, text: str = SPEC) -> str:
        path = self.folder / name
        path.write_text(text, "utf-8")
        return str(path)

    def agent(self, *arguments: str, stdin: str = "", session: str | None = "s1") -> Result:
        return self._run(arguments, stdin, session, terminal=False)

    def person(self, *arguments: str, stdin: str = "", session: str | None = "s1") -> Result:
        """*stdin* is what is typed."""
        return self._run(arguments, stdin, session, terminal=True)

    def _run(
        self, arguments: tuple[str, ...], stdin: str, session: str | None, *, terminal: bool
    ) -> Result:
        self.monkeypatch.setattr("goalspec.cli.goal.actor._is_terminal", lambda stream: terminal)
        named = [] if session is None else ["--session", session]
        command = ["goal", arguments[0], *named, *arguments[1:]]
        runner = CliRunner(env=self.environment)
        return runner.invoke(
            group, command, input=stdin, prog_name="goalspec", catch_exceptions=False
        )

    def at_terminal(self, verb: str, typed: str = "", **environment: str) -> str:
        """What a process of its own prints on a terminal where *typed* is typed."""
        mine, its = pty.openpty()
        gone = {name for name, value in self.environment.items() if value is None}
        kept = {name: value for name, value in os.environ.items() if name not in gone}
        with subprocess.Popen(
            [sys.executable, "-m", "goalspec", "goal", verb, "--session", "s1"],
            stdin=its, stdout=its, stderr=its,
            env={**kept, "GOALSPEC_STORE": self.store_url, **environment},
        ) as process:  # fmt: skip
            os.close(its)
            os.write(mine, typed.encode())
            said = b""
            with suppress(OSError):  # the other end is closed
                while chunk := os.read(mine, 1024):
                    said += chunk
        os.close(mine)
        assert process.returncode == 0, said
        return said.decode()

    def store(self) -> Store:
        return open_store(self.store_url)

    def shown(self, session: str = "s1") -> dict[str, Any]:
        """The object of `goal show`."""
        shown: dict[str, Any] = json.loads(self.agent("show", "--json", session=session).stdout)
        return shown

    def status(self, session: str = "s1") -> str:
        name: str = self.shown(session)["status"]["name"]
        return name

    def created(self, text: str = SPEC) -> Commands:
        """A person has created the goal of *text*."""
        done = self.person("create", self.file("ship.goal", text))
        assert done.exit_code == 0, done.output
        return self


def refused(result: Result, code: str) -> bool:
    """Was a command refused with *code*, with nothing on standard output?"""
    said = f"goalspec: refused[{code}]: " in result.stderr
    return (result.exit_code, result.stdout, said) == (1, "", True)
