"""A judge that is a function of the host's: it takes the request as JSON values and gives the text
of the answer, or a `Reply`."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..ports import CallFailed, Reply, Route
from ..request import Prompt

Function = Callable[[dict[str, Any]], str | Reply | Awaitable[str | Reply]]


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """*function* stands for *model* of *provider*. One that is no coroutine function runs in a
    thread of its own, which nobody can end: after a timeout its result is thrown away."""

    function: Function
    model: str
    provider: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def route(self) -> Route:
        return Route(self.model, self.provider, self.parameters)

    async def __call__(self, prompt: Prompt) -> Reply:
        asked = prompt.to_json()
        if _is_coroutine_function(self.function):
            said: Any = self.function(asked)
        else:
            said = await _in_thread(self.function, asked)
        if inspect.isawaitable(said):
            said = await said
        if isinstance(said, str):
            return Reply(said)
        if isinstance(said, Reply):
            return said
        raise CallFailed(
            "protocol", f"the function gives a string or a Reply, not {type(said).__name__}"
        )


def _is_coroutine_function(function: Function) -> bool:
    method = getattr(function, "__call__", None)  # noqa: B004 - of an object that is called
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(method)


async def _in_thread(function: Function, asked: dict[str, Any]) -> Any:
    """A daemon thread, unlike an executor's, keeps no interpreter from ending."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def tell(set_result: Callable[[Any], None], value: Any) -> None:
        if not done.done():
            set_result(value)

    def run() -> None:
        try:
            outcome, value = done.set_result, function(asked)
        except Exception as error:
            outcome, value = done.set_exception, error  # type: ignore[assignment]
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell, outcome, value)

    threading.Thread(target=run, name="goalspec-judge", daemon=True).start()
    return await done
