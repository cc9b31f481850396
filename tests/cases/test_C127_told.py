"""C127: each request to a judge has the objective and the criteria in it, in any script, at any
length: none relies on what the worker was told."""

from __future__ import annotations

import json
from pathlib import Path

from goalspec.tests.cases.commands import goalspec, put

OBJECTIVE = ("로그인 시험이 두 번 이어서 통과해야 합니다. " * 40).strip()
CRITERION = "원인이 설명되어 있다"


def test_the_judge_is_told_the_objective_and_the_criteria(tmp_path: Path) -> None:
    spec = put(
        tmp_path / "g.goal",
        f'goal g {{\n  objective "{OBJECTIVE}"\n  criterion c "{CRITERION}"\n'
        "  judge { max_invocations 9 }\n}\n",
    )
    made = goalspec("compile", spec, "--target", "judge", "-o", tmp_path / "out")
    assert made.exit_code == 0, made.output
    files = [*(tmp_path / "out").iterdir()]
    assert len(files) == 5
    for path in files:
        text = json.dumps(json.loads(path.read_text("utf-8")), ensure_ascii=False)
        assert OBJECTIVE in text, path.name
        assert CRITERION in text, path.name
