"""Which targets there are: goalspec's own, and those of the entry point group `goalspec.targets`.

goalspec's own are entry points like any other, and stand in a table here too (a test holds the two
together): reading the metadata of everything that is installed costs more than compiling a file. A
plugin is code that a user installed. It is imported only when it is asked for by name, or when all
targets are listed; it never takes the place of one of goalspec's own; and what is wrong with it is
said in one line that names its package.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from ...grammar.diagnostics import nearest
from .target import Artifact, Refusal, Request, Target

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "goalspec.targets"
OWN = "goalspec"

# In the order in which they are listed; the module's name has `_` for `-`.
BUILT_IN = (
    "json",
    "prompt",
    "judge",
    "pins",
    "captain",
    "python",
    "javascript",
    "facts-schema",
    "markdown",
)


class UnknownTarget(Exception):
    """A name that no target has; the message has the nearest that one has."""


class BrokenTarget(Exception):
    """A target that cannot be had, or whose artifacts cannot be written; the message names it and
    its package."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A target and the package that brings it."""

    target: Target
    package: str

    @property
    def is_own(self) -> bool:
        return self.package == OWN

    def artifacts(self, request: Request) -> tuple[Artifact, ...]:
        """What the target makes of *request*. Raises Refusal as the target does; BrokenTarget."""
        try:
            made = tuple(self.target.artifacts(request))
        except Refusal:
            raise
        except (Exception, SystemExit) as error:
            if self.is_own:
                raise  # a bug of goalspec's is reported as one
            raise self._broken(f"failed: {_words(error)}") from error
        for artifact in made:
            self._check(artifact)
        return made

    def _check(self, artifact: object) -> None:
        if not (
            isinstance(artifact, Artifact)
            and isinstance(artifact.name, str)
            and isinstance(artifact.text, str)
        ):
            raise self._broken(f"gave {type(artifact).__name__} where an Artifact is due")
        if not _is_file_name(artifact.name):
            raise self._broken(
                f"names an artifact `{artifact.name}`: a file name without folders is due"
            )
        if not artifact.text.endswith("\n"):
            raise self._broken(f"ends {artifact.name} without a newline")
        try:
            artifact.text.encode()
        except UnicodeEncodeError:
            raise self._broken(f"writes a lone surrogate into {artifact.name}") from None

    def _broken(self, what: str) -> BrokenTarget:
        return _broken(self.target.name, self.package, what)


def find_target(name: str) -> Installed:
    """The target called *name*. Raises UnknownTarget, BrokenTarget."""
    if name in BUILT_IN:
        return _built_in(name)
    points = _plugins()
    found = [point for point in points if point.name == name]
    if found:
        return _load(name, found)
    known = [*BUILT_IN, *sorted({point.name for point in points})]
    near = nearest(name, known)
    hint = f"did you mean `{near}`?" if near else f"there are {', '.join(known)}"
    raise UnknownTarget(f"there is no target `{name}`; {hint}")


def all_targets() -> Iterator[Installed | BrokenTarget]:
    """Every target that is installed, goalspec's own first, then the others by name; in the place
    of one that cannot be had, why."""
    yield from map(_built_in, BUILT_IN)
    points = _plugins()
    for name in sorted({point.name for point in points}):
        try:
            yield _load(name, [point for point in points if point.name == name])
        except BrokenTarget as broken:
            yield broken


def _built_in(name: str) -> Installed:
    module = import_module(f".{name.replace('-', '_')}", __package__)
    return Installed(module.TARGET, OWN)


def _plugins() -> list[EntryPoint]:
    from importlib.metadata import entry_points

    return [point for point in entry_points(group=GROUP) if _package(point) != OWN]


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value.partition(":")[0]


def _load(name: str, points: list[EntryPoint]) -> Installed:
    packages = sorted(map(_package, points))
    if name in BUILT_IN:
        raise _broken(name, packages[0], "has the name of one of goalspec's own, which is used")
    if len(points) > 1:
        raise BrokenTarget(
            f"the target `{name}` is there twice, of {' and of '.join(packages)}: uninstall one"
        )
    [point], [package] = points, packages
    try:
        target = point.load()
    except (Exception, SystemExit) as error:
        raise _broken(name, package, f"cannot be imported: {_words(error)}") from error
    problem = _problem(name, target)
    if problem is not None:
        raise _broken(name, package, f"(`{point.value}`) {problem}")
    return Installed(target, package)


def _problem(name: str, target: object) -> str | None:
    """What keeps *target* from being the target called *name*."""
    if not isinstance(target, Target):
        return f"is of the type {type(target).__name__}, not a goalspec Target"
    if target.name != name:
        return f"calls itself `{target.name}`: both names must be one"
    if not isinstance(target.summary, str) or len(target.summary.splitlines()) != 1:
        return "has a summary that is not one line"
    if not isinstance(target.writes, tuple) or not target.writes:
        return "says what it `writes` by something else than a tuple of file names"
    if not all(isinstance(name, str) and _is_file_name(name) for name in target.writes):
        return "says what it `writes` by something else than file names without folders"
    return None if callable(target.artifacts) else "has `artifacts` that cannot be called"


def _broken(name: str, package: str, what: str) -> BrokenTarget:
    return BrokenTarget(f"the target `{name}` of {package} {what}")


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _is_file_name(name: str) -> bool:
    return name not in ("", ".", "..") and not any(mark in name for mark in "/\\\0")
