"""A run in a pipe, line by line."""

from __future__ import annotations

from goalspec.cli.run.lines import WIDTH, Lines, line_of
from goalspec.runtime.sinks import KINDS, Notice
from goalspec.tests.runtime.record.records import at


def notice(kind: str, **details: object) -> Notice:
    return Notice("s-1", "ship", 0, at(0), kind, "runtime", details)  # type: ignore[arg-type]


def test_a_line_says_when_what_and_why() -> None:
    said = line_of(notice("evaluated", outcome="continue", reason="open: tests"))
    assert said == f"{at(0)[11:19]} evaluated: continue, open: tests"
    assert line_of(notice("recovered", run="r")) == f"{at(0)[11:19]} recovered"


def test_machines_alone_are_told_of_the_rest() -> None:
    told: list[str] = []
    lines = Lines(told.append)
    for kind in KINDS:
        lines.tell(notice(kind))
    lines.close()
    assert f"{at(0)[11:19]} created" in told
    assert not any("kept" in line or "observed" in line for line in told)


def test_a_line_stays_one() -> None:
    said = line_of(notice("error", detail="a\nb\x1b[0m" + "x" * 500))
    assert "\n" not in said and "\x1b" not in said and len(said) <= WIDTH


def test_what_drifted_is_said_when_it_is_something_else() -> None:
    told: list[str] = []
    lines = Lines(told.append)
    for drift in ([], ["a was changed"], ["a was changed"], ["a was changed", "b is gone"], []):
        lines.tell(notice("kept", drift=drift))
    assert [line[9:] for line in told] == [
        "drift: a was changed", "drift: a was changed, b is gone",
    ]  # fmt: skip
