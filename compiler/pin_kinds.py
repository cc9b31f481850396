"""The kinds of pins that every host knows, their lanes, and how long a body may be."""

from __future__ import annotations

from typing import Final

# A lane is where a pin is placed, never what authority it has.
LANES: Final = ("system", "developer")
# Where else a host may place a reminder, if its caller says so.
PLACES: Final = (*LANES, "user_block", "ephemeral_cache")
# How far a reminder reaches: every agent below, the session's own tree, or nobody else.
REACHES: Final = ("all", "session", "none")
BUILT_IN_LANES: Final = {
    "goal": "system",
    "constraint": "system",
    "no_compact": "system",
    "decision": "developer",
    "artifact_ref": "developer",
}
BINDING: Final = ("goal", "constraint", "no_compact")
MAX_BODY: Final = 4_000  # characters, where a goal says nothing
