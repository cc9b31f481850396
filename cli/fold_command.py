"""`goalspec fold`: a transcript with the goal's block in it once, word for word."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from .files import write_output
from .goal_states import goal_state, state_options
from .terminal import emit, visible
from .transcripts import chosen_shape, read_transcript


@click.command()
@click.argument("file", type=click.Path())
@click.argument("transcript", type=click.Path())
@state_options
@click.option(
    "--room", type=click.IntRange(min=1), metavar="N",
    help="Refuse a block of more than N characters.",
)  # fmt: skip
@click.option(
    "-o", "--output", metavar="PATH", type=click.Path(), help="Write here, not to the terminal."
)
def command(
    file: str, transcript: str, goal_id: str | None, status: str, until: str | None,
    generation: int, shape_name: str, room: int | None, output: str | None,
) -> None:  # fmt: skip
    """Carry a goal's contract over a compaction.

    TRANSCRIPT is a JSON array or JSON Lines of a host's rows, or `-`; it is written in the same
    form, with the block of the goal in FILE refreshed, or taken out where the goal is not active.
    A row that is not changed keeps its text. Exits with 0, or with 1 where the block has no room
    and nothing is changed.
    """
    from ..runtime.compaction import fold
    from ..runtime.transcript.shape import row_of

    if file == transcript == "-":
        raise click.UsageError("only one of the spec and the transcript is standard input")
    shape = chosen_shape(shape_name)
    state = goal_state(file, goal_id, status, until, generation)
    read = read_transcript(transcript, shape)
    folded = fold(read.flat(), state, datetime.now(UTC), room)
    text = read.written(folded.messages)
    if output is None:
        emit(text)
    else:
        write_output(Path(output), text)
    where = ""
    if folded.place is not None:
        where = f" (row {row_of(folded.messages, folded.place) + 1})"
    click.echo(f"{folded.outcome}: {visible(folded.reason)}{where}", err=True)
    raise SystemExit(1 if folded.outcome == "refused" else 0)
