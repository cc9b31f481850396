"""The page on a goal's life is in step with the code: its tables and its diagram are made from the
table of authority and from the exploration, its example runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime.lifecycle import AUTHORITY
from goalspec.runtime.lifecycle.authority import ACTORS
from goalspec.runtime.record import Record
from goalspec.tests.runtime.lifecycle.exploration import Exploration, explored, status_changes

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "lifecycle.md"
_MADE = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def authority(_: Exploration) -> str:
    rows = [f"| command | {' | '.join(ACTORS)} |", "| --- |" + " --- |" * len(ACTORS)]
    said = {"yes": "yes", "no": ""}
    rows += (
        f"| `{kind}` | "
        + " | ".join(said.get(leave[actor], leave[actor]) for actor in ACTORS)
        + " |"
        for kind, leave in AUTHORITY.items()
    )
    return "\n".join(rows)


def states(found: Exploration) -> str:
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> cleared"]
    lines += (
        f"    {before} --> {after}: {', '.join(sorted({kind for kind, _ in by}))}"
        for (before, after), by in sorted(status_changes(found).items())
    )
    return "\n".join([*lines, "    complete --> [*]", "    ended --> [*]", "```"])


def ways(found: Exploration) -> str:
    rows = ["| from | to | by |", "| --- | --- | --- |"]
    for (before, after), by in sorted(status_changes(found).items()):
        commands: dict[str, list[str]] = {}
        for kind, actor in sorted(by):
            commands.setdefault(kind, []).append(actor)
        said = "; ".join(f"`{kind}` ({', '.join(actors)})" for kind, actors in commands.items())
        rows.append(f"| `{before}` | `{after}` | {said} |")
    return "\n".join(rows)


def figures(found: Exploration) -> str:
    return (
        f"That is {len(found.states):,} states and {len(found.moves):,} transitions between them, the "
        f"farthest state {found.depth} steps from an empty session, and {found.refused:,} refusals."
    )


PARTS: dict[str, Callable[[Exploration], str]] = {
    "authority": authority, "states": states, "ways": ways, "figures": figures,
}  # fmt: skip


@pytest.mark.row("X15", "P10")
def test_the_tables_and_the_diagram_are_in_step(golden: Callable[[Path, str], None]) -> None:
    page = PAGE.read_text("utf-8")
    assert [match[2] for match in _MADE.finditer(page)] == list(PARTS)
    found = explored()
    golden(PAGE, _MADE.sub(lambda part: f"{part[1]}{PARTS[part[2]](found)}\n{part[3]}", page))


def test_the_example_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    [example] = re.findall(
        r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    names: dict[str, Any] = {}
    exec(example, names)
    assert names["paused"].record.status.name == "paused"


def test_the_page_names_every_field_of_a_record() -> None:
    table = PAGE.read_text("utf-8").partition("## The record")[2].partition("Times are")[0]
    named = {
        name
        for row in table.splitlines()
        if row.startswith("| `")
        for name in re.findall(r"`(\w+)`", row.split("|")[1])
    }
    assert named == set(Record.field_names) - {"record_version"}
