"""From a predicate's IR to Python's `ast`, twice: straight and three-valued.

The straight form is what a person would write by hand; where it raises, the three-valued form of
the same predicate is evaluated, which also gives the reasons. Both read a Facts dictionary by the
same keys, so that what a key means (now, at start, a streak) is the engine's business alone.
"""

from __future__ import annotations

from .assemble import fact_spec, program_of
from .keys import fact_key, host_key, known_key, literal_value, temporal_key
from .pieces import join_sides
from .predicate import Code, compile_predicate, predicate_code

__all__ = [
    "Code",
    "compile_predicate",
    "fact_key",
    "fact_spec",
    "host_key",
    "join_sides",
    "known_key",
    "literal_value",
    "predicate_code",
    "program_of",
    "temporal_key",
]
