"""Goals for the tests of sources."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from goalspec.compiler import Compiler
from goalspec.compiler.ir import Goal
from goalspec.runtime.driving.ports import FactSource


def goal_with(facts: str) -> Goal:
    """A goal that reads every fact of the blocks *facts*, each of them a bool, an int or else."""
    names = [line.split(":")[0].strip() for line in facts.splitlines() if " : " in line]
    checks = " and ".join(f"known({name})" for name in names)
    text = f"""
{facts}
goal g {{
  objective "Know all of it."
  criterion known "All is known"
    check {checks}
}}
"""
    compilation = Compiler().compile_bytes(text.encode(), "g.goal")
    assert compilation.document is not None, compilation.errors
    return compilation.document.goals[0]


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def asked(source: FactSource) -> Mapping[str, Any]:
    return asyncio.run(_asked(source))


async def _asked(source: FactSource) -> Mapping[str, Any]:
    return await source()


def why(answer: Mapping[str, Any], name: str) -> tuple[str, str]:
    """The reason and the words of a fact that is unknown."""
    said = answer[name]
    return said["$unknown"], said["because"]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path
