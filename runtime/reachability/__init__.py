"""Which stale tool results of a transcript are still wanted, and the transcript without the others.

`reclaim` keeps a result that mentions a root: what a pin names, what the caller gives, what the
last messages speak of. The body of any other makes way for one line that says what stood there.
"""

from ...compiler.pinning import Root
from .policy import BadPolicy, Policy, read_policy
from .projection import Outcome, Projection, Wanted
from .reclaiming import reclaim
from .references import roots_in

__all__ = [
    "BadPolicy",
    "Outcome",
    "Policy",
    "Projection",
    "Root",
    "Wanted",
    "read_policy",
    "reclaim",
    "roots_in",
]
