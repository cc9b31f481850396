"""What a run is driven with, as the command line says it: the agent, where facts and evidence come
from, the judge, the pinned files, and who listens."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..files import Unreadable, read_input
from ..terminal import visible

if TYPE_CHECKING:
    from ...compiler.ir import Document, Goal
    from ...runtime.convergence import Policy
    from ...runtime.driving import FactSource, Host, Judging
    from ...runtime.judge import ModelCall
    from ...runtime.pinned import PinnedFiles
    from ...runtime.sinks import EventSink
    from .live import Output


FROM_AGENT = "from a file that the agent can write"


@dataclass(frozen=True, slots=True)
class Sources:
    """The options about where a goal's facts and evidence come from, and who judges it."""

    goal: Goal
    facts_file: str | None
    facts_command: str | None
    facts_from_agent: bool
    allow_run: bool
    judge: str | None
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Options(Sources):
    """The options of `goalspec run` about what the goal is driven with."""

    file: str
    document: Document
    agent: str
    folder: str | None
    turn_timeout: str | None
    baseline: str | None

    @property
    def root(self) -> Path:
        """The project's root."""
        from ...compiler.project import find_root

        return find_root(Path.cwd() if self.file == "-" else Path(self.file).resolve().parent)

    @property
    def agent_folder(self) -> Path:
        """Where the agent works. Raises click.UsageError."""
        if self.folder is None:
            return self.root
        if not Path(self.folder).is_dir():
            raise click.UsageError(f"--in {visible(self.folder)}: there is no such folder")
        return Path(self.folder).resolve()


def host_of(options: Options, policy: Policy, sink: EventSink | None, output: Output) -> Host:
    """Raises click.UsageError, Unreadable, and BadFacts for the baseline."""
    from ...runtime.driving import Given, Host
    from ...runtime.driving.agents.command import CommandAgent
    from ...runtime.observations import read_baseline
    from ...runtime.pinned import WorkTree
    from ...runtime.prompting import Prompts

    baseline = None
    if options.baseline is not None:
        baseline = read_baseline(read_input(options.baseline))
    root = options.root
    agent = CommandAgent(
        command_in("--agent", options.agent),
        folder=options.agent_folder,
        timeout=_seconds(options.turn_timeout),
        on_output=output.tell,
    )
    amended = partial(_amended, options, policy, sink, output)
    return Host(
        agent=agent,
        facts=facts_of(options, root, options.agent_folder),
        prompting=Prompts(policy),
        judging=judging_of(options, root),
        sink=sink,
        pins=_pins(options, root),
        tree=WorkTree(options.agent_folder),
        given=Given(baseline, options.document.facts, str(root)),
        amended=amended,
    )


def _amended(
    options: Options, policy: Policy, sink: EventSink | None, output: Output, goal: Goal
) -> Host:
    """What the goal is driven with once it is *goal*."""
    return host_of(replace(options, goal=goal), policy, sink, output)


def command_in(option: str, text: str) -> list[str]:
    """The command and its arguments in an option. Raises click.UsageError."""
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise click.UsageError(f"{option}: {visible(text)} is no command: {error}") from None
    if not command or not command[0]:
        raise click.UsageError(f"{option}: it is empty: write the command and its arguments")
    return command


def _seconds(text: str | None) -> float | None:
    from ...grammar.literals import LiteralError, read_quantity

    if text is None:
        return None
    try:
        kind, value = read_quantity(text)
    except LiteralError:
        kind, value = "", 0
    if kind != "duration" or value <= 0:
        raise click.UsageError(f"--turn-timeout {visible(text)}: write a duration, such as 90m")
    return float(value) / 1e9


# --- facts


def facts_of(options: Sources, root: Path, agent_folder: Path) -> FactSource:
    """Raises click.UsageError, Unreadable."""
    from ...runtime.sources import SeveralFacts

    sources = list(_sources(options, root, agent_folder))
    if not sources and options.goal.facts:
        if _declared(options.goal):
            raise click.UsageError(
                "the goal's facts come from commands of its own: let them be run with --allow-run, "
                "or give the facts with --facts"
            )
        raise click.UsageError(
            "the goal reads facts, and there are none: give --facts FILE or --facts-command COMMAND"
        )
    return sources[0] if len(sources) == 1 else SeveralFacts(sources)


