"""What a package offers under its own name and imports when it is first asked for.

Importing a part of goalspec costs what that part needs: a command that reads a cached goal must not
load the grammar's parser because it uses the grammar's literals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from sys import modules
from typing import Any


def exporting(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of *package*, which finds each name in the module that *homes* says; a
    module that bears the name is meant itself."""

    def find(name: str) -> Any:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f".{home}", package)
        value = module if home.rpartition(".")[2] == name else getattr(module, name)
        setattr(modules[package], name, value)
        return value

    return find
