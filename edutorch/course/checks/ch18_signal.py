"""The check of chapter 18 for a Function implemented with SciPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from edutorch.autograd import Function
from edutorch.course.compare_functions import compare_functions
from edutorch.course.random_cases import Draw
from edutorch.ops.create import tensor

from .modules import need_function_class

__all__ = ["grade_correlate"]

Array = npt.NDArray[Any]

FORWARD_RULE = 'y[i] = sum of x[i + k] w[k]: signal.correlate(x, w, mode="valid")'
X_RULE = "dx[j] = sum of g[i] w[j - i]: a convolution of g and w, of mode full"
W_RULE = "dw[k] = sum of g[i] x[i + k]: x correlated with g, of mode valid"


def _with_numpy(formula: Callable[..., Array]) -> Callable[..., Any]:
    """A function of tensors from one of NumPy arrays."""
    return lambda *given: tensor(
        np.ascontiguousarray(formula(*(t.numpy() for t in given)))
    )


def _full(g: Array, w: Array) -> Array:
    return np.convolve(g, w, mode="full")


FORWARD: Final[dict[str, Any]] = {
    "convolve flips w: correlate does not": _with_numpy(
        lambda x, w: np.convolve(x, w, mode="valid")
    ),
    "only where w fits: mode valid": (
        _with_numpy(lambda x, w: np.correlate(x, w, mode="full")),
        _with_numpy(lambda x, w: np.correlate(x, w, mode="same")),
    ),
    "reversed: x comes first": _with_numpy(
        lambda x, w: np.correlate(x, w, mode="valid")[::-1]
    ),
}
BY_X: Final[dict[str, Any]] = {
    "the gradient of x is a convolution, with w as it is": _with_numpy(
        lambda _x, w, g: _full(g, w[::-1])
    ),
    "the incoming gradient g is missing": _with_numpy(
        lambda _x, w, g: _full(np.ones_like(g), w)
    ),
    "as long as x: mode full": (
        _with_numpy(lambda _x, w, g: np.convolve(g, w, mode="same")),
        _with_numpy(lambda _x, w, g: np.convolve(g, w, mode="valid")),
        _with_numpy(lambda _x, w, g: np.correlate(g, w, mode="same")),
        _with_numpy(lambda _x, w, g: np.correlate(g, w, mode="valid")),
    ),
    "the sign is wrong": _with_numpy(lambda _x, w, g: -_full(g, w)),
    "the gradient of x is missing": _with_numpy(lambda x, _w, _g: np.zeros_like(x)),
    "convolved with x: the gradient of x depends on w": _with_numpy(
        lambda x, _w, g: np.convolve(x, g, mode="valid")
    ),
}
BY_W: Final[dict[str, Any]] = {
    "the gradient of w is a correlation: convolve flips it": _with_numpy(
        lambda x, _w, g: np.convolve(x, g, mode="valid")
    ),
    "turned round": _with_numpy(
        lambda x, _w, g: np.correlate(x, g, mode="valid")[::-1]
    ),
    "as long as w: mode valid": (
        _with_numpy(lambda x, _w, g: np.correlate(x, g, mode="full")),
        _with_numpy(lambda x, _w, g: np.correlate(x, g, mode="same")),
    ),
    "the incoming gradient g is missing": _with_numpy(
        lambda x, _w, g: np.correlate(x, np.ones_like(g), mode="valid")
    ),
    "the sign is wrong": _with_numpy(
        lambda x, _w, g: -np.correlate(x, g, mode="valid")
    ),
    "the gradient of w is missing": _with_numpy(lambda _x, w, _g: np.zeros_like(w)),
    "that is a mean: the gradient is a sum": _with_numpy(
        lambda x, _w, g: np.correlate(x, g, mode="valid") / len(g)
    ),
}


def grade_correlate(answer: Any) -> None:
    """18.5: forward, and the gradient of each input.

    Raises:
        CheckFailed: it is not a Function, or one of the three is wrong.
    """
    need_function_class(answer, "Correlate")
    parts = (
        ("Correlate.apply", _forward(answer), FORWARD_RULE, FORWARD, 2, _right_forward),
        ("gradient of x", _gradient(answer, 0), X_RULE, BY_X, 3, _right_x),
        ("gradient of w", _gradient(answer, 1), W_RULE, BY_W, 3, _right_w),
    )
    for name, run, rule, mistakes, count, right in parts:
        run.__name__ = name
        compare_functions(
            run,
            "Correlate",
            right=_with_numpy(right),
            shown=[tuple(map(_tensor, SHOWN[:count]))],
            fresh=_fresh(count),
            rule=rule,
            mistakes=mistakes,
            returns="tensor",
            dtypes=("float64",),
        )


SHOWN: Final = ([1.0, 2.0, 3.0, 5.0], [10.0, 1.0], [1.0, 0.0, -2.0])


def _tensor(values: Any) -> Any:
    return tensor(np.asarray(values, dtype=np.float64))


def _right_forward(x: Array, w: Array) -> Array:
    return np.correlate(x, w, mode="valid")


def _right_x(_x: Array, w: Array, g: Array) -> Array:
    return _full(g, w)


def _right_w(x: Array, _w: Array, g: Array) -> Array:
    return np.correlate(x, g, mode="valid")


def _forward(answer: type[Function]) -> Callable[..., Any]:
    def run(x: Any, w: Any) -> Any:
        return answer.apply(x, w)

    return run


def _gradient(answer: type[Function], place: int) -> Callable[..., Any]:
    """The gradient of x (0) or of w (1) for an incoming g."""

    def gradient(x: Any, w: Any, g: Any) -> Any:
        leaves = [t.detach().clone().requires_grad_() for t in (x, w)]
        answer.apply(*leaves).backward(g)
        found = leaves[place].grad
        return 0 * leaves[place].detach() if found is None else found

    return gradient


def _fresh(count: int) -> Callable[[Draw], tuple[Any, ...]]:
    """Random x, a shorter w, and a gradient of the right length."""

    def fresh(draw: Draw) -> tuple[Any, ...]:
        length, size = draw.size(7, 10), draw.size(2, 3)
        given = [draw.tensor(n) for n in (length, size, length - size + 1)]
        return tuple(given[:count])

    return fresh
