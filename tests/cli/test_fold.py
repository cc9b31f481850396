"""`goalspec fold` and `goalspec verify-fold`: transcripts of hosts, in and out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from goalspec.cli import group
from goalspec.compiler.rendering import PRESERVED_HEADER
from goalspec.runtime.transcript import SHAPES

SPEC = 'goal ship {\n  objective "Ship it."\n  criterion done "It shipped"\n  judge {}\n}\n'
LINES = '{"role": "user",  "content": "h\\u00e9"}\n\n {"role":"assistant","content":"1","n":1e5}\n'


@pytest.fixture
def spec(tmp_path: Path) -> str:
    path = tmp_path / "ship.goal"
    path.write_text(SPEC, "utf-8")
    return str(path)


def run(*arguments: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(group, arguments, input=stdin, catch_exceptions=False)


@pytest.mark.row("M01", "M02")
def test_json_lines_keep_the_bytes_of_what_is_not_changed(spec: str) -> None:
    result = run("fold", spec, "-", stdin=LINES)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[:2] == [line.strip() for line in LINES.splitlines() if line]
    assert json.loads(lines[2])["content"].startswith(PRESERVED_HEADER)
    assert result.stderr == "folded: the block of the goal `ship` is there (row 3)\n"
    assert run("fold", spec, "-", stdin=result.stdout).stdout == result.stdout


def test_an_array_stays_an_array(spec: str, tmp_path: Path) -> None:
    source = '[ {"a": 1.50},\n {"role": "user", "content": "x"} ]\n'
    target = tmp_path / "out" / "t.json"
    result = run("fold", spec, "-", "-o", str(target), stdin=source)
    assert (result.exit_code, result.stdout) == (0, "")
    written = target.read_text("utf-8")
    assert written.startswith('[\n{"a": 1.50},\n{"role": "user", "content": "x\\n\\n[The goal')
    assert run("fold", spec, str(target), "--status", "complete").stdout == (
        '[\n{"a": 1.50},\n{"role": "user", "content": "x"}\n]\n'
    )
    assert run("fold", spec, "-", "--status", "paused", stdin="[]").stdout == "[]\n"


@pytest.mark.parametrize(
    ("stdin", "fault"),
    [
        ("5", "row 1 is no JSON object"),
        ('{"role": "user"}\nnull', "row 2 is no JSON object"),
        ('{"model": "x", "messages": []}', "holds `messages`; give that list alone"),
        ('{"input": [{"role": "user"}]}', "holds `input`; give that list alone"),
        (f'[{{"role": "user", "n": {"9" * 5_000}}}]', "more digits than can be read"),
    ],
)
def test_what_is_no_transcript_is_said(spec: str, stdin: str, fault: str) -> None:
    result = run("fold", spec, "-", stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    assert fault in result.stderr


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_folded_and_verified(spec: str, tmp_path: Path, shape: str) -> None:
    path = Path(__file__).parents[1] / "runtime" / "transcript" / "shapes.json"
    examples: dict[str, Any] = json.loads(path.read_text("utf-8"))
    rows = examples.get(shape, examples["openai-chat"])["rows"]
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    before.write_text(json.dumps(rows), "utf-8")
    assert run("fold", spec, str(before), "--shape", shape, "-o", str(after)).exit_code == 0
    folded = json.loads(after.read_text("utf-8"))
    assert json.dumps(folded, ensure_ascii=False).count(PRESERVED_HEADER) == 1
    assert folded[: len(rows) - 1] == rows[:-1]
    report = run("verify-fold", spec, str(before), str(after), "--shape", shape)
    assert (report.exit_code, report.stdout) == (
        0, f"kept; the contract is in row {len(folded)}\n",
    )  # fmt: skip
    again = tmp_path / "again.json"
    run("fold", spec, str(after), "--shape", shape, "-o", str(again))
    assert json.loads(again.read_text("utf-8")) == folded


@pytest.mark.row("M09")
def test_what_a_compaction_lost_is_said(spec: str, tmp_path: Path) -> None:
    before = tmp_path / "before.jsonl"
    before.write_text(run("fold", spec, "-", stdin=LINES).stdout, "utf-8")
    result = run("verify-fold", spec, str(before), "-", stdin='{"role":"user","content":"hi"}')
    assert result.exit_code == 1
    assert result.stdout.startswith("missing: the contract of the goal `ship` is in no message")
    shown = run("verify-fold", spec, str(before), "-", "--json", stdin="[]")
    assert shown.exit_code == 1
    report = json.loads(shown.stdout)
    assert (report["ok"], report["contract"], report["findings"][0]["kind"]) == (
        False,
        [],
        "missing",
    )
    over = run("verify-fold", spec, str(before), str(before), "--status", "cleared", "--json")
    assert [one["kind"] for one in json.loads(over.stdout)["findings"]] == ["resurrected"]
    assert json.loads(over.stdout)["findings"][0]["place"] == 2


@pytest.mark.row("M04")
def test_a_parked_goal_needs_its_time(spec: str) -> None:
    def parked(until: str) -> Result:
        return run("fold", spec, "-", "--status", "parked", "--until", until, stdin=LINES)

    assert parked("2020-01-01").stderr.startswith("folded:")
    assert parked("9998-01-01T00:00:00Z").stderr == "absent: the goal is parked\n"


def test_a_block_without_room_changes_nothing(spec: str) -> None:
    result = run("fold", spec, "-", "--room", "9", stdin=LINES)
    assert result.exit_code == 1
    assert PRESERVED_HEADER not in result.stdout
    assert result.stderr.startswith("refused: the block of the goal has ")


@pytest.mark.parametrize(
    ("stdin", "says"),
    [
        (b'{"role": \n', "<stdin>:1:10: this is no JSON: expecting value"),
        (b'{"a": 1}\n{"b" 2}\n', "<stdin>:2:6: this is no JSON: expecting ':' delimiter"),
        (b'[{"a": 1}\n {"b": 2}]', "<stdin>:2:2: this is no JSON: expecting ',' delimiter"),
        (b"[1, 2", "<stdin>:1:6: this is no JSON: expecting ',' delimiter"),
        (b"[1] 2", "<stdin>:1:5: this is no JSON: extra data"),
        (b"\xff", "<stdin>: it is not UTF-8 (byte 0)"),
        (b"[" * 100_000, "<stdin>: it is nested too deep"),
    ],
)
def test_what_is_no_transcript_is_refused(spec: str, stdin: bytes, says: str) -> None:
    result = run("fold", spec, "-", stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--shape", "antropic"], "there is no shape `antropic`; did you mean `anthropic`?"),
        (["--status", "parked"], "--until TIME belongs to --status parked"),
        (["--until", "2026-01-01"], "--until TIME belongs to --status parked"),
        (["--status", "parked", "--until", "soon"], "--until soon: write a time such as 2026-"),
        (["--goal", "shop"], "the file has no goal `shop`; did you mean `ship`?"),
    ],
)
def test_wrong_options_are_usage_errors(spec: str, arguments: list[str], says: str) -> None:
    result = run("fold", spec, "-", *arguments, stdin="[]")
    assert result.exit_code == 2
    assert says in " ".join(result.stderr.split())


def test_only_one_input_is_standard_input(spec: str) -> None:
    assert run("fold", "-", "-").exit_code == 2
    assert run("verify-fold", spec, "-", "-").exit_code == 2


def test_rows_that_are_no_messages_ride_along(spec: str) -> None:
    lines = '{}\n{"type": "meta"}\n{"type": "meta"}\n{"role": 7, "messages": []}\n'
    result = run("fold", spec, "-", "--status", "paused", stdin=lines)
    assert result.stdout == lines


# --- from a record


@pytest.fixture
def store(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store whose session `s1` has the goal."""
    url = str(tmp_path / "goals.sqlite")
    monkeypatch.setenv("GOALSPEC_STORE", url)
    assert run("goal", "create", "--session", "s1", spec).exit_code == 0
    return url


