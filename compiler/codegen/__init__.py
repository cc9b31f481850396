"""From a predicate's IR to Python's `ast`, twice: straight and three-valued.

The straight form is what a person would write by hand; where it raises, the three-valued form of
the same predicate is evaluated, which also gives the reasons. Both read a Facts dictionary by the
same keys, so that what a key means (now, at start, a streak) is the Monitor's business alone.
"""

from __future__ import annotations

from .keys import NOW, fact_key, host_key, known_key, literal_value, temporal_key
from .pieces import Site, join_sides
from .predicate import Predicate, compile_predicate

__all__ = [
    "NOW",
    "Predicate",
    "Site",
    "compile_predicate",
    "fact_key",
    "host_key",
    "join_sides",
    "known_key",
    "literal_value",
    "temporal_key",
]
