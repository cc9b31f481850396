"""Python's `ast`, as the compiler makes it of predicates, printed as JavaScript.

A predicate is lowered once, to a few forms of Python (`compiler.codegen`); they are printed here
node by node, and a form that is not known is refused. Where the operators of the two languages
differ, a function of the library stands for the operator. Whole numbers are BigInt; the place of a
field, or of a site among the others, is an ordinary number. Patterns, which the compiler reads, are
printed as what an automaton runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache

from ... import folding, kernel
from ...patterns import Eat, Fork, Instructions, glob_instructions, regex_instructions
from .library import library
from .spelling import camel, spell_number, spell_text

# A function's argument that is a place: a site, or a field's.
_PLACES = {
    "truth": 0, "leaf": 0, "is_null": 0, "element_leaf": 0, "named": 0, "quantifier": 0, "join": 2,
    "field_of": 1,
}  # fmt: skip
_PATTERNS = {"compile_globs": glob_instructions, "compile_regexes": regex_instructions}
_FOLDS = ("any", "all", "each")
_ORDERINGS: dict[type[ast.cmpop], str] = {
    ast.Lt: "< 0", ast.LtE: "<= 0", ast.Gt: "> 0", ast.GtE: ">= 0",
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}


class Unprintable(Exception):
    """A form of Python that no predicate has; the message shows it."""


def print_statement(node: ast.stmt) -> str:
    """A constant, or one of the two functions of a predicate."""
    match node:
        case ast.Assign([ast.Name(name)], value):
            return f"const {name} = {print_expression(value)};"
        case ast.FunctionDef(name, body=[ast.Return(ast.expr() as value)]):
            return f"const {name} = (F) => {print_expression(value)};"
        case ast.FunctionDef(name, body=[ast.Try([ast.Return(value)], [handler])]) if value:
            match handler.body:
                case [ast.Return(ast.expr() as otherwise)]:
                    forms = (_function("", value), _function("", otherwise))
                    return f"const {name} = (F) => decided({', '.join(forms)});"
    raise _unprintable(node)


def print_expression(node: ast.expr) -> str:
    match node:
        case ast.Name(name):
            return name if _is_local(name) else _library_name(name)
        case ast.Constant(value):
            return _constant(value)
        case ast.Attribute(value, "value" | "tainted" as name):
            return f"{print_expression(value)}.{name}"
        case ast.Call():
            return _call(node)
        case ast.Lambda(args, body):
            return _function(", ".join(argument.arg for argument in args.args), body)
        case ast.Subscript(value, ast.Constant(int(place))):
            return f"{print_expression(value)}[{place}]"
        case ast.Subscript(value, key):
            return f"at({print_expression(value)}, {print_expression(key)})"
        case ast.Tuple(items):
            return f"[{', '.join(map(print_expression, items))}]"
        case ast.Dict(keys, values):
            return f"new Map([{', '.join(map(_entry, keys, values))}])"
        case ast.ListComp(element, [loop]):
            return f"collected({_loop(loop, element)})"
        case _:
            return f"({_operation(node)})"


def _operation(node: ast.expr) -> str:
    match node:
        case ast.BoolOp(op, values):
            operator = " && " if isinstance(op, ast.And) else " || "
            return operator.join(map(print_expression, values))
        case ast.UnaryOp(ast.Not(), value):
            return f"!{print_expression(value)}"
        case ast.UnaryOp(ast.USub(), value):
            return f"-{print_expression(value)}"
        case ast.BinOp(left, op, right) if type(op) in _OPERATORS:
            operator = _OPERATORS[type(op)]
            return f"{print_expression(left)} {operator} {print_expression(right)}"
        case ast.IfExp(test, yes, no):
            return " ".join(
                (print_expression(test), "?", print_expression(yes), ":", print_expression(no))
            )
        case ast.Compare(left, [op], [right]):
            return _compared(op, print_expression(left), print_expression(right))
        case ast.Compare(low, [ast.LtE(), ast.LtE()], [value, high]):
            return f"isBetween({', '.join(map(print_expression, (low, value, high)))})"
    raise _unprintable(node)


def _compared(op: ast.cmpop, left: str, right: str) -> str:
    match op:
        case ast.Eq():
            return f"equal({left}, {right})"
        case ast.NotEq():
            return f"!equal({left}, {right})"
        case ast.In():
            return f"isIn({left}, {right})"
        case ast.Is():
            return f"{left} === {right}"
        case ast.IsNot():
            return f"{left} !== {right}"
        case _ if type(op) in _ORDERINGS:
            return f"compare({left}, {right}) {_ORDERINGS[type(op)]}"
    raise _unprintable(op)


def _call(node: ast.Call) -> str:
    if node.keywords:
        raise _unprintable(node)
    match node:
        case ast.Call(ast.Name(name), [ast.Tuple(items)]) if name in _PATTERNS:
            texts = [item.value for item in items if isinstance(item, ast.Constant)]
            return f"matcher([{', '.join(_instructions(_PATTERNS[name](map(str, texts))))}])"
        case ast.Call(ast.Name(name), [ast.GeneratorExp(element, [loop])]) if name in _FOLDS:
            return f"{name}({_loop(loop, element)})"
        case ast.Call(ast.Attribute(value, "translate"), [ast.Name("ASCII_LOWER")]):
            return f"lowered({print_expression(value)})"
        case ast.Call(ast.Name(name), arguments):
            place = _PLACES.get(name, -1)
            printed = (
                _place(argument) if number == place else print_expression(argument)
                for number, argument in enumerate(arguments)
            )
            return f"{print_expression(node.func)}({', '.join(printed)})"
        case ast.Call(ast.Lambda(), arguments):
            called = ", ".join(map(print_expression, arguments))
            return f"({print_expression(node.func)})({called})"
    raise _unprintable(node)


def _entry(key: ast.expr | None, value: ast.expr) -> str:
    if key is None:  # another dictionary's entries
        raise _unprintable(value)
    return f"[{print_expression(key)}, {print_expression(value)}]"


def _loop(loop: ast.comprehension, element: ast.expr) -> str:
    """The collection, the function of an element, and the condition where there is one."""
    match loop:
        case ast.comprehension(ast.Name(name), over, [] | [_] as conditions):
            functions = (_function(name, body) for body in (element, *conditions))
            return ", ".join((print_expression(over), *functions))
    raise _unprintable(loop)


def _function(parameters: str, body: ast.expr) -> str:
    return f"({parameters}) => {print_expression(body)}"


def _place(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return str(node.value)
    raise _unprintable(node)


def _constant(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return spell_number(value) if value >= 0 else f"({spell_number(value)})"
        case str():
            return spell_text(value)
    raise Unprintable(f"the constant {value!r}")


def _instructions(program: Instructions) -> Iterable[str]:
    for step in program:
        match step:
            case Eat(ranges):
                yield f"[{', '.join(f'[{low}, {high}]' for low, high in ranges)}]"
            case Fork(jumps):
                yield f"[{', '.join(map(str, jumps))}]"
            case look:
                yield spell_text(look.what)


# --- names


def _is_local(name: str) -> bool:
    """Is this a name of the predicate's own: the facts, a variable, a constant, its other form?"""
    return name == "F" or name.startswith(("v_", "K", "explain_"))


_RENAMED = {"Decimal": "decimal"}
# What stands for Python's own functions, operators and constants.
_OF_PYTHON = {
    "abs", "all", "any", "at", "collected", "compare", "decided", "decimal", "equal", "frozenset",
    "isBetween", "isIn", "len", "lowered", "matcher", "sum", "DAY",
}  # fmt: skip


@cache
def library_names() -> frozenset[str]:
    """What printed code may call: the kernel's functions, and what stands for Python's own."""
    functions = {**vars(kernel), **vars(folding)}
    spelled = {camel(name) for name, value in functions.items() if callable(value)}
    return frozenset(spelled | _OF_PYTHON) & library().keys()


def _library_name(name: str) -> str:
    """The library's name for a function of Python's or of the kernel's."""
    found = _RENAMED.get(name) or camel(name)
    if found not in library_names():
        raise Unprintable(f"the name {name}")
    return found


def _unprintable(node: ast.AST) -> Unprintable:
    return Unprintable(ast.dump(node))
