"""The `captain` target: what a host needs to run an agent on a goal, as JSON and as TOML."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import goalspec
import pytest
from goalspec.compiler import compile_text, load
from goalspec.compiler.ir.document import Document
from goalspec.compiler.targets.captain import MAX_RECORD, TARGET
from goalspec.compiler.targets.target import Refusal, Request

SPECS = Path(goalspec.__path__[0], "specs", "examples")
CAPTAINS = ("merge", "review", "oncall", "release")


def texts(document: Document) -> dict[str, str]:
    return {a.name.rpartition(".")[2]: a.text for a in TARGET.artifacts(Request(document, "x"))}


def pack(document: Document) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(texts(document)["json"])
    return value


def document(extra: str, facts: str = "s.ok : bool", check: str = "s.ok") -> Document:
    found = compile_text(
        f'facts {{\n  {facts}\n}}\ngoal g {{\n  objective "Ship it."\n'
        f'  criterion c "It is ok" check {check}\n  {extra}\n}}\n', "g.goal"
    )  # fmt: skip
    assert found.document is not None, found.diagnostics
    return found.document


def without_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_null(item) for key, item in value.items() if item is not None}
    return [without_null(item) for item in value] if isinstance(value, list) else value


@pytest.mark.row("H08", "D8")
@pytest.mark.parametrize("path", sorted(SPECS.glob("*.goal")), ids=lambda path: path.stem)
def test_toml_says_what_json_says(path: Path) -> None:
    made = texts(load(path))
    assert tomllib.loads(made["toml"]) == without_null(json.loads(made["json"]))


@pytest.mark.row("H08", "D8")
@pytest.mark.parametrize("name", CAPTAINS)
def test_each_captain_has_all_that_a_run_needs(name: str) -> None:
    spec = load(SPECS / f"{name}.goal")
    value, goal = pack(spec), spec.goals[0]
    assert value["preset"]["family"] == "captain"
    assert value["preset"]["pack"]["pin_policy"] == {
        "kinds": ["constraint", "decision", "goal"], "preserve_on_compact": True,
    }  # fmt: skip
    assert {"total_budget_usd", "max_iterations", "max_verify_attempts", "wall_clock_ms"} <= set(
        value["loop"]
    )
    assert value["judge"]["turn_end_condition"]["max_invocations"] >= 1
    assert value["pins"] and len(value["reminders"]) == len(value["pins"])
    assert value["goal"]["constraints"]
    sources = value["metadata"]["criterion_sources"]
    known = {criterion["id"] for criterion in value["goal"]["success_criteria"]}
    assert set(sources) == known == {c.id for c in goal.criteria if c.mode != "advisory"}
    assert all(place.count(":") >= 2 for place in sources.values())


@pytest.mark.row("H08")
def test_explicit_pins_win_whole_over_the_preset_s() -> None:
    text = (SPECS / "merge.goal").read_text()
    assert "pins" not in text
    told = text.replace("  budget {", "  pins { keep goal }\n\n  budget {")
    found = compile_text(told, "merge.goal", SPECS / "merge.goal")
    assert found.document is not None
    assert pack(found.document)["overlay"]["pin_policy"]["kinds"] == ["goal"]


def test_limits_have_the_names_of_a_loop() -> None:
    value = pack(
        document("budget { cost 5.50 USD  tokens 200k  turns 25  attempts 3  runtime 90m }")
    )
    limits = {
        "total_budget_usd": 5.5, "total_budget_tokens": 200_000, "max_iterations": 25,
        "max_verify_attempts": 3, "wall_clock_ms": 5_400_000,
    }  # fmt: skip
    assert limits.items() <= value["loop"].items()
    assert limits.items() <= value["overlay"].items()
    assert value["preset"]["pack"]["budget"] == {"total_budget_usd": 5.5}


def test_an_advisory_budget_limits_nothing() -> None:
    value = pack(document("budget { turns 25 }\n  budget advisory { turns 20 }"))
    assert value["loop"]["max_iterations"] == 25


@pytest.mark.parametrize(
    ("budget", "words"),
    [
        ("cost 5 EUR", "limits cost to 5 EUR, and a loop counts USD"),
        ("runtime 1us", "limits runtime to 1us, and a loop counts whole milliseconds"),
    ],
)
def test_a_limit_that_no_loop_has_is_refused(budget: str, words: str) -> None:
    with pytest.raises(Refusal, match=words):
        pack(document(f"budget {{ {budget} }}"))


def test_there_is_no_sentinel_and_the_judge_comes_after() -> None:
    value = pack(load(SPECS / "merge.goal"))
    assert not {"done_sentinel", "turn_policy"} & value["loop"].keys(), "the captain's own hold"
    assert "done_judge" not in value["preset"]["pack"]
    assert set(value["judge"]) == {"unset", "done_judge", "turn_end_condition", "on_error"}
    assert value["judge"]["on_error"] == "fail"
    assert value["judge"]["done_judge"]["fail_open_on_error"] is False


def test_a_goal_without_a_judge_says_so() -> None:
    made = texts(document(""))
    assert json.loads(made["json"])["judge"] is None
    assert "judge" not in tomllib.loads(made["toml"])


def test_the_gate_is_the_compiled_module() -> None:
    gate = pack(load(SPECS / "merge.goal"))["loop"]["verify_completion"]
    assert gate["python"] == "land_rate_limiter:check"
    assert gate["javascript"] == "./land-rate-limiter.mjs#check"


@pytest.mark.row("H13")
def test_the_gate_says_what_must_hold_and_what_to_answer() -> None:
    gate = pack(
        document(
            'advisory criterion d "Nice" check s.ok\n  awaited criterion e "Approved" check s.ok\n'
            '  criterion f "Told"\n  constraint k "Small" check s.ok\n  stop z "Broken" check s.ok\n'
            '  stop y "No access"\n  judge { }'
        )
    )["loop"]["verify_completion"]
    assert gate["gates"] == ["c", "e", "k"]
    assert (gate["awaited"], gate["stops"]) == (["e"], ["z"])
    assert list(gate["feedback"]["lines"]) == ["c", "f", "k"]


def test_a_goal_that_would_never_be_done_is_refused() -> None:
    with pytest.raises(Refusal, match="the goal `g` leaves d, k to a judge and has none"):
        pack(document('criterion d "Nice"\n  constraint k "Small"\n  stop z "No access"'))


@pytest.mark.row("H08")
def test_a_goal_that_says_nothing_of_pins_leaves_the_captain_s_policy_in_force() -> None:
    value = pack(document(""))
    assert "pin_policy" not in value["overlay"]
    assert value["preset"]["pack"] == {}


def test_a_policy_has_no_kinds_that_a_host_does_not_know() -> None:
    value = pack(document("pins { keep goal, runbook  kind runbook lane developer }"))
    assert value["overlay"]["pin_policy"]["kinds"] == ["goal"]
    assert value["register_kinds"] == {"runbook": "developer"}


def test_toml_hides_nothing() -> None:
    made = texts(document('constraint k "a\\u{202e}b\\u{200b}c" check s.ok'))
    assert "\\U0000202e" in made["toml"]
    assert "\u202e" not in made["toml"]
    assert tomllib.loads(made["toml"])["goal"]["constraints"] == ["a\u202eb\u200bc"]


def test_the_command_that_verifies_is_named_where_there_is_one() -> None:
    one = document("", 's.ok : bool from run "pytest -q"')
    assert pack(one)["metadata"]["verification"] == {"command": "pytest -q", "source": "s.ok"}
    two = document("", 's.ok : bool from run "a"\n  t.ok : bool from run "b"', "s.ok and t.ok")
    assert pack(two)["metadata"]["verification"] is None


def test_a_record_that_no_session_holds_is_refused() -> None:
    many = "\n".join(f'  criterion c{n} "{"x" * 3_000}" check s.ok' for n in range(30))
    with pytest.raises(
        Refusal, match=f"makes a record of .* bytes, and a session holds {MAX_RECORD:,}"
    ):
        pack(document(f"pins {{ keep decision }}\n{many}"))


def test_what_is_judged_and_awaited_is_counted() -> None:
    value = pack(
        document(
            'criterion d "It is nice"\n  awaited criterion e "Approved" check s.ok\n  judge { }'
        )
    )
    assert value["metadata"]["acceptance_note"] == (
        "Criteria: 1 checked, 1 judged, 1 awaited from others."
    )
