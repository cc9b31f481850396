"""C025: a search that finds nothing exits with 1 and is the success, one that broke is neither; and
what a command prints loses its last line end, no matter which command printed it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from goalspec.compiler import load
from goalspec.runtime import Monitor, Verdict
from goalspec.runtime.sources import DeclaredFacts

posix = pytest.mark.skipif(sys.platform == "win32", reason="scripts of a shell")
TWICE = '{"first": {"linux": "9f1c"}, "second": {"linux": "9f1c"}, "status": "", %s}'
FILES = '"fixtures": ["a"], "goldens": ["./a"]'
GREP = "#!/bin/sh\ngrep -rn 'sys.platform' src >/dev/null 2>&1\n"
HEAD = """
facts from run "cat first" {
  first : string at "out"
}
facts from run "cat second" {
  second : string at "out"
}
goal same {
  objective "Generate one hash."
  criterion same "Both generations have it"
    check first == second and len(first) == 4
}
"""


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def observed(goal: Path) -> Verdict:
    (declared,) = load(goal).goals
    return Monitor(declared).observe(
        asyncio.run(DeclaredFacts(declared, goal.parent, allow_run=True)())
    )


@posix
@pytest.mark.ruling(64)
@pytest.mark.parametrize(
    ("source", "found", "outcome"),
    [
        ("x = 1\n", GREP, "met"),
        ("import sys; sys.platform\n", GREP, "unmet"),
        ("x = 1\n", GREP.replace("src", "no-such-folder"), "unknown"),
        ("x = 1\n", GREP.replace("grep", "no-such-command"), "unknown"),
    ],
    ids=["nothing", "something", "nowhere", "no command"],
)
def test_no_match_is_the_success(tmp_path: Path, source: str, found: str, outcome: str) -> None:
    goal = tmp_path / "C025.goal"
    goal.write_text(Path(__file__).with_name("C025.goal").read_text("utf-8"), encoding="utf-8")
    script(tmp_path / "scripts/generate-twice", f"#!/bin/sh\necho '{TWICE % FILES}'\n")
    script(tmp_path / "scripts/grep-platform-conditionals", found)
    script(tmp_path / "src/a.py", source)
    results = {part.id: part.outcome for part in observed(goal).criteria}
    assert results.pop("no-conditional") == outcome
    assert set(results.values()) == {"met"}


@posix
@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
def test_the_last_line_end_is_no_part_of_it(tmp_path: Path, ending: str) -> None:
    (tmp_path / "same.goal").write_text(HEAD)
    (tmp_path / "first").write_bytes(b"9f1c")
    (tmp_path / "second").write_bytes(f"9f1c{ending}".encode())
    assert observed(tmp_path / "same.goal").done
    (tmp_path / "second").write_bytes(f"9f1c{ending}\n\n".encode())
    assert not observed(tmp_path / "same.goal").done
