from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from ....grammar.source import Span
from ...goals import PREFIXES
from ...ir import document as ir
from ..rule import Place, Rule

_WORD = re.compile(r"[a-z][a-z0-9]*", re.ASCII)
_LONGEST = 24  # of a word that goes into an id
_WORDS = 3
_READ = 1_000  # characters of a description
_FILLERS = frozenset(
    "a an and any are as at be been by each for from has have in into is it its must of on one or "
    "should so than that the their them there they this to was were which will with".split()
)
_RESERVED = frozenset({"done", "not"})  # `expect done` and `expect not done` are about the goal


class MissingId(Rule):
    """A criterion, a constraint or a stop without an id."""

    code = Code(
        "GS436", "missing-id", "lint", Severity.WARNING,
        "Verdicts, pins, tests and a judge's records name a part by its id. One that has none is "
        "called by its place, `sc_0`, `sc_1`: whoever inserts a criterion above it renames it, and "
        "what was recorded of one part is then read as about another. An id of its own stays.",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Ship it."
  criterion "The suite passes twice in a row"
    check suite.passed for 2 runs
}
""",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Ship it."
  criterion suite-stable "The suite passes twice in a row"
    check suite.passed for 2 runs
}
""",
    )  # fmt: skip
    on = (s.File,)
    fix = "unsafe"

    def look(self, node: s.File, at: Place) -> Iterator[Diagnostic]:
        nameless = [goal for goal in node.statements if isinstance(goal, s.Goal) and _lacks(goal)]
        if not nameless:
            return
        expects = _expects(node)
        for goal in nameless:
            yield from self._goal(goal, expects, at)

    def _goal(
        self, goal: s.Goal, expects: dict[tuple[str, str], list[Span]], at: Place
    ) -> Iterator[Diagnostic]:
        merged = at.merged(goal)
        if merged is None:
            return
        proposals = _Proposals(merged)
        places = dict.fromkeys(PREFIXES, 0)
        for part in goal.parts:
            if not isinstance(part, s.Part):
                continue
            generated = f"{PREFIXES[part.kind]}_{places[part.kind]}"
            places[part.kind] += 1
            if part.id is not None:
                continue
            start, end = part.span.start, part.text.span.start
            head = at.source.text[start:end].rstrip()
            id = proposals.make(part)
            gap = " " if len(head) == end - start else ""  # `criterion"…"`
            edits = (
                Edit(Span(end, end), f"{gap}{id} "),
                *(Edit(span, id or "") for span in expects.get((goal.id.text, generated), ())),
            )
            yield self.finding(
                at, Span(start, start + len(head)),
                f"the {part.kind} has no id: it is called `{generated}` by its place",
                f"write `{part.kind} {id or 'some-name'} …`",
                Fix(f"give it the id `{id}`", edits, safe=False) if id else None,
            )  # fmt: skip


def _lacks(goal: s.Goal) -> bool:
    return any(isinstance(part, s.Part) and part.id is None for part in goal.parts)


def _expects(file: s.File) -> dict[tuple[str, str], list[Span]]:
    """Where the file's tests name a part: by the goal's id and its own."""
    found: dict[tuple[str, str], list[Span]] = {}
    for test in file.statements:
        if isinstance(test, s.Test):
            for step in test.steps:
                if isinstance(step, s.Expect) and step.id is not None:
                    found.setdefault((test.goal.text, step.id.text), []).append(step.id.span)
    return found


class _Proposals:
    """Ids made of descriptions, none of which a goal has already."""

    def __init__(self, goal: ir.Goal) -> None:
        parts = (*goal.criteria, *goal.constraints, *goal.stops)
        self._taken = {condition.id for condition in parts}
        self._last: dict[str, int] = {}  # the number that ends the last id of these words

    def make(self, part: s.Part) -> str | None:
        """An id of the description's first words that say something; None where it has none."""
        text = str(part.text.value) if isinstance(part.text, s.Literal) else ""
        words = (word for word in _WORD.findall(text[:_READ].lower()) if len(word) <= _LONGEST)
        id = "-".join(islice((word for word in words if word not in _FILLERS), _WORDS))
        if not id or id in _RESERVED:
            return None
        number = self._last.get(id, 0) + 1
        while (name := id if number == 1 else f"{id}-{number}") in self._taken:
            number += 1
        self._last[id] = number
        self._taken.add(name)
        return name
