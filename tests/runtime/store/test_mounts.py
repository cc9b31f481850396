"""Which file system a file is on; on a network's no store is opened."""

from __future__ import annotations

import tomllib
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from goalspec.runtime.store import StoreError, mounts, open_store

CASES = tomllib.loads(Path(__file__).with_name("mounts.toml").read_text("utf-8"))["case"]


@pytest.mark.ruling(47)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_file_system_of_a_path(case: dict[str, Any], tmp_path: Path) -> None:
    text = case["mounts"].encode()
    assert mounts.mount_type(text, PurePosixPath(case["path"])) == case["type"]
    file = tmp_path / "mountinfo"
    file.write_bytes(text)
    network = case["type"] if case.get("network") else None
    assert mounts.network_type(Path(case["path"]), file) == network


def test_a_system_that_does_not_say_is_taken_for_local(tmp_path: Path) -> None:
    assert mounts.network_type(Path("/goals.db"), tmp_path / "absent") is None


@pytest.mark.ruling(47)
def test_a_store_on_a_network_file_system_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mountinfo").write_text("40 1 0:50 / / rw - nfs4 server:/export rw\n")
    monkeypatch.setattr(mounts.network_type, "__defaults__", (tmp_path / "mountinfo",))
    with pytest.raises(StoreError, match=r"network file system \(nfs4\)"):
        open_store(str(tmp_path / "goals.db"))
    assert [path.name for path in tmp_path.iterdir()] == ["mountinfo"]
