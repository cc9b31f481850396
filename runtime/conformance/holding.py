"""Holding a program to the cases: it gets all requests at once, and its answers are told apart by
their ids. Where it dies or hangs, the case that it owed an answer to has failed, and it is started
again for those after it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..processes import Finished, run_command, untrusted_environment
from ..record.reading import BadRecord, read_object
from .matching import cut, differences
from .suite import Case

MAX_OUTPUT = 64 * 1024 * 1024  # bytes of a program's answers
MAX_STARTS = 3  # in a row without an answer


@dataclass(frozen=True, slots=True)
class Result:
    """What is wrong with a program's answer to a case; nothing where it holds."""

    case: Case
    problems: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return not self.problems


async def hold(command: Sequence[str], cases: Iterable[Case], patience: float) -> list[Result]:
    """The results of *command*, which has *patience* seconds for each answer. Raises NotStarted."""
    ordered = list(cases)
    problems: dict[str, list[str]] = {}
    waiting, starts = ordered, 0
    while waiting and starts < MAX_STARTS:
        heard = _Heard(waiting, problems)
        how = await _ended(command, waiting, heard, patience)
        starts = 0 if len(heard.waiting) < len(waiting) else starts + 1
        waiting = list(heard.waiting.values())
        if waiting:
            owed, *waiting = waiting
            problems.setdefault(owed.name, []).append(how)
    for case in waiting:
        problems[case.name] = [f"it was not asked: {MAX_STARTS} starts in a row gave no answer"]
    return [Result(case, tuple(problems.get(case.name, ()))) for case in ordered]


async def _ended(
    command: Sequence[str], cases: Iterable[Case], heard: _Heard, patience: float
) -> str:
    """Listen to *command* until it has answered all, and say how it ended before that. Raises
    NotStarted."""
    requests = "".join(f"{json.dumps(case.request)}\n" for case in cases).encode()
    clock = asyncio.get_running_loop().time
    try:
        async with asyncio.timeout(patience) as limit:

            def listen(chunk: bytes) -> None:
                if heard.listen(chunk):
                    limit.reschedule(clock() + (patience if heard.waiting else 0))

            finished = await run_command(
                command, stdin=requests, environment=untrusted_environment(),
                max_output=MAX_OUTPUT, on_output=listen,
            )  # fmt: skip
    except TimeoutError:
        return f"it hangs: there was no answer within {patience:g} s"
    heard.listen(b"\n")
    return _said(finished)


def _said(finished: Finished) -> str:
    if finished.too_much:
        return f"it printed more than {MAX_OUTPUT // 1024**2} MiB"
    code = finished.code
    how = f"signal {-code} ended it" if code < 0 else f"it ended with exit code {code}"
    words = f": {cut(finished.last_words)}" if finished.last_words else ""
    return f"{how} before it answered{words}"


@dataclass(slots=True)
class _Heard:
    """What a program has printed so far. *waiting* are the cases without an answer by their names;
    a line that is none is held against the first of them."""

    cases: Iterable[Case]
    problems: dict[str, list[str]]
    waiting: dict[str, Case] = field(init=False)
    answered: set[str] = field(default_factory=set)
    rest: bytes = b""

    def __post_init__(self) -> None:
        self.waiting = {case.name: case for case in self.cases}

    def listen(self, chunk: bytes) -> bool:
        """Take what was printed, and say whether an answer was in it."""
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        before = len(self.waiting)
        for line in lines:
            if line.strip():
                self._take(line)
        return len(self.waiting) < before

    def _take(self, line: bytes) -> None:
        try:
            answer = read_object(line)
        except BadRecord as error:
            self._hold_against_next(line, error.problems[0])
            return
        name = answer.get("id")
        if isinstance(name, str) and name in self.waiting:
            self.answered.add(name)
            self._note(name, *_wrong(self.waiting.pop(name), answer))
        elif isinstance(name, str) and name in self.answered:
            self._note(name, "it was answered twice")
        else:
            self._hold_against_next(line, "its `id` is not that of a request")

    def _hold_against_next(self, line: bytes, why: str) -> None:
        owed = next(iter(self.waiting), None)
        if owed is not None and owed not in self.problems:
            text = cut(line.decode("utf-8", "replace"))
            self._note(owed, f"what it printed is no answer ({why}): {text}")

    def _note(self, name: str, *found: str) -> None:
        if found:
            self.problems.setdefault(name, []).extend(found)


def _wrong(case: Case, answer: dict[str, Any]) -> Iterable[str]:
    if "error" in answer:
        return [f"it says: {cut(str(answer['error']))}"]
    return differences(case.answer, answer)
