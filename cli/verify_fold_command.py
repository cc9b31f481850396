"""`goalspec verify-fold`: did a compaction keep what it had to?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from .goal_states import StateOptions, goal_state, named_inputs, state_options
from .render.words import count
from .terminal import emit, json_text, visible
from .transcripts import chosen_shape, read_transcript

if TYPE_CHECKING:
    from ..runtime.compaction import Report


@click.command()
@click.argument("arguments", nargs=-1, metavar="[FILE] BEFORE AFTER", type=click.Path())
@state_options
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(
    asked: StateOptions, arguments: tuple[str, ...], shape_name: str, as_json: bool
) -> None:
    """Prove that a compaction kept a goal's contract.

    BEFORE and AFTER are the transcripts of a host around a boundary. What is missing, doubled or
    paraphrased is said, as are words that changed hands, calls that lost their results, and
    machines' messages side by side. Exits with 0 where nothing is, with 1 else.
    """
    from ..runtime.compaction import verify_fold

    file, transcripts = named_inputs(asked, arguments, ("BEFORE", "AFTER"))
    shape = chosen_shape(shape_name)
    state = goal_state(asked, file)
    old, new = (read_transcript(argument, shape).flat() for argument in transcripts)
    report = verify_fold(old, new, state, datetime.now(UTC))
    report = _by_rows(report, new)
    if as_json:
        emit(json_text(_json(report)))
    else:
        click.echo(_text(report), nl=False)
    raise SystemExit(0 if report.ok else 1)


def _by_rows(report: Report, after: Sequence[Any]) -> Report:
    """*report* with places of rows, as the file has them, for those of messages."""
    from ..runtime.transcript.shape import row_of

    return replace(
        report,
        findings=tuple(
            finding
            if finding.place is None
            else replace(finding, place=row_of(after, finding.place))
            for finding in report.findings
        ),
        places=tuple(row_of(after, place) for place in report.places),
    )


def _json(report: Report) -> dict[str, Any]:
    return {
        "ok": report.ok,
        "contract": list(report.places),
        "findings": [
            {"kind": finding.kind, "place": finding.place, "message": finding.message}
            for finding in report.findings
        ],
    }


def _text(report: Report) -> str:
    lines = [
        f"{'' if finding.place is None else f'row {finding.place + 1}: '}"
        f"{finding.kind}: {visible(finding.message)}"
        for finding in report.findings
    ]
    places = ", ".join(str(place + 1) for place in report.places)
    found = count(len(lines), "finding") if lines else "kept"
    lines.append(f"{found}{f'; the contract is in row {places}' if places else ''}")
    return "".join(f"{line}\n" for line in lines)
