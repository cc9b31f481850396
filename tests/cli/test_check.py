"""`goalspec check`: exit codes, the table and its JSON, the forms of facts, and what is refused."""

from __future__ import annotations

import datetime as dt
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from goalspec.cli import group

FACTS = "facts {\n  a : bool\n  b : bool\n  c : bool\n  s : bool\n  w : bool\n}\n"
HOSTILE = "\x1b]0;owned\x07\x9b31m\u202eevil\u2066\u200b"


def spec(*parts: str, facts: str = FACTS) -> str:
    lines = "".join(f"  {part}\n" for part in parts)
    return f'{facts}\ngoal g {{\n  objective "Ship it."\n{lines}}}\n'


ONE = spec('criterion one "It holds" check a')


def check(folder: Path, text: str, facts: Any, *options: str, stdin: str | None = None) -> Result:
    """Run `check` over a spec and facts (JSON values, or the text of a facts file)."""
    goal, given = folder / "g.goal", folder / "facts.json"
    goal.write_text(text, encoding="utf-8")
    if isinstance(facts, bytes):
        given.write_bytes(facts)
    else:
        given.write_text(facts if isinstance(facts, str) else json.dumps(facts), encoding="utf-8")
    return run("check", str(goal), "--facts", str(given), *options, stdin=stdin)


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(group, arguments, input=stdin, catch_exceptions=False)


def verdict(result: Result) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(result.stdout)
    return said


def ago(**span: float) -> str:
    return (dt.datetime.now(dt.UTC) - dt.timedelta(**span)).isoformat()


# --- exit codes

CRITERION = 'criterion one "x" check a'
OTHER = 'criterion two "x" check b'
NO = 'constraint no "x" check c'
STOP = 'stop halt "x" check s'
JUDGED = 'criterion three "x"'
JUDGE = "judge { max_invocations 3 }"


@pytest.mark.ruling(12, 16)
@pytest.mark.parametrize(
    ("parts", "facts", "code"),
    [
        ([CRITERION], {"a": True}, 0),
        ([CRITERION, NO], {"a": True, "c": True}, 0),
        ([CRITERION, 'criterion two "x" when w check b'], {"a": True, "w": False}, 0),
        ([CRITERION, 'advisory criterion two "x" check b'], {"a": True, "b": False}, 0),
        ([CRITERION, 'advisory constraint no "x" check c'], {"a": True, "c": False}, 0),
        ([CRITERION, STOP], {"a": True}, 0),
        ([CRITERION], {"a": False}, 1),
        ([CRITERION, 'awaited criterion two "x" check b'], {"a": True, "b": False}, 1),
        ([CRITERION, NO], {"a": True, "c": False}, 1),
        ([CRITERION, OTHER], {"a": False}, 1),
        ([CRITERION, NO], {"c": False}, 1),
        ([CRITERION, NO], {"a": False}, 1),
        ([CRITERION, JUDGED, JUDGE], {"a": False}, 1),
        ([JUDGED, NO, JUDGE], {"c": False}, 1),
        ([CRITERION], {}, 3),
        ([CRITERION, OTHER], {"a": True}, 3),
        ([CRITERION, NO], {"a": True}, 3),
        ([CRITERION, 'criterion two "x" when w check b'], {"a": True, "b": True}, 3),
        ([CRITERION, 'criterion two "x" given w check b'], {"a": True, "b": True, "w": False}, 3),
        ([CRITERION, JUDGED, JUDGE], {"a": True}, 3),
        ([CRITERION, 'constraint no "x"', JUDGE], {"a": True}, 3),
        ([JUDGED, JUDGE], {}, 3),
        (['criterion one "x" when w check a'], {"w": False}, 3),
        (['criterion one "x"', 'advisory criterion two "x" check b', JUDGE], {"b": False}, 3),
    ],
    ids=[
        "done", "done with a constraint", "done beside waived", "done beside advisory unmet",
        "done beside advisory violated", "done beside an unknown stop",
        "unmet", "awaited unmet", "violated", "unmet beside unknown", "violated beside unknown",
        "unmet beside an unknown constraint", "unmet beside judged", "violated over an empty floor",
        "unknown", "met beside unknown", "an unknown constraint", "an unknown when",
        "a given that does not hold", "only judged left", "a judged constraint left",
        "an empty floor", "all waived", "advisory is no floor",
    ],
)  # fmt: skip
def test_exit_code(tmp_path: Path, parts: list[str], facts: dict[str, bool], code: int) -> None:
    assert check(tmp_path, spec(*parts), facts).exit_code == code


