"""A Function with its backward, and the Hessian, with known mistakes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from edutorch.autograd import Function, grad
from edutorch.course.compare_functions import Mistake, compare_functions
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw
from edutorch.ops.create import tensor

from .ch03_numeric import CUBES, FIRST, PRODUCT, WAVES, named
from .modules import need_function_class

__all__ = [
    "BACKWARD_MISTAKES",
    "HESSIAN_MISTAKES",
    "SECOND_MISTAKES",
    "grade_hessian",
    "grade_swish",
]

Array = npt.NDArray[Any]

FORWARD_RULE = "x · sigmoid(x), where sigmoid(x) = 1 / (1 + exp(-x))"
BACKWARD_RULE = "g · s · (1 + x (1 - s)), where s = sigmoid(x)"
SECOND_RULE = (
    "the derivative of backward by x, which autograd takes from its operations"
)


def _tensor(values: Any) -> Any:
    return tensor(np.asarray(values, dtype=np.float64))


def _sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def _with_numpy(formula: Callable[..., Any]) -> Callable[..., Any]:
    """A function of tensors from one of NumPy arrays; the first sets the dtype."""

    def function(*given: Any) -> Any:
        arrays = [value.numpy().astype(np.float64) for value in given]
        kind = given[0].numpy().dtype
        return tensor(np.asarray(formula(*arrays)).astype(kind))

    return function


# ---- 03.5: forward, backward, and backward's own derivative

FORWARD_MISTAKES: Final[dict[str, Callable[..., Any]]] = {
    "that is sigmoid(x): multiply it by x": _with_numpy(_sigmoid),
    "sigmoid has exp(-x), not exp(x)": _with_numpy(lambda x: x / (1 + np.exp(x))),
    "this returns x itself": _with_numpy(lambda x: x.copy()),
    "that is x · tanh(x)": _with_numpy(lambda x: x * np.tanh(x)),
    "that is x + sigmoid(x)": _with_numpy(lambda x: x + _sigmoid(x)),
}


def _slope(x: Array) -> Array:
    s = _sigmoid(x)
    return s * (1 + x * (1 - s))


BACKWARD_MISTAKES: Final[dict[str, Callable[..., Any]]] = {
    "the incoming gradient, g, is missing": _with_numpy(lambda x, _: _slope(x)),
    "the second part of the product rule is missing: x · s'": _with_numpy(
        lambda x, g: g * _sigmoid(x)
    ),
    "the first part of the product rule is missing: s": _with_numpy(
        lambda x, g: g * x * _sigmoid(x) * (1 - _sigmoid(x))
    ),
    "that is the slope of sigmoid alone": _with_numpy(
        lambda x, g: g * _sigmoid(x) * (1 - _sigmoid(x))
    ),
    "g goes through unchanged: the slope is missing": _with_numpy(
        lambda _, g: g.copy()
    ),
    "x is missing in the second part: s + x · s (1 - s)": _with_numpy(
        lambda x, g: g * (_sigmoid(x) + _sigmoid(x) * (1 - _sigmoid(x)))
    ),
    "the slope of sigmoid is s (1 - s), not 1 - s": _with_numpy(
        lambda x, g: g * (_sigmoid(x) + x * (1 - _sigmoid(x)))
    ),
    "the slope of sigmoid is s (1 - s), not s": _with_numpy(
        lambda x, g: g * (_sigmoid(x) + x * _sigmoid(x))
    ),
    "the slope of sigmoid is s (1 - s), with a minus": _with_numpy(
        lambda x, g: g * _sigmoid(x) * (1 + x * (1 + _sigmoid(x)))
    ),
    "a product's parts are added: s + x · s', not s - x · s'": _with_numpy(
        lambda x, g: g * (_sigmoid(x) - x * _sigmoid(x) * (1 - _sigmoid(x)))
    ),
    "y was saved and used as if it were x": _with_numpy(
        lambda x, g: g * _slope(x * _sigmoid(x))
    ),
    "that is the forward again": _with_numpy(lambda x, g: g * x * _sigmoid(x)),
    "g is a factor of both parts: g · (s + x · s')": (
        _with_numpy(lambda x, g: g * _sigmoid(x) + x * _sigmoid(x) * (1 - _sigmoid(x)))
    ),
    "g is added, not multiplied": _with_numpy(lambda x, g: g + _slope(x)),
    "the sign is wrong": _with_numpy(lambda x, g: -g * _slope(x)),
    "backward multiplies by the slope, it does not divide by it": _with_numpy(
        lambda x, g: g / _slope(x)
    ),
}


def _second(formula: Callable[[Array], Array]) -> Callable[..., Any]:
    """The second derivative at x times both incoming gradients."""
    return _with_numpy(lambda x, g, v: g * v * formula(x))


def _curve(x: Array) -> Array:
    s = _sigmoid(x)
    return s * (1 - s) * (2 + x * (1 - 2 * s))


SECOND_MISTAKES: Final[dict[str, Callable[..., Any]]] = {
    (
        "backward's own graph is cut: by detach, no_grad, NumPy or .data, "
        "or because its numbers were computed in forward"
    ): _second(lambda x: 0 * x),
    "s comes from forward, where nothing is recorded: save x, and compute s again": (
        _second(lambda x: _sigmoid(x) * (1 - _sigmoid(x)))
    ),
    "x is a constant in backward: save it with ctx.save_for_backward": _second(
        lambda x: (1 - _sigmoid(x)) * _sigmoid(x) * (1 + x - 2 * x * _sigmoid(x))
    ),
}

SWISH: Final = _with_numpy(lambda x: x * _sigmoid(x))
GRADIENT: Final = _with_numpy(lambda x, g: g * _slope(x))

X_SHOWN: Final = (
    [1.0],
    [0.0, 2.0, -2.0],
    [[1.0, -1.0], [0.5, -0.5], [3.0, -3.0]],
    0.7,
    np.zeros((0, 2)),
)


def _case(draw: Draw, count: int) -> tuple[Any, ...]:
    shape = draw.choice(((3,), (2, 2), (1, 4), (2, 1, 3)))
    return tuple(draw.tensor(*shape) for _ in range(count))


def _shown(count: int) -> list[tuple[Any, ...]]:
    """The shown cases: x, the gradients -0.5 · (1, 2, ...), and second ones of 2."""
    cases = []
    for x in map(np.asarray, X_SHOWN):
        steps = -0.5 * np.arange(1.0, 1.0 + x.size).reshape(x.shape)
        cases.append(tuple(map(_tensor, (x, steps, 0 * x + 2)[:count])))
    return cases


def _runs(answer: type[Function]) -> tuple[Callable[..., Any], ...]:
    """Forward, backward and second backward of a Function, as functions."""

    def forward(x: Any) -> Any:
        return answer.apply(x)

    def backward(x: Any, g: Any) -> Any:
        leaf = x.detach().clone().requires_grad_()
        answer.apply(leaf).backward(g)
        return leaf.grad

    def second(x: Any, g: Any, v: Any) -> Any:
        leaf = x.detach().clone().requires_grad_()
        (first,) = grad(answer.apply(leaf), leaf, g, create_graph=True)
        if not first.requires_grad:
            return 0 * leaf.detach()
        (result,) = grad(first, leaf, v, allow_unused=True, materialize_grads=True)
        return result

    forward.__name__ = "Swish.apply"
    backward.__name__ = "gradient of Swish.apply: "
    second.__name__ = "second derivative of Swish.apply: "
    return forward, backward, second


def grade_swish(answer: Any) -> None:
    """03.5: forward, then backward, then the derivative of backward."""
    need_function_class(answer, "Swish")
    forward, backward, second = _runs(answer)
    parts = (
        (forward, SWISH, FORWARD_RULE, FORWARD_MISTAKES),
        (backward, GRADIENT, BACKWARD_RULE, BACKWARD_MISTAKES),
        (second, _second(_curve), SECOND_RULE, SECOND_MISTAKES),
    )
    for i, (run, right, rule, mistakes) in enumerate(parts):
        compare_functions(
            run,
            "Swish",
            right=right,
            shown=_shown(i + 1),
            fresh=partial(_case, count=i + 1),
            rule=rule,
            mistakes=mistakes,
            forbidden=("silu",),
            returns="tensor",
            dtypes=("float64",) if i else ("float64", "float32"),
        )


# ---- 03.6

ALL_DIGITS: Final = 1e-12  # a difference quotient has 4 to 11 correct digits
HESSIAN_RULE = "row i is the gradient of slope i: H[i, j] = d²f / dx[i] dx[j]"
NO_TABLES: Final = ("hessian", "jacobian", "jacrev", "jacfwd", "hvp", "vhp")

PAIR = named(lambda x: x[0] ** 2 * x[1], "lambda x: x[0] ** 2 * x[1]")
LINEAR = named(lambda x: (3 * x).sum(), "lambda x: (3 * x).sum()")
PARTLY = named(lambda x: x[0] ** 2 + 5 * x[1], "lambda x: x[0] ** 2 + 5 * x[1]")
CHAIN = named(
    lambda x: (x[1:] * x[:-1]).sin().sum(), "lambda x: (x[1:] * x[:-1]).sin().sum()"
)
BOWL = named(lambda x: (x @ x) ** 2, "lambda x: (x @ x) ** 2")


def second_derivatives(f: Callable[[Any], Any], x: Any) -> Any:
    """The Hessian of f at x."""
    leaf = x.detach().clone().requires_grad_()
    (slopes,) = grad(f(leaf), leaf, create_graph=True)
    rows = [np.zeros(x.shape[0])] * x.shape[0]
    if slopes.requires_grad:
        rows = [
            grad(slope, leaf, retain_graph=True)[0].numpy()
            if slope.requires_grad
            else np.zeros(x.shape[0])
            for slope in slopes
        ]
    return tensor(np.array(rows).reshape(x.shape[0], x.shape[0]))


def _from_hessian(formula: Callable[[Array], Any]) -> tuple[Callable[..., Any], ...]:
    """A mistake in the Hessian; functions with constant slopes may be exempt."""

    def always(f: Callable[[Any], Any], x: Any) -> Any:
        return tensor(np.array(formula(second_derivatives(f, x).numpy())))

    def curved(f: Callable[[Any], Any], x: Any) -> Any:
        right = second_derivatives(f, x)
        return right if f is LINEAR else tensor(np.array(formula(right.numpy())))

    return always, curved


def _gradient(f: Callable[[Any], Any], x: Any) -> Array:
    leaf = x.detach().clone().requires_grad_()
    f(leaf).backward()
    return np.array(leaf.grad.numpy())


def _from_gradient(formula: Callable[[Array], Any]) -> Callable[..., Any]:
    return lambda f, x: tensor(np.array(formula(_gradient(f, x))))


HESSIAN_MISTAKES: Final[dict[str, Mistake]] = {
    "that is the gradient: differentiate each of its elements again": _from_gradient(
        lambda g: g
    ),
    "products of slopes are not second derivatives": _from_gradient(
        lambda g: np.outer(g, g)
    ),
    "each row is the gradient itself": _from_gradient(lambda g: np.array([g] * g.size)),
    "only the diagonal: x[i] changes the other slopes, too": _from_hessian(
        lambda h: np.diag(np.diag(h))
    ),
    "only the diagonal, and no table": _from_hessian(np.diag),
    "rows add up: reset .grad before each": _from_hessian(
        lambda h: h.cumsum(axis=0)
    ),
    "rows are added to the gradient: reset .grad before the first": lambda f, x: tensor(
        _gradient(f, x) + second_derivatives(f, x).numpy().cumsum(axis=0)
    ),
    "each row still has the gradient in it: reset .grad": lambda f, x: tensor(
        _gradient(f, x) + second_derivatives(f, x).numpy()
    ),
    "the slopes are added up first: one row for each slope": _from_hessian(
        lambda h: h.sum(axis=0)
    ),
    "all rows are the gradient of the sum of slopes": _from_hessian(
        lambda h: np.array([h.sum(axis=0)] * len(h))
    ),
    "only the first row": _from_hessian(lambda h: h[:1]),
    "only the last row is new: all rows are the same tensor": _from_hessian(
        lambda h: np.array([h[-1]] * len(h))
    ),
    "all slopes are treated as constants": _from_hessian(lambda h: 0 * h),
    "half of it: 1 / 2 belongs to Taylor's formula, not to the Hessian": (
        _from_hessian(lambda h: h / 2)
    ),
    "the sign is wrong": _from_hessian(lambda h: -h),
    "only above the diagonal: the table is symmetric": _from_hessian(np.triu),
    "only below the diagonal: the table is symmetric": _from_hessian(np.tril),
}  # fmt: skip

HESSIAN_SHOWN: Final = (
    (PAIR, _tensor([1.0, 2.0])),
    (PAIR, _tensor([3.0, -1.0])),
    (CUBES, _tensor([1.0, 2.0, -1.0])),
    (CHAIN, _tensor([0.5, 1.0, 2.0, -1.0])),
    (PRODUCT, _tensor([1.0, 2.0, 3.0])),
    (BOWL, _tensor([1.0, -2.0])),
    (FIRST, _tensor([2.0, 7.0])),
    (CUBES, _tensor([2.0])),
    (PARTLY, _tensor([1.0, 1.0])),
    (LINEAR, _tensor([1.0, 2.0])),
)


def _fresh_hessian(draw: Draw) -> tuple[Any, ...]:
    f = draw.choice((CUBES, CHAIN, PRODUCT, BOWL, WAVES, PAIR))
    return f, draw.tensor(draw.size(2, 5))


def grade_hessian(answer: Any) -> None:
    """03.6: on shown and random functions, then to full precision."""
    grade = partial(
        compare_functions,
        answer,
        "hessian",
        right=second_derivatives,
        shown=HESSIAN_SHOWN,
        fresh=_fresh_hessian,
        rule=HESSIAN_RULE,
        mistakes=HESSIAN_MISTAKES,
        forbidden=NO_TABLES,
        returns="tensor",
        dtypes=("float64",),
    )
    grade()
    try:
        grade(tolerance=ALL_DIGITS)
    except CheckFailed as failure:
        failure.what = "only the first digits are right"
        failure.got = failure.expected = ""
        failure.mistake = "a difference of slopes loses digits: differentiate them"
        raise
