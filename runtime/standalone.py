"""The command line of a generated module: a goal against facts, by the standard library alone.

It answers as `goalspec check` does, with the same exit codes; what it prints is plain text, or the
verdict as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from ..compiler.program import Program
from ..grammar.literals import printable
from .engine import Engine, RefusedObservation
from .facts import BadFacts
from .observations import now_text, read_baseline, read_observations, stamped
from .verdict import Note, Result, Verdict


def run(program: Program, arguments: Sequence[str] | None = None) -> int:
    """Check the goal against a facts file; the exit code is the last verdict's."""
    options = _options(program, arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # whatever the terminal can spell
            stream.reconfigure(errors="backslashreplace")
    place = options["baseline"]
    try:
        base = None if options["baseline"] is None else read_baseline(_read(options["baseline"]))
        engine = Engine(program, base, options["root"])
        _print_notes(engine.baseline_notes, place)
        place = options["facts"]
        names = [fact.name for fact in program.facts]
        observations, now = read_observations(_read(place), names), now_text()
        verdicts = []
        for o in stamped(observations, now):
            place = options["facts"] + o.place
            verdicts.append(engine.observe(o.facts, o.at, o.id, o.rev, received_at=now))
            _print_notes(verdicts[-1].notes, place)
    except (BadFacts, RefusedObservation) as error:
        print(f"{printable(place)}: error: {printable(str(error))}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{printable(place)}: error: {error.strerror or error}", file=sys.stderr)
        return 2
    shown = verdicts if options["each"] else verdicts[-1:]
    write = partial(_json, on_one_line=options["each"]) if options["json"] else _text
    try:
        print("\n".join(map(write, shown)), flush=True)
    except BrokenPipeError:  # who reads has gone: the exit code still says it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return verdicts[-1].exit_code


def _options(program: Program, arguments: Sequence[str] | None) -> dict[str, Any]:
    from argparse import ArgumentParser  # which a host that imports the module does not need

    parser = ArgumentParser(
        description=f"Check the goal {program.goal} against facts.",
        epilog="Exits with 0 where the goal is done, 1 where something is unmet or violated, 2 for "
        "wrong input, 3 where it cannot be told, 4 where a stop is true.",
    )
    parser.add_argument("--facts", required=True, metavar="FILE", help="JSON, JSON Lines, or -")
    parser.add_argument("--baseline", metavar="FILE", help="the facts that `at baseline` reads")
    parser.add_argument("--root", metavar="DIR", help="absolute paths are accepted below it")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    parser.add_argument("--each", action="store_true", help="print one for each observation")
    return vars(parser.parse_args(arguments))


def _read(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def _print_notes(notes: Sequence[Note], place: str) -> None:
    for note in notes:
        print(f"{printable(place)}: warning: {printable(note.message)}", file=sys.stderr)


def _json(verdict: Verdict, on_one_line: bool) -> str:
    return json.dumps(verdict.to_json(), indent=None if on_one_line else 2)


def _text(verdict: Verdict) -> str:
    state = "done" if verdict.done else "stopped" if verdict.stopped else "not done"
    lines = [f"{verdict.goal}: {state}"]
    for result in (*verdict.criteria, *verdict.constraints, *verdict.stops):
        lines += _lines(result)
    return "\n".join([*lines, f"floor {verdict.floor}; contract {verdict.contract}"])


def _lines(result: Result) -> list[str]:
    mode = f" ({result.mode})" if result.mode != "gating" else ""
    head = f"  {result.outcome:<8}  {result.id}{mode}: {printable(result.text)}"
    return [head, f"            - {printable(result.explanation)}"]
