"""What a syntax error may hide: only names that the lost statement could have declared."""

from __future__ import annotations

import pytest
from goalspec.compiler import compile_text

FACTS = "facts {\n  suite.passed : bool\n  n : int\n}\n"
GOAL = 'goal g {\n  objective "x"\n  criterion c "y" check suite.passd\n}\n'


def said(text: str) -> list[str]:
    return [f"{d.start.line} {d.code.id}" for d in compile_text(text).diagnostics]


@pytest.mark.row("X01")
def test_an_error_in_a_check_hides_no_undeclared_fact() -> None:
    broken = GOAL.replace("}\n", '  criterion d "z" check n = 3\n}\n')
    assert said(FACTS + broken) == ["7 GS201", "8 GS101"]


def test_an_error_in_the_facts_hides_facts_but_not_goals() -> None:
    broken = FACTS.replace("n : int", "n int")
    assert said(broken + GOAL + 'test "t" for h {\n  expect done\n}\n') == ["3 GS101", "9 GS205"]


def test_a_lost_criterion_hides_its_id_and_the_want_of_criteria() -> None:
    broken = 'goal g {\n  objective "x"\n  criterion c check n == 1\n}\n'
    assert said(FACTS.replace("suite.passed : bool\n", "") + broken
                + 'test "t" for g {\n  expect c met\n}\n') == ["6 GS101"]  # fmt: skip


def test_a_misspelt_keyword_hides_no_other() -> None:
    text = (
        'goal g {\n  objectve "x"\n  criteron c "y"\n  constrain k "z"\n  criterion d "y"\n}\n'
        "gaol h {\n}\nfacs {\n  n : int\n}\n"
    )
    assert said(text) == ["2 GS101", "3 GS101", "4 GS101", "7 GS101", "9 GS101"]
    hints = [d.hint for d in compile_text(text).diagnostics]
    assert hints == [
        f"did you mean `{word}`?"
        for word in ("objective", "criterion", "constraint", "goal", "facts")
    ]


@pytest.mark.ruling(26)
@pytest.mark.parametrize("count", [100, 400, 3_000])
def test_long_chains_and_deep_quantifiers_are_refused_and_do_not_overflow(count: int) -> None:
    fallbacks = " ?? ".join(["n"] * count) + " == 1"
    quantifiers = "".join(f"any x{i} in xs: " for i in range(count)) + "x0 == 1"
    for check in (fallbacks, quantifiers):
        text = f'facts {{\n  n : int\n  xs : list of int\n}}\ngoal g {{\n  objective "x"\n  criterion c "y" check {check}\n}}\n'
        assert (
            {"GS103"}
            <= {d.code.id for d in compile_text(text).diagnostics}
            <= {"GS103", "GS313", "GS315"}
        )


@pytest.mark.parametrize(
    ("check", "hint"),
    [
        ("p >= 0.85", "write `85%`"),
        ("p >= 85", "write `85%`"),
        ("known(r.n)", "ask whether it is null: `r.n != null`"),
    ],
)
def test_the_hint_says_what_was_meant(check: str, hint: str) -> None:
    text = f'facts {{\n  p : percent\n  r : {{ n: int? }}\n}}\ngoal g {{\n  objective "x"\n  criterion c "y" check {check}\n}}\n'
    (found,) = compile_text(text).diagnostics
    assert found.hint == hint


@pytest.mark.ruling(62)
def test_two_currencies_are_not_compared() -> None:
    text = 'goal g {\n  objective "x"\n  criterion c "y"\n  budget { cost 5 USD }\n  budget advisory { cost 1 EUR }\n}\n'
    (found,) = compile_text(text).diagnostics
    assert (found.code.id, found.message) == ("GS221", "`cost` is limited in two currencies")
