"""The shipped library: packs that fit together, captains that can be taken together, and examples
whose facts meet and miss what this page says."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner
from goalspec import Document, Goal, Monitor, Verdict, compile, compile_text, load
from goalspec.cli import group
from goalspec.compiler.project import PACKS, packs
from goalspec.grammar.literals import read_time
from goalspec.runtime.observations import read_observations
from goalspec.runtime.testing import run_test

SPECS = PACKS.parent
EXAMPLES = SPECS / "examples"
FACT_PACKS = ("ci", "coverage", "diff", "incident", "release", "review", "run", "suite")
CAPTAINS = ("merge_captain", "review_captain", "oncall_captain", "release_captain")
LATEST = read_time("2026-06-01T00:00:00Z")

# The exit code on met facts (3 where a judge has the last word), and what the missed facts miss on
# purpose: the criteria that are unmet and the constraints that are violated.
MET_CODES = {
    "dependency_upgrade": 3, "docs_sweep": 3, "fix_flaky_login": 3, "merge": 0, "merge_queue": 0,
    "migration": 0, "oncall": 0, "performance_regression": 3, "release": 0, "release_gate": 0,
    "review": 3,
}  # fmt: skip
MISSED = {
    "dependency_upgrade": (
        {
            "on-five", "moved-together", "stable", "tests-kept", "no-deprecated-calls",
            "no-new-finding", "settled", "licensed",
        },
        {"nothing-else", "no-scripts"},
    ),
    "docs_sweep": (
        {"links", "examples", "commands", "no-leftovers", "owned", "reviewed"},
        {"still-there", "only-docs"},
    ),
    "fix_flaky_login": (
        {"stable", "coverage", "reviewed", "docs", "merged"},
        {"no-auth"},
    ),
    "merge": (
        {"coverage", "threads-resolved", "approved", "merged", "required-checks"},
        {"no-schema-change"},
    ),
    "merge_queue": (
        {"drained", "told-why", "branch-green", "ended"},
        {"tested-as-merged", "no-direct-push"},
    ),
    "migration": (
        {"compared", "agree-for-long", "way-back", "finished", "unused", "green", "described"},
        {"nothing-lost", "people-stay", "additive"},
    ),
    "oncall": (
        {"fast", "quiet", "stays-quiet", "follow-ups", "postmortem", "closed"},
        {"no-lost-order", "approved-changes"},
    ),
    "performance_regression": (
        {"bench", "halved", "holds", "measured", "green"},
        {"correct", "memory", "no-timeout"},
    ),
    "release": (
        {"planned-version", "no-blockers", "signed-off", "artifacts", "live", "stays-healthy"},
        {"no-breaking-change", "no-early-release"},
    ),
    "release_gate": (
        {
            "steady", "all-run", "no-warnings", "no-bloat", "soaked", "few-failures",
            "error-budget", "no-blockers",
        },
        {"unpublished"},
    ),
    "review": (
        {"untested-code", "all-files-read", "review-current", "verdict"},
        {"no-push-to-branch"},
    ),
}  # fmt: skip

# Facts under which all four captains are content: no two of them ask for opposite things.
CONTENT = {
    "ci": {"required": ["test"], "checks": {"test": "success"}},
    "diff.files": ["src/a.py"],
    "pr": {
        "author": "mira", "state": "merged", "draft": False, "base": "main", "branch": "fix",
        "head": "b07d9aa", "pushed": "2026-05-04T08:00:00Z",
    },
    "review": {
        "required": 1, "open_threads": 0, "change_requests": [], "revision": "b07d9aa",
        "approvals": [{"author": "jonas", "at": "2026-05-04T09:00:00Z"}], "verdict": "approve",
        "files": ["src/a.py"],
        "findings": [{"file": "src/a.py", "severity": "major", "resolved": True}],
    },
    "incident": {
        "severity": "sev1", "opened": "2026-05-04T07:00:00Z",
        "acknowledged": "2026-05-04T07:05:00Z", "mitigated": "2026-05-04T09:30:00Z",
        "closed": "2026-05-04T12:00:00Z", "updates": [], "postmortem": "docs/incidents/7.md",
        "changes": [{"at": "2026-05-04T09:20:00Z", "what": "roll back", "approver": "ines"}],
        "actions": [{"what": "load test", "owner": "ines", "due": "2026-05-29"}],
    },
    "alert.firing": [],
    "release": {
        "version": "v2.4.1", "previous": "v2.4.0", "blockers": [], "changelog": True,
        "artifacts": [{"name": "app.whl", "signed": True, "published": True}],
        "signoffs": [{"author": "noor", "at": "2026-05-04T09:05:00Z"}],
        "frozen": False, "published": "2026-05-04T09:10:00Z",
    },
    "deploy": {
        "version": "v2.4.1", "state": "live", "healthy": True, "since": "2026-05-04T09:15:00Z",
    },
    "run": {"account": "captain", "pushed": ["other"], "idle_turns": 0},
}  # fmt: skip


def goal_files() -> list[Path]:
    return sorted(SPECS.rglob("*.goal"))


def named(path: Path) -> str:
    return path.relative_to(SPECS).as_posix()


def pack(name: str) -> Document:
    return load(PACKS / name / "1.goal")


def captained(*presets: str, more: str = "") -> Goal:
    """A goal that says as little as it can and takes *presets*, compiled without a diagnostic."""
    compilation = compile_text(
        f'use std "captains/1"\n\ngoal g {{\n  preset {", ".join(presets)}\n'
        f'  objective "Do it."\n{more}}}\n'
    )
    assert compilation.diagnostics == ()
    assert compilation.document is not None
    return compilation.document.goals[0]


def baseline_file(example: str) -> Path | None:
    """The committed baseline of an example that has one."""
    path = EXAMPLES / f"{example}.baseline.json"
    return path if path.exists() else None


def observed(example: str, kind: str) -> Verdict:
    """The last verdict on an example's facts; every value of them is well-typed and declared."""
    document = load(EXAMPLES / f"{example}.goal")
    declared = [fact.name for fact in document.facts]
    committed = baseline_file(example)
    baseline = None if committed is None else json.loads(committed.read_text("utf-8"))
    monitor = Monitor(document.goals[0], baseline, declared=document.facts)
    assert monitor.baseline_notes == ()
    data = (EXAMPLES / f"{example}.{kind}.jsonl").read_bytes()
    verdicts = [
        monitor.observe(o.facts, o.at, o.id, o.rev) for o in read_observations(data, declared)
    ]
    assert [note for verdict in verdicts for note in verdict.notes] == []
    return verdicts[-1]


