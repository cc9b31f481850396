"""`goalspec schema`: the JSON Schema of the IR, made from its models."""

from __future__ import annotations

import json

import click


@click.command()
def command() -> None:
    """Print the JSON Schema of the IR (what `compile --target json` writes)."""
    from ..compiler.ir.schema import document_schema

    click.echo(json.dumps(document_schema(), indent=2, sort_keys=True, ensure_ascii=False))
