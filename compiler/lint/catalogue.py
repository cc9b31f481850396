"""Every rule, and every code that goalspec knows, by id and by name."""

from __future__ import annotations

from ...grammar.diagnostics import Code
from .. import codes
from . import suppression
from .rule import Rule
from .rules.all_against_constant import AllAgainstConstant
from .rules.bool_comparison import BoolComparison
from .rules.both_zero import BothZero
from .rules.bound_differs import BoundDiffers
from .rules.budget_without_limit import BudgetWithoutLimit
from .rules.constraint_as_criterion import ConstraintAsCriterion
from .rules.deny_list import DenyList
from .rules.double_negation import DoubleNegation
from .rules.escaped_pattern import EscapedPattern
from .rules.hidden_character import HiddenCharacter
from .rules.idle_judge import IdleJudge
from .rules.idle_pattern import IdlePattern
from .rules.idle_threshold import IdleThreshold
from .rules.long_description import LongDescription
from .rules.missing_anchor import MissingAnchor
from .rules.missing_every import MissingEvery
from .rules.missing_id import MissingId
from .rules.mixed_and_or import MixedAndOr
from .rules.mixed_clocks import MixedClocks
from .rules.mojibake import Mojibake
from .rules.negated_comparison import NegatedComparison
from .rules.never_shown import NeverShown
from .rules.no_current_fact import NoCurrentFact
from .rules.not_lasting import NotLasting
from .rules.nothing_decides import NothingDecides
from .rules.one_run_streak import OneRunStreak
from .rules.placeholder import Placeholder
from .rules.regex_digits import RegexDigits
from .rules.repeated_check import RepeatedCheck
from .rules.repeated_element import RepeatedElement
from .rules.repeated_id import RepeatedId
from .rules.secret import Secret
from .rules.twice_said_bound import TwiceSaidBound
from .rules.unbounded_strings import UnboundedStrings
from .rules.unchecked_constraint import UncheckedConstraint
from .rules.unchecked_number import UncheckedNumber
from .rules.unmeasurable import Unmeasurable
from .rules.unused_let import UnusedLet
from .rules.unused_preset import UnusedPreset
from .rules.vacuous_criterion import VacuousCriterion

RULES: tuple[Rule, ...] = (
    NothingDecides(),
    BoolComparison(),
    VacuousCriterion(),
    OneRunStreak(),
    NoCurrentFact(),
    UncheckedConstraint(),
    BudgetWithoutLimit(),
    UnboundedStrings(),
    MixedAndOr(),
    RepeatedId(),
    RegexDigits(),
    MissingAnchor(),
    IdleThreshold(),
    IdlePattern(),
    UnusedPreset(),
    Secret(),
    HiddenCharacter(),
    MixedClocks(),
    ConstraintAsCriterion(),
    UnusedLet(),
    IdleJudge(),
    UncheckedNumber(),
    BoundDiffers(),
    Placeholder(),
    Mojibake(),
    NotLasting(),
    MissingEvery(),
    MissingId(),
    NegatedComparison(),
    DoubleNegation(),
    DenyList(),
    Unmeasurable(),
    AllAgainstConstant(),
    RepeatedElement(),
    RepeatedCheck(),
    BothZero(),
    EscapedPattern(),
    TwiceSaidBound(),
    LongDescription(),
    NeverShown(),
)

CODES: tuple[Code, ...] = tuple(
    sorted(
        (*codes.CODES, *(rule.code for rule in RULES), *suppression.CODES),
        key=lambda code: code.id,
    )
)
FIXES = {rule.code.id: rule.fix for rule in RULES if rule.fix is not None}
FIXES[suppression.UNUSED.id] = "safe"
BY_ID = {code.id: code for code in CODES}
BY_NAME = {code.name: code for code in CODES}
