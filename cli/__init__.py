"""The command line: `goalspec COMMAND`, one file a command, imported when it is called.

Exit codes: 0 holds, 1 does not hold, 2 usage, a spec with errors or I/O, 3 cannot be told, 4 a stop
is true.
"""

from __future__ import annotations

import gc
import os
import sys

import click

from .lazy import LazyGroup

# What `--help` says of each command without importing it; a test holds it to the commands' own.
COMMANDS = {
    "check": "Check a goal against facts.",
    "compile": "Compile goal files to the artifacts of targets.",
    "completion": "Print the shell's completion script.",
    "conformance": "Hold a program to the conformance cases.",
    "explain": "Explain a diagnostic's code.",
    "fmt": "Lay goal files out in the one canonical way.",
    "fold": "Carry a goal's contract over a compaction.",
    "goal": "Hold a session's goal: create, show, amend, pause, complete it.",
    "hook": "Answer a host's completion hook.",
    "init": "Write a first goal file.",
    "lint": "Find errors in goal files, and what deserves a look.",
    "render": "Show a goal's text for a model.",
    "replay": "Decide again what judges decided.",
    "run": "Drive an agent until a goal is met.",
    "report": "Write a report of a session's goal.",
    "schema": "Print the JSON Schema of the IR.",
    "targets": "List the targets of `goalspec compile`.",
    "test": "Run the tests in goal files.",
    "verify-fold": "Prove that a compaction kept a goal's contract.",
}


def _module(name: str) -> str:
    return f".{name.replace('-', '_')}_command:command"


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from .. import __version__

        click.echo(f"goalspec {__version__}")
        ctx.exit()


@click.group(
    cls=LazyGroup, listed=COMMANDS, module=_module,
    context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version,
    help="Print the version and exit.",
)  # fmt: skip
def group() -> None:
    """Goals of coding agents as reviewed files: lint, compile and check them."""


def main() -> None:
    """The entry point: as click's, but a bug of goalspec's is reported, not spilled."""
    gc.set_threshold(50_000)  # what is imported and parsed stays: looking for cycles costs a tenth
    from .terminal import complain, tolerate_encodings

    try:
        tolerate_encodings()
        group(prog_name="goalspec")
    except OSError as error:  # a full disk, a closed stream, a working folder that is gone
        complain("goalspec", "error", "GS505", error.strerror or str(error))
        sys.exit(2)
    except Exception as error:  # the one place where everything ends
        if os.environ.get("GOALSPEC_TRACEBACK"):
            raise
        _report_bug(error)
        sys.exit(2)


def _report_bug(error: Exception) -> None:
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    where = (
        f" at {os.path.basename(frame.tb_frame.f_code.co_filename)}:{frame.tb_lineno}"
        if frame
        else ""
    )
    click.echo(
        f"goalspec: internal error: {type(error).__name__}{where}\n"
        "This is a bug of goalspec's, not of your file's. Please report it with the command, the "
        "file and\nwhat `GOALSPEC_TRACEBACK=1 goalspec …` prints.",
        err=True,
    )