@pytest.mark.ruling(73)
@pytest.mark.parametrize(
    ("parts", "facts"),
    [
        ([CRITERION, STOP], {"s": True}),
        ([CRITERION, STOP], {"a": False, "s": True}),
        ([CRITERION, STOP], {"a": True, "s": True}),
        ([CRITERION, NO, STOP], {"a": True, "c": False, "s": True}),
        ([JUDGED, STOP, JUDGE], {"s": True}),
        ([CRITERION, STOP, 'stop later "x" check w'], {"a": True, "s": True}),
    ],
    ids=["unknown", "unmet", "done", "violated", "judged", "another stop unknown"],
)
def test_a_true_stop_has_its_own_exit_code(
    tmp_path: Path, parts: list[str], facts: dict[str, bool]
) -> None:
    result = check(tmp_path, spec(*parts), facts)
    assert result.exit_code == 4
    assert result.stdout.startswith("g: stopped\n")


@pytest.mark.ruling(73)
def test_a_stop_that_does_not_hold_is_held_and_a_judged_one_does_not_veto(tmp_path: Path) -> None:
    text = spec(CRITERION, STOP, 'stop other "x"', JUDGE)
    result = check(tmp_path, text, {"a": True, "s": False}, "--json")
    assert result.exit_code == 0
    assert verdict(result)["held"] == ["halt"]
    assert verdict(result)["judged"] == ["other"]


@pytest.mark.ruling(16)
def test_a_spec_with_errors(tmp_path: Path) -> None:
    result = check(tmp_path, ONE.replace("check a", "check aa"), {"a": True})
    assert (result.exit_code, result.stdout) == (2, "")
    assert "error[GS201]" in result.stderr


def test_a_spec_with_warnings_only(tmp_path: Path) -> None:
    result = check(tmp_path, ONE, {"a": True})  # b, c, s and w are never read
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("missing", ["spec", "facts", "baseline"])
def test_a_file_that_is_not_there(tmp_path: Path, missing: str) -> None:
    check(tmp_path, ONE, {"a": True})
    names = {"spec": "g.goal", "facts": "facts.json", "baseline": "facts.json", missing: "nowhere"}
    paths = {name: str(tmp_path / file) for name, file in names.items()}
    result = run("check", paths["spec"], "--facts", paths["facts"], "--baseline", paths["baseline"])
    assert result.exit_code == 2
    assert result.stderr == (
        f"goalspec: error[GS505]: {tmp_path / 'nowhere'}: No such file or directory\n"
    )


def test_a_folder_is_no_spec_and_no_facts(tmp_path: Path) -> None:
    check(tmp_path, ONE, {"a": True})
    goal = str(tmp_path / "g.goal")
    for arguments in ((str(tmp_path), goal), (goal, str(tmp_path))):
        result = run("check", arguments[0], "--facts", arguments[1])
        assert result.exit_code == 2
        assert result.stderr.endswith(("Is a directory\n", "it is no regular file\n"))


@pytest.mark.parametrize(
    "arguments",
    [[], ["g.goal"], ["-", "--facts", "-"], ["a", "b", "--facts", "c"]],
)
def test_usage(arguments: list[str]) -> None:
    result = run("check", *arguments)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr


# --- what is printed


@pytest.mark.row("X02", "X04")
def test_the_table(tmp_path: Path) -> None:
    text = spec(CRITERION, OTHER, NO, STOP, JUDGED, JUDGE)
    assert check(tmp_path, text, {"a": True, "c": False}).stdout.splitlines()[:-1] == [
        "g: not done",
        "",
        "  criteria",
        "    met       one    x",
        "                     - a is true",
        "    unknown   two    x",
        "                     - b is unknown (missing)",
        "    judged    three  x",
        "                     - a judge decides",
        "",
        "  constraint",
        "    violated  no     x",
        "                     - c is false",
        "",
        "  stop",
        "    unknown   halt   x",
        "                     - s is unknown (missing)",
        "",
    ]