def content(monitor: Monitor) -> Verdict:
    """The verdict after half an hour in which everything was as captains want it."""
    for minutes in range(0, 35, 5):
        verdict = monitor.observe(CONTENT, f"2026-05-04T12:{minutes:02}:00Z")
    return verdict


def outcomes(verdict: Verdict) -> dict[str, str]:
    parts = (*verdict.criteria, *verdict.constraints, *verdict.stops)
    return {part.id: part.outcome for part in parts}


def json_of_check(example: str, kind: str) -> tuple[int, dict[str, object]]:
    spec, facts = EXAMPLES / f"{example}.goal", EXAMPLES / f"{example}.{kind}.jsonl"
    arguments = ["check", str(spec), "--facts", str(facts), "--json"]
    if (baseline := baseline_file(example)) is not None:
        arguments += ["--baseline", str(baseline)]
    result = CliRunner().invoke(group, arguments)
    return result.exit_code, json.loads(result.stdout)


# --- every file


@pytest.mark.parametrize("path", goal_files(), ids=named)
def test_a_shipped_file_compiles_without_a_diagnostic(path: Path) -> None:
    assert compile(path).diagnostics == ()


def test_the_shipped_files_lint_clean_and_have_the_canonical_layout() -> None:
    linted = CliRunner().invoke(group, ["lint", "--no-cache", "--max-warnings", "0", str(SPECS)])
    assert (linted.exit_code, linted.stdout) == (0, f"no findings in {len(goal_files())} files\n")
    laid_out = CliRunner().invoke(group, ["fmt", "--check", str(SPECS)])
    assert laid_out.exit_code == 0, laid_out.stdout


# --- packs


@pytest.mark.ruling(30)
def test_the_packs_are_the_ones_that_files_may_use() -> None:
    assert packs() == tuple(sorted(f"{name}/1" for name in (*FACT_PACKS, "captains")))


@pytest.mark.ruling(30)
def test_packs_declare_no_fact_twice_and_none_within_another() -> None:
    names = [fact.name for name in FACT_PACKS for fact in pack(name).facts]
    assert len(names) == len(set(names))
    inside = [(a, b) for a in names for b in names if b.startswith(f"{a}.")]
    assert inside == []


