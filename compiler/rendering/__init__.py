"""A goal's text for a model, made in one place: the prompts' fragments, the judge's brief, the body
of the goal's pin. `goal_block` is the plain block."""

from typing import TYPE_CHECKING

from ...exports import exporting

if TYPE_CHECKING:
    from .brief import Answer, judge_brief
    from .fragments import (
        CONTINUATION_HEADER,
        FRAGMENTS,
        PRESERVED_HEADER,
        Fragment,
        Pieces,
        goal_block,
        judge_feedback,
        pin_block,
        render,
        render_all,
        unmet_pieces,
    )
    from .turns import BLOCKED, COMPLETE, Ends, Occasion, turn_prompt
    from .user_templates import BadTemplate, Templates, read_templates
    from .views import STALLED, State

_HOMES = {
    "Answer": "brief",
    "judge_brief": "brief",
    "CONTINUATION_HEADER": "fragments",
    "FRAGMENTS": "fragments",
    "PRESERVED_HEADER": "fragments",
    "Fragment": "fragments",
    "Pieces": "fragments",
    "unmet_pieces": "fragments",
    "render_all": "fragments",
    "goal_block": "fragments",
    "judge_feedback": "fragments",
    "pin_block": "fragments",
    "render": "fragments",
    "BLOCKED": "turns",
    "COMPLETE": "turns",
    "Ends": "turns",
    "Occasion": "turns",
    "turn_prompt": "turns",
    "BadTemplate": "user_templates",
    "Templates": "user_templates",
    "read_templates": "user_templates",
    "STALLED": "views",
    "State": "views",
}

__all__ = [
    "BLOCKED", "COMPLETE", "CONTINUATION_HEADER", "FRAGMENTS", "PRESERVED_HEADER", "STALLED",
    "Answer", "BadTemplate", "Ends", "Fragment", "Occasion", "Pieces", "State", "Templates",
    "goal_block", "judge_brief", "judge_feedback", "pin_block", "read_templates", "render",
    "render_all", "turn_prompt", "unmet_pieces",
]  # fmt: skip

__getattr__ = exporting(__name__, _HOMES)
