"""What a compaction must not lose: the fold, which carries a goal's contract over every boundary, a
compaction around any summarizer, and the proof that a boundary kept what it had to."""

from typing import TYPE_CHECKING

from ...exports import exporting

if TYPE_CHECKING:
    from .compacting import Compaction, Plan, compact
    from .folding import Fold, fold
    from .goal_state import GoalState, Status, Unreadable, forked
    from .summarizing import SummaryError, SummaryRequest, command_summarizer
    from .verifying import Finding, Report, verify_fold

_HOMES = {
    "Compaction": "compacting",
    "Plan": "compacting",
    "compact": "compacting",
    "Fold": "folding",
    "fold": "folding",
    "GoalState": "goal_state",
    "Status": "goal_state",
    "Unreadable": "goal_state",
    "forked": "goal_state",
    "SummaryError": "summarizing",
    "SummaryRequest": "summarizing",
    "command_summarizer": "summarizing",
    "Finding": "verifying",
    "Report": "verifying",
    "verify_fold": "verifying",
}

__all__ = [
    "Compaction", "Finding", "Fold", "GoalState", "Plan", "Report", "Status", "SummaryError",
    "SummaryRequest", "Unreadable", "command_summarizer", "compact", "fold", "forked",
    "verify_fold",
]  # fmt: skip

__getattr__ = exporting(__name__, _HOMES)
