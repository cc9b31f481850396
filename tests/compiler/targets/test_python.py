"""The `python` target: a module that needs nothing, and answers as the runtime does."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import typing
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import goalspec
import pytest
from goalspec.compiler import compile_text, load
from goalspec.compiler.ir.document import Document, Goal
from goalspec.compiler.targets.python import TARGET
from goalspec.compiler.targets.target import Refusal, Request
from goalspec.grammar.literals import write_string
from goalspec.runtime import Monitor
from goalspec.runtime.observations import read_baseline, read_observations
from goalspec.tests.reference.generate import FACTS, Predicates, baseline, history
from goalspec.tests.reference.test_agreement import goal_of

EXAMPLES = Path(goalspec.__path__[0], "specs", "examples")
FILES = sorted(EXAMPLES.glob("*.goal"))


def source(document: Document) -> str:
    [artifact] = TARGET.artifacts(Request(document, "stem"))
    return artifact.text


def imported(text: str, name: str = "generated") -> ModuleType:
    """The module that *text* is; dataclasses look their module up, so it is registered."""
    module = sys.modules[name] = ModuleType(name)
    exec(compile(text, name, "exec"), module.__dict__)
    return module


def document(body: str, facts: str = "s.ok : bool", name: str = "g") -> Document:
    found = compile_text(f"facts {{\n  {facts}\n}}\ngoal {name} {{\n  {body}\n}}\n")
    assert found.document is not None, found.diagnostics
    return found.document


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def example(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def kept_baseline(example: Path) -> dict[str, Any] | None:
    path = example.with_suffix(".baseline.json")
    return read_baseline(path.read_bytes()) if path.exists() else None


@pytest.mark.row("D6", "X07")
@pytest.mark.parametrize("outcome", ["met", "missed"])
def test_it_answers_as_the_runtime_does(example: Path, outcome: str) -> None:
    spec = load(example)
    [goal] = spec.goals
    base = kept_baseline(example)
    module = imported(source(spec))
    ours, theirs = Monitor(goal, base, spec.facts), module.Monitor(base)
    facts = example.with_suffix(f".{outcome}.jsonl").read_bytes()
    for o in read_observations(facts, [fact.name for fact in spec.facts]):
        expected = ours.observe(o.facts, o.at, o.id, o.rev).to_json()
        assert theirs.observe(o.facts, o.at, o.id, o.rev).to_json() == expected


def test_random_goals_and_histories_agree() -> None:
    """Outcomes, reasons, notes and explanations, over some 7,000 pairs of predicate and
    observation; the long run has JavaScript and the reference interpreter beside it."""
    for seed in range(3):
        rng = Random(f"python {seed}")
        goal = goal_of([Predicates(rng).top() for _ in range(60)])
        module = imported(source(Document(facts=FACTS, goals=(goal,))))
        for _ in range(6):
            reports, base = history(rng), baseline(rng)
            ours, theirs = Monitor(goal, base), module.Monitor(base)
            for r in reports:
                expected = ours.observe(r.facts, r.at, r.id, r.rev).to_json()
                assert theirs.observe(r.facts, r.at, r.id, r.rev).to_json() == expected


def test_it_imports_nothing_but_the_standard_library(example: Path) -> None:
    tree = ast.parse(source(load(example)))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(node.module or "")
    assert names <= sys.stdlib_module_names | {"collections.abc"}


def test_a_type_checker_finds_nothing(module: Path) -> None:
    """The strictest there is, so that a host's own check passes with the module in it."""
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, str(module)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=module.parent)
    assert done.stdout.startswith("Success"), done.stdout


def run(module: Path, *arguments: str, facts: str = "") -> subprocess.CompletedProcess[str]:
    """The module's command line, in a Python that finds nothing installed."""
    command = [sys.executable, "-I", "-S", str(module), *arguments]
    return subprocess.run(command, input=facts, capture_output=True, text=True, cwd=module.parent)


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "fix_flaky_login.py"
    path.write_text(source(load(EXAMPLES / "fix_flaky_login.goal")))
    return path


@pytest.mark.parametrize(("outcome", "code"), [("met", 3), ("missed", 1)])
def test_its_command_line_exits_as_check_does(module: Path, outcome: str, code: int) -> None:
    facts = EXAMPLES / f"fix_flaky_login.{outcome}.jsonl"
    done = run(module, "--facts", str(facts))
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout.startswith("fix-flaky-login: not done\n")
    as_json = run(module, "--facts", str(facts), "--json")
    assert json.loads(as_json.stdout)["goal"] == "fix-flaky-login"
    each = run(module, "--facts", str(facts), "--json", "--each")
    assert len(each.stdout.splitlines()) == len(facts.read_text().splitlines())


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ("", "the facts are empty"),
        ("{", "not JSON"),
        ("[1]", "an observation is a JSON object"),
        ('{"suite": {"passed": true}, "suite.passed": true}', "twice, dotted and nested"),
        ('{"at": "yesterday", "facts": {}}', "yesterday"),
    ],
)
def test_bad_facts_are_said_and_exit_with_2(module: Path, facts: str, words: str) -> None:
    done = run(module, "--facts", "-", facts=facts)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_not_there_is_named(module: Path) -> None:
    for option in (["--facts", "no.json"], ["--facts", "-", "--baseline", "no.json"]):
        done = run(module, *option, facts="{}")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("no.json: error: No such file")


