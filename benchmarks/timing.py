"""Timing that a shared machine does not spoil: what is compared runs in turns, round by round; a
figure is the median of the rounds' ratios, with their quartiles, beside the aim.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Work:
    """Something to time: *run* of *argument*, *repeat* times in one go. One run gets through so
    many *units* (lines, say), and times are those of one unit."""

    name: str
    run: Callable[[Any], object]
    argument: Any
    repeat: int = 1
    units: int = 1

    def seconds(self) -> float:
        """Of one unit; nothing stands between the loop and the function."""
        run, argument = self.run, self.argument
        start = time.perf_counter()
        for _ in range(self.repeat):
            run(argument)
        return (time.perf_counter() - start) / self.repeat / self.units


@dataclass(frozen=True)
class Aim:
    """What a ratio should be: at most, or at least, so much."""

    limit: float
    at_least: bool = False

    def said(self, ratio: float) -> str:
        reached = ratio >= self.limit if self.at_least else ratio <= self.limit
        side = "at least" if self.at_least else "at most"
        return f"aim: {side} {self.limit:g}, {'reached' if reached else 'missed'}"


@dataclass(frozen=True)
class Times:
    """The seconds of each work by its name, round by round."""

    of: dict[str, list[float]]

    def cost(self, one: Work, base: Work) -> list[float]:
        """How many times as long *one* takes as *base*, in each round."""
        pairs = zip(self.of[one.name], self.of[base.name], strict=True)
        return [mine / theirs for mine, theirs in pairs]

    def speed(self, one: Work, base: Work) -> list[float]:
        """How many times as fast *one* is as *base*, in each round."""
        return self.cost(base, one)


def measure(works: Sequence[Work], rounds: int) -> Times:
    """Time *works* in turns. Every second round runs backwards, so that a machine that grows slower
    or faster favours nobody."""
    for work in works:
        work.seconds()  # whatever only a first call does
    seconds: dict[str, list[float]] = {work.name: [] for work in works}
    for number in range(rounds):
        for work in works if number % 2 == 0 else reversed(works):
            gc.collect()
            seconds[work.name].append(work.seconds())
    return Times(seconds)


def row(name: str, value: str, ratios: Sequence[float] = (), aim: Aim | None = None) -> None:
    """Print a line of a table; *ratios* are those of the rounds."""
    print(f"  {name:42}{value:>17}  {_figure(ratios, aim)}".rstrip())


def _figure(ratios: Sequence[float], aim: Aim | None) -> str:
    if not ratios:
        return ""
    ordered = sorted(ratios)
    quarter = len(ordered) // 4
    median, low, high = statistics.median(ordered), ordered[quarter], ordered[-quarter - 1]
    said = f"{median:7.2f} ({low:.2f} to {high:.2f})"
    return said if aim is None else f"{said:25}{aim.said(median)}"


def duration(seconds: Sequence[float]) -> str:
    """The median in a unit of its size."""
    median = statistics.median(seconds)
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if median * factor >= 1:
            return f"{median * factor:,.1f} {unit}"
    return f"{median * 1e9:,.0f} ns"


def rate(seconds: Sequence[float]) -> str:
    """The median of the time of a line, as lines a second."""
    return f"{1 / statistics.median(seconds):,.0f} lines/s"
