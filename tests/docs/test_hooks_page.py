"""The page on hooks: its settings are JSON, and its options and numbers are the code's."""

from __future__ import annotations

import json
import re
from pathlib import Path

from goalspec.cli.hook.incoming import PATIENCE
from goalspec.cli.hook.stop import command
from goalspec.runtime.driving.firing import MAX_REASON, REFUSALS
from goalspec.runtime.driving.hooking import DEADLINE

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "hooks.md").read_text("utf-8")


def test_the_settings_are_json_and_call_the_command_with_options_that_it_has() -> None:
    options = {name for parameter in command.params for name in parameter.opts}
    blocks = re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    called = []
    for block in blocks:
        [(_, [entry])] = json.loads(block)["hooks"].items()
        [hook] = entry["hooks"]
        assert hook["command"].startswith("goalspec hook stop ")
        assert set(re.findall(r"--[a-z-]+", hook["command"])) <= options
        seconds = hook["timeout"] / (1000 if "gemini" in hook["command"] else 1)
        assert seconds > DEADLINE + PATIENCE
        called += re.findall(r"--host (\w+)", hook["command"])
    assert {"claude", *called} == set(REFUSALS)


def test_its_numbers_are_the_codes() -> None:
    assert PATIENCE == 5 and "for five seconds at most" in PAGE
    assert f"of {MAX_REASON:,} characters at most" in PAGE
    assert f"longer than {DEADLINE:g} seconds" in PAGE
