"""Predicates and values: from the syntax tree to the typed IR, one function a form.

`lowering` is what every form shares; the other modules register the forms, by their kind, as they
are imported here.
"""

from . import arithmetic, atoms, calls, comparison, logic, names, text
from .literals import canonical_literal, check_bounds, literal_for, literal_type
from .lowering import Lowering

__all__ = [
    "Lowering",
    "arithmetic",
    "atoms",
    "calls",
    "canonical_literal",
    "check_bounds",
    "comparison",
    "literal_for",
    "literal_type",
    "logic",
    "names",
    "text",
]
