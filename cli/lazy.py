"""A group of commands, each in a module of its own that is imported when the command is asked
for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """*listed* has what `--help` says of each command without importing it, *module* where one
    is."""

    def __init__(
        self, *arguments: Any, listed: Mapping[str, str], module: Callable[[str], str],
        **settings: Any,
    ) -> None:  # fmt: skip
        super().__init__(*arguments, **settings)
        self._listed = listed
        self._module = module

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self._listed)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._listed:
            return None
        module, _, name = self._module(cmd_name).partition(":")
        command: click.Command = getattr(import_module(module, __package__), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name and name not in self._listed and not name.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(name, self._listed, n=1)
            hint = f" Did you mean `{near[0]}`?" if near else ""
            raise click.UsageError(f"There is no command `{name}`.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(self._listed.items()))
