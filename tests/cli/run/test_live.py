"""The drawing of a run: what it shows, and that no text of anybody's gets out of its line."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from goalspec import Monitor
from goalspec.cli.run.live import Output, View, drawn
from goalspec.compiler.ir.document import Budget
from goalspec.runtime.driving import Standing
from goalspec.runtime.lifecycle import decide
from goalspec.runtime.lifecycle.commands import Block, Create, Pause
from goalspec.runtime.record import Evaluation, Record, Turn, Usage
from goalspec.tests.runtime.convergence.loop import checked
from goalspec.tests.runtime.record.records import at
from rich.console import Console

GOAL = checked('advisory criterion reviewed "It is reviewed" check reviewed\n')
BUDGET = Budget(turns=4, cost="5.00 USD", runtime="1h")
RECORD = replace(
    decide(Record(session="s-1"), Create(goal=GOAL), "person", at(0)).record,
    usage=Usage(turns=3, cost="1.25 USD", runtime=1_800_000_000_000),
)
VERDICT = Monitor(GOAL).observe({"suite.passed": True})
VIEW = View(Standing(RECORD, "continuing", VERDICT), BUDGET, {}, at(0), 75, "")


def shown(view: View, width: int = 80) -> list[str]:
    console = Console(file=StringIO(), width=width, color_system=None)
    with console.capture() as capture:
        console.print(drawn(view, width))
    return capture.get().splitlines()


@pytest.mark.row("S15")
def test_the_turn_the_budget_and_the_criteria() -> None:
    lines = shown(VIEW)
    assert lines[0] == "ship · session s-1 · active · turn 3 · 1m15s"
    assert [" ".join(line.replace("━", "").replace("╸", "").replace("╺", "").split())
            for line in lines[1:4]] == [
        "turns 3 of 4", "cost 1.25 USD of 5.00 USD", "runtime 30m of 1h",
    ]  # fmt: skip
    assert lines[4] == "  ✓ passes    The suite passes"
    assert lines[5].startswith("  ? reviewed  ")


@pytest.mark.row("S15", "S08")
def test_what_is_waited_for_counts_down() -> None:
    waits = {"grace": at(10), "the judge": at(60)}
    assert shown(replace(VIEW, waits=waits))[-1] == "  waits: grace, 10s"
    assert shown(replace(VIEW, waits=waits, now=at(12)))[-1] == "  waits: grace, 0s"


def test_a_turn_at_work_shows_what_the_agent_prints() -> None:
    record = replace(RECORD, turn=Turn(state="open", run="r", opened_at=at(0)))
    view = replace(VIEW, standing=replace(VIEW.standing, record=record), line="running tests")
    assert shown(view)[0].startswith("ship · session s-1 · active · turn 4")
    assert shown(view)[-1] == "  agent> running tests"


def test_the_last_evaluation_and_why_it_stopped() -> None:
    record = replace(
        RECORD, evaluation=Evaluation(id="e", outcome="continue", reason="x", at=at(0))
    )
    lines = shown(replace(VIEW, standing=replace(VIEW.standing, record=record)))
    assert lines[-1] == "  last evaluation: continue: x"
    blocked = decide(RECORD, Block(reason="no key"), "runtime", at(1)).record
    assert shown(replace(VIEW, standing=replace(VIEW.standing, record=blocked)))[-1] == "  no key"


@pytest.mark.row("P12")
@pytest.mark.parametrize("width", [20, 80])
def test_no_text_gets_out_of_its_line(width: int) -> None:
    hostile = "\x1b[31mred\nnew line\r\x07 [bold]no markup[/bold] \u202e" + "x" * 500
    record = decide(RECORD, Pause(reason=hostile), "person", at(1)).record
    record = replace(
        record, evaluation=Evaluation(id="e", outcome="continue", reason=hostile, at=at(0))
    )
    view = replace(VIEW, standing=replace(VIEW.standing, record=record), line=hostile)
    lines = shown(view, width)
    assert len(lines) == len(shown(VIEW, width)) + 2
    for line in lines:
        assert len(line) <= width
        assert "\x1b" not in line and "\x07" not in line and "\u202e" not in line
    assert "[bold]" in "".join(shown(view, 200))


@pytest.mark.parametrize(
    ("pieces", "line"),
    [
        ([b"one\ntwo\n"], "two"),
        ([b"one\ntw", b"o"], "two"),
        ([b"\n\n"], ""),
        ([b"a\n", b"\n"], "a"),
        ([b"\xff"], "\ufffd"),
        ([b"x" * 50_000, b"\nend"], "end"),
    ],
)
def test_the_agents_last_line(pieces: list[bytes], line: str) -> None:
    output = Output()
    for piece in pieces:
        output.tell(piece)
    assert output.line == line
