"""Checks of the host's own: callables that are bound to a goal's `host_check(name)`.

What such a check answers is taken as strictly as a fact: only True is true and only False is false.
All else, an error included, is unknown, so that it is never met and never ends the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ..compiler.kernel import Unknown

MAX_WORDS = 200  # of an error's own

HostCheck: TypeAlias = Callable[[Mapping[str, Any]], Any]


def host_checked(name: str, check: HostCheck | None, facts: Mapping[str, Any]) -> Any:
    """What *check* says of *facts*: True, False or Unknown."""
    if check is None:
        return Unknown("missing", words=f"the host bound no check to {name}")
    try:
        answer = check(facts)
    except Exception as error:  # whatever it is: an error of a check is no success and no end
        return Unknown("error", words=f"{type(error).__name__}: {error}".rstrip(": ")[:MAX_WORDS])
    if answer is True or answer is False:
        return answer
    if answer is None:
        return Unknown("missing", words="the check returned None")
    if hasattr(answer, "close") and hasattr(answer, "__await__"):
        answer.close()  # a coroutine that nobody will await
        return Unknown("invalid", words="the check is async, and a check answers at once")
    return Unknown("invalid", words=f"the check returned {type(answer).__name__}, no bool")
