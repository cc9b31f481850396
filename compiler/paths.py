"""The one form of a path (ruling 25): `/` between segments, no `.` or `..`, below the root."""

from __future__ import annotations

import re
from collections.abc import Collection


class PathError(ValueError):
    """A text that names nothing below the project's root."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def normal_path(text: str, root: str | None = None) -> str:
    """*text* in normal form, relative to the root.

    An absolute path is accepted where *root*, itself absolute, is above it. A backslash is a
    character like others: only a source that runs on Windows knows that it separates. Raises
    PathError.
    """
    if "\0" in text:
        raise PathError("a path holds no NUL byte")
    path = text
    if path.startswith("/"):
        if root is None or not (path + "/").startswith(root.rstrip("/") + "/"):
            raise PathError(f"`{text}` is absolute", "paths are relative to the project's root")
        path = path[len(root.rstrip("/")) :]
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                raise PathError(f"`{text}` leads out of the project's root")
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    if not parts:
        raise PathError(f"`{text}` names no file" if text else "an empty path names no file")
    return "/".join(parts)


# An empty segment, `.` or `..`, where slashes stand around the whole path too.
_ODD_SEGMENT = re.compile(r"/(?:/|\.\.?/)")


def all_normal(paths: Collection[str]) -> bool:
    """Are all *paths* in normal form already? They are searched at once, each between slashes, and
    between two of them a segment that is not odd."""
    text = "/" + "/+/".join(paths) + "/"
    return "\0" not in text and _ODD_SEGMENT.search(text) is None
