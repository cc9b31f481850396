"""C159: the goal file that says when the work is done is what enforces it: until its script reports zero,
no word of the agent's ends the turn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from goalspec.tests.cli.hooked import ENVIRONMENT, Hooked

GOAL = """\
facts from run "{python} count.py" {{
  lint.errors : int in 0..  at "/errors"
}}

goal clean {{
  objective "Until the script reports zero."
  criterion zero "The script reports zero"
    check lint.errors == 0
}}
"""


def test_the_file_that_promises_enforces(tmp_path: Path) -> None:
    hooked = Hooked(tmp_path)
    hooked.facts.write_text("{}")
    file = hooked.project / "clean.goal"
    file.write_text(GOAL.format(python=sys.executable))
    errors = hooked.project / "errors"
    errors.write_text("2")
    (hooked.project / "count.py").write_text('print(\'{"errors": %s}\' % open("errors").read())\n')
    subprocess.run(
        [sys.executable, "-m", "goalspec", "goal", "create", str(file), "--session", "s-1",
         "--store", str(hooked.store)],
        check=True, capture_output=True, timeout=60, stdin=subprocess.DEVNULL, env=ENVIRONMENT,
    )  # fmt: skip
    for said in ("All clean.\ngoalspec: complete", "I did two passes, that is enough."):
        answer = hooked.fire("--allow-run", output=said)
        assert answer["decision"] == "block"
        assert "zero: The script reports zero" in answer["reason"]
    errors.write_text("0")
    assert hooked.fire("--allow-run", output="Now it is zero.") == {}
    assert hooked.record().status.name == "complete"