def _sources(options: Sources, root: Path, agent_folder: Path) -> Iterator[FactSource]:
    from ...runtime.sources import CommandFacts, DeclaredFacts, FactsFileRefused, FileFacts

    goal = options.goal
    if options.facts_file is not None:
        try:
            yield FileFacts(
                Path(options.facts_file), goal.facts, agent_folder, options.facts_from_agent
            )
        except FactsFileRefused as error:
            raise click.UsageError(f"{error}, or say --facts-from-agent") from None
        if not Path(options.facts_file).is_file():
            raise Unreadable(f"{options.facts_file}: no such file")
    if options.facts_command is not None:
        command = _allowed(options, "--facts-command", options.facts_command)
        yield CommandFacts(command, goal.facts, root, allow_run=True)
    if options.allow_run and _declared(goal):
        yield DeclaredFacts(goal, root, allow_run=True)


def _declared(goal: Goal) -> bool:
    from ...runtime.sources.declared import blocks_of

    return bool(blocks_of(goal.facts))


def _allowed(options: Sources, option: str, text: str) -> list[str]:
    """The command in an option, where it may be run. Raises click.UsageError."""
    if not options.allow_run:
        raise click.UsageError(f"{option} is a command: let it be run with --allow-run")
    return command_in(option, text)


# --- the judge


def judging_of(options: Sources, root: Path) -> Judging | None:
    """Raises click.UsageError."""
    from ...runtime.driving import Judging
    from ...runtime.driving.evidence import CommandEvidence

    evidence = [_allowed(options, "--evidence", text) for text in options.evidence]
    call = _judge(options, root)
    if call is None:
        if evidence:
            raise click.UsageError("--evidence is for a judge, and the goal has none")
        return None
    brought = CommandEvidence(evidence, root, allow_run=True) if evidence else None
    return Judging(call, evidence=brought)


def _judge(options: Sources, root: Path) -> ModelCall | None:
    """What carries the judge's requests: the command, or the model that the goal names."""
    from ...runtime.judge.adapters.command import CommandCall
    from ...runtime.judge.adapters.pydantic_ai import PydanticAICall

    judge = options.goal.judge
    if options.judge is not None:
        if judge is None:
            raise click.UsageError("--judge: the goal has no `judge` block, so none is asked")
        command = _allowed(options, "--judge", options.judge)
        return CommandCall(
            command, judge.model or command[0], judge.provider or "command", allow_run=True,
            folder=root,
        )  # fmt: skip
    if judge is None or judge.model is None or judge.provider is None:
        return None
    if importlib.util.find_spec("pydantic_ai") is None:
        raise click.UsageError(
            f"the judge is {visible(judge.model)} of {visible(judge.provider)}: "
            "pip install 'goalspec[judge]', or name a command with --judge"
        )
    return PydanticAICall(judge.model, judge.provider)


# --- the files


def commands_of(options: Sources) -> list[list[str]]:
    """The commands that the options name; the files that these name are pinned."""
    given = (options.facts_command, options.judge, *options.evidence)
    return [shlex.split(text) for text in given if text is not None]


def _pins(options: Options, root: Path) -> PinnedFiles:
    """The pinned files, all of which can be read now."""
    from ...runtime.pinned import gates_of

    also = [] if options.baseline in (None, "-") else [Path(str(options.baseline))]
    pins = gates_of(
        options.document, options.goal, root, also=also, commands=commands_of(options), folder=root
    )
    unreadable = [name for name, found in pins.hashes().items() if found is None]
    if unreadable:
        raise Unreadable(f"{', '.join(unreadable[:3])}: it is pinned, and cannot be read")
    return pins


def stated(options: Options, policy: Policy, session: str) -> Mapping[str, Any]:
    """What a run begins with, as it is said before its first turn."""
    from ...runtime.dashboard import effective_budget

    said: dict[str, Any] = {
        "session": session,
        "goal": options.goal.id,
        "contract": options.goal.contract,
        "budget": effective_budget(options.goal, policy),
    }
    if options.facts_from_agent:
        said["facts"] = FROM_AGENT
    return said


def is_watched() -> bool:
    """Does a person look on?"""
    return sys.stderr is not None and sys.stderr.isatty()