def test_the_last_line_sums_up(tmp_path: Path) -> None:
    last = check(tmp_path, spec(CRITERION, NO), {"a": True, "c": True}).stdout.splitlines()[-1]
    assert re.fullmatch("floor met; 1 met, 1 held; contract c1:[0-9a-f]{12}", last)


@pytest.mark.row("H10")
@pytest.mark.ruling(12)
def test_json(tmp_path: Path) -> None:
    text = spec(CRITERION, OTHER, 'criterion four "x" when w check a', NO, STOP, JUDGED, JUDGE)
    said = verdict(check(tmp_path, text, {"a": True, "c": False, "w": False}, "--json"))
    contract, explanations = said.pop("contract"), said.pop("explanations")
    assert said == {
        "goal": "g",
        "done": False,
        "floor": "unmet",
        "checkable": 2,
        "met": ["one"],
        "unmet": [],
        "unknown": ["two", "halt"],
        "waived": ["four"],
        "judged": ["three"],
        "held": [],
        "violated": ["no"],
        "stopped": [],
        "advisory": [],
        "awaited": [],
        "reasons": {"two": "missing", "halt": "missing"},
        "notes": [],
    }
    assert explanations["no"] == "c is false"
    assert set(explanations) == {"one", "two", "three", "four", "no", "halt"}
    assert re.fullmatch("c1:[0-9a-f]{64}", contract)


@pytest.mark.row("H10")
@pytest.mark.parametrize(
    ("parts", "facts", "floor", "done"),
    [
        ([CRITERION, OTHER], {"a": True, "b": True}, "met", True),
        ([CRITERION, OTHER], {"a": True, "b": False}, "unmet", False),
        ([CRITERION, OTHER], {"a": True}, "unknown", False),
        ([JUDGED, JUDGE], {}, "empty", False),
        ([CRITERION, JUDGED, JUDGE], {"a": True}, "met", False),
    ],
    ids=["met", "unmet", "unknown", "empty", "judged left"],
)
def test_floor_and_done(
    tmp_path: Path, parts: list[str], facts: dict[str, bool], floor: str, done: bool
) -> None:
    said = verdict(check(tmp_path, spec(*parts), facts, "--json"))
    assert (said["floor"], said["done"]) == (floor, done)


@pytest.mark.ruling(57)
def test_json_names_advisory_and_awaited_parts(tmp_path: Path) -> None:
    parts = [CRITERION, 'awaited criterion two "x" check b', 'advisory constraint no "x" check c']
    said = verdict(check(tmp_path, spec(*parts), {"a": True, "c": False}, "--json"))
    assert (said["awaited"], said["advisory"]) == (["two"], ["no"])
    table = check(tmp_path, spec(*parts), {"a": True, "c": False}).stdout
    assert "x (awaited)" in table and "x (advisory)" in table


@pytest.mark.ruling(32)
def test_the_contract_is_the_meaning_not_the_spelling(tmp_path: Path) -> None:
    first = verdict(check(tmp_path, ONE, {"a": True}, "--json"))["contract"]
    other = "# a comment\nedition 1\n" + ONE.replace("  ", " ").replace("\n", "\r\n")
    assert verdict(check(tmp_path, other, {"a": True}, "--json"))["contract"] == first
    changed = ONE.replace("It holds", "It holds!")
    assert verdict(check(tmp_path, changed, {"a": True}, "--json"))["contract"] != first


# --- several goals

SEVERAL = FACTS + "".join(
    f'goal {name} {{\n  objective "x"\n  criterion c "x" check {fact}\n}}\n'
    for name, fact in (("first", "a"), ("second-goal", "b"))
)


def test_one_of_several_goals(tmp_path: Path) -> None:
    facts = {"a": True, "b": False}
    assert check(tmp_path, SEVERAL, facts, "--goal", "first").exit_code == 0
    result = check(tmp_path, SEVERAL, facts, "--goal", "second-goal")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (1, "second-goal: not done")


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (SEVERAL, [], "the file has 2 goals, choose one: --goal first | second-goal"),
        (SEVERAL, ["--goal", "frist"], "no goal `frist`; did you mean `first`?"),
        (SEVERAL, ["--goal", "x"], "there are first, second-goal"),
        (FACTS, [], "the file has no goal"),
        (FACTS, ["--goal", "x"], "there are none"),
    ],
    ids=["which", "near", "far", "none", "none by name"],
)
def test_no_goal_is_guessed(tmp_path: Path, text: str, options: list[str], said: str) -> None:
    result = check(tmp_path, text, {"a": True}, *options)
    assert result.exit_code == 2
    assert said in result.stderr


