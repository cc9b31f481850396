"""C134: an old request does not come back as open: the block says what it replaces, and of two
goals one after the other only the newer is in the transcript."""

from __future__ import annotations

import json
from pathlib import Path

from goalspec.tests.cases.commands import goalspec, put

SPEC = 'goal {id} {{\n  objective "{text}"\n  criterion done "It is done"\n  judge {{}}\n}}\n'


def test_the_newer_goal_takes_the_older_one_s_place(tmp_path: Path) -> None:
    first = put(tmp_path / "first.goal", SPEC.format(id="propose", text="Propose a goal"))
    second = put(tmp_path / "second.goal", SPEC.format(id="ship", text="Ship the release"))
    asked = put(tmp_path / "t.json", json.dumps([{"role": "user", "content": "Propose a goal."}]))
    older = put(tmp_path / "older.json", goalspec("fold", first, asked).stdout)
    rows = json.loads(goalspec("fold", second, older).stdout)
    text = "\n".join(row["content"] for row in rows)
    assert "Id: ship" in text
    assert "Id: propose" not in text
    assert "It replaces every earlier statement of this goal, and of a goal before it." in text
    stale = goalspec("verify-fold", second, asked, older)
    assert [line.split(":")[0] for line in stale.stdout.splitlines()[:1]] == ["missing"]
    assert "stale: a block of another goal" in stale.stdout
