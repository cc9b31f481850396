"""A few of the faults of faults.py; `python -m goalspec.tests.runtime.store.faults` is all."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec.tests.runtime.store.faults import (
    fill_postgres,
    fill_sqlite,
    kill_writers,
    restart_under_load,
)
from goalspec.tests.runtime.store.servers import Server

ROUNDS = 25


@pytest.mark.row("P06")
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_writer_that_is_killed_loses_nothing_acknowledged(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
) -> None:
    if kind == "sqlite":
        url = str(tmp_path / "goals.db")
    else:
        url = request.getfixturevalue("server").new_database("killed")
    kills = kill_writers(url, ROUNDS)
    assert kills.wrong == []
    assert kills.rounds == ROUNDS
    assert kills.acknowledged > 0


@pytest.mark.parametrize("kill", [False, True], ids=["restarted", "killed"])
def test_a_server_that_goes_away_costs_time_and_no_acknowledged_mutation(
    server: Server, kill: bool
) -> None:
    told = restart_under_load(server, server.new_database("restarted"), 2, kill)
    assert told.wrong == []
    assert told.mutations > 0


def test_a_full_disk_costs_no_acknowledged_mutation(server: Server) -> None:
    for said, wrong in (fill_sqlite(), fill_postgres(server)):
        assert wrong == [], said
        assert "there is no room for" in said or "not tried" in said