# --- standard input


def test_facts_from_standard_input(tmp_path: Path) -> None:
    check(tmp_path, ONE, {})
    goal = str(tmp_path / "g.goal")
    assert run("check", goal, "--facts", "-", stdin='{"a": true}').exit_code == 0


def test_the_spec_from_standard_input(tmp_path: Path) -> None:
    check(tmp_path, ONE, {"a": True})
    assert run("check", "-", "--facts", str(tmp_path / "facts.json"), stdin=ONE).exit_code == 0


# --- forms of facts

TWO_RUNS = spec('criterion one "x" check a for 2 runs')


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ('{"a": true}', 3),
        ('{"a": true}\n', 3),
        ('[{"a": true}]', 3),
        ('[{"a": true}, {"a": true}]', 0),
        ('{"a": true}\n{"a": true}', 0),
        ('{"a": true}\n\n  \n{"a": true}\n', 0),
        ('{"a": true}\r\n{"a": true}\r\n', 0),
        ('\ufeff{"a": true}\n{"a": true}\n', 0),
        ('{\n  "a":\n  true\n}\n', 3),
        ('{"facts": {"a": true}}\n{"facts": {"a": true}}', 0),
        ('{"facts": {"a": true}, "id": "r1"}\n{"facts": {"a": true}, "id": "r1"}', 3),
        ('{"facts": {"a": true}, "id": "r1"}\n{"facts": {"a": true}, "id": "r2"}', 0),
        ('{"a": true}\n{}\n{"a": true}', 0),
        ("{}", 3),
    ],
    ids=[
        "an object", "with a line end", "an array of one", "an array", "lines", "blank lines",
        "crlf", "byte order mark", "an object over lines", "envelopes", "one id twice", "two ids",
        "an empty one between", "nothing known",
    ],
)  # fmt: skip
def test_objects_arrays_and_lines(tmp_path: Path, facts: str, code: int) -> None:
    assert check(tmp_path, TWO_RUNS, facts).exit_code == code


@pytest.mark.ruling(2)
def test_a_revision_makes_facts_of_another_stale(tmp_path: Path) -> None:
    facts = [{"rev": "1", "facts": {"a": True}}, {"rev": "2", "facts": {"b": True}}]
    said = verdict(check(tmp_path, spec(CRITERION, OTHER), facts, "--json"))
    assert (said["met"], said["reasons"]) == (["two"], {"one": "stale"})


@pytest.mark.ruling(3)
def test_the_first_observation_is_the_start(tmp_path: Path) -> None:
    text = spec('criterion one "x" check n > n at start', facts="facts {\n  n : int\n}\n")
    assert check(tmp_path, text, [{"n": 1}]).exit_code == 3
    assert check(tmp_path, text, [{"n": 1}, {"n": 2}]).exit_code == 0
    assert check(tmp_path, text, [{"n": 2}, {"n": 2}]).exit_code == 1


@pytest.mark.parametrize(
    "facts", [{"a.n": 1, "a.m": 2}, {"a": {"n": 1, "m": 2}}, {"a": {"n": 1}, "a.m": 2}]
)
def test_keys_nested_or_dotted(tmp_path: Path, facts: dict[str, Any]) -> None:
    text = spec('criterion one "x" check a.n + a.m == 3', facts="facts {\n a.n : int a.m : int\n}")
    assert check(tmp_path, text, facts).exit_code == 0


def test_facts_that_are_called_like_the_envelope(tmp_path: Path) -> None:
    """Where a spec declares a fact `at`, `id`, `rev` or `facts`, an observation is facts alone."""
    text = spec('criterion one "x" check id == 1', facts="facts {\n  id : int\n}\n")
    assert check(tmp_path, text, {"id": 1}).exit_code == 0


def test_unknown_with_its_reason(tmp_path: Path) -> None:
    facts = {"a": {"$unknown": "error", "because": "exit code 139"}}
    result = check(tmp_path, ONE, facts, "--json")
    assert result.exit_code == 3
    assert verdict(result)["reasons"] == {"one": "error"}
    assert verdict(result)["explanations"] == {"one": "a is unknown (error: exit code 139)"}


