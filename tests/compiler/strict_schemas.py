"""What the strict modes of two providers accept as a JSON Schema, from their documentation: a
checker that names each thing they would refuse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_COMMON = {
    "type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "$ref",
    "$defs", "description", "const",
}  # fmt: skip
_OPENAI = _COMMON | {
    "pattern", "format", "multipleOf", "maximum", "exclusiveMaximum", "minimum",
    "exclusiveMinimum", "minItems", "maxItems",
}  # fmt: skip
_ANTHROPIC = _COMMON | {"format", "pattern", "minItems", "allOf", "default"}


def refused_by_openai(schema: dict[str, Any]) -> list[str]:
    """Why a strict `response_format` would be refused."""
    found = list(_common(schema, "", _OPENAI))
    nodes = [(place, node) for place, node in _nodes(schema, "")]
    names = sum(len(name) for _, node in nodes for name in node.get("properties", ()))
    names += sum(len(name) for _, node in nodes for name in node.get("$defs", ()))
    words = [word for _, node in nodes for word in node.get("enum", ())]
    if "anyOf" in schema:
        found.append("the root is an anyOf")
    if sum(len(node.get("properties", ())) for _, node in nodes) > 5_000:
        found.append("more than 5,000 properties")
    if _depth(schema, schema) > 10:
        found.append("nested more than 10 deep")
    if names + sum(map(len, words)) > 120_000:
        found.append("more than 120,000 characters in names and enumerations")
    if len(words) > 1_000:
        found.append("more than 1,000 enumerated values")
    for place, node in nodes:
        enum = node.get("enum", ())
        if len(enum) > 250 and sum(map(len, enum)) > 15_000:
            found.append(f"{place}: more than 15,000 characters in one enumeration")
    return found


def refused_by_anthropic(schema: dict[str, Any]) -> list[str]:
    """Why an `output_config.format` would be refused."""
    found = list(_common(schema, "", _ANTHROPIC))
    nodes = list(_nodes(schema, ""))
    unions = sum("anyOf" in node or isinstance(node.get("type"), list) for _, node in nodes)
    if unions > 16:
        found.append("more than 16 unions")
    for place, node in nodes:
        if node.get("minItems", 0) > 1:
            found.append(f"{place}: minItems above 1")
        if any(
            not isinstance(word, str | int | float | bool | None) for word in node.get("enum", ())
        ):
            found.append(f"{place}: an enumerated value that is not a scalar")
    return found


def _common(schema: dict[str, Any], place: str, known: set[str]) -> Iterator[str]:
    if schema.get("type") != "object":
        yield "the root is no object"
    for where, node in _nodes(schema, place):
        for keyword in node.keys() - known:
            yield f"{where}: the keyword {keyword}"
        if "properties" in node or node.get("type") == "object":
            if node.get("additionalProperties") is not False:
                yield f"{where}: an open object"
            if list(node.get("required", ())) != list(node.get("properties", ())):
                yield f"{where}: an optional property"
        if "$ref" in node and not node["$ref"].startswith("#/$defs/"):
            yield f"{where}: a reference out of the schema"
        if "enum" in node and not node["enum"]:
            yield f"{where}: an empty enumeration"
        if not node.keys() & {"type", "$ref", "anyOf", "enum", "const"}:
            yield f"{where}: a schema of anything"


def _nodes(schema: dict[str, Any], place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema in *schema*."""
    yield place, schema
    for keyword in ("properties", "$defs"):
        for name, inner in schema.get(keyword, {}).items():
            yield from _nodes(inner, f"{place}/{name}")
    for inner in (*schema.get("anyOf", ()), *schema.get("allOf", ())):
        yield from _nodes(inner, f"{place}/of")
    if "items" in schema:
        yield from _nodes(schema["items"], f"{place}/items")


def _depth(schema: dict[str, Any], root: dict[str, Any], seen: tuple[str, ...] = ()) -> int:
    """How deep objects and lists nest, references followed; a circle is endless."""
    if "$ref" in schema:
        if schema["$ref"] in seen:
            return 1_000
        target = root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
        return _depth(target, root, (*seen, schema["$ref"]))
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    if "items" in schema:
        inner.append(schema["items"])
    return 1 + max((_depth(node, root, seen) for node in inner), default=0)
