"""The commit that a folder's repository is at, read from its files as git lays them out."""

from __future__ import annotations

import re
from pathlib import Path

NO_COMMIT = "none"  # of a branch that has none yet, or that is kept in a way not known here
_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REF = "ref:"
_LINKS = 5  # of a symbolic ref to the next; git follows as many
_MOST = 64 * 1024 * 1024  # characters of one file


def commit_of(folder: Path) -> str | None:
    """The commit of the repository that *folder* is in, NO_COMMIT where it has none; None outside
    of a repository."""
    repository = _repository(folder)
    if repository is None:
        return None
    shared = repository / (_read(repository / "commondir") or ".")
    name = "HEAD"
    for _ in range(_LINKS):
        said = _read(repository / name) or _read(shared / name) or _packed(shared, name)
        if said is None:
            return NO_COMMIT
        if _HASH.fullmatch(said):
            return said
        name = said.removeprefix(_REF).strip()
        if name == said or ".." in name.split("/"):
            return NO_COMMIT
    return NO_COMMIT


def _repository(folder: Path) -> Path | None:
    """The folder with the repository's HEAD; a work tree of its own has a file that names it."""
    for above in (folder, *folder.parents):
        found = above / ".git"
        if found.is_dir():
            return found
        said = _read(found)
        if said is not None and said.startswith("gitdir:"):
            return above / said.removeprefix("gitdir:").strip()
    return None


def _packed(shared: Path, name: str) -> str | None:
    """The commit of a ref that stands in the list of packed ones."""
    lines = (_read(shared / "packed-refs") or "").splitlines()
    return next((line[: -len(name) - 1] for line in lines if line.endswith(f" {name}")), None)


def _read(path: Path) -> str | None:
    try:
        if not path.is_file():
            return None
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(_MOST).strip()
    except (OSError, ValueError):
        return None
