"""Every public name is documented, and every file declares its public names."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator

import pytest

from tests.house.source_tree import PACKAGE, Module, modules

# The root gathers what the packages export; a file that is only a docstring has no name.
DOCUMENTED = [
    m
    for m in modules()
    if m.tree.body[1:] and m.name != PACKAGE and not m.name.endswith("__main__")
]
# An op's or a module's own mathematics is in the docstring of its class.
TOLD_BY_THE_CLASS = {"forward", "backward", "promote", "check", "extra_repr", "infer"}


@pytest.mark.parametrize("module", DOCUMENTED, ids=lambda m: m.name)
def test_docs_public_names_have_docstrings(module: Module):
    if module.name.endswith(".nbgrader_execute"):
        pytest.importorskip("nbgrader", reason="needs nbgrader")
    loaded = importlib.import_module(module.name)
    exports = getattr(loaded, "__all__", None)
    assert exports is not None, f"{module.relative} has no __all__"
    gone = [n for n in exports if not hasattr(loaded, n)]
    assert not gone, f"__all__ of {module.relative} names what is not there: {gone}"
    bare = sorted(set(undocumented(loaded, exports)))
    assert not bare, f"no docstring in {module.relative}: {', '.join(bare)}"


def test_docs_every_file_says_what_it_is():
    bare = [m.relative for m in modules() if not ast.get_docstring(m.tree)]
    assert not bare, "no docstring at the top of:\n" + "\n".join(bare)


def undocumented(loaded, names: list[str]) -> Iterator[str]:
    """The public names, and public methods of public classes, without text."""
    for name in names:
        thing = getattr(loaded, name)
        # Aliases (`absolute = abs`) and values need no text.
        home = getattr(thing, "__module__", "") or ""
        if not home.startswith(PACKAGE) or home != loaded.__name__:
            continue
        if inspect.isclass(thing):
            yield from _undocumented_in_class(thing)
        elif inspect.isroutine(thing) and not thing.__doc__:
            yield name


def _undocumented_in_class(cls: type) -> Iterator[str]:
    if not cls.__dict__.get("__doc__"):
        yield cls.__name__
    for name, member in vars(cls).items():
        if name.startswith("_") or name in TOLD_BY_THE_CLASS:
            continue
        function = _function_of(member)
        if function is not None and not inspect.getdoc(getattr(cls, name)):
            yield f"{cls.__name__}.{name}"


def _function_of(member):
    """The function behind a method or a property, or None for a plain value."""
    if isinstance(member, staticmethod | classmethod):
        return member.__func__
    if isinstance(member, property):
        return member.fget
    return member if inspect.isfunction(member) else None
