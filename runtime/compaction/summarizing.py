"""Asking for a summary: what a summarizer is told, and a command as one."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ...compiler.pinning import policy_entries

SUMMARY_HEADER = "[Summary of the conversation before this point]"

_DEFAULT = (
    "Summarize the conversation for whoever goes on with it: what was asked, what was done and "
    "found, with names of files, commands and their results, what was decided and why, and what is "
    "open. Report, and do not command. The goal and its contract are carried over beside the "
    "summary, word for word: do not restate them."
)


class SummaryError(Exception):
    """A summary that did not come about, and why. The compaction may be tried again."""


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """The messages that a summary is to stand for, without blocks of goals; what is asked of it;
    and the policy that this was made of."""

    messages: Sequence[Any]
    instructions: str
    policy: Mapping[str, Any]


Summarizer: TypeAlias = Callable[[SummaryRequest], str]


def instructions_of(policy: Mapping[str, Any]) -> str:
    """What *policy* asks of a summarizer: goalspec's own words, unless the policy sets them aside,
    then the policy's, then each thing to keep and to drop on a line of its own. Raises PinError."""
    own = policy.get("instructions")
    extends = policy.get("extend_default_instructions") is not False
    paragraphs = [_DEFAULT] if extends or not own else []
    paragraphs += [str(own)] if own else []
    for title, key in (("Keep:", "preserve"), ("Leave out:", "drop")):
        lines = [f"- {entry}" for entry in policy_entries(policy, key)]
        paragraphs += ["\n".join([title, *lines])] if lines else []
    return "\n\n".join(paragraphs)


def summary_of(summarize: Summarizer, request: SummaryRequest) -> str:
    """What *summarize* says. Raises SummaryError, whatever went wrong in it."""
    try:
        text = summarize(request)
    except SummaryError:
        raise
    except Exception as error:  # a host's own code
        raise SummaryError(f"the summarizer failed: {type(error).__name__}: {error}") from error
    if not isinstance(text, str):
        raise SummaryError(f"a summary is a string, not {type(text).__name__}")
    if not text.strip():
        raise SummaryError("the summary is empty")
    return text.strip()


def command_summarizer(command: Sequence[str], timeout: float) -> Summarizer:
    """A command as a summarizer, with *timeout* in seconds: a JSON object with `instructions`,
    `policy` and `messages` enters it, and the summary leaves it as text. Raises ValueError where
    there is no command."""
    if not command:
        raise ValueError("a summarizer's command has a program's name at least")

    def summarize(request: SummaryRequest) -> str:
        asked = {
            "instructions": request.instructions,
            "policy": dict(request.policy),
            "messages": list(request.messages),
        }
        try:
            done = subprocess.run(
                list(command), input=json.dumps(asked).encode(), capture_output=True,
                timeout=timeout, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise SummaryError(f"{command[0]}: no summary after {timeout:g} s") from None
        except OSError as error:
            raise SummaryError(f"{command[0]}: {error.strerror or error}") from None
        if done.returncode:
            raise SummaryError(f"{command[0]}: exit code {done.returncode}{_last(done.stderr)}")
        try:
            return done.stdout.decode()
        except UnicodeDecodeError:
            raise SummaryError(f"{command[0]}: the summary is not UTF-8") from None

    return summarize


def _last(stderr: bytes) -> str:
    lines = stderr.decode(errors="replace").strip().splitlines()
    return f": {lines[-1]}" if lines else ""
