"""The folder in which goalspec keeps what it can make again: private to the user, or not used."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path


def cache_folder() -> Path | None:
    """The folder for goalspec's caches, made if need be; None where it is not the user's alone.

    `GOALSPEC_CACHE_DIR` names another; empty, it turns caching off.
    """
    named = os.environ.get("GOALSPEC_CACHE_DIR")
    if named == "":
        return None
    try:
        base = Path(named) if named else _user_cache() / "goalspec"
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = base.stat()
    except (OSError, RuntimeError):  # RuntimeError: an account without a home
        return None
    return base if is_private(status) else None


def is_private(status: os.stat_result) -> bool:
    """Does a file or folder belong to the user, and may nobody else write it?"""
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid == os.getuid() and not stat.S_IMODE(status.st_mode) & 0o022


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
