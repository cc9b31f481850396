"""A host's own function that gives the facts now, at once or to be awaited."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...compiler.ir.document import Fact
from .answers import answer, failed


@dataclass(frozen=True, slots=True)
class FunctionFacts:
    """The *facts* that *function* gives. One that is not to be awaited runs in a thread of its
    own."""

    function: Callable[[], Mapping[str, Any] | Awaitable[Mapping[str, Any]]]
    facts: Sequence[Fact]

    async def __call__(self) -> Mapping[str, Any]:
        try:
            if inspect.iscoroutinefunction(self.function):
                given = await self.function()
            else:
                given = await asyncio.to_thread(self.function)
                given = await given if inspect.isawaitable(given) else given
            return answer(given, self.facts, "the function")
        except Exception as error:  # a host's own code: what failed shows nothing
            return failed(self.facts, f"{type(error).__name__}: {error}")
