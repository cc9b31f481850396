"""A small run of load.py: no update is lost, and nothing is given to two."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec.tests.runtime.store.load import run
from goalspec.tests.runtime.store.servers import Server


@pytest.mark.row("H18")
@pytest.mark.row("P06")
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_processes_lose_no_update_and_claim_nothing_twice(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
) -> None:
    if kind == "sqlite":
        url = str(tmp_path / "goals.db")
    else:
        server: Server = request.getfixturevalue("server")
        url = server.new_database("loaded")
    load = run(url, processes=4, sessions=25, rounds=1)
    assert load.wrong == []
    assert load.claims == 25
