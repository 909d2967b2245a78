"""Write `edutorch/tensor/_methods.pyi`: what ops and autograd attach to Tensor.

Editors and type checkers cannot see methods that are attached while the package
is imported, so they are written down: `python -m tests.house.stubs` (make stubs).
Each signature is the attached function's own, its first argument called self.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any

import edutorch
from edutorch.tensor import tensor as home
from tests.house.source_tree import ROOT

__all__ = ["STUB", "rendered"]

STUB = ROOT / "edutorch" / "tensor" / "_methods.pyi"
HEADER = '''\
"""Tensor's methods that `autograd` and `ops` attach. Made by `make stubs`."""

# object promises that == gives a bool; a tensor's gives a tensor. And type checkers
# compare x.__iadd__ with x.__add__ on this base, which is no Tensor itself.
# mypy: disable-error-code="misc, override"

import builtins
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal

from ..devices import device
from ..dtypes import dtype
from ..random import Generator
from .size import Size
from .tensor import Tensor

class Methods:
'''
# The names that the header imports; an annotation with any other becomes Any.
IMPORTED = {
    "Any",
    "Callable",
    "Generator",
    "Iterable",
    "Iterator",
    "Literal",
    "Sequence",
    "Size",
    "Tensor",
    "device",
    "dtype",
}
SHADOWED = {name for name in vars(edutorch.Tensor) if hasattr(builtins, name)}
Attached = Callable[..., Any] | property


def rendered() -> str:
    """The stub for the package as it is now."""
    lines = [line for name, thing in attached() for line in _entry(name, thing)]
    return HEADER + "\n".join(lines) + "\n"


def attached() -> Iterator[tuple[str, Attached]]:
    """(name, function or property) of all that tensor.py does not define."""
    tree = ast.parse(inspect.getsource(home))
    tensor = next(
        n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Tensor"
    )
    own = {n.name for n in tensor.body if isinstance(n, ast.FunctionDef)}
    assigned = [n for n in tensor.body if isinstance(n, ast.Assign)]
    assigned = [n for n in assigned if isinstance(n.value, ast.Call)]  # no aliases
    own |= {t.id for n in assigned for t in n.targets if isinstance(t, ast.Name)}
    for name, thing in sorted(vars(edutorch.Tensor).items()):
        if name in own or (name.startswith("_") and not name.startswith("__")):
            continue
        if isinstance(thing, property | types.FunctionType):
            yield name, thing


def _entry(name: str, thing: Attached) -> list[str]:
    """The lines of one method or property."""
    if isinstance(thing, property):
        result = _result(thing.fget)
        lines = ["    @property", f"    def {name}(self) -> {result}: ..."]
        if thing.fset is not None:
            given = _parameters(thing.fset)
            lines += [f"    @{name}.setter", f"    def {name}({given}) -> None: ..."]
        if thing.fdel is not None:
            lines += [f"    @{name}.deleter", f"    def {name}(self) -> None: ..."]
        return lines
    result = "None" if name == "__setitem__" else _result(thing)
    return [f"    def {name}({_parameters(thing)}) -> {result}: ..."]


def _parameters(function: Callable[..., Any]) -> str:
    """The parameters, the first as self, defaults as dots."""
    parts, slash, star = [], False, False
    for index, p in enumerate(inspect.signature(function).parameters.values()):
        if slash and p.kind is not p.POSITIONAL_ONLY:
            parts.append("/")
        slash = p.kind is p.POSITIONAL_ONLY
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
        star = star or p.kind in {p.VAR_POSITIONAL, p.KEYWORD_ONLY}
        parts.append(_parameter(p, first=index == 0))
    return ", ".join(parts)


def _parameter(p: inspect.Parameter, *, first: bool) -> str:
    sign = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
    if first and not sign:
        return "self"
    default = "" if p.default is p.empty else " = ..."
    return f"{sign}{p.name}: {_annotation(p.annotation)}{default}"


def _result(function: Callable[..., Any]) -> str:
    return _annotation(inspect.signature(function).return_annotation)


def _annotation(text: Any) -> str:
    """An annotation in the header's names, or Any where one is not known."""
    if not isinstance(text, str):
        return "Any"
    try:
        return ast.unparse(_Names().visit(ast.parse(text, mode="eval")))
    except LookupError:
        return "Any"


class _Names(ast.NodeTransformer):
    """Replace each name by one that means the same inside the stub's class."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return _named(node.attr)  # dtypes.dtype, devices.device

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return _named(node.id)


def _named(name: str) -> ast.expr:
    if name in IMPORTED:
        return ast.Name(name)
    if hasattr(builtins, name):
        # Tensor has methods int, float, bool: the short names would mean them.
        return ast.Name(f"builtins.{name}" if name in SHADOWED else name)
    raise LookupError(name)


if __name__ == "__main__":
    STUB.write_text(rendered(), encoding="utf-8")
    print(f"{STUB.relative_to(ROOT)}: {rendered().count('def ')} methods")
