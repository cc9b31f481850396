"""Files that a goal rests on, and files that are worked on.

A goal's gates are pinned: `gates_of` says which files they are, and `PinnedFiles` hashes them anew
whenever it is asked. A `WorkTree` tells by one hash whether anything was worked on, and of which
commit it is. Nothing here decides: what a changed hash means is the loop's business.
"""

from .gates import gates_of
from .pinned_files import PinnedFiles
from .work_tree import WorkTree

__all__ = ["PinnedFiles", "WorkTree", "gates_of"]