def test_each_shows_every_verdict(tmp_path: Path) -> None:
    facts = [{"a": True}, {"a": False}, {"a": True}, {"a": True}]
    result = check(tmp_path, TWO_RUNS, facts, "--each")
    heads = [line for line in result.stdout.splitlines() if line.startswith("g: ")]
    assert heads == [
        "g: not done  observation 1 of 4",
        "g: not done  observation 2 of 4",
        "g: not done  observation 3 of 4",
        "g: done  observation 4 of 4",
    ]
    assert result.exit_code == 0


def test_each_as_json_lines(tmp_path: Path) -> None:
    facts = [{"a": True}, {"a": False}, {"a": True}]
    result = check(tmp_path, TWO_RUNS, facts, "--each", "--json")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(line["unknown"], line["unmet"]) for line in lines] == [
        (["one"], []), ([], ["one"]), ([], ["one"]),
    ]  # fmt: skip
    assert result.exit_code == 1


# --- the baseline

GROWN = spec('criterion one "x" check n >= n at baseline', facts="facts {\n  n : int\n}\n")


@pytest.mark.parametrize(
    ("baseline", "code"), [('{"n": 3}', 0), ('{"n": 4}', 1), ("{}", 3), ('{"n": "x"}', 3)]
)
def test_baseline(tmp_path: Path, baseline: str, code: int) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(baseline)
    assert check(tmp_path, GROWN, {"n": 3}, "--baseline", str(path)).exit_code == code


def test_without_a_baseline_its_values_are_unknown(tmp_path: Path) -> None:
    assert check(tmp_path, GROWN, {"n": 3}).exit_code == 3