@pytest.mark.ruling(30)
def test_all_packs_may_be_used_together() -> None:
    uses = "".join(f'use std "{name}"\n' for name in packs())
    assert compile_text(uses).diagnostics == ()


@pytest.mark.parametrize("name", FACT_PACKS)
def test_every_fact_of_a_pack_is_described(name: str) -> None:
    facts = pack(name).facts
    assert facts
    assert [fact.name for fact in facts if not (fact.description or "").strip()] == []


def test_only_the_diff_has_a_source_that_holds_for_every_repository() -> None:
    facts = [fact for name in FACT_PACKS for fact in pack(name).facts]
    assert [fact.name for fact in facts if fact.source is not None] == ["diff.files"]


# --- captains


@pytest.mark.parametrize("captain", CAPTAINS)
def test_a_captain_is_whole(captain: str) -> None:
    goal = captained(captain)
    assert goal.pins is not None
    assert goal.pins.keep == ("goal", "constraint", "decision")
    assert goal.judge is not None
    assert goal.budget is not None
    assert None not in (
        goal.budget.cost, goal.budget.turns, goal.budget.attempts, goal.budget.runtime
    )  # fmt: skip
    parts = (*goal.criteria, *goal.constraints, *goal.stops)
    assert {part.id for part in parts if part.check is None} == set(), "nothing for the judge"
    assert goal.constraints
    assert goal.stops


@pytest.mark.ruling(31)
@pytest.mark.parametrize("pair", list(permutations(CAPTAINS, 2)), ids="+".join)
def test_two_captains_merge_in_order(pair: tuple[str, str]) -> None:
    own = '  criterion own "It is there" check "a" in diff.files\n  budget { turns 7 }\n'
    first, second, both = captained(pair[0]), captained(pair[1]), captained(*pair, more=own)
    assert first.budget is not None
    for kind in ("criteria", "constraints", "stops"):
        ids = [p.id for goal in (first, second) for p in getattr(goal, kind)]
        expected = list(dict.fromkeys(["own", *ids] if kind == "criteria" else ids))
        assert [part.id for part in getattr(both, kind)] == expected
    assert both.budget == replace(first.budget, turns=7)
    assert (both.pins, both.judge) == (first.pins, first.judge)
    assert both.protect == (*first.protect, *second.protect)


@pytest.mark.ruling(31)
def test_captains_never_ask_for_opposite_things() -> None:
    verdict = content(Monitor(captained(*CAPTAINS)))
    assert [result for result in verdict.criteria if result.outcome not in ("met", "waived")] == []
    assert verdict.exit_code == 0


SELF_SIGNED = [{"author": "captain", "at": "2026-05-04T09:05:00Z"}]
LATE_REQUEST = [{"author": "jonas", "at": "2026-05-04T09:00:00Z"}]
BY_AUTHOR = [{"author": "mira", "at": "2026-05-04T09:00:00Z"}]
OPEN_FINDING = [{"file": "src/a.py", "severity": "critical", "resolved": False}]
OLD_UPDATE = [{"author": "ines", "at": "2026-05-04T07:30:00Z"}]
SPOILED = [
    ("required-checks", "unmet", {"ci.checks": {"test": "skipped"}}),
    ("required-checks", "unknown", {"ci.checks": {"lint": "success"}}),
    ("required-checks", "unknown", {"ci.required": []}),
    ("approved", "unmet", {"review.approvals": BY_AUTHOR}),
    ("approved", "unmet", {"run.account": "jonas"}),
    ("approved", "unmet", {"review.required": 2}),
    ("requests-answered", "unmet", {"review.change_requests": LATE_REQUEST}),
    ("mergeable", "unmet", {"pr.state": "open", "pr.draft": True, "pr.mergeable": True}),
    ("no-early-merge", "violated", {"review.approvals": []}),
    ("no-push-to-base", "violated", {"run.pushed": ["main"]}),
    ("closed-unmerged", "stopped", {"pr.state": "closed"}),
    ("no-lenient-approval", "violated", {"review.findings": OPEN_FINDING}),
    ("no-self-review", "violated", {"run.account": "mira"}),
    ("no-push-to-branch", "violated", {"run.pushed": ["fix"]}),
    ("no-long-wait", "violated", {"pr.head": "0d52c9e", "pr.pushed": "2026-05-03T08:00:00Z"}),
    ("no-longer-open", "stopped", {"pr.draft": True}),
    ("out-of-depth", "stopped", {"incident.mitigated": None}),
    (
        "out-of-depth",
        "held",
        {"incident.mitigated": None, "incident.opened": "2026-05-04T12:00:00Z"},
    ),
    ("kept-informed", "violated", {"incident.mitigated": None, "incident.updates": OLD_UPDATE}),
    ("follow-ups", "unknown", {"incident.actions": []}),
    ("postmortem", "waived", {"incident.severity": "sev3"}),
    ("signed-off", "unmet", {"release.signoffs": SELF_SIGNED}),
    ("no-early-release", "violated", {"release.signoffs": SELF_SIGNED}),
    ("frozen", "stopped", {"release.published": None, "release.frozen": True}),
    ("rolled-back", "stopped", {"deploy.state": "rolled_back"}),
    ("rolled-back", "waived", {"deploy.state": "rolled_back", "deploy.version": "v2.3.0"}),
    ("stays-healthy", "unmet", {"deploy.since": "2026-05-04T12:20:00Z"}),
    ("stalled", "stopped", {"run.idle_turns": 5}),
]


