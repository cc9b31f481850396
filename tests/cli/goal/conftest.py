"""A store for each test."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec.tests.cli.goal.sessions import Commands


@pytest.fixture
def goal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    return Commands(tmp_path, monkeypatch)
