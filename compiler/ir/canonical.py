"""Canonical JSON (RFC 8785), the contract's hash (ruling 32), and reading a document back.

The hash covers what a goal means: edition, objective, criteria, constraints and stops in order with
ids and text, the facts that are read as they are declared (without their descriptions), budget,
pins, judge and protection. Paths, spans, comments, names of `let`, and everything about tests stay
outside.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from .document import Document, Goal
from .node import Node

_CONTRACT = (
    "edition", "objective", "criteria", "constraints", "stops", "facts", "budget",
    "advisory_budget", "pins", "pinned", "judge", "protect",
)  # fmt: skip


def plain(node: Any) -> Any:
    """An IR node as JSON values; what is absent is left out."""
    if type(node) is str:  # most of what there is
        return node
    if isinstance(node, Node):
        values = ((name, getattr(node, name)) for name in node.field_names)
        return {name: plain(value) for name, value in values if value is not None}
    if isinstance(node, tuple | list):
        return [item if type(item) is str else plain(item) for item in node]
    if isinstance(node, dict):
        return {key: plain(value) for key, value in node.items()}
    return node


def canonical(value: Any) -> bytes:
    """The one RFC 8785 spelling of JSON values."""
    import rfc8785

    return rfc8785.dumps(value)


def digest(value: Any) -> str:
    """The SHA-256, in hexadecimal, of the canonical JSON of *value*."""
    return hashlib.sha256(canonical(value)).hexdigest()


def contract_of(goal: Mapping[str, Any]) -> dict[str, Any]:
    """What the hash covers of a goal's JSON."""
    contract = {key: _meaning(goal[key]) for key in _CONTRACT if goal.get(key) is not None}
    contract["facts"] = sorted(
        ({k: v for k, v in fact.items() if k != "description"} for fact in contract["facts"]),
        key=lambda fact: str(fact["name"]),
    )
    return contract


def contract_hash(goal: Mapping[str, Any]) -> str:
    """`c1:` and the SHA-256 of the contract of a goal's JSON."""
    return f"c1:{digest(contract_of(goal))}"


def _meaning(value: Any) -> Any:
    """*value* without the names that `let` gave; iterative at the spine is not needed, since the
    language bounds nesting."""
    if isinstance(value, dict):
        if value.get("kind") == "named":
            return _meaning(value["of"])
        return {key: _meaning(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_meaning(item) for item in value]
    return value


def seal(goal: Goal) -> Goal:
    """*goal* with its contract's hash."""
    return replace(goal, contract=contract_hash(plain(goal)))


def write_document(document: Document) -> str:
    """A document as canonical JSON text, one line with a final newline."""
    return canonical(plain(document)).decode() + "\n"


class ContractError(ValueError):
    """A document whose goals are not what their contracts' hashes say."""


def read_document(text: str | bytes) -> Document:
    """The document that JSON *text* holds.

    Raises pydantic's ValidationError where the shape is wrong, ContractError where a hash is.
    """
    from .schema import document_adapter

    document = document_adapter().validate_json(text)
    wrong = [goal.id for goal in document.goals if contract_hash(plain(goal)) != goal.contract]
    if wrong:
        raise ContractError(f"the contract's hash does not fit: {_list(wrong)}")
    return document


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)
