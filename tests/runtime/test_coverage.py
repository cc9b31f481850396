"""Criterion coverage: which outcomes a part can have, which were seen, and which are expected."""

from __future__ import annotations

import pytest
from goalspec import compile_text
from goalspec.runtime.coverage import Coverage, coverage_of, percent
from goalspec.runtime.testing import run_test

GOAL = """\
facts {
  a : bool
  n : int
}

goal g {
  objective "o"
  criterion plain "c" check a
  criterion clauses "c" when n > 0 given a check n > 1
  criterion judged "c"
  criterion asked "c" when a
  constraint held "c" check n < 5
  constraint within "c" when a check n < 5
  constraint watched "c"
  stop over "s" check n > 9
  judge { max_invocations 3 }
}
"""


def coverage(*tests: str) -> Coverage:
    blocks = "".join(f'\ntest "t{n}" for g {{\n{body}\n}}\n' for n, body in enumerate(tests))
    document = compile_text(GOAL + blocks).document
    assert document is not None
    tested = [run_test(document, test) for test in document.tests]
    return coverage_of(document.goals[0], tested)


@pytest.mark.row("X05")
def test_the_outcomes_that_a_part_can_have() -> None:
    found = coverage()
    assert {part.id: (part.kind, part.possible) for part in found.parts} == {
        "plain": ("criterion", ("met", "unmet", "unknown")),
        "clauses": ("criterion", ("met", "unmet", "unknown", "waived")),
        "asked": ("criterion", ("judged", "unknown", "waived")),
        "held": ("constraint", ("held", "violated", "unknown")),
        "within": ("constraint", ("held", "violated", "unknown", "waived")),
        "over": ("stop", ("stopped", "held", "unknown")),
    }
    assert (found.tests, found.seen, found.possible) == (0, 0, 20)


def test_what_was_seen_and_what_is_expected() -> None:
    found = coverage(
        "observe { a = true }\n expect plain met\n expect plain met",
        "observe { a = false  n = 10 }\n expect over stopped\n observe { n = 9 }\n expect over held",
    )
    parts = {part.id: (set(part.seen), set(part.expected)) for part in found.parts}
    assert parts == {
        "plain": ({"met", "unmet"}, {"met"}),
        "clauses": ({"unknown"}, set()),
        "asked": ({"judged", "waived"}, set()),
        "held": ({"unknown", "violated"}, set()),
        "within": ({"unknown", "waived"}, set()),
        "over": ({"unknown", "stopped", "held"}, {"stopped", "held"}),
    }
    assert (found.tests, found.seen) == (2, 12)


def test_an_expectation_that_is_missed_covers_nothing() -> None:
    found = coverage("observe { a = true }\n expect plain unmet")
    [plain] = [part for part in found.parts if part.id == "plain"]
    assert (set(plain.seen), set(plain.expected)) == ({"met"}, set())


@pytest.mark.parametrize(
    ("part", "whole", "said"),
    [(0, 3, 0), (1, 3, 33), (2, 3, 66), (999, 1000, 99), (3, 3, 100), (0, 0, 100)],
)
def test_a_percent_says_100_of_all_only(part: int, whole: int, said: int) -> None:
    assert percent(part, whole) == said
