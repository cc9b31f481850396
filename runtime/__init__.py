"""IR and facts to verdicts: the border where facts enter, the Monitor, and explanations."""

from .check import check
from .engine import RefusedObservation
from .facts import BadFacts
from .monitor import Monitor
from .verdict import Note, Result, Verdict

__all__ = ["BadFacts", "Monitor", "Note", "RefusedObservation", "Result", "Verdict", "check"]
