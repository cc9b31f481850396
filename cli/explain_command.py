"""`goalspec explain`: a code's page, made from the code itself."""

from __future__ import annotations

import click


def _complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    from ..compiler.lint.catalogue import CODES

    names = (name for code in CODES for name in (code.id, code.name))
    return [name for name in names if name.lower().startswith(incomplete.lower())]


@click.command()
@click.argument("code", metavar="[CODE]", required=False, shell_complete=_complete)
def command(code: str | None) -> None:
    """Explain a diagnostic's code.

    CODE is an id such as GS201 or a name such as undeclared-fact; without one, all are listed.
    """
    from ..compiler.lint.catalogue import BY_ID, BY_NAME, CODES, FIXES
    from ..grammar.diagnostics import nearest

    if code is None:
        for entry in CODES:
            click.echo(f"{entry.id}  {entry.severity:<7}  {entry.name}")
        return
    found = BY_ID.get(code.upper()) or BY_NAME.get(code.lower())
    if found is None:
        near = nearest(code.upper(), set(BY_ID)) or nearest(code.lower(), set(BY_NAME))
        hint = f"did you mean {near}?" if near else "`goalspec explain` lists them"
        raise click.UsageError(f"there is no code `{code}`; {hint}")
    from .pages import page

    click.echo(page(found, FIXES.get(found.id)), nl=False)
