"""A goal's text for a model, made in one place: the prompts' fragments, the judge's brief, the body
of the goal's pin. `goal_block` is the plain block; `parse_block` reads it back."""

from typing import TYPE_CHECKING

from ...exports import exporting

if TYPE_CHECKING:
    from .fragments import (
        CONTINUATION_HEADER,
        FRAGMENTS,
        PRESERVED_HEADER,
        Fragment,
        fragments,
        goal_block,
        judge_feedback,
        render,
    )
    from .reading import Block, Item, parse_block
    from .user_templates import BadTemplate, Templates, read_templates
    from .views import State

_HOMES = {
    "CONTINUATION_HEADER": "fragments",
    "FRAGMENTS": "fragments",
    "PRESERVED_HEADER": "fragments",
    "Fragment": "fragments",
    "fragments": "fragments",
    "goal_block": "fragments",
    "judge_feedback": "fragments",
    "render": "fragments",
    "Block": "reading",
    "Item": "reading",
    "parse_block": "reading",
    "BadTemplate": "user_templates",
    "Templates": "user_templates",
    "read_templates": "user_templates",
    "State": "views",
}

__all__ = [
    "CONTINUATION_HEADER", "FRAGMENTS", "PRESERVED_HEADER", "BadTemplate", "Block", "Fragment",
    "Item", "State", "Templates", "fragments", "goal_block", "judge_feedback", "parse_block",
    "read_templates", "render",
]  # fmt: skip

__getattr__ = exporting(__name__, _HOMES)
