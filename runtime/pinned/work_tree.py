"""The files that are worked on: one hash of them, and the commit that they are of.

A file's hash is kept with its marks (its number, size and times), so that a second look reads only
what changed. A file that was written just before a look is read again at the next: within the
resolution of its times it could change unseen. No git is run.
"""

from __future__ import annotations

import os
import stat
import time
from hashlib import sha256
from pathlib import Path

from .commit import commit_of
from .reading import Met, TooManyFiles, Walk, file_hash, link_text, name_below

_SETTLED = 2_000_000_000  # nanoseconds after which a file's times tell two writes apart

_Marks = tuple[int, int, int, int]


class WorkTree:
    """The files below *root*, without what tools fill by themselves (caches, environments)."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        self._known: dict[str, tuple[_Marks, str]] = {}

    def digest(self) -> str | None:
        """One hash of the files' names, contents and right to run, and of the links' texts. None
        where there are more than can be followed, or some cannot be looked into."""
        known, lines = {}, []
        settled = time.time_ns() - _SETTLED
        walk = Walk(str(self._root), Met())
        try:
            for entry in walk:
                try:
                    found = entry.stat(follow_symlinks=False)
                except OSError:  # it went just now
                    continue
                held, marks = self._held(entry.path, found)
                if max(found.st_ctime_ns, found.st_mtime_ns) < settled:
                    known[entry.path] = (marks, held)
                lines.append(
                    f"{name_below(self._root, entry.path)}\0{found.st_mode & 0o111}\0{held}"
                )
        except TooManyFiles:
            return None
        self._known = known
        if walk.unlistable:
            return None
        return sha256("\n".join(sorted(lines)).encode("utf-8", "surrogatepass")).hexdigest()

    def _held(self, path: str, found: os.stat_result) -> tuple[str, _Marks]:
        marks = (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        kept = self._known.get(path)
        if kept is not None and kept[0] == marks:
            return kept[1], marks
        if stat.S_ISLNK(found.st_mode):
            return f"link {link_text(path)}", marks
        return file_hash(path) or f"unread {found.st_size} {found.st_mtime_ns}", marks

    def revision(self) -> str | None:
        """The commit and the hash of the files as they are now; None outside of a repository, and
        where there is no such hash."""
        commit = commit_of(self._root)
        digest = None if commit is None else self.digest()
        return None if digest is None else f"{commit}+{digest[:16]}"
