"""The templates' own little language: Jinja's sandbox, cut down to what always ends.

A template prints, decides, repeats over what it is given, and calls macros. It has no arithmetic
beyond `+` and `-` of whole numbers, no lists of its own, and no way to take a string apart. What it
costs is therefore counted in its rounds and calls, and a user's template that goes beyond a cap is
refused. Jinja is imported with this module, and this module when something is rendered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined, Template, nodes
from jinja2.environment import TemplateModule
from jinja2.exceptions import SecurityError, TemplateSyntaxError
from jinja2.runtime import LoopContext, Macro
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import missing

from ...grammar.diagnostics import nearest
from .fence import Data
from .user_templates import TemplateFile

MAX_ROUNDS = 100_000
MAX_OUTPUT = 1 << 22  # what macros print counts again where it is printed

_ALLOWED = frozenset((
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.Const, nodes.Name, nodes.Getattr,
    nodes.Call, nodes.Keyword, nodes.And, nodes.Or, nodes.Not, nodes.Compare, nodes.Operand,
    nodes.CondExpr, nodes.Add, nodes.Sub, nodes.If, nodes.For, nodes.Macro, nodes.CallBlock,
    nodes.Assign, nodes.Include, nodes.Import, nodes.FromImport, nodes.Filter,
))  # fmt: skip
_SPELLED = {
    nodes.Mul: "`*`", nodes.Div: "`/`", nodes.FloorDiv: "`//`", nodes.Mod: "`%`",
    nodes.Pow: "`**`", nodes.Concat: "`~`", nodes.List: "a list", nodes.Tuple: "a tuple",
    nodes.Dict: "a dictionary", nodes.Getitem: "`[…]`", nodes.Slice: "a slice",
    nodes.Extends: "`extends`", nodes.Block: "`block`", nodes.FilterBlock: "`filter`",
    nodes.AssignBlock: "`set` around a text", nodes.With: "`with`", nodes.Test: "`is`",
    nodes.Neg: "`-`", nodes.Pos: "`+`",
}  # fmt: skip
_FILTERS = frozenset(("length",))
_ROUND = "_round"  # counts; a name that a template cannot use


class TooMuch(SecurityError):
    """A template that repeats or prints beyond the caps."""


@dataclass
class Meter:
    """What a rendering has cost so far. Without *limited* nothing is refused."""

    limited: bool
    rounds: int = 0
    characters: int = 0

    def tick(self, characters: int) -> None:
        """One more round of a body that prints *characters* by itself."""
        self.rounds += 1
        if self.limited and self.rounds > MAX_ROUNDS:
            raise TooMuch(f"the template repeats more than {MAX_ROUNDS:,} times")
        self.print(characters)

    def print(self, characters: int) -> None:
        self.characters += characters
        if self.limited and self.characters > MAX_OUTPUT:
            raise TooMuch(f"the template prints more than {MAX_OUTPUT:,} characters")


class Unknown(StrictUndefined):
    """A name that a template uses and nothing has."""

    @property
    def _undefined_message(self) -> str:
        if self._undefined_hint:
            return self._undefined_hint
        name = str(self._undefined_name)
        thing = self._undefined_obj
        if thing is missing:
            known = ["goal", "state", "fence", "preserved_header", "continuation_header"]
        elif is_dataclass(thing):
            known = [field.name for field in fields(thing)]
        else:
            return f"`{name}` is not defined here"
        near = nearest(name, known)
        hint = f"did you mean `{near}`?" if near else f"known are {', '.join(known)}"
        return f"`{name}` is not defined; {hint}"


class TemplateSandbox(SandboxedEnvironment):
    """An environment in which *files* are the only templates."""

    intercepted_binops = frozenset(("+", "-"))

    def __init__(
        self, files: Mapping[str, TemplateFile], names: Mapping[str, Any], limited: bool
    ) -> None:
        super().__init__(
            loader=_Loader(files),
            undefined=Unknown,
            autoescape=False,  # strings come escaped, as Data
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            finalize=self._printed,
        )
        self.limited = limited
        self.begin()
        self.fences: frozenset[Any] = frozenset(name for name in names.values() if callable(name))
        self.filters = {name: self.filters[name] for name in _FILTERS}
        self.tests = {}
        self.globals = {_ROUND: self._round, **names}

    def begin(self) -> None:
        """Nothing of a rendering is counted yet."""
        self.meter = Meter(self.limited)

    def _round(self, characters: int) -> None:
        self.meter.tick(characters)

    def _printed(self, value: Any) -> Any:
        if not isinstance(value, Data | str | int | Unknown):
            raise SecurityError(
                "only a string or a number is printed: repeat over a list with `for`"
            )
        if not isinstance(value, Unknown):
            self.meter.print(len(str(value)))
        return value

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Parts of what templates are given, and of nothing else: a string stays whole."""
        given = is_dataclass(obj) and not isinstance(obj, Data)
        shown = given or isinstance(obj, LoopContext | TemplateModule)
        return shown and super().is_safe_attribute(obj, attr, value)

    def is_safe_callable(self, obj: Any) -> bool:
        return isinstance(obj, Macro) or obj == self._round or obj in self.fences

    def unsafe_undefined(self, obj: Any, attribute: str) -> Any:
        message = f"`.{attribute}` cannot be taken of it"
        return self.undefined(message, obj=obj, name=attribute, exc=SecurityError)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if type(left) is not int or type(right) is not int:
            raise SecurityError(f"`{operator}` is for whole numbers only")
        return super().call_binop(context, operator, left, right)


