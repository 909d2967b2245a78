"""Helpers for checks of a learner's modules and Functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

import numpy as np
import numpy.typing as npt

from edutorch import events, nn
from edutorch.autograd import Function
from edutorch.course.compare import call, compare, need_tensor, show
from edutorch.course.failure import CheckFailed
from edutorch.inspect.event_fields import OP_NAME

__all__ = [
    "attribute_of", "compare_tensor", "kind_of", "made", "need_function_class",
    "need_module_class", "need_result", "numbers", "refuse", "same_mistake",
    "unchanged", "watched_methods", "watched_ops", "why_missing", "with_causes",
]  # fmt: skip

Array = npt.NDArray[Any]


def need_module_class(answer: Any, name: str, taken: tuple[type, ...]) -> None:
    """Raise unless the answer is a class of modules, and not one of the library's.

    Raises:
        CheckFailed: it is an instance, no module, or derives from one of `taken`.
    """
    if isinstance(answer, nn.Module):
        raise CheckFailed(
            f"expects the class itself: give check the name {name}, without ( )",
            got=kind_of(answer),
        )
    if not isinstance(answer, type) or not issubclass(answer, nn.Module):
        raise CheckFailed(
            "expects a class of modules",
            got=kind_of(answer),
            expected=f"class {name}(nn.Module)",
        )
    if issubclass(answer, taken):
        raise CheckFailed(
            f"it takes over the library's {answer.__mro__[1].__name__}",
            expected=f"class {name}(nn.Module), written by you",
        )


def need_function_class(answer: Any, name: str) -> None:
    """Raise unless the answer is a subclass of Function with static methods.

    Raises:
        CheckFailed: it is no such class, or a method is not static.
    """
    if not (inspect.isclass(answer) and issubclass(answer, Function)):
        raise CheckFailed(
            f"expects a class that is a torch.autograd.Function: {name}, without ( )",
            got=f"{show(answer)}, a {type(answer).__name__}",
        )
    for method in ("forward", "backward"):
        if not isinstance(inspect.getattr_static(answer, method), staticmethod):
            raise CheckFailed(
                f"{method} is not a static method",
                got=f"def {method}{inspect.signature(getattr(answer, method))}",
                expected=f"@staticmethod above def {method}(ctx, ...)",
                mistake="there is no self: keep values in ctx",
            )


def made(
    answer: Callable[..., Any],
    args: tuple[Any, ...],
    called: str,
    taken: tuple[type, ...] = (),
    **kwargs: Any,
) -> Any:
    """A module of the learner's class, which must not contain any of `taken`."""
    try:
        module = call(answer, *args, called=called, **kwargs)
    except CheckFailed as failure:
        if "__init__() call" in failure.what:
            failure.mistake = "super().__init__() comes first in __init__"
        raise
    if not hasattr(module, "_parameters"):
        raise CheckFailed(
            "the module was never initialised",
            called=called,
            mistake="super().__init__() comes first in __init__",
        )
    used = [type(m).__name__ for m in module.modules() if isinstance(m, taken)]
    if used:
        raise CheckFailed(
            f"there is nn.{used[0]} inside: write it yourself", called=called
        )
    return module


def kind_of(value: Any) -> str:
    """A value's kind, in two or three words."""
    if value is None:
        return "None"
    if isinstance(value, nn.Parameter):
        return f"a parameter of shape {tuple(value.shape)}"
    if hasattr(value, "detach"):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if isinstance(value, nn.Module):
        return f"a module, {type(value).__name__}"
    if inspect.isroutine(value):
        return f"the function {value.__name__}"
    return " ".join(f"{type(value).__name__} {value!r}".split())[:60]


def attribute_of(module: Any, name: str) -> str:
    """What an attribute is, or that there is none of this name."""
    if not hasattr(module, name):
        return f"self.{name} does not exist"
    return f"self.{name} is {kind_of(getattr(module, name))}"


def why_missing(module: Any, name: str, value: str = "...") -> str:
    """Why a module has no attribute of this name; "" if it has one."""
    if hasattr(module, name):
        return ""
    return (
        f"no line that ran has set self.{name} = {value}: is self. or a case missing?"
    )


@contextmanager
def with_causes(*causes: tuple[str, str]) -> Iterator[None]:
    """A context in which a failure with some words in `what` gets their cause."""
    try:
        yield
    except CheckFailed as failure:
        for words, cause in causes:
            if words in failure.what:
                failure.mistake = cause
        raise


def compare_tensor(
    got: Any, want: Array, *, called: str, rule: str, **more: Any
) -> None:
    """Like `compare`, but the result must be a tensor.

    Raises:
        CheckFailed: the values differ, or are not a tensor's.
    """
    compare(got, want, called=called, rule=rule, **more)
    need_tensor(got, called=called, rule=rule)


def need_result(got: Any, *, called: str, rule: str = "") -> None:
    """Raise unless the result of a module is a tensor.

    Raises:
        CheckFailed: it is `None` or something else.
    """
    if got is None:
        raise CheckFailed(
            "returned None: is a return missing?", called=called, rule=rule
        )
    if not hasattr(got, "detach"):
        raise CheckFailed(
            "did not return a tensor",
            called=called,
            got=kind_of(got),
            expected="a tensor",
            rule=rule,
        )


def unchanged(given: Any, before: Array, called: str) -> None:
    """Raise `CheckFailed` unless an argument is unchanged."""
    compare(
        given,
        before,
        called=f"{called}; then the argument",
        mistake="a function must not change its arguments",
        tolerance=0.0,
    )


@contextmanager
def watched_ops(*names: str) -> Iterator[list[str]]:
    """A context that lists the ops with these names that run inside."""
    used: list[str] = []

    def note(record: tuple[Any, ...]) -> None:
        if record[0] == "op" and record[OP_NAME] in names:
            used.append(record[OP_NAME])

    listener = events.listen("course.modules", note)
    try:
        yield used
    finally:
        listener.close()


@contextmanager
def watched_methods(owner: Any, *names: str) -> Iterator[list[str]]:
    """A context that lists calls of these methods or functions."""
    used: list[str] = []

    def counted(name: str) -> Callable[..., Any]:
        method = getattr(owner, name)

        def run(*args: Any, **kwargs: Any) -> Any:
            used.append(name)
            return method(*args, **kwargs)

        return run

    with ExitStack() as patches:
        for name in names:
            patches.enter_context(mock.patch.object(owner, name, counted(name)))
        yield used


def refuse(used: list[str], what: str, expected: str) -> None:
    """Raise `CheckFailed` if something forbidden by the statement was used."""
    if used:
        raise CheckFailed(
            f"{what.format(used[0])} was called",
            got=f"a call of {used[0]}",
            expected=expected,
            rule="the exercise forbids what does all of its work",
        )


def same_mistake(got: list[Any], want: list[Any], wrong: dict[str, list[Any]]) -> str:
    """The only mistake that explains all cases, at least two of which are wrong."""
    fits = [
        words
        for words, answers in wrong.items()
        if answers == got
        and sum(a != w for a, w in zip(answers, want, strict=True)) >= 2
    ]
    return fits[0] if len(fits) == 1 else ""


def numbers(tensor: Any) -> Array:
    """The numbers of a tensor in double precision."""
    return np.array(tensor.detach().numpy(), dtype=np.float64)
