"""The project's own wishes: `[tool.goalspec]` in the `pyproject.toml` at its root.

[tool.goalspec]
select = ["ALL"]                          # what is looked for; all is the default
ignore = ["missing-id", "GS410"]          # and what is not
exclude = ["vendor/**"]                   # files that a folder's search leaves out
baseline = "goalspec-baseline.json"       # findings that were there before
[tool.goalspec.per-file-ignores]
"legacy/**" = ["unchecked-number"]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...grammar.diagnostics import nearest
from ..project import settings

KEYS = ("select", "ignore", "exclude", "baseline", "per-file-ignores")


class BadConfig(ValueError):
    """`[tool.goalspec]` says what it cannot; the message says what is wrong, and where."""


class UnknownCode(ValueError):
    """A word that names no code; the message says which is near."""


@dataclass(frozen=True)
class Question:
    """What is looked for in one file, in the words of whoever asks; see `selection.select`."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()


ANYTHING = Question()


@dataclass(frozen=True)
class Config:
    """One project's settings; without a table there is nothing but defaults."""

    root: Path
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    baseline: str | None = None
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def question(self, path: str, asked: Question) -> Question:
        """What is looked for in the file at *path* (relative to the root): what a person *asked*
        for on the command line replaces `select` and joins `ignore`."""
        own = [word for globs, words in self.per_file_ignores.items() for word in words
               if _is_like(path, globs)]  # fmt: skip
        chosen = self.select if asked.select is None else asked.select
        return Question(chosen, (*self.ignore, *asked.ignore, *own))

    def excludes(self, path: str) -> bool:
        """Is the file at *path* (relative to the root) left out of a folder's search?"""
        return any(_is_like(path, glob) for glob in self.exclude)


def _is_like(path: str, glob: str) -> bool:
    from ..patterns import compile_glob

    return compile_glob(glob)(path)


def load_config(root: Path) -> Config:
    """The settings of the project at *root*. Raises BadConfig."""
    path = root / "pyproject.toml"
    try:
        table = settings(root)
    except (OSError, ValueError) as error:
        raise BadConfig(f"{path}: {error}") from None
    try:
        return Config(root) if table is None else _read(root, table)
    except BadConfig as bad:
        raise BadConfig(f"{path}: [tool.goalspec]: {bad}") from None


def _read(root: Path, table: Any) -> Config:
    if not isinstance(table, dict):
        raise BadConfig("it is a table")
    for key in table:
        if key not in KEYS:
            near = nearest(key, KEYS)
            hint = f"did you mean `{near}`?" if near else f"known are {', '.join(KEYS)}"
            raise BadConfig(f"there is no key `{key}`; {hint}")
    ignores = table.get("per-file-ignores", {})
    if not isinstance(ignores, dict):
        raise BadConfig("`per-file-ignores` is a table of globs")
    baseline = table.get("baseline")
    if not isinstance(baseline, str | None):
        raise BadConfig("`baseline` is a path")
    if baseline is not None and not _is_inside(root, baseline):
        raise BadConfig(f"`baseline`: {baseline!r} leads out of the project")
    return Config(
        root,
        select=_words(table["select"], "select") if "select" in table else None,
        ignore=_words(table.get("ignore", []), "ignore"),
        exclude=_globs(table.get("exclude", []), "exclude"),
        baseline=baseline,
        per_file_ignores={
            glob: _words(words, f"per-file-ignores.{glob}")
            for glob, words in zip(_globs([*ignores], "per-file-ignores"), ignores.values(),
                                   strict=True)
        },
    )  # fmt: skip


def _is_inside(root: Path, name: str) -> bool:
    """Does *name* stay below *root*, links and all? Settings come with the repository."""
    try:
        return (root / name).resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):
        return False


def _words(value: Any, key: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise BadConfig(f"`{key}` is a list of strings")
    return tuple(value)


def _globs(value: Any, key: str) -> tuple[str, ...]:
    globs = _words(value, key)
    for glob in globs:
        from ..patterns import PatternError, compile_glob

        try:
            compile_glob(glob)
        except PatternError as error:
            raise BadConfig(f"`{key}`: `{glob}`: {error.message}") from None
    return globs
