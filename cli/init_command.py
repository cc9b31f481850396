"""`goalspec init`: a first goal file to change, and facts to check it with."""

from __future__ import annotations

import os
from pathlib import Path

import click

from .files import Unreadable, write_output

_GOAL = """\
edition 1

facts {
  suite.passed : bool         "every test of the run passed"
  diff.files   : set of path  "what the branch changed"
}

goal first-goal {
  objective "Say in one sentence what must become true."

  criterion stable "The suite passes twice in a row"
    check suite.passed for 2 runs

  constraint no-secrets "Nothing below secrets/ changes"
    check all f in diff.files: not (f like "secrets/**")

  budget { turns 25  runtime 4h }
}

test "one red run resets the streak" for first-goal {
  observe { suite.passed = true }
  observe { suite.passed = false  diff.files = ["src/app.py"] }
  observe { suite.passed = true }
  expect stable unmet
  observe { suite.passed = true }
  expect done
}

test "a secret is not touched" for first-goal {
  observe { suite.passed = true  diff.files = ["src/app.py", "secrets/key.txt"] }
  observe { suite.passed = true }
  expect stable met
  expect no-secrets violated
  expect not done
}
"""
_FACTS = (
    '{"suite": {"passed": true}, "diff": {"files": ["src/app.py"]}}\n'
    '{"suite": {"passed": true}, "diff": {"files": ["src/app.py"]}}\n'
)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False), default=".", metavar="[FOLDER]")
def command(folder: str) -> None:
    """Write a first goal file.

    Writes FOLDER/first.goal and FOLDER/first.facts.jsonl, and never over a file that is there.
    """
    targets = {Path(folder, "first.goal"): _GOAL, Path(folder, "first.facts.jsonl"): _FACTS}
    there = [path for path in targets if os.path.lexists(path)]
    if there:
        raise Unreadable(f"{there[0]} is there already; nothing was written")
    for path, text in targets.items():
        write_output(path, text)
    goal, facts = targets
    click.echo(f"wrote {goal} and {facts}; now try\n")
    click.echo(f"  goalspec lint {goal}\n  goalspec test {goal}")
    click.echo(f"  goalspec check {goal} --facts {facts}")
