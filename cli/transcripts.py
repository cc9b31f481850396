"""Transcripts as files: a JSON array or JSON Lines of a host's rows, read with the text of each, so
that what is not changed is written as it was."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from .files import Unreadable, read_input
from .terminal import json_text

if TYPE_CHECKING:
    from ..runtime.transcript import Shape


@dataclass(frozen=True)
class Transcript:
    """The rows of a file, the text of each, and the messages that each is in the common shape."""

    shape: Shape
    texts: list[str]
    messages: list[list[Any]]
    lines: bool

    def flat(self) -> list[Any]:
        return [message for group in self.messages for message in group]

    def written(self, messages: Sequence[Any]) -> str:
        """*messages* as a file of the same form: a row whose messages are the same objects keeps
        its text."""
        rows = list(self._rows(messages))
        if self.lines:
            return "".join(f"{row}\n" for row in rows)
        return "[\n" + ",\n".join(rows) + "\n]\n" if rows else "[]\n"

    def _rows(self, messages: Iterable[Any]) -> Iterator[str]:
        from ..runtime.transcript.shape import grouped

        given = {
            tuple(map(id, group)): text
            for group, text in zip(self.messages, self.texts, strict=True)
        }
        terminal = sys.stdout is not None and sys.stdout.isatty()
        for group in grouped(messages):
            text = given.get(tuple(map(id, group)))
            if text is None or terminal:
                yield from (json_text(row, None).rstrip("\n") for row in self.shape.write(group))
            else:
                yield text


def chosen_shape(name: str) -> Shape:
    """The shape called *name*. Raises click.UsageError with the names."""
    from ..grammar.diagnostics import nearest
    from ..runtime.transcript import SHAPES

    if name not in SHAPES:
        near = nearest(name, SHAPES)
        hint = f"did you mean `{near}`?" if near else f"there are {', '.join(SHAPES)}"
        raise click.UsageError(f"there is no shape `{name}`; {hint}")
    return SHAPES[name]


def read_transcript(argument: str, shape: Shape) -> Transcript:
    """The transcript of a file, or of standard input for `-`. Raises Unreadable."""
    place = "<stdin>" if argument == "-" else argument
    try:
        text = read_input(argument).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"{place}: it is not UTF-8 (byte {error.start})") from None
    lines = not text.lstrip().startswith("[")
    try:
        rows = list(_lines(text) if lines else _elements(text))
    except json.JSONDecodeError as error:
        raise Unreadable(f"{place}:{error.lineno}:{error.colno}: {_said(error)}") from None
    except RecursionError:
        raise Unreadable(f"{place}: it is nested too deep") from None
    except ValueError:  # the one other fault of json.loads
        raise Unreadable(f"{place}: it holds a number of more digits than can be read") from None
    for number, (_, row) in enumerate(rows, 1):
        if (fault := _fault(row)) is not None:
            raise Unreadable(f"{place}: row {number} {fault}")
    return Transcript(
        shape, [text for text, _ in rows], [shape.read(row) for _, row in rows], lines
    )


def _fault(row: Any) -> str | None:
    """Why a value cannot be a row of any host's."""
    if not isinstance(row, dict):
        return "is no JSON object; a transcript is a list of messages"
    held = [key for key in ("messages", "input") if isinstance(row.get(key), list)]
    if held and "role" not in row:
        return f"is an object that holds `{held[0]}`; give that list alone (`jq .{held[0]}`)"
    return None


def _said(error: json.JSONDecodeError) -> str:
    fault = error.msg[:1].lower() + error.msg[1:]
    return f"this is no JSON: {fault}; a transcript is an array or JSON Lines"


def _lines(text: str) -> Iterator[tuple[str, Any]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end].strip()
        if line:
            yield line, _value(text, start, end)
        start = end + 1


def _value(text: str, start: int, end: int) -> Any:
    """The one value of a line; an error says where it is in the whole file."""
    try:
        return json.loads(text[start:end])
    except json.JSONDecodeError as error:
        raise json.JSONDecodeError(error.msg, text, start + error.pos) from None


def _elements(text: str) -> Iterator[tuple[str, Any]]:
    """The elements of an array, one after another."""
    decoder, at = json.JSONDecoder(), _past_space(text, text.index("[") + 1)
    if text[at : at + 1] == "]":
        at += 1
    else:
        while True:
            value, end = decoder.raw_decode(text, at)
            yield text[at:end], value
            at = _past_space(text, end)
            if text[at : at + 1] == "]":
                at += 1
                break
            if text[at : at + 1] != ",":
                raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
            at = _past_space(text, at + 1)
    at = _past_space(text, at)
    if at < len(text):
        raise json.JSONDecodeError("Extra data", text, at)


def _past_space(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in " \t\r\n":
        at += 1
    return at
