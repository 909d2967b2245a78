"""Every public function documents its formula, shapes and errors, with an example."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from edutorch.autograd.dispatch import Op
from edutorch.tensor.tensor import Tensor

SPACES = ("", "nn.functional", "linalg", "fft", "special", "sparse")
# A docstring gives the gradient, refers to another function's, or says there is none.
GRADIENT = "∂|gradients|no derivative"
CLASSES = ("nn", "optim", "optim.lr_scheduler", "utils.data", "autograd")
# More namespaces in which every function and class has an example.
NAMESPACES = (
    "amp", "autograd", "autograd.forward_ad", "autograd.functional", "autograd.graph",
    "cuda", "distributed", "distributed.nn", "distributions", "func", "inspect", "masked", "nn.init", "nn.utils",
    "nn.utils.parametrizations", "nn.utils.parametrize", "nn.utils.prune",
    "nn.utils.rnn", "optim.swa_utils", "random", "serialization", "signal.windows",
    "testing", "utils.checkpoint", "utils.data",
)  # fmt: skip
# Functions that query, switch or name something have no formula.
WITHOUT_FORMULA = {
    "autograd.": "history, hooks and switches",
    "backends.": "switches",
    "devices": "the default device",
    "dtypes": "facts of dtypes",
    "ops.convert.properties": "facts of tensors",
    "ops.convert.cpu_methods": "facts of memory",
    "ops.create.": "memory of others, values that are unset, any data",
    "ops.promotion": "facts of dtypes",
    "ops.shape.inplace": "memory that grows or is another's",
    "ops.sparse.properties": "facts of sparse tensors",
    "random.": "states of generators",
    "tensor.": "facts of tensors, text, old constructors",
}
# ... and no shape.
WITHOUT_SHAPE = {
    "ops.sparse.gradcheck": "its result is a function",
}
# Functions of ops that have a formula but no gradient. Operations that declare it
# (`differentiable = False`) need not be listed.
WITHOUT_GRADIENT = {
    "ops.compare.predicates": "true or false",
    "ops.compare.relational": "true or false",
    "ops.convert.cpu_methods": "Python functions of numbers",
    "ops.one_hot one_hot": "from integers",
    "ops.aten.native embedding_renorm_": "gradients are refused",
    "ops.index.nonzero_elements": "places",
    "ops.index.unravel": "places",
    "ops.sampling.creation": "new tensors",
    "ops.shape.broadcasting broadcast_shapes": "from shapes",
    "ops.sort.unique_bins bucketize": "places",
    "ops.sort.unique_bins _tensor_unique": "as `unique`, which says so",
    "ops.sort.histograms": "counts",
    "ops.sparse.gradcheck": "its result is a function",
    "ops.spectral.frequencies": "new tensors",
    "ops.spectral.window_functions": "new tensors",
}
# Base classes and containers of layers, optimizers and schedules.
FRAMES = {
    "Module", "Container", "ModuleDict", "ModuleList", "ParameterDict", "ParameterList",
    "RNNBase", "RNNCellBase", "LazyModuleMixin", "LinearCrossEntropyOptions",
    "Optimizer", "LRScheduler",
}  # fmt: skip
# Files whose functions need no examples of their own, and why.
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
    """Record a function, or the function behind a property or a static method."""
    thing = thing.fget if isinstance(thing, property) else thing
    thing = getattr(thing, "__func__", thing)
    ours = (getattr(thing, "__module__", "") or "").startswith("edutorch")
    # In-place variants and copies refer to the function that they were made from.
    wrapped = getattr(thing, "__wrapped__", thing)
    if inspect.isfunction(thing) and ours and wrapped.__name__ == thing.__name__:
        found.setdefault(thing, []).append(name)


def lacking(word: str) -> Iterator[str]:
    """The functions whose docstring has none of the words, separated by `|`."""
    for function, names in functions().items():
        told = inspect.getdoc(function) or ""
        if not any(w in told for w in word.split("|")):
            yield f"{function.__module__} {', '.join(names)}"


def test_public_functions_are_many_and_have_docstrings():
    assert len(functions()) > 700
    assert not list(lacking("."))


def test_public_functions_have_examples():
    bare = [f for f in lacking(">>>") if f.split()[0] not in SHOWN_ELSEWHERE]
    assert not bare, "no example in:\n" + "\n".join(bare)


def excepted(function: Any, exceptions: dict[str, str]) -> set[str]:
    """The exceptions that name a function, its file or its package."""
    file = function.__module__.removeprefix("edutorch.")
    return {
        known
        for known in exceptions
        if known in (file, f"{file} {function.__name__}")
        or (known.endswith(".") and file.startswith(known))
    }


def without(word: str, exceptions: dict[str, str]) -> list[str]:
    """The functions whose docstring has no match for `word`, and no exception."""
    return [
        f"{function.__module__} {', '.join(names)}"
        for function, names in functions().items()
        if not re.search(word, inspect.getdoc(function) or "")
        and not excepted(function, exceptions)
    ]


def test_public_functions_have_a_formula():
    bare = without("Math:", WITHOUT_FORMULA)
    assert not bare, "no `Math:` in:\n" + "\n".join(bare)


def test_public_functions_document_shapes():
    bare = without("Shape:", WITHOUT_FORMULA | WITHOUT_SHAPE)
    assert not bare, "no `Shape:` in:\n" + "\n".join(bare)


def test_public_functions_of_ops_document_gradients():
    flat = {
        f"{key[0]} {key[1]}"
        for key, kinds in operations().items()
        if all(kind.differentiable is False for kind in kinds)
    }
    bare = [
        f"{function.__module__} {', '.join(names)}"
        for function, names in functions().items()
        if function.__module__.startswith("edutorch.ops.")
        and not re.search(GRADIENT, inspect.getdoc(function) or "")
        and f"{function.__module__} {function.__name__}" not in flat
        and not excepted(function, WITHOUT_FORMULA | WITHOUT_GRADIENT)
    ]
    assert not bare, "no gradient (∂) in:\n" + "\n".join(bare)


@pytest.mark.parametrize(
    ("word", "exceptions"),
    [
        ("Math:", WITHOUT_FORMULA),
        ("Shape:", WITHOUT_SHAPE),
        (GRADIENT, WITHOUT_GRADIENT),
    ],
)
def test_exceptions_are_needed(word: str, exceptions: dict[str, str]):
    used: set[str] = set()
    for function in functions():
        if not re.search(word, inspect.getdoc(function) or ""):
            used |= excepted(function, exceptions)
    assert sorted(set(exceptions) - used) == []


@pytest.mark.parametrize("path", ["nn", "optim", "optim.lr_scheduler"])
def test_public_layers_and_optimizers_have_a_formula(path: str):
    wanted = ("Math:", "Shape:", "∂|gradients|as `") if path == "nn" else ("Math:",)
    bare = [
        f"{name}: {word}"
        for name, told in layers(path).items()
        for word in wanted
        if not re.search(word, told)
    ]
    assert not bare, f"in {path}:\n" + "\n".join(bare)


def layers(path: str) -> dict[str, str]:
    """The docstrings of the public classes that compute something."""
    space = importlib.import_module(f"edutorch.{path}")
    return {
        name: kind.__doc__ or ""
        for name in space.__all__
        if inspect.isclass(kind := getattr(space, name))
        and name not in FRAMES
        and not issubclass(kind, Tensor)
    }


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
    checked = {
        key: [kind for kind in kinds if kind.checks]
        for key, kinds in operations().items()
    }
    return {key: kinds for key, kinds in checked.items() if kinds}


@cache
def operations() -> dict[tuple[str, str], list[Any]]:
    """Every op, by file and name of its public function."""
    functions()  # imports every file
    found: dict[tuple[str, str], list[Any]] = {}
    waiting: list[Any] = [Op]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            if kind.op_class is not kind:  # renamed by `with_torch_name`
                continue
            waiting.append(kind)
            found.setdefault((kind.__module__, kind.public), []).append(kind)
    return found


def test_public_functions_without_an_example_are_shown_elsewhere():
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


@pytest.mark.parametrize("path", NAMESPACES)
def test_public_names_of_namespaces_show_themselves_and_what_they_raise(path: str):
    space = importlib.import_module(f"edutorch.{path}")
    bare = []
    for name in space.__all__:
        thing = getattr(space, name)
        told = vars(thing).get("__doc__", "") if inspect.isclass(thing) else ""
        told = told or getattr(thing, "__doc__", "") or ""
        if not _is_ours(thing) or hasattr(thing, "__wrapped__"):
            continue
        bare += [] if ">>>" in told else [f"{name}: no example"]
        if inspect.isfunction(thing) and "raise " in inspect.getsource(thing):
            bare += [] if "Raises:" in told else [f"{name}: no `Raises:`"]
    assert not bare, f"in {path}:\n" + "\n".join(bare)


def _is_ours(thing: Any) -> bool:
    known = inspect.isfunction(thing) or inspect.isclass(thing)
    if not known or (inspect.isclass(thing) and issubclass(thing, Exception)):
        return False
    return (thing.__module__ or "").startswith("edutorch")


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
