"""What may happen to a goal: commands, and the pure reducer that turns one into events, or refuses
it."""

from .authority import AUTHORITY
from .budget import exhausted
from .claiming import wake_at
from .commands import Command
from .draft import is_unfinished, said_status
from .events import Event, Refusal, Step
from .moving import adopt, fork
from .reading import read_command, read_event, write_command, write_event
from .reducing import apply, checked, decide, decide_among, replay
from .weakening import weakenings

__all__ = [
    "AUTHORITY", "Command", "Event", "Refusal", "Step", "adopt", "apply", "checked", "decide",
    "decide_among", "exhausted", "fork", "is_unfinished", "read_command", "read_event", "replay",
    "said_status", "wake_at", "weakenings", "write_command", "write_event",
]  # fmt: skip
