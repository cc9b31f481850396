"""An agent that is a command: what it is given, and what its reply and its exit code say."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import pytest
from goalspec.runtime.driving import Proposal, Turn, Worked
from goalspec.runtime.driving.agents.command import (
    MAX_REPLY,
    CommandAgent,
    UsageLines,
    read_usage,
    worked_of,
)
from goalspec.runtime.processes import Finished
from goalspec.runtime.record import Usage

TURN = Turn("s-1", "ship:1:1/abc", "ship:1:1", 1, "Go on.")


def ended(done: Finished) -> Worked:
    lines = UsageLines()
    lines.tell(done.stdout)
    return worked_of(done, "agent", lines.found())


def worked(code: str, **values: Any) -> Worked:
    return asyncio.run(CommandAgent([sys.executable, "-c", code], **values)(TURN))


def test_the_prompt_goes_in_and_the_reply_comes_out() -> None:
    pieces: list[bytes] = []
    done = worked("import sys; print(sys.stdin.read().upper())", on_output=pieces.append)
    assert done == Worked("GO ON.\n", tools_seen=False)
    assert b"".join(pieces) == b"GO ON.\n"


def test_its_environment_names_the_session_and_speaks_for_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GOALSPEC_TOKEN", "secret")
    code = "import json, os; print(json.dumps(dict(os.environ)))"
    seen = json.loads(worked(code, environment={"MODEL": "m"}).output)
    assert {name: seen.get(name) for name in ("GOALSPEC_SESSION", "GOALSPEC_TURN", "MODEL")} == {
        "GOALSPEC_SESSION": "s-1", "GOALSPEC_TURN": "1", "MODEL": "m",
    }  # fmt: skip
    assert seen["AGENT"] == "goalspec"
    assert "GOALSPEC_TOKEN" not in seen


@pytest.mark.row("S10")
@pytest.mark.parametrize(
    ("code", "error", "said"),
    [
        (1, "terminal", "agent: exit code 1: no disk"),
        (75, "retriable", "agent: exit code 75: no disk"),
        (77, "auth", "agent: exit code 77: no disk"),
        (-9, "terminal", "agent: killed by signal 9: no disk"),
    ],
)
def test_exit_codes(code: int, error: str, said: str) -> None:
    done = ended(Finished(code, b"goalspec: complete\n", b"oh\nno disk\n"))
    assert (done.stop, done.error, done.detail) == ("error", error, said)
    assert done.proposal is None  # who failed has not finished


def test_what_cannot_be_started_is_an_error_of_the_host() -> None:
    done = asyncio.run(CommandAgent(["no-such-agent"])(TURN))
    assert (done.stop, done.error) == ("error", "system")
    assert (done.detail or "").endswith("no-such-agent: No such file or directory")


def test_a_turn_that_takes_too_long_is_ended() -> None:
    done = worked("import time; time.sleep(60)", timeout=0.3)
    assert (done.stop, done.error) == ("error", "terminal")
    assert "longer than 0.3 s" in (done.detail or "")


@pytest.mark.parametrize(
    ("output", "proposal"),
    [
        ("Done.\ngoalspec: complete\n", Proposal("complete")),
        ("goalspec: blocked no registry\n\n", Proposal("blocked", "no registry")),
        ("goalspec: complete\nand one more thing", None),
        ("Goalspec: Complete", None),
    ],
)
def test_only_the_last_line_proposes(output: str, proposal: Proposal | None) -> None:
    assert ended(Finished(0, output.encode(), b"")).proposal == proposal


def test_bytes_of_any_kind_are_a_reply() -> None:
    assert ended(Finished(0, b"\xff\x00\xf0", b"")).output == "\ufffd\x00\ufffd"


def test_of_a_long_reply_the_end_is_kept() -> None:
    done = worked(f"print('x' * {2 * MAX_REPLY}); print('goalspec: complete')")
    assert len(done.output) == MAX_REPLY
    assert done.proposal == Proposal("complete")


@pytest.mark.row("X12")
@pytest.mark.parametrize(
    ("output", "usage"),
    [
        ("", Usage()),
        ('goalspec-usage: {"tokens": 5}', Usage(tokens=5)),
        (
            'a\ngoalspec-usage: {"tokens": 5, "tool_calls": 2, "cost": "0.10 USD"}\nb\n'
            'goalspec-usage:{"tokens": 7, "cost": "0.20 USD"}\n',
            Usage(tokens=12, tool_calls=2, cost="0.3 USD"),
        ),
        ('said: goalspec-usage: {"tokens": 5}', Usage()),
        ('a\r\n  goalspec-usage: {"tokens": 5}\r\n', Usage(tokens=5)),
        ('goalspec: complete\ngoalspec-usage: {"tokens": 5}\n', Usage(tokens=5)),
    ],
)
def test_usage_lines_add_up(output: str, usage: Usage) -> None:
    assert ended(Finished(0, output.encode(), b"")).usage == usage


def test_usage_is_charged_however_much_follows_it() -> None:
    code = "print('goalspec-usage: {\"tokens\": 5}'); print('x' * 3_000_000); print('y')"
    done = worked(code)
    assert done.usage == Usage(tokens=5)
    assert len(done.output) == MAX_REPLY


@pytest.mark.parametrize("cut", range(1, 40, 3))
def test_a_usage_line_may_come_in_pieces(cut: int) -> None:
    line = b'x\ngoalspec-usage: {"tokens": 5}\ny'
    lines = UsageLines()
    lines.tell(line[:cut])
    lines.tell(line[cut:])
    assert read_usage(lines.found()) == Usage(tokens=5)


def test_usage_after_the_proposal_does_not_hide_it() -> None:
    done = ended(Finished(0, b'goalspec: complete\ngoalspec-usage: {"tokens": 5}\n', b""))
    assert done.proposal == Proposal("complete")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{tokens: 5}", "its usage is no JSON"),
        ("5000 tokens", "its usage is no JSON"),
        ("", "its usage is no JSON"),
        ("5000", "its usage is a JSON object"),
        ('{"tokens": -1}', "tokens of its usage is a whole number"),
        ('{"tokens": 1.5}', "tokens of its usage is a whole number"),
        ('{"tokens": true}', "tokens of its usage is a whole number"),
        ('{"token": 1}', "its usage has `token`, and there are tokens, tool_calls, cost"),
        ('{"cost": 5}', "cost of its usage: `5` is not money"),
        ('{"cost": "1 USD"}\ngoalspec-usage: {"cost": "1 EUR"}', "there are EUR and USD"),
    ],
)
def test_a_usage_that_is_none_ends_the_turn_as_an_error(line: str, said: str) -> None:
    done = ended(Finished(0, f"goalspec-usage: {line}\n".encode(), b""))
    assert (done.stop, done.error) == ("error", "system")
    assert said in (done.detail or "")
