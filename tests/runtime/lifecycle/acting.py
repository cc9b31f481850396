"""Commands against a record, in short."""

from __future__ import annotations

from typing import Any

import pytest
from goalspec.runtime.lifecycle import Refusal, Step
from goalspec.runtime.record import Record
from goalspec.tests.runtime.lifecycle.states import ONCE, perform
from goalspec.tests.runtime.record.records import at


def step(record: Record, command: Any, actor: Any = "runtime", second: int = ONCE) -> Step:
    return perform(record, command, actor, at(second))


def do(record: Record, command: Any, actor: Any = "runtime", second: int = ONCE) -> Record:
    return step(record, command, actor, second).record


def refusal(record: Record, command: Any, actor: Any = "runtime", second: int = ONCE) -> Refusal:
    with pytest.raises(Refusal) as caught:
        step(record, command, actor, second)
    return caught.value


def code(record: Record, command: Any, actor: Any = "runtime", second: int = ONCE) -> str:
    return refusal(record, command, actor, second).code


def kinds(record: Record, command: Any, actor: Any = "runtime", second: int = ONCE) -> list[str]:
    return [event.kind for event in step(record, command, actor, second).events]
