"""Every rule, and every code that goalspec knows, by id and by name."""

from __future__ import annotations

from ...grammar.diagnostics import Code
from .. import codes
from . import suppression
from .rule import Rule
from .rules.bool_comparison import BoolComparison
from .rules.mixed_and_or import MixedAndOr
from .rules.vacuous_criterion import VacuousCriterion

RULES: tuple[Rule, ...] = (
    BoolComparison(),
    VacuousCriterion(),
    MixedAndOr(),
)

CODES: tuple[Code, ...] = tuple(
    sorted(
        (*codes.CODES, *(rule.code for rule in RULES), *suppression.CODES),
        key=lambda code: code.id,
    )
)
BY_ID = {code.id: code for code in CODES}
BY_NAME = {code.name: code for code in CODES}
