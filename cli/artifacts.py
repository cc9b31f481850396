"""The artifacts of one `goalspec compile`: the targets that were asked for, what they make of each
file, and what stands in a folder of theirs and is made no more."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .files import Unreadable, read_input
from .terminal import complain, visible

if TYPE_CHECKING:
    from ..compiler.ir import Document
    from ..compiler.targets.registry import Installed
    from ..compiler.targets.target import Artifact


@dataclass(frozen=True)
class Made:
    """An artifact and the goal file that it was made from, as the command names it."""

    artifact: Artifact
    file: str


def chosen(names: str) -> list[Installed]:
    """The targets that a comma separates in *names*, each once. One that does not exist is a usage
    error, one that is broken ends the command."""
    from ..compiler.targets.registry import BrokenTarget, UnknownTarget, find_target

    wanted = dict.fromkeys(name.strip() for name in names.split(",") if name.strip())
    if not wanted:
        raise click.UsageError("--target names none; `goalspec targets` lists them")
    try:
        return [find_target(name) for name in wanted]
    except UnknownTarget as unknown:
        raise click.UsageError(visible(str(unknown))) from None
    except BrokenTarget as broken:
        raise _refused("goalspec", broken) from None


def make(
    documents: Iterable[tuple[str, Document]], targets: list[Installed], templates: str | None
) -> list[Made]:
    """What *targets* make of each file; ends the command where one cannot, or two would be one
    file, on a file system that sees no case as well."""
    made: dict[str, Made] = {}
    for file, document in documents:
        for target in targets:
            for artifact in _artifacts(target, file, document, templates):
                one = Made(artifact, _shown(file))
                first = made.setdefault(artifact.name.casefold(), one)
                if first is not one:
                    raise click.UsageError(visible(_twice(first, one)))
    return list(made.values())


def _artifacts(
    target: Installed, file: str, document: Document, templates: str | None
) -> tuple[Artifact, ...]:
    from ..compiler.targets.registry import BrokenTarget
    from ..compiler.targets.target import Refusal, Request

    own = Path(templates) if templates is not None and target.target.renders else None
    stem = "stdin" if file == "-" else Path(file).stem
    try:
        return target.artifacts(Request(document, stem, own))
    except (Refusal, BrokenTarget) as error:
        raise _refused(_shown(file), error) from None


def _shown(file: str) -> str:
    return "<stdin>" if file == "-" else file


def _refused(place: str, error: Exception) -> SystemExit:
    complain(place, "error", "GS506", str(error))
    return SystemExit(2)


def _twice(first: Made, second: Made) -> str:
    names = " and ".join(sorted({first.artifact.name, second.artifact.name}))
    if first.file == second.file:
        return f"two artifacts of {first.file} would both be {names}: rename one of its goals"
    return f"{first.file} and {second.file} would both be {names}: compile them apart"


def left_over(folder: Path, targets: list[Installed], made: list[Made]) -> dict[str, str]:
    """Files in *folder* that one of *targets* made from a goal or file that is no longer there, and
    why each is one."""
    names = {one.artifact.name.casefold() for one in made}
    forms = [
        (target.target.name, re.compile(_form(name)))
        for target in targets for name in target.target.writes
    ]  # fmt: skip
    found: dict[str, str] = {}
    for path in _entries(folder):
        if path.name.casefold() in names:
            continue
        may_be = {target for target, form in forms if form.fullmatch(path.name)}
        gone = _gone(path) if may_be else None
        if gone is not None and gone[0] in may_be:
            found[path.name] = gone[1]
    return found


def _form(name: str) -> str:
    """An artifact's form of name (`GOAL.prompt.json`) as a regular expression."""
    return re.escape(name).replace("GOAL", r"[\w-]+").replace("STEM", ".+")


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_file())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Unreadable(f"{folder}: {error.strerror}") from None


def _gone(path: Path) -> tuple[str, str] | None:
    """The target that made a file, and what is gone that it was made from."""
    from ..compiler.targets.target import read_stamp

    text = read_input(str(path)).decode(errors="replace")
    stamp = read_stamp(text)
    if stamp is not None:
        return stamp["target"], f"no goal `{stamp['goal']}` is compiled to it"
    if text.startswith('{"facts":[') and '"ir_version":' in text:  # what `json` writes has no stamp
        return "json", "no goal file is compiled to it"
    return None
