"""Every public function tells its formula, shapes, errors, and shows itself running."""

from __future__ import annotations

import doctest
import importlib
import inspect
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from edutorch.autograd.op import Op
from edutorch.tensor.tensor import Tensor

SPACES = ("", "nn.functional", "linalg", "fft", "special", "sparse")
CLASSES = ("nn", "optim", "optim.lr_scheduler", "utils.data", "autograd")
# Files whose functions ask, switch or draw nothing: there is no formula or shape.
WITHOUT_FORMULA = {
    "edutorch.autograd.api": "history and hooks",
    "edutorch.autograd.breakpoints": "switches",
    "edutorch.autograd.membership": "history and hooks",
    "edutorch.autograd.modes": "switches",
    "edutorch.backends.flags": "switches",
    "edutorch.backends.threads": "switches",
    "edutorch.devices": "the default device",
    "edutorch.dtypes": "facts of dtypes",
    "edutorch.ops.convert.asking": "facts of tensors",
    "edutorch.ops.convert.cast": "`type_as` refers to the others",
    "edutorch.ops.convert.complexes": "marks that are never set",
    "edutorch.ops.convert.copies": "`contiguous` may return its argument",
    "edutorch.ops.convert.elementwise": "facts of memory",
    "edutorch.ops.create.buffers": "memory of others",
    "edutorch.ops.create.likes": "`new_tensor` takes any data",
    "edutorch.ops.create.values": "tensors of any data",
    "edutorch.ops.promotion": "facts of dtypes",
    "edutorch.ops.sparse.asking": "facts of sparse tensors",
    "edutorch.random.generator": "states of generators",
    "edutorch.serialization.checkpoint": "files",
    "edutorch.tensor.legacy": "old constructors",
    "edutorch.tensor.printing": "text",
    "edutorch.tensor.tensor": "facts of tensors",
}
# Files whose functions are shown elsewhere: where.
SHOWN_ELSEWHERE = {"edutorch.tensor.tensor": "class Tensor; what it holds is plain"}


@cache
def functions() -> dict[Any, list[str]]:
    """Every public function and the names under which programs call it."""
    found: dict[Any, list[str]] = {}
    for path in SPACES:
        space = importlib.import_module(f"edutorch.{path}".rstrip("."))
        for name in space.__all__:
            _note(
                found, getattr(space, name), f"torch.{path}.{name}".replace("..", ".")
            )
    for name in dir(Tensor):
        if not name.startswith("_"):
            _note(found, inspect.getattr_static(Tensor, name), f"Tensor.{name}")
    return found


def _note(found: dict[Any, list[str]], thing: Any, name: str) -> None:
    """Enter a function, or the function behind a property or a static method."""
    thing = thing.fget if isinstance(thing, property) else thing
    thing = getattr(thing, "__func__", thing)
    ours = (getattr(thing, "__module__", "") or "").startswith("edutorch")
    # In-place twins and copies refer to the function that they were made from.
    if inspect.isfunction(thing) and ours and not hasattr(thing, "__wrapped__"):
        found.setdefault(thing, []).append(name)


def lacking(word: str) -> Iterator[str]:
    """The functions whose docstring has none of some words."""
    for function, names in functions().items():
        told = inspect.getdoc(function) or ""
        if not any(w in told for w in word.split("|")):
            yield f"{function.__module__} {', '.join(names)}"


def test_public_functions_are_many_and_have_docstrings():
    assert len(functions()) > 700
    assert not list(lacking("."))


def test_public_functions_show_themselves_running():
    bare = [f for f in lacking(">>>") if f.split()[0] not in SHOWN_ELSEWHERE]
    assert not bare, "no example in:\n" + "\n".join(bare)


def test_public_functions_have_formula_or_shapes():
    bare = [f for f in lacking("Math:|Shape:") if f.split()[0] not in WITHOUT_FORMULA]
    assert not bare, "neither `Math:` nor `Shape:` in:\n" + "\n".join(bare)


def test_public_functions_say_what_they_raise():
    bare = [
        f"{function.__module__} {', '.join(names)}"
        for function, names in functions().items()
        if "raise " in inspect.getsource(function)
        and "Raises:" not in (inspect.getdoc(function) or "")
        and function.__module__ not in SHOWN_ELSEWHERE
    ]
    assert not bare, "no `Raises:` in:\n" + "\n".join(bare)


def test_public_functions_of_ops_that_check_say_what_they_raise():
    bare = [
        f"{kind.__module__} {', '.join(names)}"
        for function, names in functions().items()
        for kind in checking().get((function.__module__, function.__name__), [])
        if "Raises:" not in (inspect.getdoc(function) or "")
    ]
    assert not bare, "the op refuses something, no `Raises:` in:\n" + "\n".join(bare)


def checking() -> dict[tuple[str, str], list[type]]:
    """The ops that refuse operands, by file and name of their public function."""
    functions()  # imports every file
    found: dict[tuple[str, str], list[type]] = {}
    waiting = [Op]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            if kind.checks:
                found.setdefault((kind.__module__, kind.public), []).append(kind)
    return found


def test_exceptions_are_needed():
    bare = {f.split()[0] for f in lacking("Math:|Shape:")}
    assert not set(WITHOUT_FORMULA) - bare - {"edutorch.serialization.checkpoint"}
    assert set(SHOWN_ELSEWHERE) <= {f.split()[0] for f in lacking(">>>")}


@pytest.mark.parametrize("path", CLASSES)
def test_public_classes_show_themselves_running(path: str):
    space = importlib.import_module(f"edutorch.{path}")
    bare = [
        name
        for name in space.__all__
        if inspect.isclass(thing := getattr(space, name))
        and thing.__module__.startswith("edutorch")
        and not issubclass(thing, Exception)
        and ">>>" not in (thing.__doc__ or "")
    ]
    assert not bare, f"no example in {path}: {', '.join(bare)}"


def _properties() -> list[Any]:
    return [
        pytest.param(function, id=names[0])
        for function, names in functions().items()
        if isinstance(inspect.getattr_static(Tensor, names[0][7:], None), property)
        and names[0].startswith("Tensor.")
        and ">>>" in (function.__doc__ or "")
    ]


@pytest.mark.parametrize("function", _properties())
def test_examples_of_properties_run(function):
    # pytest finds the examples of functions and classes itself.
    text = inspect.getdoc(function)
    test = doctest.DocTestParser().get_doctest(text, {}, function.__name__, None, 0)
    told: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(
        test, out=told.append
    )
    assert not told, "".join(told)