@pytest.mark.row("M03")
def test_a_sessions_record_in_place_of_a_file(spec: str, store: str, tmp_path: Path) -> None:
    result = run("fold", "--session", "s1", "-", stdin=LINES)
    assert result.exit_code == 0
    stamp = json.loads(result.stdout.splitlines()[-1])["metadata"]["goalspec"]
    assert (stamp["goal"], stamp["generation"]) == ("ship", 1)
    of_file = run("fold", spec, "-", "--generation", "1", stdin=LINES)
    assert of_file.stdout == result.stdout
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    before.write_text(LINES, "utf-8")
    after.write_text(result.stdout, "utf-8")
    asked = ["verify-fold", "--session", "s1", "--store", store, str(before)]
    assert run(*asked, str(after)).stdout == "kept; the contract is in row 3\n"
    assert run(*asked, str(before)).exit_code == 1


def test_a_session_that_is_unknown_leaves_the_block(spec: str, store: str) -> None:
    folded = run("fold", "--session", "s1", "-", stdin=LINES).stdout
    result = run("fold", "--session", "s2", "-", stdin=folded)
    assert result.exit_code == 0
    assert result.stderr.startswith("kept: the record of the goal cannot be read: the store has no")
    assert PRESERVED_HEADER in result.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--session", "s1", "g.goal", "-"], "give TRANSCRIPT, and no FILE, since --session names"),
        (["--session", "s1"], "give TRANSCRIPT, and no FILE"),
        (["-"], "give FILE TRANSCRIPT, or --session ID in place of FILE: 2 arguments, not 1"),
        (["--session", "s1", "-", "--status", "paused"], "--status is of a FILE"),
        (["--session", "s1", "-", "--goal", "ship"], "--goal is of a FILE"),
        (["--session", "s1", "-", "--generation", "0"], "--generation is of a FILE"),
        (["--session", "", "-"], "Name the session: --session ID"),
    ],
)
def test_a_session_says_itself_how_its_goal_stands(
    store: str, arguments: list[str], says: str
) -> None:
    result = run("fold", *arguments, stdin="[]")
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in " ".join(result.stderr.split())
