"""Goals and their parts in the IR: rows D2 and H09, rulings 15, 29, 34, 63, 64."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest
from goalspec.compiler import compile_text
from goalspec.compiler.ir import Goal
from goalspec.compiler.ir.document import Document, FactSource
from goalspec.runtime import Monitor


def document(text: str) -> Document:
    compilation = compile_text(text)
    assert compilation.document is not None, [d.message for d in compilation.diagnostics]
    return compilation.document


def goal(*lines: str, before: str = "") -> Goal:
    body = "".join(f"  {line}\n" for line in lines)
    return document(f"{before}goal g {{\n{body}}}\n").goals[0]


def codes(text: str) -> list[str]:
    return [d.code.id for d in compile_text(text).diagnostics]


@pytest.mark.row("D2")
def test_a_goal_says_all_that_it_may() -> None:
    whole = goal(
        'objective "Fix the login."',
        'criterion stable "It passes twice" check s.ok for 2 runs',
        'awaited criterion seen "Somebody approves" check r.ok',
        'advisory criterion nice "It is fast" when s.ok given r.ok check s.took < 5m',
        'criterion "The judge likes it"',
        'constraint quiet "Nothing is logged" check not s.logs',
        'stop lost "Access is lost"',
        'protect "tests/**" allow new "tests/new_*.py"',
        "budget { cost 5.00 USD  tokens 200k  turns 25  runtime 4h  attempts 3  tool_calls 9 }",
        "budget advisory { turns 20 }",
        "pins { keep goal, decision, note  max_body 4000  kind note lane developer }",
        'pin decision "Retry in the client"',
        'judge { model "m"  provider "p"  max_invocations 2  on_error pause  quorum 2 of 3  feedback "f" }',
        before="facts {\n  s.ok : bool\n  r.ok : bool\n  s.took : duration\n  s.logs : bool\n}\n",
    )
    assert [(c.id, c.mode) for c in whole.criteria] == [
        ("stable", "gating"), ("seen", "awaited"), ("nice", "advisory"), ("sc_3", "gating"),
    ]  # fmt: skip
    nice = whole.criteria[2]
    assert None not in (nice.when, nice.given, nice.check)
    assert whole.criteria[3].check is None
    assert whole.budget is not None
    assert asdict(whole.budget) == {
        "cost": "5 USD", "tokens": 200_000, "turns": 25, "attempts": 3, "tool_calls": 9,
        "runtime": "4h",
    }  # fmt: skip
    assert whole.advisory_budget is not None
    assert whole.advisory_budget.turns == 20
    assert whole.pins is not None
    assert (whole.pins.keep, whole.pins.lanes) == (
        ("goal", "decision", "note"),
        {"note": "developer"},
    )
    assert [(p.pin, p.content) for p in whole.pinned] == [("decision", "Retry in the client")]
    assert whole.judge is not None
    assert (whole.judge.on_error, whole.judge.quorum.of) == ("pause", 3)  # type: ignore[union-attr]


@pytest.mark.row("H09")
def test_ids_are_generated_by_place_over_all_criteria() -> None:
    numbered = goal(
        'objective "x"', 'criterion "one"', 'criterion two "two"', 'criterion "three"',
        'constraint "four"', 'constraint "five"', 'stop "six"',
    )  # fmt: skip
    assert [c.id for c in numbered.criteria] == ["sc_0", "two", "sc_2"]
    assert [c.id for c in numbered.constraints] == ["c_0", "c_1"]
    assert [s.id for s in numbered.stops] == ["stop_0"]


@pytest.mark.row("H09")
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (['objective ""', 'criterion c "x"'], ["GS209"]),
        (['objective " \\n\\t"', 'criterion c "x"'], ["GS209"]),
        (['objective "x"', 'criterion c ""'], ["GS209"]),
        (['objective "x"', 'constraint c " "', 'criterion d "x"'], ["GS209"]),
        (['criterion c "x"'], ["GS210"]),
        (['objective "x"'], ["GS211"]),
        (['objective "x"', 'criterion sc_1 "x"', 'criterion "y"'], ["GS207"]),
        (['objective "x"', 'criterion c "x"', 'constraint c "y"'], ["GS207"]),
        (['objective "x"', 'criterion c "x" check 3'], ["GS305"]),
    ],
)
def test_what_normalizing_refuses(lines: list[str], expected: list[str]) -> None:
    assert codes("goal g {\n" + "\n".join(lines) + "\n}\n") == expected


@pytest.mark.ruling(15)
def test_constraints_and_stops_without_a_check_are_judged() -> None:
    judged = goal('objective "x"', 'criterion c "x" check s.ok', 'constraint k "y"', 'stop s "z"',
                  before="facts {\n  s.ok : bool\n}\n")  # fmt: skip
    verdict = Monitor(judged).observe({"s.ok": True})
    assert [r.outcome for r in (*verdict.constraints, *verdict.stops)] == ["judged", "judged"]
    assert not verdict.done  # the constraint is still to be judged
    assert (verdict.floor, verdict.exit_code) == ("met", 3)


@pytest.mark.ruling(29)
def test_without_an_edition_the_first_holds() -> None:
    plain = 'goal g {\n  objective "x"\n  criterion c "y"\n}\n'
    assert document(plain).goals[0].contract == document("edition 1\n" + plain).goals[0].contract
    assert document(plain).goals[0].edition == 1
    assert codes("edition 2\n" + plain) == codes(plain + "edition 1\n") == ["GS219"]


@pytest.mark.ruling(34)
def test_protection_names_globs_and_what_may_be_added() -> None:
    protected = goal('objective "x"', 'criterion c "y"',
                     'protect "tests/login/**", "pytest.ini" allow new "tests/login/test_*.py"')  # fmt: skip
    assert [(p.globs, p.allow_new) for p in protected.protect] == [
        (("tests/login/**", "pytest.ini"), ("tests/login/test_*.py",))
    ]


@pytest.mark.ruling(63)
@pytest.mark.parametrize("mode", ["", "advisory "])
def test_a_goal_needs_a_criterion_that_gates(mode: str) -> None:
    text = f'goal g {{\n  objective "x"\n  {mode}criterion c "y"\n}}\n'
    assert codes(text) == (["GS211"] if mode else [])


@pytest.mark.ruling(64)
def test_facts_of_one_block_share_its_source() -> None:
    facts = document(
        'facts lasting from run "make check" in "sub/dir" timeout 10m {\n'
        '  check.code : int in 0..1\n  check.count : int at "/count"\n}\n'
        "facts {\n  pr.open : bool from github\n  go.ahead : bool from person\n"
        '  user.name : string from env "USER"\n  own.file : int from coverage "c.xml"\n}\n'
    ).facts
    by_name = {fact.name: fact for fact in facts}
    run = FactSource(name="run", argument="make check", directory="sub/dir", timeout="10m")
    assert by_name["check.code"].source == run
    assert by_name["check.count"].source == replace(run, selector="/count")
    assert {name: fact.lasting for name, fact in by_name.items()} == {
        "check.code": True, "check.count": True, "pr.open": True, "go.ahead": True,
        "user.name": True, "own.file": False,
    }  # fmt: skip


def test_the_goal_carries_its_contract() -> None:
    one = goal('objective "x"', 'criterion c "y"')
    assert one.contract.startswith("c1:")
    assert len(one.contract) == 3 + 64


@pytest.mark.ruling(72)
@pytest.mark.parametrize("let", ['let a = "x"', 'let b = "x"\nlet b = "y"'])
def test_a_let_at_the_top_shadows_nothing(let: str) -> None:
    code = "GS218" if "let a" in let else "GS208"
    text = f'{let}\nfacts {{\n  a.ok : bool\n}}\ngoal g {{\n  objective "x"\n  criterion c "y" check a.ok\n}}\n'
    assert codes(text) == [code]


@pytest.mark.ruling(26)
def test_only_a_loop_inside_another_is_charged_as_a_join() -> None:
    facts = "facts {\n  xs : list max 20_000 of { k: int }\n  ys : list max 20_000_000 of { k: int }\n}\n"

    def charged(check: str) -> list[str]:
        return codes(
            f'{facts}goal g {{\n  objective "x"\n  criterion c "y"\n'
            f"    check count(xs) > 0 and {check}\n}}\n"
        )

    assert charged("(all a in xs: any b in ys: b.k == a.k)") == []
    assert charged("(any b in ys: b.k == 1)") == ["GS315"]
    assert charged("(all a in xs: any b in ys: b.k > a.k)") == ["GS315"]
