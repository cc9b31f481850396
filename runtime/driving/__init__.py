"""Driving a goal: an agent's turns, facts, judgements and waits, as the loop's reducer decides."""

from typing import TYPE_CHECKING

from ...exports import exporting

if TYPE_CHECKING:
    from .driver import Driver, Host, Standing
    from .judging import Judging
    from .looking import Given
    from .ports import (
        Agent,
        EvidenceSource,
        FactSource,
        NoPins,
        NoTree,
        Pins,
        Proposal,
        Tree,
        Turn,
        Worked,
    )
    from .running import run
    from .session import Session

_HOMES = {
    **dict.fromkeys(("Driver", "Host", "Standing"), "driver"),
    "Judging": "judging",
    "Given": "looking",
    **dict.fromkeys(
        (
            "Agent", "EvidenceSource", "FactSource", "NoPins", "NoTree", "Pins", "Proposal",
            "Tree", "Turn", "Worked",
        ),
        "ports",
    ),
    "run": "running",
    "Session": "session",
}  # fmt: skip

__all__ = [
    "Agent", "Driver", "EvidenceSource", "FactSource", "Given", "Host", "Judging", "NoPins",
    "NoTree", "Pins", "Proposal", "Session", "Standing", "Tree", "Turn", "Worked", "run",
]  # fmt: skip

__getattr__ = exporting(__name__, _HOMES)
