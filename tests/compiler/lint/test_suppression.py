"""Comments that silence findings: where they reach, what they may say, and that none is called
unused that was not tried."""

from __future__ import annotations

import pytest
from goalspec.compiler.lint import fixing
from goalspec.compiler.lint.linter import Linter
from goalspec.compiler.lint.selection import select
from goalspec.grammar.diagnostics import Diagnostic
from goalspec.grammar.formatting import format_text

WHY = "-- the style guide wants it"


def text(lines: str) -> str:
    """A goal with *lines* in it: GS402 stands where one says `a.ok == true`."""
    return f'facts {{\n  a.ok : bool\n}}\ngoal g {{\n  objective "Ship it."\n{lines}\n}}\n'


def lint(source: str, chosen: list[str] | None = None) -> tuple[Diagnostic, ...]:
    return Linter().lint_bytes(source.encode(), "a.goal", active=select(chosen, [])).found


def found(lines: str) -> list[str]:
    return [f"{d.start.line}:{d.start.column} {d.code.id}" for d in lint(text(lines))]


CRITERION = '  criterion c "It holds"\n    check a.ok == true'


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (CRITERION, ["7:11 GS402"]),
        (f"{CRITERION}  # goalspec: ignore GS402 {WHY}", []),
        (f"{CRITERION}  # goalspec: ignore bool-comparison {WHY}", []),
        (f"{CRITERION}  # goalspec: ignore GS402, bool-comparison {WHY}", []),
        (f"{CRITERION}  ##  goalspec:ignore GS402 {WHY}", []),
        (f"{CRITERION}  # goalspec: ignore GS402 -- größer 🚀", []),
        # on a line of its own it is about the next line that holds code
        (f'  criterion c "x"\n  # goalspec: ignore GS402 {WHY}\n    check a.ok == true', []),
        (f'  criterion c "x"\n  # goalspec: ignore GS402 {WHY}\n\n # b\n    check a.ok == true', []),
        # and the statement that begins there
        (f"  # goalspec: ignore GS402 {WHY}\n{CRITERION}", []),
        # behind code it is about its own line, not about the next
        (
            f'  criterion c "x"  # goalspec: ignore GS402 {WHY}\n    check a.ok == true',
            ["6:20 GS491", "7:11 GS402"],
        ),
        (f"{CRITERION}\n  # goalspec: ignore GS402 {WHY}", ["7:11 GS402", "8:3 GS491"]),
        # but about the statement that ends there
        (f'  criterion c "x"\n    check a.ok  # goalspec: ignore GS402 {WHY}\n      == true', []),
        (
            f'  criterion c "x"\n    check a.ok\n      == true  # goalspec: ignore GS402 {WHY}',
            [],
        ),
        # of several codes each counts, and two comments for one finding are one too many
        (f"{CRITERION}  # goalspec: ignore GS402, GS403 {WHY}", ["7:25 GS491"]),
        (
            f'  criterion c "x"\n  # goalspec: ignore GS402 {WHY}\n'
            f"    check a.ok == true  # goalspec: ignore GS402 {WHY}",
            ["8:25 GS491"],
        ),
        # one comment silences all of its code on the line, and nothing else
        (
            f'  criterion c "x"\n    check a.ok == true and a.ok != false  # goalspec: ignore GS402 {WHY}',
            ["7:28 GS446"],
        ),
        # what cannot be read silences nothing
        (f"{CRITERION}  # goalspec: ignore GS402", ["7:11 GS402", "7:25 GS490"]),
        (f"{CRITERION}  # goalspec: ignore GS402 --  - ", ["7:11 GS402", "7:25 GS490"]),
        (f"{CRITERION}  # goalspec: ignore {WHY}", ["7:11 GS402", "7:25 GS490"]),
        (f"{CRITERION}  # goalspec: ignore GS402 GS403 {WHY}", ["7:11 GS402", "7:25 GS490"]),
        (f"{CRITERION}  # goalspec: disable GS402 {WHY}", ["7:11 GS402", "7:25 GS490"]),
        (f"{CRITERION}  # goalspec: ignore GS4O2 {WHY}", ["7:11 GS402", "7:44 GS490"]),
        (f"{CRITERION}  # goalspec: ignore GS402, GS101 {WHY}", ["7:51 GS490"]),
        # what is not meant for the linter is none of its business
        (f"{CRITERION}  # see goalspec: ignore GS402 {WHY}", ["7:11 GS402"]),
        ('  criterion c "# goalspec: ignore GS402 -- x"\n    check a.ok == true', ["7:11 GS402"]),
    ],
)  # fmt: skip
def test_what_a_comment_silences(lines: str, expected: list[str]) -> None:
    assert found(lines) == expected
    crlf = text(lines).replace("\n", "\r\n")
    assert [f"{d.start.line}:{d.start.column} {d.code.id}" for d in lint(crlf)] == expected


def test_the_message_names_what_is_unused() -> None:
    [finding] = lint(text(f"{CRITERION}  # goalspec: ignore GS402, GS403 {WHY}"))
    assert finding.message == "nothing on lines 6 to 7 has GS403"
    assert (finding.hint, finding.fix) == ("take GS403 out of the comment", None)


@pytest.mark.parametrize(
    "line",
    [
        f'criterion c "It holds" check a.ok == true  # goalspec: ignore GS402 {WHY}',
        f'# goalspec: ignore GS402 {WHY}\n criterion c "It holds" check a.ok == true',
        f'criterion c "C" check a.ok  # goalspec: ignore GS410 {WHY}',
        f'# goalspec: ignore GS410 {WHY}\n criterion c "C" when a.ok check a.ok',
    ],
)
def test_what_is_silenced_stays_so_when_it_is_laid_out(line: str) -> None:
    assert lint(text(line)) == ()
    formatted = format_text(text(line)).text
    assert formatted is not None and formatted != text(line)
    assert lint(formatted) == ()


def test_a_code_that_is_nearly_right_gets_a_hint() -> None:
    [_, finding] = lint(text(f"{CRITERION}  # goalspec: ignore bool-compare {WHY}"))
    assert finding.hint == "did you mean `bool-comparison`?"


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (
            f'  criterion c "x"\n    check a.ok  \t # goalspec: ignore GS402 {WHY}',
            '  criterion c "x"\n    check a.ok',
        ),
        (
            f'  criterion c "x"\n    # goalspec: ignore GS402 {WHY}\n    check a.ok',
            '  criterion c "x"\n    check a.ok',
        ),
    ],
)
def test_an_unused_one_can_be_deleted(lines: str, left: str, ends: str) -> None:
    before = text(lines).replace("\n", ends)
    linted = Linter().lint_bytes(before.encode(), "a.goal")
    after, applied = fixing.apply(linted.checked.unit.source, linted.found)
    assert (after, applied) == (text(left).replace("\n", ends), 1)


def test_none_is_unused_in_a_file_with_errors() -> None:
    """Most rules do not look at such a file: to delete the comment would be a mistake."""
    lines = f'{CRITERION}  # goalspec: ignore GS402 {WHY}\n  criterion d "x" check no.such'
    assert found(lines) == ["8:25 GS201"]
    broken = f"{CRITERION}  # goalspec: ignore GS402 {WHY}\n  criterion\n"
    assert not any(code.endswith("GS491") for code in found(broken))


def test_none_is_unused_whose_code_is_not_looked_for() -> None:
    source = text(f'  criterion c "x"\n    check a.ok  # goalspec: ignore GS402 {WHY}')
    assert [d.code.id for d in lint(source)] == ["GS491"]
    assert lint(source, ["GS491", "GS403"]) == ()
