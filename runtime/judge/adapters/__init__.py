"""What carries a judge's request to a model: a function, a command, or a provider's API."""

from typing import TYPE_CHECKING

from ....exports import exporting

if TYPE_CHECKING:
    from .command import CommandCall
    from .function import FunctionCall
    from .pydantic_ai import PydanticAICall

_HOMES = {
    "CommandCall": "command",
    "FunctionCall": "function",
    "PydanticAICall": "pydantic_ai",
}

__all__ = ["CommandCall", "FunctionCall", "PydanticAICall"]

__getattr__ = exporting(__name__, _HOMES)
