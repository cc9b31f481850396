"""Which files belong together: the project's root, what `use` may read, and the shipped packs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

PACKS = Path(__file__).resolve().parent.parent / "specs" / "packs"
_PACK = re.compile(r"[a-z][a-z0-9_-]*/[1-9][0-9]*")


def find_root(start: Path) -> Path:
    """The nearest folder at or above *start* with `.git` or `[tool.goalspec]`; else *start*."""
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / ".git").exists() or _is_configured(folder):
            return folder
    return start


def _is_configured(folder: Path) -> bool:
    try:
        return settings(folder) is not None
    except (OSError, ValueError):
        return False


def settings(folder: Path) -> Any:
    """What the folder's pyproject.toml says under `[tool.goalspec]`; None where it says nothing.

    Raises OSError, ValueError.
    """
    path = folder / "pyproject.toml"
    if not path.is_file():
        if path.exists():
            raise ValueError("it is no regular file")  # a device is read for ever
        return None
    try:
        import tomllib  # most folders have no such file

        tools = tomllib.loads(path.read_text("utf-8")).get("tool")
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    return tools.get("goalspec") if isinstance(tools, dict) else None


def pack_path(name: str) -> Path | None:
    """The file of the pack *name* (`captains/1`), or None where none ships."""
    if not _PACK.fullmatch(name):
        return None
    path = PACKS / f"{name}.goal"
    return path if path.is_file() else None


def packs() -> tuple[str, ...]:
    """The names of the packs that ship, sorted."""
    found = (path.relative_to(PACKS).with_suffix("") for path in PACKS.glob("*/*.goal"))
    return tuple(sorted(path.as_posix() for path in found))


def is_pack(path: Path) -> bool:
    """Is *path* a pack that ships with goalspec?"""
    return path.is_relative_to(PACKS)


def display_path(path: Path, root: Path) -> str:
    """*path* relative to the project's root, with forward slashes; packs as `std:NAME/VERSION`."""
    if is_pack(path):
        return "std:" + path.relative_to(PACKS).with_suffix("").as_posix()
    if path.is_relative_to(root):
        return path.relative_to(root).as_posix()
    return path.name


def is_readable(path: Path) -> bool:
    """Is it a file whose reading ends? A pipe, a device and a broken link are none, but for those
    that a shell hands over as an argument."""
    return path.is_file() or str(path).startswith(("/dev/fd/", "/proc/self/fd/"))
