"""C133: a compaction cannot drop the goal: what hosts filter, cut or summarize, the contract is put
back from the record, and the host is told where an engine of its own left it out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from goalspec import load
from goalspec.runtime.compaction.blocks import block_of
from goalspec.tests.cases.commands import goalspec, put

SPEC = """\
goal ship {
  objective "Ship the release"
  criterion shipped "It is shipped"
  criterion told "The users are told"
  judge {}
}
"""
EARLIER = {"role": "user", "content": "Propose a goal."}


@pytest.mark.parametrize(
    "after",
    [
        [EARLIER],
        [{"role": "user", "content": "Summary: they want to ship.", "metadata": {"provenance": "summary"}}],
        [EARLIER, {"role": "assistant", "content": "", "tool_calls": [{"id": "a", "name": "x"}]}],
        [],
    ],
)  # fmt: skip
def test_the_payload_has_the_whole_contract_again(tmp_path: Path, after: list[object]) -> None:
    spec = put(tmp_path / "ship.goal", SPEC)
    before = put(tmp_path / "before.json", json.dumps([EARLIER]))
    with_goal = goalspec("fold", spec, before).stdout
    kept = put(tmp_path / "kept.json", with_goal)
    lost = put(tmp_path / "after.json", json.dumps(after))
    report = goalspec("verify-fold", spec, kept, lost)
    assert (report.exit_code, report.stdout.split(":")[0]) == (1, "missing")
    rows = json.loads(goalspec("fold", spec, lost).stdout)
    payload = "\n".join(str(row["content"]) for row in rows)
    assert payload.count(block_of(load(spec).goals[0])) == 1
    for part in (
        "Id: ship",
        "Ship the release",
        "shipped: It is shipped",
        "told: The users are told",
    ):
        assert part in payload
