"""A sink that writes JSON Lines: an object for each notice, whole and at once."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from ...compiler.json_text import json_text
from .port import Notice, SinkFailed


class JsonlSink:
    """Writes to the file at a path, after what it has, or to a binary stream, which stays open.
    Raises SinkFailed where the file cannot be opened."""

    def __init__(self, target: str | Path | BinaryIO) -> None:
        self._owns = isinstance(target, str | Path)
        self.name = str(target) if isinstance(target, str | Path) else _name(target)
        try:
            self._stream = _appending(Path(target)) if isinstance(target, str | Path) else target
        except OSError as error:
            raise self._failed(error) from None

    def tell(self, notice: Notice) -> None:
        try:
            self._stream.write(json_text(notice.to_json(), indent=None).encode())
            self._stream.flush()
        except (OSError, ValueError) as error:  # ValueError: a stream that was closed
            raise self._failed(error) from None

    def close(self) -> None:
        if not self._owns:
            return
        try:
            self._stream.close()
        except OSError as error:
            raise self._failed(error) from None

    def _failed(self, error: OSError | ValueError) -> SinkFailed:
        words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return SinkFailed(f"{self.name} cannot be written: {words}")


def _name(stream: BinaryIO) -> str:
    name = getattr(stream, "name", None)
    return name if isinstance(name, str) else "the stream of events"


def _appending(path: Path) -> BinaryIO:
    """The file for writing at its end; after a line that was cut, on a new one."""
    file = path.open("ab")
    try:
        if not _ends_whole(path):
            file.write(b"\n")
    except OSError:
        with suppress(OSError):
            file.close()
        raise
    return file


def _ends_whole(path: Path) -> bool:
    if not path.is_file():
        return True  # a pipe or a device, which is not read
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return True
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