class _Loader(BaseLoader):
    """Gives a template once it is known to stay within the language, with its rounds counted."""

    def __init__(self, files: Mapping[str, TemplateFile]) -> None:
        self.files = files

    def load(
        self, environment: Environment, name: str, globals: MutableMapping[str, Any] | None = None
    ) -> Template:
        file = self.files[name]
        tree = environment.parse(file.text, name, file.path)
        _check(tree, name, file.path, self.files)
        _count(tree)
        code = environment.compile(tree, name, file.path)
        return environment.template_class.from_code(environment, code, dict(globals or {}))


def _check(tree: nodes.Template, name: str, path: str, files: Mapping[str, TemplateFile]) -> None:
    """Raises TemplateSyntaxError at the first thing that is not of the templates' language."""

    def refuse(node: nodes.Node, message: str) -> None:
        raise TemplateSyntaxError(message, node.lineno, name, path)

    for node in _walk(tree):
        stored = isinstance(node, nodes.Tuple) and node.ctx == "store"
        if type(node) not in _ALLOWED and not stored:
            what = _SPELLED.get(type(node), f"`{type(node).__name__.lower()}`")
            refuse(node, f"{what} is not part of a template's language")
        if isinstance(node, nodes.Name) and node.name.startswith("_"):
            refuse(node, f"`{node.name}`: a template's names begin with a letter")
        if isinstance(node, nodes.For) and node.recursive:
            refuse(node, "a recursive `for` is not part of a template's language")
        if isinstance(node, nodes.Include | nodes.Import | nodes.FromImport):
            wanted = node.template
            if not isinstance(wanted, nodes.Const) or wanted.value not in files:
                spelled = wanted.value if isinstance(wanted, nodes.Const) else "…"
                near = nearest(str(spelled), list(files))
                hint = f"did you mean `{near}`?" if near else f"there are {', '.join(files)}"
                refuse(node, f"there is no template `{spelled}`; {hint}")


def _walk(node: nodes.Node) -> Iterable[nodes.Node]:
    yield node
    for child in node.iter_child_nodes():
        yield from _walk(child)


def _count(tree: nodes.Template) -> None:
    """Let each body that may run more than once count itself as it begins."""
    for node in list(_walk(tree)):
        if isinstance(node, nodes.Template | nodes.For | nodes.Macro | nodes.CallBlock):
            length = sum(_length(inner) for inner in _walk(node))
            call = nodes.Call(nodes.Name(_ROUND, "load"), [nodes.Const(length)], [], None, None)
            statement = nodes.ExprStmt(call)
            node.body.insert(0, statement.set_lineno(node.lineno))


def _length(node: nodes.Node) -> int:
    if isinstance(node, nodes.TemplateData):
        return len(node.data)
    return len(node.value) if isinstance(node, nodes.Const) and isinstance(node.value, str) else 0
