"""The contract as a page for people, to be read in a pull request or a wiki: the objective; each
criterion, constraint and stop with its check in the language's own words, when it applies, and
where it is written; budget, judge, pins and protected files; the facts that it rests on; and the
files that took part.

Every string of the goal file is data on the page. No Markdown, HTML, mention, issue number, commit
or address in it becomes more than text: words that could are shown as code, and characters that
hide or turn the writing direction are written out by their numbers (`\\u{202e}`). So a reviewer
sees what the contract says, whoever wrote it.

The stamp is a comment in the first line; forges do not show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..ir.document import Budget, Condition, Document, Fact, Goal, Judge, Pins
from ..ir.text import lets_of, write_expression, write_range, write_source, write_type
from .markdown_text import block, code, phrase, prose
from .target import Artifact, Request, Target, stamp_line

_NAME = "markdown"
_MODES = {
    "awaited": "Awaited: the agent cannot bring it about.",
    "advisory": "Advisory: it is shown, and decides nothing.",
}
_SECTIONS = (("Criteria", "criteria"), ("Constraints", "constraints"), ("Stops", "stops"))
_WHAT = {
    "criteria": "Each must be met for the goal to be done.",
    "constraints": "Each must hold all along.",
    "stops": "Where one is true the run ends, and a person is asked.",
}


def goal_page(document: Document, goal: Goal) -> str:
    """The page of *goal*, one of the document's."""
    return "\n\n".join(_parts(document, goal)) + "\n"


def _parts(document: Document, goal: Goal) -> Iterator[str]:
    yield f"<!-- {stamp_line(goal, _NAME)} -->"
    yield f"# {code(goal.id)}"
    yield prose(goal.objective)
    for title, kind in _SECTIONS:
        conditions: tuple[Condition, ...] = getattr(goal, kind)
        if conditions:
            yield f"## {title}"
            yield _WHAT[kind]
        for condition in conditions:
            yield from _condition(document, goal, condition)
    if goal.retired:
        yield "## Retired"
        yield "No longer owed, and not met."
        yield _list(f"{code(part.id)}: {prose(part.text, '  ')}" for part in goal.retired)
    yield "## Budget"
    yield _budget(goal)
    if goal.judge is not None:
        yield "## Judge"
        yield _judge(goal.judge)
    if goal.pins is not None or goal.pinned:
        yield "## Pins"
        yield from _pins(goal)
    if goal.protect:
        yield "## Protected files"
        yield _protected(goal)
    if goal.facts:
        yield "## Facts"
        yield _facts(goal.facts)
    yield "## Source"
    yield from _source(document, goal)


def _condition(document: Document, goal: Goal, condition: Condition) -> Iterator[str]:
    yield f"### {code(condition.id)}"
    yield prose(condition.text)
    clauses = {name: getattr(condition, name) for name in ("when", "given", "check")}
    said = {name: expr for name, expr in clauses.items() if expr is not None}
    if said:
        lets = {name: of for expr in said.values() for name, of in lets_of(expr).items()}
        lines = [f"let {name} = {write_expression(of)}" for name, of in lets.items()]
        lines += [f"{name} {write_expression(expr)}" for name, expr in said.items()]
        yield block("\n".join(lines))
    notes = " ".join(_notes(document, goal, condition))
    if notes:
        yield notes


def _notes(document: Document, goal: Goal, condition: Condition) -> Iterator[str]:
    if condition.check is None:
        judged = goal.judge is not None
        yield "The judge decides it." if judged else "Nothing decides it: there is no judge."
    mode = getattr(condition, "mode", None)
    if mode in _MODES:
        yield _MODES[mode]
    place = document.source.places.get(f"{goal.id}/{condition.id}")
    if place is not None:
        preset = f", preset {code(place.preset)}" if place.preset is not None else ""
        yield f"Written in {code(f'{place.file}:{place.line}')}{preset}."


def _budget(goal: Goal) -> str:
    budgets = (goal.budget, goal.advisory_budget)
    rows = []
    for name in Budget.field_names:
        limits = [getattr(budget, name, None) for budget in budgets]
        if any(limit is not None for limit in limits):
            shown = ["" if limit is None else code(str(limit)) for limit in limits]
            rows.append([name.replace("_", " "), *shown])
    if not rows:
        return "None: nothing limits a run."
    return _table(["limit", "ends the run", "only warns"], rows)


def _judge(judge: Judge) -> str:
    quorum = judge.quorum
    settings = {
        "model": judge.model,
        "provider": judge.provider,
        "at most": f"{judge.max_invocations} invocations",
        "quorum": None if quorum is None else f"{quorum.needed} of {quorum.of}",
        "on an error": {"fail": "the run fails", "pause": "the run pauses"}[judge.on_error],
        "feedback": judge.feedback,
    }
    return _list(f"{name}: {phrase(text)}" for name, text in settings.items() if text is not None)


def _pins(goal: Goal) -> Iterator[str]:
    pins = goal.pins or Pins()
    settings = {
        "kept through each compaction": pins.keep,
        "more kinds": [f"{kind} ({lane})" for kind, lane in pins.lanes.items()],
        "longest body": [f"{pins.max_body} characters"] if pins.max_body is not None else [],
    }
    said = [f"{name}: {', '.join(map(code, texts))}" for name, texts in settings.items() if texts]
    if said:
        yield _list(said)
    if goal.pinned:
        yield "What is pinned:"
        yield _list(f"{code(pin.pin)}: {prose(pin.content, '  ')}" for pin in goal.pinned)


def _protected(goal: Goal) -> str:
    return _list(
        ", ".join(map(code, protect.globs))
        + (f"; new files may be {', '.join(map(code, new))}" if (new := protect.allow_new) else "")
        for protect in goal.protect
    )


def _facts(facts: Iterable[Fact]) -> str:
    return _table(
        ["fact", "type", "what it is", "where it comes from"],
        [
            [
                code(fact.name),
                code(_type(fact)),
                phrase(fact.description or ""),
                code(write_source(fact.source)) if fact.source is not None else "",
            ]
            for fact in facts
        ],
    )


def _type(fact: Fact) -> str:
    range_ = f" in {write_range(fact.range)}" if fact.range is not None else ""
    return write_type(fact.type) + range_ + (" lasting" if fact.lasting else "")


def _source(document: Document, goal: Goal) -> Iterator[str]:
    place = document.source.places.get(goal.id)
    if place is not None:
        yield f"The goal is written in {code(f'{place.file}:{place.line}')}."
    files = document.source.files
    yield _list(f"{code(file.path)}, digest {code(f'sha256:{file.sha256}')}" for file in files)
    yield f"Contract {code(goal.contract)}, edition {goal.edition}."


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _artifacts(request: Request) -> Iterator[Artifact]:
    for goal in request.document.goals:
        yield Artifact(f"{goal.id}.md", goal_page(request.document, goal))


TARGET = Target(
    name=_NAME,
    summary="The contract as a page for people, for pull requests and wikis.",
    writes=("GOAL.md",),
    artifacts=_artifacts,
)
