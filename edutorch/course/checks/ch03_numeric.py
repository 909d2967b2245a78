"""Numerical gradients and their distance from autograd's, with known mistakes."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from edutorch.autograd import Function
from edutorch.course.compare import call, same_numbers, show
from edutorch.course.compare_functions import Case, Mistake, compare_functions
from edutorch.course.failure import NOT_WRITTEN, CheckFailed
from edutorch.course.random_cases import Draw, draws
from edutorch.ops.create import tensor

__all__ = ["ERROR_MISTAKES", "SLOPE_MISTAKES", "grade_error", "grade_numeric"]

Array = npt.NDArray[Any]
Scalar = Callable[[Any], Any]  # a function of a tensor with one number as result

SLOPE_RULE = "(f(x + h in one element) - f(x - h in one element)) / (2 h)"
SMALL: Final = 1e-8  # for x³ the error is about 1e-10 in float64, 1e-7 in float32
ERROR_RULE = "the largest |a - n| / max(|a|, |n|, 1e-8)"
NO_AUTOGRAD: Final = (
    "_backward", "backward", "grad", "jacobian", "jacrev", "jacfwd", "gradient", "vjp",
)  # fmt: skip


def named(f: Scalar, text: str) -> Scalar:
    """Give a function a name by which messages show it."""
    f.__name__ = text
    return f


CUBES = named(lambda x: (x**3).sum(), "lambda x: (x**3).sum()")
WAVES = named(lambda x: x.sin().sum(), "lambda x: x.sin().sum()")
PRODUCT = named(lambda x: x.prod(), "lambda x: x.prod()")
CORNERS = named(lambda x: (x[0] * x[-1]).sum(), "lambda x: (x[0] * x[-1]).sum()")
FIRST = named(lambda x: x[0] ** 3, "lambda x: x[0] ** 3")


def _tensor(values: Any, **settings: Any) -> Any:
    return tensor(np.asarray(values, dtype=np.float64), **settings)


# ---- 03.1


def slopes(f: Scalar, x: Any, h: float = 1e-5, **settings: Any) -> Any:
    """The numerical gradient; the settings are those of known mistakes."""
    step = _Step(**settings)
    start = np.array(x.detach().numpy(), dtype=np.float64)
    result = np.zeros(start.shape)
    for index in np.ndindex(*start.shape):
        result[index] = step.slope(f, start, index, h)
    return tensor(result)


@dataclass(frozen=True)
class _Step:
    """How one element is perturbed.

    Attributes:
        up, down: the distances of both points from the element, in steps.
        over: the divisor of the difference, in steps; 0 for no division.
        relative: the step is proportional to the element.
        kept: how far, in steps, each element stays from its value afterwards.
        dragged: the elements before it are perturbed, too.
        together: all elements are perturbed at once.
        row: all elements of its row are perturbed at once.
    """

    up: float = 1.0
    down: float = 1.0
    over: float = 2.0
    relative: bool = False
    kept: float = 0.0
    dragged: bool = False
    together: bool = False
    row: bool = False

    def slope(self, f: Scalar, x: Array, index: tuple[int, ...], h: float) -> float:
        before = np.zeros(x.shape)
        before.reshape(-1)[: np.ravel_multi_index(index, x.shape) if index else 0] = h
        step = before if self.dragged else np.zeros(x.shape)
        step[index] = h * (x[index] if self.relative else 1.0)
        if self.row:
            step[index[0]] = h
        if self.together:
            step = np.full(x.shape, h)
        if self.kept:
            before[index] = 0.0
            x = x + self.kept * before
        rise = f(tensor(x + self.up * step)) - f(tensor(x - self.down * step))
        return float(rise) / (self.over * h if self.over else 1.0)


def _mistaken(**settings: Any) -> Callable[..., Any]:
    return lambda f, x, h=1e-5: slopes(f, x, h, **settings)


def _first(count: Callable[[Any], int]) -> Callable[..., Any]:
    """A mistake: slopes are computed for the first elements only."""

    def mistaken(f: Scalar, x: Any, h: float = 1e-5) -> Any:
        result = np.zeros(x.numel())
        for i in range(count(x)):
            result[i] = slopes(f, x, h).numpy().reshape(-1)[i]
        return tensor(result.reshape(tuple(x.shape)))

    return mistaken


def _by_row(f: Scalar, x: Any, h: float = 1e-5) -> Any:
    len(x)  # raises for a 0-d tensor
    return slopes(f, x, h, row=True)


def _one_number(f: Scalar, x: Any, h: float = 1e-5) -> Any:
    return (f(x + h) - f(x - h)) / (2 * h)


SLOPE_MISTAKES: Final[dict[str, Mistake]] = {
    "only forward: the other value is f(x - h)": _mistaken(down=0.0, over=1.0),
    "only backward: the other value is f(x + h)": _mistaken(up=0.0, over=1.0),
    "half of it: only one side moves, so the distance is h (a saved flat[i] is a view, "
    "and moves along: flat[i].item() does not)": (
        _mistaken(down=0.0),
        _mistaken(up=0.0),
    ),
    "twice as large: the two places are 2 h apart": _mistaken(over=1.0),
    "divide by the distance of the two places, 2 h": _mistaken(over=0.0),
    "brackets are missing: a / 2 * h is (a / 2) · h": (
        lambda f, x, h=1e-5: slopes(f, x, h, over=0.0) * h / 2,
        _mistaken(over=0.5),
    ),
    "the sign is wrong: f(x + h) comes first": _mistaken(over=-2.0),
    "all elements move at once: move one, and leave the others": _mistaken(
        together=True
    ),
    "the step is h, not h · x": (
        _mistaken(relative=True),
        lambda f, x, h=1e-5: slopes(f, x, h, relative=True) / x,
    ),
    "an element stays moved: put it back before the next one": (
        _mistaken(kept=1.0),
        _mistaken(kept=-1.0),
    ),
    "h stays in the step: set it back to 0 before the next": _mistaken(dragged=True),
    "every slope is 0, as where up and down are one tensor: = makes no copy, "
    "clone() does": lambda f, x, h=1e-5: 0 * slopes(f, x, h),
    "h was ignored": lambda f, x, **_: slopes(f, x),
    "the result must have the shape of x": lambda f, x, h=1e-5: slopes(
        f, x, h
    ).flatten(),
    "only the first element has a slope": (
        _first(lambda _: 1)
    ),
    "len(x) counts the rows: every element has a slope, x.numel() of them": _first(len),
    "f gets x in its own shape, not flattened": lambda f, x, h=1e-5: slopes(
        f, x.flatten(), h
    ).view(x.shape),
    "a whole row moves: move one element at a time": _by_row,
    "that is a single derivative: there is one for each element": _one_number,
}  # fmt: skip

SLOPES_SHOWN: Final = (
    Case((CUBES, _tensor([2.0])), {"h": 0.1}),
    Case((CUBES, _tensor([2.0, -1.0, 0.5])), {"h": 0.5}),
    Case((PRODUCT, _tensor([[1.0, 2.0], [3.0, 4.0]])), {"h": 0.01}),
    Case((PRODUCT, _tensor([2.0, 3.0])), {"h": 0.1}),
    Case((CUBES, _tensor(1.5)), {"h": 0.2}),
    Case((WAVES, _tensor([0.0, 1.0, 2.0, 3.0]))),
    Case((FIRST, _tensor([1.0, 5.0])), {"h": 0.1}),
    Case((CUBES, _tensor([[0.5, -1.0, 2.0]])), {"h": 0.1}),
    Case((CORNERS, _tensor([[1.0, 2.0], [3.0, 4.0]])), {"h": 0.1}),
    Case((CORNERS, _tensor([[1.0, -2.0, 0.5]])), {"h": 0.1}),
)


def _fresh_slopes(draw: Draw) -> Case:
    shape = draw.choice(((2,), (3,), (2, 2), (1, 3), (2, 1, 2)))
    f = draw.choice((CUBES, WAVES, PRODUCT))
    return Case((f, draw.tensor(*shape)), {"h": draw.number(0.05, 0.6)})


def grade_numeric(answer: Any) -> None:
    """03.1: on shown and random functions."""
    compare_functions(
        answer,
        "numeric_gradient",
        right=slopes,
        shown=SLOPES_SHOWN,
        fresh=_fresh_slopes,
        rule=SLOPE_RULE,
        mistakes=SLOPE_MISTAKES,
        forbidden=NO_AUTOGRAD,
        returns="tensor",
        dtypes=("float64",),
        tolerance=1e-6,
    )


# ---- 03.2


class _Scaled(Function):
    """x · c, with a backward that multiplies the right gradient by `factors`."""

    @staticmethod
    def forward(x: Any, c: Any, factors: Any) -> Any:
        return x * c

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        _, c, factors = inputs
        ctx.by = c * factors

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * ctx.by, None, None


def scaled(c: Any, factors: Any) -> Scalar:
    """A linear function with slopes c, whose backward is wrong by some factors."""
    steep, wrong = _tensor(c), _tensor(factors)
    shown = factors if isinstance(factors, float) else f"{tuple(factors)}"
    return named(
        lambda x: _Scaled.apply(x, steep, wrong).sum(),
        f"f of slope {show(c)} and backward times {shown}",
    )


def _pair(f: Scalar, x: Any, h: float) -> tuple[Array, Array]:
    """The gradients by autograd and by differences."""
    leaf = x.detach().clone().requires_grad_()
    f(leaf).backward()
    return np.asarray(leaf.grad.numpy()), np.asarray(slopes(f, x, h).numpy())


def error(f: Scalar, x: Any, h: float = 1e-5) -> float:
    """The largest relative difference between the two gradients."""
    a, n = _pair(f, x, h)
    return float((abs(a - n) / np.maximum(np.maximum(abs(a), abs(n)), 1e-8)).max())


def _measured(measure: Callable[[Array, Array], Any]) -> Callable[..., float]:
    """A mistake: another measure of the difference."""

    def mistaken(f: Scalar, x: Any, h: float = 1e-5) -> float:
        with np.errstate(all="ignore"):
            return float(measure(*_pair(f, x, h)))

    return mistaken


def _relative(a: Array, n: Array) -> Array:
    return np.asarray(abs(a - n) / np.maximum(np.maximum(abs(a), abs(n)), 1e-8))


def _length(values: Array) -> Any:
    return np.sqrt((values**2).sum())


def _with_forward(f: Scalar, x: Any, h: float = 1e-5) -> float:
    a, n = _pair(f, x, h)[0], slopes(f, x, h, down=0.0, over=1.0).numpy()
    return float(_relative(a, n).max())


ERROR_MISTAKES: Final[dict[str, Mistake]] = {
    "the difference is not relative: divide by max(|a|, |n|)": _measured(
        lambda a, n: abs(a - n).max()
    ),
    "divide by the larger of |a| and |n|, not by |n|": _measured(
        lambda a, n: (abs(a - n) / np.maximum(abs(n), 1e-8)).max()
    ),
    "divide by the larger of |a| and |n|, not by |a|": _measured(
        lambda a, n: (abs(a - n) / np.maximum(abs(a), 1e-8)).max()
    ),
    "divide by the larger of |a| and |n|, not by the smaller": _measured(
        lambda a, n: (
            abs(a - n) / np.maximum(np.minimum(abs(a), abs(n)), 1e-8)
        ).max()
    ),
    "divide by the larger of |a| and |n|, not by their sum": (
        _measured(lambda a, n: (abs(a - n) / np.maximum(abs(a) + abs(n), 1e-8)).max()),
        _measured(lambda a, n: (abs(a - n) / (abs(a) + abs(n) + 1e-8)).max()),
    ),
    "clamp(min=1e-8) is at least 1e-8; clamp(max=1e-8) is at most that": _measured(
        lambda a, n: (abs(a - n) / np.minimum(np.maximum(abs(a), abs(n)), 1e-8)).max()
    ),
    "divide by |a| and |n|, without their signs": _measured(
        lambda a, n: (abs(a - n) / np.maximum(np.maximum(a, n), 1e-8)).max()
    ),
    "0 / 0 is nan: divide by at least 1e-8": _measured(
        lambda a, n: (abs(a - n) / np.maximum(abs(a), abs(n))).max()
    ),
    "divide by at least 1e-8: adding 1 hides errors of small gradients": _measured(
        lambda a, n: (abs(a - n) / (1 + np.maximum(abs(a), abs(n)))).max()
    ),
    "divide by at least 1e-8: by 1 it hides errors of small gradients": _measured(
        lambda a, n: (abs(a - n) / np.maximum(np.maximum(abs(a), abs(n)), 1)).max()
    ),
    "divide by at least 1e-8: adding it makes small errors smaller": _measured(
        lambda a, n: (abs(a - n) / (1e-8 + np.maximum(abs(a), abs(n)))).max()
    ),
    "a comparison with nan is False: > and max of Python pass over it": _measured(
        lambda a, n: np.nanmax(_relative(a, n))
    ),
    "the largest, not the mean: one wrong element is a wrong gradient": _measured(
        lambda a, n: _relative(a, n).mean()
    ),
    "the largest, not the sum": _measured(lambda a, n: _relative(a, n).sum()),
    "the largest, not the smallest": _measured(lambda a, n: _relative(a, n).min()),
    "the largest, not the first": _measured(
        lambda a, n: _relative(a, n).reshape(-1)[0]
    ),
    "the sign hides errors: take the absolute difference": _measured(
        lambda a, n: (
            (a - n) / np.maximum(np.maximum(abs(a), abs(n)), 1e-8)
        ).max()
    ),
    "element by element: in the whole vector the error of a small slope is lost": (
        _measured(
            lambda a, n: _length(a - n) / max(_length(a), _length(n), 1e-8)
        ),
        _measured(lambda a, n: _length(a - n) / _length(np.maximum(abs(a), abs(n)))),
        _measured(
            lambda a, n: (
                _length(a - n) / _length(np.maximum(np.maximum(abs(a), abs(n)), 1e-8))
            )
        ),
    ),
    "element by element: the largest slope hides the errors of the others": _measured(
        lambda a, n: abs(a - n).max() / max(abs(a).max(), abs(n).max(), 1e-8)
    ),
    "a fraction, not a percentage": _measured(
        lambda a, n: 100 * _relative(a, n).max()
    ),
    "the error itself, not whether it is small": _measured(
        lambda a, n: _relative(a, n).max() < 1e-6
    ),
    "h was ignored": lambda f, x, **_: error(f, x),
    "one number for the whole tensor: take the largest": lambda f, x, h=1e-5: tensor(
        _relative(*_pair(f, x, h))
    ),
    "n is a central difference: that of your numeric_gradient": _with_forward,
}  # fmt: skip

ERROR_SHOWN: Final = (
    Case((CUBES, _tensor([1.0])), {"h": 0.5}),
    Case((WAVES, _tensor([[0.5, 1.0], [2.0, -1.0]]))),
    Case((scaled(3.0, 2.0), _tensor([1.0, -2.0]))),
    Case((scaled(3.0, 0.5), _tensor([1.0, -2.0]))),
    Case((scaled(1e-5, 2.0), _tensor([1.0, -2.0]))),
    Case((scaled(2.0, -1.0), _tensor([1.0]))),
    Case((scaled(0.0, 1.0), _tensor([1.0, 2.0]))),
    Case((scaled((1000.0, 1.0, -2.0), (1.0, 0.5, 1.0)), _tensor([1.0, 2.0, 3.0]))),
    Case((scaled((-4.0, 2.0), (1.0, 0.0)), _tensor([1.0, 2.0]))),
    Case((scaled((-2.0, -4.0, -1.0), (1.0, 1.25, 1.0)), _tensor([0.5, 1.0, 2.0]))),
    Case((CUBES, _tensor([2.0, -1.0])), {"h": 0.3}),
    Case((FIRST, _tensor([1.0, 5.0])), {"h": 0.1}),
    Case((scaled((0.001, 0.002), (1.0, 1.5)), _tensor([1.0, 5.0]))),
    Case((scaled((1.0, 2.0), (1.0, float("nan"))), _tensor([1.0, 2.0]))),
    Case((scaled((4.0, 1.0), (float("nan"), 0.5)), _tensor([1.0, 2.0]))),
    Case((scaled(2e-5, 0.5), _tensor([1.0, -2.0]))),
)


def _fresh_errors(draw: Draw) -> Case:
    count = draw.size(1, 4)
    c = [draw.number(0.5, 3.0) * draw.choice((-1, 1)) for _ in range(count)]
    factors = [draw.choice((1.0, 1.0, 0.5, 1.5, -1.0, 0.99)) for _ in range(count)]
    return Case((scaled(tuple(c), tuple(factors)), draw.tensor(count)))


@contextmanager
def with_helper(name: str, number: str) -> Iterator[None]:
    """A context in which an answer can call an earlier one, written or not."""
    try:
        yield
    except CheckFailed as failure:
        cause = failure.__cause__
        if failure.what == NOT_WRITTEN and cause is not None:
            last = traceback.extract_tb(cause.__traceback__)[-1]
            if last.name == name:
                failure.what = f"calls {name}, which is not written yet: see {number}"
        raise


def grade_error(answer: Any) -> None:
    """03.2: on functions with right and wrong gradients."""
    with with_helper("numeric_gradient", "03.1"):
        compare_functions(
            answer,
            "gradient_error",
            right=error,
            shown=ERROR_SHOWN,
            fresh=_fresh_errors,
            rule=ERROR_RULE,
            mistakes=ERROR_MISTAKES,
            forbidden=("gradcheck",),
            dtypes=("float64",),
        )
    for draw in draws(1, ("float64",)):
        _check_left_alone(answer, draw)
        _check_all_digits(answer, draw)


def _check_all_digits(answer: Any, draw: Draw) -> None:
    """Check that a right gradient in float64 has an error that float32 cannot have."""
    x = draw.tensor(5, low=0.5, high=2.0)
    got = float(call(answer, CUBES, x, rule=ERROR_RULE))
    if got < SMALL:
        return
    raise CheckFailed(
        "the error of a right gradient is too large",
        called=f"gradient_error({CUBES.__name__}, {show(x)})",
        got=show(got),
        expected=f"less than {SMALL:g}",
        rule=ERROR_RULE,
        mistake="float32 has 7 digits: compute both gradients in the dtype of x",
    )


def _check_left_alone(answer: Any, draw: Draw) -> None:
    """Check that an existing gradient of x stays, and that a plain x stays plain."""
    for kept in (True, False):
        x = draw.tensor(2, requires_grad=kept)
        old = draw.tensor(2) if kept else None
        x.grad = old
        call(answer, CUBES, x, rule=ERROR_RULE)
        same = x.grad is None if old is None else same_numbers(x.grad, old, 0.0)
        if x.requires_grad is kept and same:
            continue
        raise CheckFailed(
            "the error is right, but x was changed",
            called=f"gradient_error({CUBES.__name__}, x)",
            got=f"x.requires_grad={x.requires_grad}, x.grad={show(x.grad)}",
            expected=f"x.requires_grad={kept}, x.grad={show(old)}",
            rule="a check must not change what it checks",
            mistake="work on a copy: x.detach().clone().requires_grad_()",
        )
