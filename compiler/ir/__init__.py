"""The IR: frozen pydantic models that every target and the runtime read, and nothing else.

`types` and `expressions` are what predicates are made of, `document` is a compiled file,
`canonical` its one spelling in JSON and the contract's hash.
"""

from . import expressions, types
from .canonical import ContractError, contract_hash, read_document, write_document
from .document import (
    IR_VERSION,
    Budget,
    Condition,
    Constraint,
    Criterion,
    Document,
    Fact,
    FactSource,
    Goal,
    Judge,
    Pin,
    Pins,
    Protect,
    Stop,
    Test,
)
from .expressions import Expr
from .types import Type

__all__ = [
    "IR_VERSION",
    "Budget",
    "Condition",
    "Constraint",
    "ContractError",
    "Criterion",
    "Document",
    "Expr",
    "Fact",
    "FactSource",
    "Goal",
    "Judge",
    "Pin",
    "Pins",
    "Protect",
    "Stop",
    "Test",
    "Type",
    "contract_hash",
    "expressions",
    "read_document",
    "types",
    "write_document",
]
