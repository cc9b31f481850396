"""The curve of a budget as a drawing: plain coordinates, in which one stretches to any width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .spending import Point

WIDTH, HEIGHT = 600, 120
_TOP = 1.1  # of the limit, at least


@dataclass(frozen=True, slots=True)
class Drawing:
    """*line* is the curve, *area* what lies under it, *limit* the height of the limit."""

    line: str
    area: str
    limit: str
    width: int = WIDTH
    height: int = HEIGHT


def drawing_of(points: Sequence[Point]) -> Drawing:
    """The curve of *points*, of which there is one at least."""
    last = max(points[-1].charges, 1)
    top = max(_TOP, *(point.share * _TOP for point in points))
    line = [(point.charges * WIDTH / last, HEIGHT - point.share * HEIGHT / top) for point in points]
    if len(line) == 1:
        line.append((WIDTH, line[0][1]))
    area = [(line[0][0], HEIGHT), *line, (line[-1][0], HEIGHT)]
    return Drawing(_spelled(line), _spelled(area), f"{HEIGHT - HEIGHT / top:.1f}")


def _spelled(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
