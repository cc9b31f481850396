"""The report for a terminal: golden reports, and what every report must hold to."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from goalspec.cli.render import FORMATS
from goalspec.grammar.diagnostics import Code, Diagnostic, Edit, Fix, Label, Severity
from goalspec.grammar.source import Source, Span

Golden = Callable[[Path, str], None]

GOLDEN = Path(__file__).parent / "golden"
UNDECLARED = Code("GS201", "undeclared-fact", "resolve", Severity.ERROR, "why", "bad", "good")
UNREAD = Code("GS401", "unread-fact", "lint", Severity.WARNING, "why", "bad", "good")

GOAL = """\
goal ship {
  objective "Ship it."
  criterion tests "Tests pass" check tests.faild == 0
}
"""


def render(*diagnostics: Diagnostic, files: int = 1, color: bool = False) -> str:
    return FORMATS["text"](diagnostics, files, color=color)


def at(source: Source, marked: str, message: str = "no such fact", **rest: Any) -> Diagnostic:
    """A finding at the first place of *source* that reads *marked*."""
    start = source.text.index(marked)
    span = Span(start, start + len(marked))
    return Diagnostic(UNDECLARED, source, span, message, **rest)


def label(source: Source, marked: str, text: str) -> Label:
    start = source.text.index(marked)
    return Label(source, Span(start, start + len(marked)), text)


def undeclared() -> Diagnostic:
    return at(
        Source("goals/ship.goal", GOAL),
        "tests.faild",
        "no fact named `tests.faild` is declared",
        hint="did you mean `tests.failed`?",
    )


def one_finding() -> str:
    return render(undeclared())


def no_findings() -> str:
    return render(files=3)


def several_files_and_severities() -> str:
    other = Source("facts/ci.goal", "facts {\n  a.b : int\n  c.d : int\n}\n")
    unread = [
        Diagnostic(UNREAD, other, Span(start, start + 3), "no predicate reads this fact")
        for start in (22, 10)
    ]
    return render(undeclared(), *unread, files=3)


def labels_in_the_same_file() -> str:
    text = "facts {\n  x : int\n  y : string\n\n}\n\ngoal g {\n  criterion c check x == y\n}\n"
    source = Source("g.goal", text)
    labels = (
        label(source, "y", "a string, declared here"),
        label(source, "x", "an int, declared here"),
        label(source, "criterion c", "of this criterion"),
    )
    return render(
        at(source, "x == y", "an int and a string do not compare", labels=labels),
    )


def labels_in_other_files() -> str:
    first = Source("facts/ci.goal", "facts {\n  tests.failed : int\n}\n")
    second = Source("facts/more.goal", "\n" * 1233 + "facts { tests.failed : string }\n")
    goal = Source("g.goal", 'use "facts/ci.goal"\nuse "facts/more.goal"\n')
    labels = (
        label(first, "tests.failed : int", "first declared here"),
        label(second, "tests.failed : string", "then declared here"),
        label(goal, '"facts/ci.goal"', "imported here"),
    )
    return render(
        at(goal, '"facts/more.goal"', "one fact has two declarations", labels=labels),
    )


def hint_of_several_lines() -> str:
    source = Source("g.goal", GOAL)
    hint = "declare it first:\n\n  facts {\n    tests.faild : int\n  }"
    return render(at(source, "tests.faild", hint=hint))


def fixes() -> str:
    source = Source("g.goal", GOAL)
    edits = (Edit(Span(0, 0), ""),)
    return render(
        at(source, "ship", fix=Fix("write\x1b `a.c`\n\u202e", edits, safe=True)),
        at(source, "tests", hint="read it", fix=Fix("drop the criterion", edits, safe=False)),
        at(source, "tests.faild", fix=Fix("write `tests.failed`", edits, safe=True)),
    )


def wide_characters() -> str:
    text = (
        'criterion "日本語のテスト" check a.b\n'
        'criterion "e\u0301te\u0301 cafe\u0301" check a.b\n'
        'criterion "🎉🚀" check a.b\n'
        'criterion "\u1112\u1161\u11ab\u1100\u1173\u11af" check a.b\n'
        'criterion "ﾊﾝｶｸ Ｆｕｌｌ" check 漢字\n'
    )
    source = Source("日本/目標.goal", text)
    starts = [match.start() for match in re.finditer(r"a\.b|漢字", text)]
    return render(
        *(Diagnostic(UNDECLARED, source, Span(n, n + 3), "no such fact") for n in starts[:4]),
        Diagnostic(UNDECLARED, source, Span(starts[4], starts[4] + 2), "no such fact"),
    )


def tabs() -> str:
    source = Source("g.goal", "\t\tcheck\ta.b\t== 0\n")
    return render(at(source, "a.b"), at(source, "\ta.b\t", "the tabs too"))


def span_over_several_lines() -> str:
    text = "goal g {\n  budget {\n    turns 3\n    turns 4\n  }\n}\n"
    source = Source("g.goal", text)
    budget = "budget {\n    turns 3\n    turns 4\n  }"
    labels = (label(source, "turns 3\n    turns 4", "these"),)
    return render(
        at(source, budget, "a limit is given twice", labels=labels),
        at(source, "turns 4\n", "the line end alone is not another line"),
    )


def end_of_file() -> str:
    texts = ("goal g {\n", "goal g {", "")
    found = [
        Diagnostic(UNDECLARED, Source(f"{n}.goal", text), Span(len(text), len(text)), "no `}`")
        for n, text in enumerate(texts)
    ]
    return render(*found, files=3)


def line_ends() -> str:
    text = "goal g {\r\n  a.b\r  c.d\n\r\n  e.f"
    source = Source("g.goal", text)
    return render(*(at(source, name) for name in ("a.b", "c.d", "e.f")))


def long_lines() -> str:
    start = "x" * 60 + " check "
    words = " ".join(f"word{n:03}" for n in range(200))
    source = Source(
        "long.goal",
        f"{start}first.fact {words}\n"
        f"{words} middle.fact {words}\n"
        f"{words} last.fact\n"
        f"{'漢字' * 400}middle.fact{'漢字' * 400}\n"
        f"{words} {'y' * 300} {words}\n"
        f"near.one {'z' * 80} near.two {words}\n",
    )
    labels = (label(source, "near.two", "the label's own window"),)
    return render(
        at(source, "first.fact"),
        at(source, "middle.fact"),
        at(source, "last.fact"),
        at(source, "字middle.fact漢"),
        at(source, "y" * 300),
        at(source, "near.one", labels=labels),
    )


def hostile_characters() -> str:
    text = (
        'criterion "\x1b[31mred\x1b]0;title\x07" check a.b\n'
        'criterion "\u202egnp.\u2066exe\u2069" check a.b\n'
        'criterion "zero\u200bwidth\u200djoin\ufeff\u00ad" check a.b\n'
        'criterion "no\u00a0break\u3000wide\u2028line\u3164fill" check a.b\n'
        'criterion "\x9b2J\x7f\x08\x85\ue000\U000e0041" check a.b\n'
        'criterion "z' + "\u0300" * 12 + 'a\ufe0fb\U000e0101" check a.b\n'
    )
    source = Source("evil\x1b[2J\u202e\t.goal", text)
    starts = [match.start() for match in re.finditer(r"a\.b", text)]
    labels = (Label(source, Span(11, 14), "a label\n\x1b[1mtoo"),)
    return render(
        *(
            Diagnostic(
                UNDECLARED,
                source,
                Span(start, start + 3),
                "the message \x1b[31m says\n`\u202e`\t!",
                hint="the hint\x07 says\n\u200btwo lines",
                labels=labels if start == starts[0] else (),
            )
            for start in starts
        )
    )


REPORTS = (
    one_finding,
    no_findings,
    several_files_and_severities,
    labels_in_the_same_file,
    labels_in_other_files,
    hint_of_several_lines,
    fixes,
    wide_characters,
    tabs,
    span_over_several_lines,
    end_of_file,
    line_ends,
    long_lines,
    hostile_characters,
)
each_report = pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.__name__)


@each_report
def test_report_is_the_golden_one(report: Callable[[], str], golden: Golden) -> None:
    golden(GOLDEN / f"{report.__name__}.txt", report())


def test_colored_report_is_the_golden_one(golden: Golden) -> None:
    source = Source("g.goal", "facts { a.b : int }\ngoal g { check a.c }\n")
    unread = Diagnostic(UNREAD, source, Span(8, 11), "no predicate reads this fact")
    labels = (label(source, "a.b", "this one is"),)
    found = at(source, "a.c", "no such fact", hint="first line\nsecond line", labels=labels)
    golden(GOLDEN / "colored.txt", render(found, unread, color=True))


@each_report
def test_nothing_in_a_report_can_paint_the_terminal(report: Callable[[], str]) -> None:
    text = report()
    assert {unicodedata.category(char) for char in text if char != "\n"}.isdisjoint(
        ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    )
    text.encode()


@each_report
def test_no_line_ends_in_blanks(report: Callable[[], str]) -> None:
    assert not re.search(r"[ \t]$", report(), re.MULTILINE)


@each_report
def test_every_report_ends_in_its_summary(report: Callable[[], str]) -> None:
    assert re.search(r"(^|\n\n)[a-z0-9 ,]+ in \d+ files?\n(\d+ findings? can .+\n)?\Z", report())


@pytest.mark.parametrize(
    ("safe", "unsafe", "said"),
    [
        (0, 0, ""),
        (1, 0, "1 finding can be fixed with goalspec lint --fix\n"),
        (3, 1, "3 findings can be fixed with goalspec lint --fix (1 more with --unsafe-fixes)\n"),
        (0, 2, "2 findings can be fixed with goalspec lint --fix --unsafe-fixes\n"),
    ],
)
def test_the_summary_says_what_can_be_fixed(safe: int, unsafe: int, said: str) -> None:
    source = Source("g.goal", GOAL)
    kinds = [Fix("title", (), safe=True)] * safe + [Fix("title", (), safe=False)] * unsafe
    report = render(at(source, "ship"), *(at(source, "ship", fix=fix) for fix in kinds))
    assert report.rpartition(" in 1 file\n")[2] == said


@pytest.mark.parametrize("char", ["\x00", "\x1b", "\x9b", "\u202e", "\u2067", "\u200b", "\udc80"])
def test_a_hidden_character_is_shown_by_its_number(char: str) -> None:
    assert f"\\u{{{ord(char):x}}}" in render(at(Source(f"{char}.goal", f"{char} x"), "x"))


def test_color_adds_only_styles() -> None:
    plain, colored = render(undeclared()), render(undeclared(), color=True)
    assert "\x1b[" in colored
    assert click.unstyle(colored) == plain


def test_order_is_that_of_the_places_whatever_the_input() -> None:
    source = Source("g.goal", "a b c")
    other = Source("f.goal", "a b c")
    found = [at(source, "b"), at(source, "a"), at(other, "c")]
    arrows = re.findall(r"--> (.*)", render(*found))
    assert arrows == ["f.goal:1:5", "g.goal:1:1", "g.goal:1:3"]
    assert render(*found) == render(*reversed(found))


@pytest.mark.parametrize("length", range(100, 140))
def test_a_line_is_cut_only_where_it_is_too_long(length: int) -> None:
    report = render(at(Source("g.goal", "x" * (length - 3) + "a.b"), "a.b"))
    assert ("…" in report) == (length > 120)
    shown, carets = report.split("\n")[3:5]
    assert shown.endswith("a.b")
    assert carets.rstrip("^").rstrip() == "   |"
    assert len(carets) == len(shown)


def test_a_mark_behind_a_carriage_return_of_a_long_line_stands_at_its_end() -> None:
    text = "x" * 1000 + "\r\n"
    source = Source("g.goal", text)
    report = render(Diagnostic(UNDECLARED, source, Span(1001, 1002), "odd"))
    shown, carets = report.split("\n")[3:5]
    assert len(carets) == len(shown) + 1


def test_a_huge_line_costs_no_more_than_its_window() -> None:
    text = "a.b " * 500_000
    source = Source("g.goal", text)
    found = [Diagnostic(UNDECLARED, source, Span(n, n + 3), "x") for n in range(0, 400, 4)]
    report = render(*found)
    assert max(len(line) for line in report.split("\n")) < 140


def test_a_pile_of_combining_marks_is_not_drawn() -> None:
    report = render(at(Source("g.goal", "e" + "\u0301" * 100_000 + " a.b"), "a.b"))
    assert "\u0301" * 5 not in report
    assert len(report) < 1_000


def test_what_a_finding_conceals_is_in_no_excerpt() -> None:
    """Also not in the excerpt of another finding on its line, or of a secret beside it."""
    secret = Code("GS999", "hidden", "lint", Severity.ERROR, "Why.", "bad", "good", conceals=True)
    source = Source("a.goal", "let a = one\nhunter2 and swordfish\n")
    spans = [Span(12, 19), Span(24, 33)]
    found = [Diagnostic(secret, source, span, "it is there") for span in spans]
    beside = Diagnostic(UNDECLARED, source, Span(20, 23), "no such fact",
                        labels=(Label(source, Span(12, 19), "this"),))  # fmt: skip
    text = FORMATS["text"]([*found, beside], 1, color=False)
    assert "hunter2" not in text and "swordfish" not in text
    assert text.count("2 | ******* and *********") == 3
