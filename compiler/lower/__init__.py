"""Predicates and values: from the syntax tree to the typed IR, one function a form.

`context` holds the names and the report, `lowering` what every form shares, and the other modules
the forms by their kind.
"""

from .context import Lowered, Names, Report, null_tests
from .literals import canonical_literal, check_bounds, literal_for, literal_type
from .lowering import Lowering

__all__ = [
    "Lowered",
    "Lowering",
    "Names",
    "Report",
    "canonical_literal",
    "check_bounds",
    "literal_for",
    "literal_type",
    "null_tests",
]
