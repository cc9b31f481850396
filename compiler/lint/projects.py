"""Which project a file belongs to, where it stands in it, and what the project wishes; each project
is looked at once in a run."""

from __future__ import annotations

import os
from pathlib import Path

from ..project import find_root
from .config import Config, load_config


class Projects:
    """The projects of one run."""

    def __init__(self) -> None:
        self._roots: dict[str, Path] = {}  # by folder
        self._configs: dict[Path, Config] = {}
        self._real: dict[str, str] = {}  # folders and files without links

    def root_of(self, path: Path) -> Path:
        """The root of the project that the file at *path* belongs to."""
        folder = os.path.dirname(self._resolved(path))
        if folder not in self._roots:
            self._roots[folder] = find_root(Path(folder))
        return self._roots[folder]

    def config_of(self, path: Path) -> Config:
        """The settings for the file at *path*. Raises BadConfig."""
        root = self.root_of(path)
        if root not in self._configs:
            self._configs[root] = load_config(root)
        return self._configs[root]

    def place_of(self, path: Path) -> str:
        """Where the file at *path* stands in its project, with forward slashes."""
        resolved, root = self._resolved(path), str(self.root_of(path))
        within = resolved.removeprefix(root + os.sep)
        place = os.path.relpath(resolved, root) if within == resolved else within
        return place.replace(os.sep, "/")

    def excludes(self, path: Path) -> bool:
        """Does the project leave the file at *path* out of a folder's search? Raises BadConfig."""
        config = self.config_of(path)
        return bool(config.exclude) and config.excludes(self.place_of(path))

    def _resolved(self, path: Path) -> str:
        """*path* without links; each folder and each file is looked at once."""
        name = str(path)
        if name not in self._real:
            folder, last = os.path.split(os.path.abspath(name))
            if folder not in self._real:
                self._real[folder] = os.path.realpath(folder)
            resolved = os.path.join(self._real[folder], last)
            links = os.path.islink(resolved)
            self._real[name] = os.path.realpath(resolved) if links else resolved
        return self._real[name]