@pytest.mark.parametrize(("id", "outcome", "facts"), SPOILED)
def test_a_captain_notices(id: str, outcome: str, facts: dict[str, object]) -> None:
    monitor = Monitor(captained(*CAPTAINS))
    assert outcomes(content(monitor))[id] != outcome
    verdict = monitor.observe(facts, "2026-05-04T12:31:00Z")
    assert outcomes(verdict)[id] == outcome


# --- examples


def test_every_example_has_its_facts_and_its_line_here() -> None:
    examples = {path.stem for path in EXAMPLES.glob("*.goal")}
    assert examples == set(MET_CODES) == set(MISSED)
    facts = {f"{name}.{kind}.jsonl" for name in examples for kind in ("met", "missed")}
    assert {path.name for path in EXAMPLES.glob("*.jsonl")} == facts


def test_an_example_has_a_baseline_if_it_reads_one() -> None:
    reading = {p.stem for p in EXAMPLES.glob("*.goal") if "at baseline" in p.read_text("utf-8")}
    assert reading == {name for name in MET_CODES if baseline_file(name) is not None}
    assert len(list(EXAMPLES.glob("*.baseline.json"))) == len(reading)


def test_the_table_of_contents_names_every_pack_and_example() -> None:
    contents = (SPECS / "README.md").read_text("utf-8")
    linked = set(re.findall(r"\]\((\S+\.goal)\)", contents))
    assert linked == {named(path) for path in goal_files()}


@pytest.mark.parametrize("example", sorted(MET_CODES))
def test_the_met_facts_meet_the_floor(example: str) -> None:
    verdict = observed(example, "met")
    judged = any(result.outcome == "judged" for result in (*verdict.gating, *verdict.binding))
    assert verdict.floor == "met"
    assert judged is (MET_CODES[example] == 3)
    code, shown = json_of_check(example, "met")
    assert (code, shown["floor"], shown["done"]) == (MET_CODES[example], "met", not judged)


@pytest.mark.parametrize("example", sorted(MISSED))
def test_the_missed_facts_miss_what_they_mean_to(example: str) -> None:
    verdict = observed(example, "missed")
    unmet = {result.id for result in verdict.gating if result.outcome == "unmet"}
    violated = {result.id for result in verdict.binding if result.outcome == "violated"}
    assert (unmet, violated) == MISSED[example]
    assert verdict.floor == "unmet"
    code, shown = json_of_check(example, "missed")
    assert (code, shown["floor"]) == (1, "unmet")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.jsonl")), ids=lambda path: path.name)
def test_times_of_facts_lie_in_the_past(path: Path) -> None:
    times = [observation.at for observation in read_observations(path.read_bytes(), [])]
    assert len(times) > 1
    assert all(at is not None and read_time(at) < LATEST for at in times)


@pytest.mark.parametrize("example", sorted(MET_CODES))
def test_the_test_blocks_of_an_example_hold(example: str) -> None:
    document = load(EXAMPLES / f"{example}.goal")
    for test in document.tests:
        run = run_test(document, test)
        assert (run.misses, run.fault, run.notes) == ((), None, ()), test.name