@pytest.mark.parametrize("baseline", ["[]", "5", "{", '{"n": 1, "n": 1}', '{"n": 1}\n{"n": 2}'])
def test_a_bad_baseline(tmp_path: Path, baseline: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(baseline)
    result = check(tmp_path, GROWN, {"n": 3}, "--baseline", str(path))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{path}: error[GS503]: ")


@pytest.mark.ruling(11)
def test_strict_refuses_an_ill_typed_baseline(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_text('{"n": "x"}')
    result = check(tmp_path, GROWN, {"n": 3}, "--strict", "--baseline", str(path))
    assert result.exit_code == 2


# --- times


@pytest.mark.ruling(10)
def test_untimed_observations_are_stamped_now(tmp_path: Path) -> None:
    text = spec('criterion one "x" check past(t)', facts="facts {\n  t : time\n}\n")
    assert check(tmp_path, text, {"t": ago(minutes=1)}).exit_code == 0
    assert check(tmp_path, text, {"t": ago(minutes=-1)}).exit_code == 1


@pytest.mark.ruling(4, 10)
def test_timed_observations_bring_their_clock(tmp_path: Path) -> None:
    text = spec('criterion one "x" check a for 10m every 5m')
    facts = [{"at": f"2026-03-01T10:{minute:02}Z", "facts": {"a": True}} for minute in (0, 4, 8)]
    assert check(tmp_path, text, facts).exit_code == 3
    facts.append({"at": "2026-03-01T10:12Z", "facts": {"a": True}})
    assert check(tmp_path, text, facts).exit_code == 0
    facts.append({"at": "2026-03-01T10:30Z"})  # a tick moves the clock
    assert check(tmp_path, text, facts).exit_code == 3


@pytest.mark.ruling(10)
@pytest.mark.parametrize(
    "facts",
    [
        [{"at": ago(hours=-1), "facts": {"a": True}}],
        [{"at": "2026-03-01T10:00Z", "facts": {}}, {"at": "2026-03-01T09:54Z", "facts": {}}],
        [{"at": "2026-03-01T10:00Z", "facts": {}}, {"facts": {"a": True}}],
        [{"a": True}, {"at": "2026-03-01T10:00Z", "facts": {"a": True}}],
    ],
    ids=["ahead of the clock", "far back", "timed, then not", "not, then timed"],
)
def test_a_time_that_cannot_be_right_is_refused(tmp_path: Path, facts: list[Any]) -> None:
    result = check(tmp_path, ONE, facts)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f" (observation {len(facts)}): error[GS504]: " in result.stderr


@pytest.mark.ruling(10)
def test_a_time_a_little_back_is_clamped_and_said(tmp_path: Path) -> None:
    facts = [
        {"at": "2026-03-01T10:00Z", "facts": {"a": False}},
        {"at": "2026-03-01T09:56Z", "facts": {"a": True}},
    ]
    result = check(tmp_path, ONE, facts)
    assert result.exit_code == 0
    assert "warning[GS504]" in result.stderr and "2026-03-01T10:00:00Z" in result.stderr


# --- facts that are wrong


@pytest.mark.ruling(11, 18)
@pytest.mark.parametrize(
    ("type", "value"),
    [
        ("bool", "1"), ("bool", '"true"'), ("bool", "null"), ("int", "true"), ("int", "1.5"),
        ("int", "9007199254740992"), ("int", "NaN"), ("int", "1e999999999999"),
        ("int", "9" * 5_000), ("number", "Infinity"), ("number", "1e309"),
        ("number", "1." + "1" * 40), ("percent", "85"), ("percent", "0.85"), ("percent", '"85"'),
        ("duration", "5"), ("duration", '"5"'), ("size", "64"), ("money USD", "5"),
        ("money USD", '"5 EUR"'), ("time", '"2026-12-31T18:00"'), ("time", '"2026-12-31"'),
        ("date", '"2026-02-30"'), ("version", '"latest"'), ("string", "5"),
        ("string", '"\\ud800"'), ("path", '"/etc/passwd"'), ("path", '"../x"'), ("path", '""'),
        ('"on" | "off"', '"On"'), ("int in 0..", "-1"), ("list of int", "[1, true]"),
        ("set of string", '"x"'), ("list max 1 of int", "[1, 2]"), ("{ x: int }", "{}"),
        ("{ x: int }", '{"x": true}'), ("map of int", "[1]"),
    ],
)  # fmt: skip
def test_an_invalid_value_makes_its_fact_unknown(tmp_path: Path, type: str, value: str) -> None:
    declared = f"facts {{\n x : {type} a : bool\n}}"
    text = spec('criterion one "x" check known(x) and a', facts=declared)
    facts = f'{{"x": {value}, "a": true}}'
    result = check(tmp_path, text, facts, "--json")
    assert result.exit_code == 1  # known(x) is false, and all else of the observation was taken
    assert [(note["kind"], note["fact"]) for note in verdict(result)["notes"]] == [("invalid", "x")]
    assert "facts.json:1: warning[GS501]: x: " in result.stderr
    strict = check(tmp_path, text, facts, "--strict")
    assert (strict.exit_code, strict.stdout) == (2, "")
    assert "facts.json:1: error[GS501]: x: " in strict.stderr


@pytest.mark.ruling(18)
@pytest.mark.parametrize(
    ("type", "value", "literal"),
    [
        ("int", "1.0", "1"), ("int", "1e2", "100"), ("int", "-0", "0"), ("number", "0.10", "0.1"),
        ("percent", '"85%"', "85%"), ("percent as ratio", "0.85", "85%"),
        ("percent as points", "85", "85%"), ("percent as ratio", '"85%"', "85%"),
        ("duration", '"90m"', "1h30m"), ("duration as ms", "1500", "1.5s"),
        ("size", '"64KB"', "64000B"), ("size as KB", "64", "64KB"),
        ("money USD", '"5.00 USD"', "5 USD"), ("time", '"2026-12-31T20:00+02:00"',
        "2026-12-31T18:00Z"), ("date", '"2026-12-31"', "2026-12-31"),
        ("version", '"v1.4.0"', "v1.4.0"), ("version", '"1.4.0"', "v1.4.0"),
        ("path", '"./src//a/../b.py"', '"src/b.py"'), ("string", '"é"', '"é"'),
        ('"on" | "off"', '"on"', '"on"'),
    ],
)  # fmt: skip
def test_how_values_are_spelled(tmp_path: Path, type: str, value: str, literal: str) -> None:
    text = spec(f'criterion one "x" check x == {literal}', facts=f"facts {{\n  x : {type}\n}}\n")
    result = check(tmp_path, text, f'{{"x": {value}}}', "--strict")
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.ruling(11, 66)
def test_an_invalid_value_in_a_map_is_noted(tmp_path: Path) -> None:
    text = spec('criterion one "x" check x["a"] == 1', facts="facts {\n  x : map of int\n}\n")
    facts = {"x": {"a": 1, "b": "2"}}
    assert check(tmp_path, text, facts).exit_code == 0  # only what is under that key is unknown
    assert "warning[GS501]" in check(tmp_path, text, facts).stderr
    assert check(tmp_path, text, facts, "--strict").exit_code == 2


@pytest.mark.ruling(18)
def test_an_undeclared_key_is_a_warning_with_the_nearest_name(tmp_path: Path) -> None:
    text = spec('criterion one "x" check suite.passed', facts="facts {\n suite.passed : bool\n}\n")
    result = check(tmp_path, text, {"suite.pased": True, "suite.passed": True}, "--strict")
    assert result.exit_code == 0
    assert "warning[GS502]" in result.stderr
    assert "did you mean suite.passed?" in result.stderr


@pytest.mark.ruling(11)
@pytest.mark.parametrize(
    "facts",
    [
        '{"a": true, "a": true}', '{"x": {"n": 1, "n": 2}}', '{"x.n": 1, "x": {"n": 1}}',
        '{"x.n": 1, "x": {"n": 2}}',
    ],
)  # fmt: skip
def test_a_key_twice_is_an_error(tmp_path: Path, facts: str) -> None:
    text = spec('criterion one "x" check a and x.n == 1', facts="facts {\n a : bool x.n : int\n}\n")
    result = check(tmp_path, text, facts)
    assert result.exit_code == 2
    assert "error[GS503]" in result.stderr and "there twice" in result.stderr


@pytest.mark.ruling(16)
@pytest.mark.parametrize(
    "facts",
    [
        b"", b"  \n", b"\xff\xfe", b"\x00", bytes(range(256)), b"{", b"a = 1", b"true", b"5",
        b'"x"', b"null", b"[1]", b"[[]]", b'{"a": tru}', b'{"a": 1} trailing', b"{'a': 1}",
        b'{"a": true}\n5', b'{"a": true}\n{"a": ', b"[" * 100_000, b'{"a":' * 100_000,
        b'{"facts": {}, "at": 5}', b'{"facts": {}, "id": 5}', b'{"facts": {}, "rev": {}}',
        b'{"facts": {}, "at": "noon"}', b'{"facts": {}, "at": "2026-12-31T18:00"}',
    ],
    ids=lambda facts: facts[:24].decode("latin-1").encode("unicode_escape").decode(),
)  # fmt: skip
def test_bad_facts_end_in_one_line_and_no_verdict(tmp_path: Path, facts: bytes) -> None:
    result = check(tmp_path, ONE, facts)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert "error[GS503]" in result.stderr


def test_the_line_of_a_bad_observation_is_named(tmp_path: Path) -> None:
    result = check(tmp_path, ONE, '{"a": true}\n{"a": "x"}\n{"a": \n')
    assert "line 3" in result.stderr
    result = check(tmp_path, ONE, '{"a": true}\n{"a": "x"}\n')
    assert "facts.json:2: warning[GS501]" in result.stderr


def test_deep_and_large_values_that_are_json(tmp_path: Path) -> None:
    for value in ("[" * 900 + "]" * 900, json.dumps("x" * 100_000), json.dumps([0] * 5_000)):
        result = check(tmp_path, ONE, f'{{"a": {value}}}')
        assert result.exit_code == 3
        assert len(result.stderr) < 400


def test_an_array_of_no_observations(tmp_path: Path) -> None:
    assert check(tmp_path, ONE, "[]").exit_code == 2


@pytest.mark.parametrize("char", ["\u2028", "\u0085", "\u2029"])
def test_only_line_ends_end_a_line(tmp_path: Path, char: str) -> None:
    text = spec('criterion one "x" check t == "z"', facts="facts {\n  t : string\n}\n")
    assert check(tmp_path, text, f'{{"t": "x{char}y"}}\n{{"t": "z"}}\n').exit_code == 0


def test_a_number_out_of_bounds_inside_a_list_is_named_as_it_stands(tmp_path: Path) -> None:
    text = spec('criterion one "x" check x > 0', facts="facts {\n  x : int\n}\n")
    assert "BadNumber" not in check(tmp_path, text, '{"x": [NaN]}').stderr


# --- the terminal

SHOWN = spec(
    'criterion one "x" check t == "z" and p like "src/**" and k["a"] == 1',
    facts="facts {\n  t : string\n  p : path\n  k : map of int\n}\n",
)


def hostile_in(seen: str) -> list[str]:
    return [char for char in HOSTILE if not char.isprintable() and char in seen]


def test_hostile_values_are_written_out(tmp_path: Path) -> None:
    for facts in (
        {"t": HOSTILE}, {"t": [HOSTILE]}, {"k": {"a": HOSTILE}}, {"k": {HOSTILE: 1}},
        {"t": {"$unknown": "error", "because": HOSTILE}}, {"t": {"$unknown": HOSTILE}},
        {"p": "src/" + HOSTILE},
    ):  # fmt: skip
        result = check(tmp_path, SHOWN, facts)
        assert not hostile_in(result.stdout + result.stderr), facts


def test_hostile_descriptions_are_written_out_on_one_line(tmp_path: Path) -> None:
    escaped = "".join(f"\\u{{{ord(char):x}}}" for char in HOSTILE + "\r\n\u2028")
    result = check(tmp_path, ONE.replace("It holds", escaped), {"a": True})
    assert not hostile_in(result.stdout)
    assert "\r" not in result.stdout and "\u2028" not in result.stdout
    plain = check(tmp_path, ONE, {"a": True}).stdout
    assert len(result.stdout.splitlines()) == len(plain.splitlines())


@pytest.mark.parametrize(
    "facts",
    [
        {HOSTILE: 1}, {"p": "/" + HOSTILE}, {"p": "../" + HOSTILE},
        {"at": HOSTILE, "facts": {}}, {"k.a\n" + HOSTILE: 1},
    ],
    ids=["key", "absolute path", "path above", "time", "key with a newline"],
)  # fmt: skip
def test_hostile_text_in_notes_is_written_out(tmp_path: Path, facts: dict[str, Any]) -> None:
    result = check(tmp_path, SHOWN, facts)
    assert not hostile_in(result.stderr)
    assert result.stderr.count("\n") == 1


def test_hostile_text_in_json_is_escaped(tmp_path: Path) -> None:
    result = check(tmp_path, SHOWN, {HOSTILE: 1, "p": "/" + HOSTILE}, "--json")
    assert not hostile_in(result.stdout)


def test_a_lone_surrogate_in_a_key(tmp_path: Path) -> None:
    assert check(tmp_path, ONE, '{"a": true, "\\ud800": 1}', "--json").exit_code == 0


def test_no_escape_codes_in_a_pipe(tmp_path: Path) -> None:
    check(tmp_path, ONE, {"a": True})
    command = [sys.executable, "-m", "goalspec", "check", "g.goal", "--facts", "facts.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=20, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith(b"g: done\n")
    assert b"\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"at": "2026-03-01T10:00Z", "source": "ci", "facts": {"a": True}}, 2),  # an unknown member
        ({"at": "2026-03-01T10:00Z", "id": "x"}, 3),  # a tick with an id
        ({"at": "2026-03-01T10:00Z", "id": "x", "facts": {"a": True}}, 0),
        ({"facts": {"a": True}}, 0),
    ],
)
def test_an_envelope_is_told_from_facts(tmp_path: Path, facts: dict[str, Any], code: int) -> None:
    assert check(tmp_path, ONE, facts).exit_code == code


def test_a_fact_called_rev_does_not_hide_the_envelope(tmp_path: Path) -> None:
    text = spec('criterion one "x" check rev.count == 1', facts="facts {\n  rev.count : int\n}\n")
    enveloped = {"at": "2026-03-01T10:00Z", "rev": "abc", "facts": {"rev": {"count": 1}}}
    assert check(tmp_path, text, enveloped).exit_code == 0
    assert check(tmp_path, text, {"rev": {"count": 1}}).exit_code == 0


def test_bad_json_lines_name_their_line_once(tmp_path: Path) -> None:
    result = check(tmp_path, ONE, '{"a": true}\n{"a": }\n')
    assert result.exit_code == 2
    assert "(line 2, column 7)" in result.stderr
    assert "line 1" not in result.stderr
