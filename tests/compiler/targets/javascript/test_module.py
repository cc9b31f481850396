"""The `javascript` target: the module and its types, and what a host does with them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import goalspec
import pytest
from goalspec.compiler import compile_text, load
from goalspec.compiler.ir.document import Document
from goalspec.compiler.targets.javascript import TARGET
from goalspec.compiler.targets.target import Request
from goalspec.grammar.literals import write_string
from goalspec.runtime import Monitor
from goalspec.runtime.facts import parse_json
from goalspec.runtime.observations import read_baseline, read_observations
from goalspec.tests.compiler.targets.javascript.node import HERE, as_json, node, run

EXAMPLES = Path(goalspec.__path__[0], "specs", "examples")
FILES = sorted(EXAMPLES.glob("*.goal"))


def texts(document: Document) -> dict[str, str]:
    return {artifact.name: artifact.text for artifact in TARGET.artifacts(Request(document, "g"))}


def compiled(text: str) -> Document:
    found = compile_text(text)
    assert found.document is not None, found.diagnostics
    return found.document


def written(document: Document, folder: Path) -> Path:
    """The module of the document's one goal."""
    for name, text in texts(document).items():
        (folder / name).write_text(text, "utf-8")
    [module] = folder.glob("*.mjs")
    return module


SMALL = """\
facts {
  suite.passed: bool
  coverage.line: percent as ratio in 0%..100%  "lines that the tests ran */ of all"
  ci.checks: map of "success" | "failure"
  diff.files: set of path
  took: duration as ms
  reviews: list of { author: string, at: time, note: string? }
  price: (money USD)?
}

goal ship-it {
  objective "Ship it. Really: */ ⟦\\u{202e}⟧"
  criterion green "The suite passes twice" check suite.passed for 2 runs
  criterion covered "Coverage stays" check coverage.line >= coverage.line at start - 0.5%
  criterion checks "Every check succeeds"
    check all c in ci.checks: ci.checks[c] == "success"
  criterion reviewed "Two people reviewed" check count(r in reviews where r.note != null) >= 2
  criterion fine "Somebody likes it"
  constraint no-auth "auth.go stays"
    check all f in diff.files: not (f like ["**/auth.go", "secret/*"])
  stop slow "Far too slow" check took > 1h
}
"""


def test_a_small_goal_is_the_golden_module(golden: Callable[[Path, str], None]) -> None:
    """The library above the goal's own part is tested by itself."""
    made = texts(compiled(SMALL))
    head, line, own = made["ship-it.mjs"].partition(f"// {'-' * 80}")
    head, _, _ = head.partition("\n// Texts as")
    golden(HERE / "golden" / "ship-it.mjs", f"{head}\n{line}{own}")
    golden(HERE / "golden" / "ship-it.d.mts", made["ship-it.d.mts"])


@pytest.mark.row("D6", "X07")
@pytest.mark.parametrize("outcome", ["met", "missed"])
def test_the_examples_answer_as_the_runtime_does(outcome: str, tmp_path: Path) -> None:
    questions, wanted = [], []
    for path in FILES:
        spec = load(path)
        [goal] = spec.goals
        folder = tmp_path / path.stem
        folder.mkdir()
        kept = path.with_suffix(".baseline.json")
        base = read_baseline(kept.read_bytes()) if kept.exists() else None
        facts = path.with_suffix(f".{outcome}.jsonl").read_bytes()
        observations = read_observations(facts, [fact.name for fact in spec.facts])
        monitor = Monitor(goal, base, spec.facts)
        wanted.append([monitor.observe(o.facts, o.at, o.id, o.rev) for o in observations])
        reports = [
            {"facts": as_json(o.facts), "at": o.at, "id": o.id, "rev": o.rev} for o in observations
        ]
        base_text = None if base is None else as_json(base)
        module = str(written(spec, folder))
        questions.append({"module": module, "baseline": base_text, "reports": reports})
    for verdicts, answer in zip(wanted, run(HERE / "observe.mjs", questions), strict=True):
        for verdict, shown in zip(verdicts, answer["shown"], strict=True):
            assert shown.pop("goal_check") == verdict.to_goal_check()
            assert shown.pop("exit_code") == verdict.exit_code
            assert shown == verdict.to_json()


