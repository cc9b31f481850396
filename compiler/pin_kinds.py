"""The kinds of pins that every host knows, their lanes, and how long a body may be."""

from __future__ import annotations

from typing import Final

# A lane is where a pin is placed, never what authority it has.
LANES: Final = ("system", "developer")
BUILT_IN_LANES: Final = {
    "goal": "system",
    "constraint": "system",
    "no_compact": "system",
    "decision": "developer",
    "artifact_ref": "developer",
}
BINDING: Final = ("goal", "constraint", "no_compact")
MAX_BODY: Final = 4_000  # characters, where a goal says nothing
