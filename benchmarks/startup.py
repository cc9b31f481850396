"""What a command costs before it does anything: whole processes beside a Python that does nothing.

`cold` knows nothing of the file but has the grammar's tables, as every run after the first has.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

from processes import Shell, is_editable
from timing import Aim, Work, duration, measure, row

_ROOT = Path(__file__).parents[1]
_EXAMPLES = _ROOT / "specs" / "examples"
_README_FACTS = '{"suite": {"passed": true}, "diff": {"files": ["src/login.py"]}}'


def run(quick: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder, "project")
        here.mkdir()
        (here / "readme.goal").write_text(_readme_example(), encoding="utf-8")
        (here / "readme.json").write_text(_README_FACTS, encoding="utf-8")
        shutil.copy(_EXAMPLES / "merge.goal", here)
        shutil.copy(_EXAMPLES / "merge.met.jsonl", here / "merge.json")
        forgetful, keeping = (Shell(here, Path(folder, name)) for name in ("cold", "kept"))
        _compare(forgetful, keeping, 1 if quick else 25)


def _compare(forgetful: Shell, keeping: Shell, rounds: int) -> None:
    bare = Work("python -c pass", keeping.python, "pass")
    aims: dict[str, Aim | None] = {bare.name: None}
    works = [bare]

    def add(work: Work, aim: Aim | None = None) -> None:
        works.append(work)
        aims[work.name] = aim

    add(Work("python -c 'import click'", keeping.python, "import click"))
    add(Work("goalspec --version", keeping.goalspec, ["--version"]), Aim(5))
    for name, what in (("readme", "the README's example"), ("merge", "merge.goal")):
        lint = ["lint", f"{name}.goal"]
        add(Work(f"lint {what}, cold", forgetful.goalspec_cold, lint), Aim(18))
        add(Work(f"lint {what}, cached", keeping.goalspec, lint), Aim(8))
        check = ["check", f"{name}.goal", "--facts", f"{name}.json"]
        add(Work(f"check {what}, cold", forgetful.goalspec_cold, check))
        add(Work(f"check {what}, cached", keeping.goalspec, check), Aim(8))
    print("\nstart-up: whole processes")
    if is_editable():
        print("  note: this is an editable install, which starts more slowly than a real one")
    if find_spec("regex") is not None:  # a peer brings it along
        print("  note: Lark imports `regex` where it finds it, as here; goalspec does not need it")
    times = measure(works, rounds)
    for work in works:
        ratios = [] if work is bare else times.cost(work, bare)
        row(work.name, duration(times.of[work.name]), ratios, aims[work.name])


def _readme_example() -> str:
    """The first goal file that the README shows."""
    example = re.search(r"```goal\n(.*?)```", (_ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert example is not None
    return example[1]