@pytest.mark.row("X07")
def test_the_bytes_are_the_same_under_another_hash_seed() -> None:
    code = (
        "import sys; from goalspec.compiler import load\n"
        "from goalspec.compiler.targets.javascript import TARGET\n"
        "from goalspec.compiler.targets.target import Request\n"
        "for a in TARGET.artifacts(Request(load(sys.argv[1]), 'g')): sys.stdout.write(a.text)"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", code, str(EXAMPLES / "release_gate.goal")],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(made) == 1
    assert made.pop()


HOSTILE = [
    "a\nb", "*/ alert(1) /*", "// \u2028 alert(1)", "`${alert(1)}`", '"; alert(1); "', "\\u{0}", "</script>",
    "\u202e\u200b\x7f", "**/*.py", "\\", "' + alert(1) + '",
]  # fmt: skip


def test_no_text_of_the_file_becomes_code(tmp_path: Path) -> None:
    """Every text comes back as it was, and each module can be loaded."""
    questions = []
    for number, text in enumerate(HOSTILE):
        literal = write_string(text)
        document = compiled(
            f"facts {{\n  s: string {literal}\n}}\ngoal g {{\n  objective {literal}\n"
            f"  criterion a {literal} check s == {literal} or s contains {literal}\n}}\n"
        )
        folder = tmp_path / str(number)
        folder.mkdir()
        module = written(document, folder)
        own = module.read_text("utf-8").partition(f"// {'-' * 80}")[2]
        assert own.isascii()
        assert own.replace("\n", "").isprintable()
        report = {"facts": json.dumps({"s": text})}
        questions.append({"module": str(module), "reports": [report]})
    for answer in run(HERE / "observe.mjs", questions):
        assert answer["shown"][0]["met"] == ["a"]


def script(module: Path, body: str) -> Any:
    """What *body* prints as JSON, with the module's exports at hand."""
    text = (
        f"import * as m from {json.dumps(module.as_uri())};\n"
        "const { Monitor, check, parse, BadFacts, RefusedObservation } = m;\n"
        "const answer = (() => {" + body + "})();\nconsole.log(JSON.stringify(answer));\n"
    )
    file = module.with_name("script.mjs")
    file.write_text(text, "utf-8")
    ran = subprocess.run([node(), str(file)], capture_output=True, text=True, encoding="utf-8")
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return written(compiled(SMALL), tmp_path)


def test_a_host_checks_plain_objects(small: Path) -> None:
    answer = script(small, """
        const monitor = new Monitor({ baseline: {}, root: "/repo" });
        monitor.observe({ suite: { passed: true }, "coverage.line": 0.842 });
        const verdict = monitor.observe({ suite: { passed: true }, coverage: { line: "83.9%" },
          ci: { checks: new Map([["b", "success"], ["a", "failure"]]) }, took: 90, reviews: [],
          diff: { files: ["/repo/src/a.py"] } });
        const of = Object.fromEntries([...verdict.criteria, ...verdict.constraints]
          .map(({ id, outcome, explanation }) => [id, [outcome, explanation]]));
        return { of, check: verdict.toGoalCheck(), floor: verdict.floor, goal: m.GOAL };
    """)  # fmt: skip
    assert answer["of"]["covered"] == [
        "met", "coverage.line is 83.9%, at start it was 84.2%: 0.3 points lower, 0.5 allowed",
    ]  # fmt: skip
    assert answer["of"]["green"][0] == "met"
    assert answer["of"]["checks"][1].startswith("1 of 2 in ci.checks fail")
    assert answer["of"]["no-auth"][0] == "held"
    assert answer["of"]["fine"] == ["judged", "a judge decides"]
    assert answer["check"] == {
        "checkable": 4, "done": False, "met": ["green", "covered"], "unmet": ["checks", "reviewed"],
    }  # fmt: skip
    assert answer["goal"] == "ship-it"


def test_refusals_are_told_and_change_nothing(small: Path) -> None:
    answer = script(small, """
        const caught = (act) => { try { act(); return null; } catch (error) {
          return [error.name, error instanceof BadFacts || error instanceof RefusedObservation,
            error.message]; } };
        const monitor = new Monitor();
        monitor.observe({ took: 5 }, { at: "2026-01-01T10:00Z" });
        const refused = [
          caught(() => monitor.observe({ took: "9h" })),
          caught(() => monitor.observe({ took: "9h" }, { at: "2026-01-01T09:00Z" })),
          caught(() => monitor.observe({ took: "9h" }, { at: "2026-01-01T11:00Z", receivedAt: "2026-01-01T10:00Z" })),
          caught(() => monitor.observe({ took: "9h" }, { at: "yesterday" })),
          caught(() => monitor.observe({ took: "9h" }, { at: new Date() })),
          caught(() => monitor.observe({ "suite.passed": true, suite: { passed: true } })),
          caught(() => monitor.observe('{"took": "9h", "took": 1}')),
          caught(() => monitor.observe([])),
          caught(() => monitor.observe(null)),
          caught(() => new Monitor({ baseline: "[]" })),
        ];
        return [refused, monitor.observe({}, { at: "2026-01-01T10:01Z" }).stopped];
    """)  # fmt: skip
    refused, stopped = answer
    assert [name for name, *_ in refused] == ["RefusedObservation"] * 3 + ["BadFacts"] * 7
    assert all(is_own for _, is_own, _ in refused)
    assert "add `Z`" not in refused[3][2] and "write `2026-12-31T18:00Z`" in refused[3][2]
    assert refused[4][2] == "the at of an observation is a text, not a object"
    assert stopped is False


# What a host may hand over, and the outcome of `green` (`odd == true` for one run): never met.
STRANGE = [
    "1", "'true'", "NaN", "Infinity", "-0", "1n", "Symbol('x')", "() => {\n  return true;\n}", "new Boolean(true)", "[true]",
    "new Date(0)", "new Map([['a', true]])", "{ toString() { throw 1; } }", "Object.create({ a: true })",
    "'\\ud800'", "null", "(() => { const a = []; a.push(a); return a; })()",
    "(() => { const a = {}; a.a = { b: a }; return a; })()", "{ $unknown: 'odd' }", "{ $unknown: ['error'] }",
    "{ $unknown: 'error', because: 5 }", "{ $unknown: 'error', more: 1 }", "new Array(4294967295)",
    "new Proxy({}, {})", "new Map([[{ toString() { throw 1; } }, true]])", "new Map([[Symbol('x'), true]])", "Promise.resolve(true)", "new Uint8Array(3)", "/true/", "Object.create(null)",
]  # fmt: skip


@pytest.mark.parametrize("kind", ["bool", "int", "number", "string", "percent", "path", "duration", "version", "list of bool", "set of string", "map of bool", "{ a: bool }", '"a" | "b"', "money USD", "time", "date", "bool?"])  # fmt: skip
def test_strange_values_never_break_and_never_pass(kind: str, tmp_path: Path) -> None:
    """`known(x)` tells whether it entered; a note or an unknown says why it did not."""
    module = written(
        compiled(
            f"facts {{\n  x: {kind}\n  ok: bool\n}}\ngoal g {{\n  objective \"o\"\n"
            '  criterion entered "x is known" check known(x)\n'
            '  criterion ok "ok holds" check ok\n}\n'
        ),
        tmp_path,
    )  # fmt: skip
    answers = script(
        module,
        f"return [{', '.join(f'() => ({value})' for value in STRANGE)}].map((make) => {{"
        " const verdict = check({ x: make(), ok: make() }); const shown = JSON.parse(JSON.stringify(verdict));"
        " return [shown.met, shown.notes.length, Object.values(shown.explanations)]; });",
    )
    for value, (met, notes, explanations) in zip(STRANGE, answers, strict=True):
        assert "ok" not in met, value
        assert all(explanations), value
        assert not any("\n" in text for text in explanations), value
        assert "entered" in met or notes or "unknown" in value, value


def test_keys_of_prototypes_are_ordinary_keys(tmp_path: Path) -> None:
    module = written(
        compiled(
            "facts {\n  m: map of int\n  r: { constructor: int?, n: int }\n}\n"
            'goal g {\n  objective "o"\n  criterion a "a" check m["constructor"] == 1\n'
            '  criterion b "b" check m["__proto__"] == 2\n'
            '  criterion c "c" check r.constructor == null and r.n == 1\n'
            '  criterion d "d" check not ("toString" in m)\n}\n'
        ),
        tmp_path,
    )
    answer = script(module, """
        const facts = JSON.parse('{"m": {"constructor": 1, "__proto__": 2}, "r": {"n": 1}}');
        let inherited = "taken";
        try { check(Object.create({ m: { constructor: 1 } })); } catch ({ name }) { inherited = name; }
        const polluted = check('{"__proto__": {"m": 1}, "constructor": {"prototype": {"n": 1}}}');
        return [check(facts).toGoalCheck().met, inherited, polluted.notes.length,
          ({}).m === undefined];
    """)  # fmt: skip
    assert answer == [["a", "b", "c", "d"], "BadFacts", 2, True]


def test_a_hosts_own_checks(tmp_path: Path) -> None:
    from goalspec.compiler.ir import expressions as ir
    from goalspec.compiler.ir.canonical import seal
    from goalspec.compiler.ir.document import Criterion, Goal

    names = (
        "yes",
        "no",
        "throws",
        "throws_odd",
        "nothing",
        "async",
        "number",
        "unbound",
        "toString",
    )
    criteria = tuple(
        Criterion(id=name.replace("_", "-"), text="t", check=ir.HostCheck(name=name))
        for name in names
    )
    goal = seal(Goal(id="g", objective="o", criteria=criteria, contract=""))
    answer = script(written(Document(goals=(goal,)), tmp_path), """
        const seen = [];
        const verdict = check({ n: 1 }, { hostChecks: {
          yes: (facts) => facts.n === 1, no: () => false, throws: () => { throw new RangeError("too far"); },
          throws_odd: () => { throw Object.create(null); }, nothing: () => undefined,
          async: async () => { throw new Error("late"); }, number: () => 1 } });
        return verdict.criteria.map(({ outcome, unknown }) => [outcome, unknown?.reason, unknown?.words]);
    """)  # fmt: skip
    assert answer == [
        ["met", None, None],
        ["unmet", None, None],
        ["unknown", "error", "RangeError: too far"],
        ["unknown", "error", "it threw a object"],
        ["unknown", "missing", "the check returned nothing"],
        ["unknown", "invalid", "the check is async, and a check answers at once"],
        ["unknown", "invalid", "the check returned a number, no boolean"],
        ["unknown", "missing", "the host bound no check to unbound"],
        ["unknown", "missing", "the host bound no check to toString"],
    ]


def test_numbers_of_javascript_and_exact_ones(tmp_path: Path) -> None:
    module = written(
        compiled(
            'facts {\n  x: number\n  n: int\n}\ngoal g {\n  objective "o"\n'
            '  criterion x "x" check x == 0.1 + 0.2\n  criterion n "n" check n == 9007199254740991\n}\n'
        ),
        tmp_path,
    )
    answer = script(module, """
        const met = (facts) => check(facts).toGoalCheck().met;
        return [met({ x: 0.3, n: 9007199254740991 }), met({ x: 0.1 + 0.2, n: 9007199254740991n }),
          met('{"x": 0.30000000000000000000, "n": 9007199254740991.0}'),
          met(parse('{"x": 3e-1, "n": 9007199254740992}')), met({ x: 0.3, n: 9007199254740992 })];
    """)  # fmt: skip
    assert answer == [["x", "n"], ["n"], ["x", "n"], ["x"], ["x"]]


def test_many_and_large_facts(tmp_path: Path) -> None:
    module = written(
        compiled(
            'facts {\n  xs: list of int\n  s: string\n}\ngoal g {\n  objective "o"\n'
            '  criterion all "all" check all x in xs: x >= 0\n'
            '  criterion s "s" check s matches r"^(?:a+)+$"\n}\n'
        ),
        tmp_path,
    )
    answer = script(module, """
        const xs = (count) => Array.from({ length: count }, (_, n) => n);
        const started = performance.now();
        const verdicts = [check({ xs: xs(3000), s: "a".repeat(65536) }),
          check({ xs: xs(3001), s: "a".repeat(65535) + "!" }), check({ s: "a".repeat(65537) })];
        const deep = "[".repeat(800) + "]".repeat(800);
        return [verdicts.map(({ criteria }) => criteria.map(({ outcome }) => outcome)),
          check(`{"odd": ${deep}}`).notes.length, performance.now() - started < 5000];
    """)  # fmt: skip
    assert answer == [[["met", "met"], ["unknown", "unmet"], ["unknown", "unknown"]], 1, True]


USE = """\
import { BadFacts, GOAL, Monitor, check, parse, type Facts, type Verdict } from "./ship-it.mjs";

const facts: Facts = { suite: { passed: true }, "coverage.line": 0.842, took: "1h30m", price: null };
const verdict: Verdict = check(facts, { at: "2026-03-01T10:00Z" });
if (verdict.done) console.log(GOAL, verdict.toGoalCheck().met satisfies ("green" | string)[]);
const monitor = new Monitor({ hostChecks: { mine: (facts) => facts.suite?.passed === true } });
for (const { id, explanation } of monitor.observe('{"took": 1}').criteria) console.log(id, explanation);
monitor.observe(parse("{}"), { rev: "3f2a" });
check({ "suite.passed": { $unknown: "error", because: "the runner was killed" }, price: "5.00 USD" });
try { check("{"); } catch (error) { if (error instanceof BadFacts) console.log(error.message); }
// @ts-expect-error a text is no bool
check({ "suite.passed": "yes" });
// @ts-expect-error there is no such fact
check({ "suite.pased": true });
// @ts-expect-error another currency
check({ price: "5.00 EUR" });
"""


@pytest.mark.skipif(
    shutil.which("tsc") is None, reason="there is no TypeScript: npm i -g typescript"
)
def test_typescript_takes_the_types(small: Path) -> None:
    use = small.with_name("use.mts")
    use.write_text(USE, "utf-8")
    options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext"]
    ran = subprocess.run(["tsc", *options, str(use)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout


def test_a_fact_that_is_given_as_text_is_exact_in_messages(small: Path) -> None:
    facts = '{"coverage.line": 1.50, "took": -0.0}'
    [answer] = run(HERE / "observe.mjs", [{"module": str(small), "reports": [{"facts": facts}]}])
    spec = compiled(SMALL)
    verdict = Monitor(spec.goals[0], declared=spec.facts).observe(parse_json(facts))
    assert answer["shown"][0]["notes"] == verdict.to_json()["notes"]
