"""C132: an emitted check says the same by its exit code and by its JSON, whatever the facts are."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from goalspec.tests.cases.commands import goalspec, put

SPEC = """\
facts {
  a.ok   : bool
  a.safe : bool
  a.off  : bool
}

goal g {
  objective "Pass."
  criterion c "It is ok" check a.ok
  constraint k "It is safe" check a.safe
  stop s "It is off" check a.off
}
"""
FACTS = {
    "done": (0, {"ok": True, "safe": True, "off": False}),
    "unmet": (1, {"ok": False, "safe": True, "off": False}),
    "violated": (1, {"ok": True, "safe": False, "off": False}),
    "unknown": (3, {"safe": True, "off": False}),
    "no facts": (3, {}),
    "stopped": (4, {"ok": True, "safe": True, "off": True}),
    "ill typed": (3, {"ok": "yes", "safe": True, "off": False}),
}


def exit_code_of(verdict: dict[str, Any]) -> int:
    """What the JSON says, by the documented meaning of the exit codes."""
    if verdict["stopped"]:
        return 4
    if verdict["done"]:
        return 0
    return 1 if verdict["unmet"] or verdict["violated"] else 3


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("emitted")
    spec = put(folder / "spec.goal", SPEC)
    compiled = goalspec("compile", spec, "--target", "python")
    return put(folder / "g.py", compiled.stdout_bytes)


@pytest.mark.parametrize("name", FACTS)
def test_the_exit_code_is_what_the_json_says(module: Path, tmp_path: Path, name: str) -> None:
    code, facts = FACTS[name]
    given = put(tmp_path / "facts.json", json.dumps({"a": facts}))
    command = [sys.executable, str(module), "--facts", str(given), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == code == exit_code_of(json.loads(done.stdout))
    spec = put(tmp_path / "spec.goal", SPEC)
    assert goalspec("check", spec, "--facts", given).exit_code == code


def test_wrong_input_prints_no_verdict(module: Path) -> None:
    command = [sys.executable, str(module), "--facts", "-", "--json"]
    done = subprocess.run(command, input="{", capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