def test_an_ill_typed_fact_is_noted(module: Path) -> None:
    done = run(module, "--facts", "-", facts='{"suite": {"passed": "yes", "pased": true}}')
    assert "suite.passed" in done.stderr
    assert "did you mean suite.passed?" in done.stderr
    assert "Traceback" not in done.stderr


HOSTILE = [
    '"""', "\\", '\\"""', "'''", "\n", "\r", "\x0b\x0c\x1c\x85\u2028", "\u202eevil", "{x}", "%s", "\\N{DASH}",
    '"""\nimport os\nraise SystemExit(7)\n"""', "# \nraise SystemExit(7)", "é\U0001f600",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_of_the_file_becomes_code(text: str) -> None:
    said = write_string(f"x{text}")
    spec = document(
        f"objective {said}\n  criterion c {said}\n    check s.t == {said}",
        f"s.t : string {said}",
    )
    module = imported(source(spec))
    verdict = module.check({"s": {"t": f"x{text}"}})
    assert [r.outcome for r in verdict.criteria] == ["met"]
    assert verdict.criteria[0].text == spec.goals[0].criteria[0].text
    assert (
        verdict.to_json()
        == Monitor(spec.goals[0], declared=spec.facts).observe({"s": {"t": f"x{text}"}}).to_json()
    )


def test_a_host_binds_its_own_checks() -> None:
    from goalspec.compiler.ir.canonical import seal
    from goalspec.compiler.ir.document import Criterion
    from goalspec.compiler.ir.expressions import HostCheck

    criterion = Criterion(id="c", text="y", check=HostCheck(name="green"))
    goal = seal(Goal(id="g", objective="o", criteria=(criterion,), contract=""))
    module = imported(source(Document(goals=(goal,))))
    assert module.check({}).criteria[0].outcome == "unknown"
    checks = {"green": lambda facts: facts["ci"]}
    assert module.check({"ci": True}, host_checks=checks).criteria[0].outcome == "met"
    assert module.check({}, host_checks=checks).criteria[0].reason == "error"


def test_the_facts_are_typed() -> None:
    spec = document(
        'objective "x"\n  criterion c "y"\n    check s.ok',
        """s.ok : bool "is it?"
  s.class.rate : percent as ratio
  s.share : percent
  s.state : "a" | "b"
  s.list : list of { name: string, at: time? }
  s.list_of.name : map of duration
  top : money EUR?
  ListS.x : set of path""",
    )
    module = imported(source(spec))
    hints = lambda name: typing.get_type_hints(getattr(module, name), include_extras=True)  # noqa: E731
    facts = hints("GoalFacts")
    assert set(facts) == {"s", "top", "ListS"}
    assert facts["top"] == str | None | module.UnknownFact
    inner = typing.get_type_hints(facts["s"], include_extras=True)
    assert inner["ok"] == bool | module.UnknownFact
    assert inner["share"] == str | module.UnknownFact
    assert inner["state"] == typing.Literal["a", "b"] | module.UnknownFact
    [element] = typing.get_args(typing.get_args(inner["list"])[0])
    fields = typing.get_type_hints(element, include_extras=True)
    assert fields == {"name": str, "at": typing.NotRequired[str | None]}
    assert facts["s"].__total__ is False
    assert element.__total__ is True
    assert "# is it?\n" in source(spec)


def test_what_is_said_of_the_goal_stands_in_the_module() -> None:
    spec = load(EXAMPLES / "merge.goal")
    [artifact] = TARGET.artifacts(Request(spec, "merge"))
    assert artifact.name == "land_rate_limiter.py"
    module = imported(artifact.text)
    assert module.GOAL == "land-rate-limiter"
    assert spec.goals[0].contract == module.CONTRACT
    assert f"contract {module.CONTRACT}" in (module.__doc__ or "")
    assert set(module.__all__) <= set(vars(module))


@pytest.mark.parametrize(
    ("name", "words"), [("lambda", "a word of Python's"), ("types", "standard library")]
)
def test_a_name_that_no_module_can_have_is_refused(name: str, words: str) -> None:
    spec = document('objective "x"\n  criterion c "y"\n    check s.ok', name=name)
    with pytest.raises(Refusal, match=f"the goal `{name}` has the name of .*{words}.*; rename"):
        source(spec)


def test_a_reader_that_goes_away_is_no_error(module: Path) -> None:
    facts = EXAMPLES / "fix_flaky_login.met.jsonl"
    command = f'"{sys.executable}" "{module}" --facts "{facts}" --json --each | head -c 1; exit ${{PIPESTATUS[0]}}'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (3, "")


def test_absolute_paths_are_accepted_below_the_root(module: Path) -> None:
    spec = document(
        'objective "x"\n  criterion c "y"\n    check "a.md" in s.files', "s.files : set of path"
    )
    made = imported(source(spec))
    facts = {"s": {"files": ["/repo/a.md"]}}
    assert made.check(facts).criteria[0].outcome == "unknown"
    assert made.check(facts, root="/repo").criteria[0].outcome == "met"
