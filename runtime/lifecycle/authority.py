"""Who may ask for what. The table is what is enforced; the page on the lifecycle prints it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from ..record.parts import Actor, Record
from .commands import Amend, Command, Create
from .draft import is_unfinished
from .events import Refusal
from .weakening import weakenings

Leave: TypeAlias = Literal["yes", "no", "where there never was a goal", "where nothing is weakened"]
ACTORS: tuple[Actor, ...] = get_args(Actor)


def _table() -> dict[str, dict[Actor, Leave]]:
    person: dict[Actor, Leave] = {"person": "yes", "agent": "no", "runtime": "no"}
    runtime: dict[Actor, Leave] = {"person": "no", "agent": "no", "runtime": "yes"}
    either: dict[Actor, Leave] = {"person": "yes", "agent": "no", "runtime": "yes"}
    return {
        "create": {**person, "agent": "where there never was a goal"},
        "amend": {**person, "agent": "where nothing is weakened"},
        "propose": {"person": "no", "agent": "yes", "runtime": "no"},
        "show": {"person": "yes", "agent": "yes", "runtime": "yes"},
        **dict.fromkeys(
            ("retarget", "set_metadata", "cancel", "reset", "clear", "resume", "input"), person
        ),
        **dict.fromkeys(("pause", "park", "block", "complete", "end"), either),
        **dict.fromkeys(
            (
                "begin", "recover", "finish", "wake", "limit", "settle", "evaluated", "observe",
                "take_claim", "defer_claim", "start_claim", "end_claim", "keep",
            ),
            runtime,
        ),
    }  # fmt: skip


AUTHORITY: Mapping[str, Mapping[Actor, Leave]] = _table()
"""For each command's kind, what each actor may."""


def permit(record: Record, command: Command, actor: Actor) -> None:
    """Refuse what *actor* may not ask for."""
    match AUTHORITY[command.kind][actor]:
        case "no":
            raise _not_theirs(command.kind, actor)
        case "where there never was a goal" if record.generation:
            why = (
                "the session has an unfinished goal, which an agent cannot replace: work on it, or"
                if is_unfinished(record)
                else "the session had a goal, and what comes after one is a person's to say:"
            )
            raise Refusal("not_a_person", f"{why} ask the person for another")
        case "where nothing is weakened" if record.goal is not None and isinstance(command, Amend):
            weaker = weakenings(record.goal, command.goal)
            if weaker:
                raise Refusal(
                    "not_a_person",
                    f"an agent can only add to a goal, and this weakens it: {'; '.join(weaker)}. "
                    "Say in your report what should change; a person amends it",
                )
    if isinstance(command, Create) and command.replace and actor != "person":
        raise _needs_a_person("replace a goal", actor)


def _not_theirs(kind: str, actor: Actor) -> Refusal:
    leaves, verb = AUTHORITY[kind], kind.replace("_", " ")
    if leaves["person"] != "no":
        return _needs_a_person(verb, actor)
    if leaves["runtime"] != "no":
        return Refusal(
            "not_the_runtime",
            f"only the runtime may ask to {verb}, since it keeps the books: leave it to it",
        )
    return Refusal(
        "not_the_agent",
        f"only the agent at work may {verb} an end: a person ends the goal (`goal complete`)",
    )


def _needs_a_person(verb: str, actor: Actor) -> Refusal:
    who = "an agent" if actor == "agent" else "the runtime"
    return Refusal(
        "not_a_person", f"{who} may not {verb}: a person does, in a terminal or by a token"
    )
