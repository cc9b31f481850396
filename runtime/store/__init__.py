"""Where records live: the port, a store in memory, and one on SQL databases."""

from typing import TYPE_CHECKING

from ...exports import exporting

if TYPE_CHECKING:
    from .chain import broken_links
    from .memory import MemoryStore
    from .opening import open_store
    from .port import (
        Entry,
        Lease,
        LeaseHeld,
        LeaseLost,
        Posted,
        Sessions,
        Side,
        StaleVersion,
        Store,
        Stored,
        StoreError,
    )

_HOMES = {
    "broken_links": "chain",
    "MemoryStore": "memory",
    "open_store": "opening",
    "Entry": "port",
    "Lease": "port",
    "LeaseHeld": "port",
    "LeaseLost": "port",
    "Posted": "port",
    "Sessions": "port",
    "Side": "port",
    "StaleVersion": "port",
    "Store": "port",
    "StoreError": "port",
    "Stored": "port",
}

__all__ = [
    "Entry", "Lease", "LeaseHeld", "LeaseLost", "MemoryStore", "Posted",
    "Sessions", "Side", "StaleVersion", "Store", "StoreError", "Stored", "broken_links",
    "open_store",
]  # fmt: skip

__getattr__ = exporting(__name__, _HOMES)
