"""A run on a terminal while it goes: the turn, what is left of the budget, each part of the goal,
the judge's last word, and what is waited for, drawn anew a few times a second."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ...compiler.characters import one_line
from ...runtime.dashboard import drift_of, limits_used
from ...runtime.record.times import SECOND, read_stamp, stamp

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.table import Table
    from rich.text import Text

    from ...compiler.ir import Budget
    from ...runtime.driving import Driver, Standing
    from ...runtime.verdict import Result

REDRAWN = 0.25  # seconds between two drawings
_BAR = 12  # columns
_MARKS = {
    "met": ("✓", "green"), "held": ("✓", "green"), "waived": ("-", "bright_black"),
    "unmet": ("✗", "red"), "violated": ("✗", "red"), "stopped": ("■", "red"),
    "unknown": ("?", "yellow"), "judged": ("⚖", "cyan"),
}  # fmt: skip


@dataclass(slots=True)
class Output:
    """The last line that the agent printed."""

    line: str = ""
    _rest: bytes = b""

    def tell(self, piece: bytes) -> None:
        whole = self._rest + piece
        *lines, self._rest = whole[-10_000:].split(b"\n")
        said = [line for line in (*lines, self._rest) if line.strip()]
        if said:
            self.line = said[-1].decode(errors="replace")


@dataclass(frozen=True, slots=True)
class View:
    """What is drawn: how the run stands, the budget that is enforced, what is waited for until
    when, the time now, the seconds since it began, and the agent's last line."""

    standing: Standing
    budget: Budget
    waits: Mapping[str, str]
    now: str
    elapsed: float
    line: str


async def show(driver: Driver, budget: Budget, output: Output, console: Console) -> None:
    """Draw how *driver* stands until this is cancelled; the last drawing stays."""
    from rich.live import Live

    began = time.monotonic()

    def draw() -> None:
        if not driver.standing.reason:
            return  # nothing is known yet
        elapsed, now = time.monotonic() - began, stamp(datetime.now(UTC))
        view = View(driver.standing, budget, driver.waits, now, elapsed, output.line)
        live.update(drawn(view, console.width), refresh=True)

    with Live(console=console, auto_refresh=False) as live:
        try:
            while True:
                draw()
                await asyncio.sleep(REDRAWN)
        finally:
            draw()


def drawn(view: View, width: int) -> Group:
    """The drawing of *view*, *width* columns wide."""
    from rich.console import Group

    return Group(
        _head(view.standing, view.elapsed, width),
        _budget(view, width),
        *_parts(view.standing, width),
        *_below(view, width),
    )


def _head(standing: Standing, elapsed: float, width: int) -> Text:
    from rich.text import Text

    record = standing.record
    name = "no goal" if record.goal is None else record.goal.id
    status = record.status.name.replace("_", " ")
    turn = record.usage.turns + (record.turn.state == "open")
    text = f"{name} · session {record.session} · {status} · turn {turn} · {_span(elapsed)}"
    return Text(one_line(text, width), style="bold", no_wrap=True)


def _budget(view: View, width: int) -> Table:
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    grid = Table.grid(padding=(0, 1))
    for name, share, words in limits_used(view.standing.record.usage, view.budget):
        bar = ProgressBar(total=1.0, completed=min(share, 1.0), width=_BAR)
        grid.add_row("", one_line(name, 12), bar, one_line(words, max(width - _BAR - 18, 8)))
    return grid


def _parts(standing: Standing, width: int) -> Iterator[Text]:
    from rich.text import Text

    verdict = standing.verdict
    if verdict is None:
        return
    everything = (*verdict.criteria, *verdict.constraints, *verdict.stops)
    ids = min(max((len(part.id) for part in everything), default=0), 28)
    for part in everything:
        mark, color = _MARKS[part.outcome]
        text = Text(no_wrap=True)
        text.append(f"  {mark} ", style=color)
        text.append(one_line(part.id, ids).ljust(ids))
        text.append("  " + one_line(_said(part), max(width - ids - 7, 8)), style="dim")
        yield text


def _said(part: Result) -> str:
    return part.text if part.outcome in ("met", "held") else part.explanation or part.text


def _below(view: View, width: int) -> Iterator[Text]:
    """The last evaluation, what is waited for, and what the agent prints."""
    record = view.standing.record
    if drift := drift_of(record):
        yield _line(f"drift, so not done: {', '.join(drift)}", width, style="red")
    if record.evaluation is not None:
        said = f"{record.evaluation.outcome}: {record.evaluation.reason or ''}"
        yield _line(f"last evaluation: {said}", width)
    if record.turn.state == "open":
        yield _line(f"agent> {view.line}", width, style="dim")
    elif view.waits:
        why, at = min(view.waits.items(), key=lambda wait: wait[1])
        left = max(read_stamp(at) - read_stamp(view.now), 0) / SECOND
        yield _line(f"waits: {why}, {_span(left)}", width)
    elif record.status.reason:
        yield _line(record.status.reason, width)


def _line(text: str, width: int, style: str = "") -> Text:
    from rich.text import Text

    return Text("  " + one_line(text, width - 2), style=style, no_wrap=True)


def _span(seconds: float) -> str:
    whole = int(seconds)
    minutes, hours = whole // 60, whole // 3600
    if hours:
        return f"{hours}h{minutes % 60:02}m"
    return f"{minutes}m{whole % 60:02}s" if minutes else f"{whole}s"
