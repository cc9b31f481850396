"""The judge of a goal's unchecked parts: what it is asked, how its answer is read, and what
follows.

All that decides is pure: a request, the calls that were made and the policy give the next call or
the outcome. `judge` carries that out on a carrier from `adapters`; `replay` makes a recorded
judgement again.
"""

from typing import TYPE_CHECKING

from ...exports import exporting

if TYPE_CHECKING:
    from .answer import Answer, Invalid, read_answer
    from .asking import SystemClock, judge, new_nonce
    from .evidence import BadRequest, Evidence
    from .outcome import (
        Exhausted,
        Judgement,
        Misconfigured,
        NoJudge,
        Outage,
        Unusable,
        consequence,
    )
    from .plan import Ask, next_move
    from .policy import Policy, Price, Spent
    from .ports import CallFailed, Clock, ModelCall, Reply, Route, Usage
    from .quorum import Decided, decided
    from .record import CallRecord, read_record
    from .replaying import ReplayRefused, replay
    from .request import JudgeRequest, Prompt
    from .storing import read_request, write_request

_HOMES = {
    **dict.fromkeys(("Answer", "Invalid", "read_answer"), "answer"),
    **dict.fromkeys(("SystemClock", "judge", "new_nonce"), "asking"),
    **dict.fromkeys(("BadRequest", "Evidence"), "evidence"),
    **dict.fromkeys(
        (
            "Exhausted", "Judgement", "Misconfigured", "NoJudge", "Outage", "Unusable",
            "consequence",
        ),
        "outcome",
    ),
    **dict.fromkeys(("Ask", "next_move"), "plan"),
    **dict.fromkeys(("Policy", "Price", "Spent"), "policy"),
    **dict.fromkeys(("CallFailed", "Clock", "ModelCall", "Reply", "Route", "Usage"), "ports"),
    **dict.fromkeys(("Decided", "decided"), "quorum"),
    **dict.fromkeys(("CallRecord", "read_record"), "record"),
    **dict.fromkeys(("ReplayRefused", "replay"), "replaying"),
    **dict.fromkeys(("JudgeRequest", "Prompt"), "request"),
    **dict.fromkeys(("read_request", "write_request"), "storing"),
}  # fmt: skip

__all__ = [
    "Answer",
    "Ask",
    "BadRequest",
    "CallFailed",
    "CallRecord",
    "Clock",
    "Decided",
    "Evidence",
    "Exhausted",
    "Invalid",
    "JudgeRequest",
    "Judgement",
    "Misconfigured",
    "ModelCall",
    "NoJudge",
    "Outage",
    "Policy",
    "Price",
    "Prompt",
    "ReplayRefused",
    "Reply",
    "Route",
    "Spent",
    "SystemClock",
    "Unusable",
    "Usage",
    "consequence",
    "decided",
    "judge",
    "new_nonce",
    "next_move",
    "read_answer",
    "read_record",
    "read_request",
    "replay",
    "write_request",
]  # fmt: skip

__getattr__ = exporting(__name__, _HOMES)
