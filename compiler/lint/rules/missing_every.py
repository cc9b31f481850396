from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ....grammar.literals import DURATION_UNITS, write_duration
from ..rule import Place, Rule

_LOOKS = 5  # in one duration, as the hint proposes


class MissingEvery(Rule):
    """`P for 10m` that does not say how large a gap may be."""

    code = Code(
        "GS435", "missing-every", "lint", Severity.WARNING,
        "`for 10m` alone accepts gaps of any length: two good observations ten minutes apart are "
        "enough, whatever was in between. `every` names the largest gap; a larger one breaks the "
        "evidence, and the result is unknown until there is enough of it again. Choose it by how "
        "often the host measures, and by how short an outage must not be missed.",
        """\
facts {
  service.up : bool
}

goal g {
  objective "Bring the service back."
  criterion steady "The service stays up"
    check service.up for 10m
}
""",
        """\
facts {
  service.up : bool
}

goal g {
  objective "Bring the service back."
  criterion steady "The service stays up"
    check service.up for 10m every 2m
}
""",
    )  # fmt: skip
    on = (s.Held,)

    def look(self, node: s.Held, at: Place) -> Iterator[Diagnostic]:
        duration = node.duration
        if node.every is not None or not isinstance(duration, s.Literal):
            return
        gap = _round(max(1, duration.value // _LOOKS))
        yield self.finding(
            at, duration.span, f"`for {duration.text}` accepts gaps of any length",
            f"write `for {duration.text} every {gap}`, or another largest gap",
        )  # fmt: skip


def _round(duration: int) -> str:
    """The whole part of *duration* in its largest unit: 4h for 4h48m."""
    unit = next(factor for factor in DURATION_UNITS.values() if factor <= duration)
    return write_duration(duration - duration % unit)
