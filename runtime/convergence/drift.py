"""The pinned gates: the goal's file, its commands and its protected files are as they were when the
work began, or the goal is not complete. Only a person's amendment makes another state of them the
right one."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from ...compiler.ir.document import Protect
from ...compiler.patterns import compile_globs
from ..lifecycle.commands import Evaluated
from .course import Course
from .events import Judged, Observed
from .floor import is_open
from .state import Prompt


def drifted(
    pinned: Mapping[str, str | None], now: Mapping[str, str | None], protect: tuple[Protect, ...]
) -> tuple[str, ...]:
    """What changed, went, came, or cannot be read, in words. A file that came is allowed where a
    protection allows new ones of its name."""
    globs = tuple(chain.from_iterable(entry.allow_new for entry in protect))
    found = []
    for path in sorted({*pinned, *now}):
        if path not in pinned:
            if not (globs and compile_globs(globs)(path)):
                found.append(f"{path} was added")
        elif path not in now:
            found.append(f"{path} is gone")
        elif now[path] is None or pinned[path] is None:
            found.append(f"{path} cannot be read")
        elif now[path] != pinned[path]:
            found.append(f"{path} was changed")
    return tuple(found)


def drift(course: Course) -> str | None:
    """No reason of its own: what drifted vetoes completion and the judge, and the work goes on."""
    if course.gates is None or not isinstance(course.event, Observed | Judged):
        return None
    found = drifted(course.gates, course.event.gates, course.goal.protect)
    if found != course.state.drift:
        course.keep(drift=found)
    if not found:
        return None
    said = f"pinned files drifted: {', '.join(found)}"
    pending = course.record.pending
    proposed = pending is not None and pending.candidate is not None
    if pending is not None and proposed and not is_open(course):
        course.do(Evaluated(evaluation=pending.evaluation, outcome="continue", reason=said))
    course.keep(prompt=Prompt(kind="floor_failed" if proposed else "full", feedback=said))
    return None
