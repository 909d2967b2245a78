"""A clipping hook, and a norm with a gradient at 0, with known mistakes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from edutorch.course.compare import call, need_function, show
from edutorch.course.compare_functions import Mistake, compare_functions
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw, draws
from edutorch.ops.create import tensor

__all__ = [
    "CLIPS",
    "LENGTH_MISTAKES",
    "SLOPE_MISTAKES",
    "clipped",
    "grade_clip",
    "grade_length",
    "lengths",
    "slopes",
]

Array = npt.NDArray[Any]


def _tensor(values: Any, **settings: Any) -> Any:
    return tensor(np.asarray(values, dtype=np.float32), **settings)


def _like(values: Any, given: Any) -> Any:
    """A tensor of these numbers with the dtype of another."""
    return tensor(np.asarray(values).astype(given.detach().numpy().dtype))


# ---- 04.2

CLIP_RULE = "g · min(1, limit / ‖g‖): the direction stays, the length is bounded"

Clip = Callable[[Array, float, float], Any]  # of g, its norm and the limit


def _norm(g: Array) -> Any:
    return np.sqrt((g**2).sum())  # a NumPy float, which can be divided by 0


def _hooked(clip: Clip, limit: float) -> Callable[[Any], Any]:
    """A hook for one limit, from a function of g, its norm and the limit."""

    def hook(g: Any) -> Any:
        array = np.asarray(g.detach().numpy(), dtype=np.float64)
        with np.errstate(all="ignore"):
            return _like(clip(array, _norm(array), limit), g)

    return hook


def clipped(limit: float) -> Callable[[Any], Any]:
    """The right hook; a short gradient passes unchanged."""

    def hook(g: Any) -> Any:
        n = g.norm()
        return g * (limit / n) if n > limit else g

    return hook


def _if_long(change: Clip) -> Clip:
    return lambda g, n, most: change(g, n, most) if n > most else g


def _measured(length: Callable[[Array], Any]) -> Clip:
    """A mistake: clipping by something other than the norm."""

    def clip(g: Array, _n: float, most: float) -> Any:
        n = length(g)
        return g * (most / n) if n > most else g

    return clip


def _longer(eps: float) -> Clip:
    return lambda g, n, most: g * min(1.0, most / (n + eps))


def _lines(g: Array, dim: int) -> Array:
    """The norm along a dimension, for each place of the others."""
    return np.asarray(np.sqrt((g**2).sum(axis=dim, keepdims=True)))


def _by_line(dim: int) -> Clip:
    return lambda g, _n, most: (
        g * np.minimum(1.0, most / np.maximum(_lines(g, dim), 1e-30))
        if g.ndim >= -dim
        else g * min(1.0, most / _norm(g))
    )


CLIPS: Final[dict[str, Clip | tuple[Clip, ...]]] = {
    "each element was clipped: that changes the gradient's direction": (
        lambda g, _n, most: np.clip(g, -most, most),
        _if_long(lambda g, _n, most: np.clip(g, -most, most)),
    ),
    "limit is what the caller says, not always 1": lambda g, n, _most: (
        g * min(1.0, 1.0 / n) if n else g
    ),
    "nothing is added to the length": tuple(map(_longer, (1e-1, 1e-2, 1e-3))),
    "negative elements may be too large as well": lambda g, _n, most: np.minimum(
        g, most
    ),
    "short gradients stay as they are: never scale up": (
        lambda g, n, most: g * most / n,
        lambda g, n, most: g * most / n if n else g,
        lambda g, n, most: g * (most / (n + 1e-6)),
        lambda g, n, most: g * (most / (n + 1e-8)),
    ),
    "the wrong ones: short gradients stay, long ones are shortened": (
        lambda g, n, most: g * (most / n) if n < most else g,
        lambda g, n, most: g if n > most else g * (most / n),
        lambda g, n, most: g * max(1.0, most / n),
    ),
    "the norm is the ROOT of the sum of squares": (
        _measured(lambda g: (g**2).sum()),
        lambda g, n, most: g * (most / n) if n**2 > most else g,
        _if_long(lambda g, n, most: g * (most / n**2)),
    ),
    "the largest element is not the length": (
        _measured(lambda g: abs(g).max(initial=0)),
        _measured(lambda g: g.max(initial=-np.inf)),
    ),
    "the sum of absolute values is not the length": _measured(lambda g: abs(g).sum()),
    "squares are added, not averaged": _measured(lambda g: np.sqrt((g**2).mean())),
    "square each element, then add: not the other way round": _measured(
        lambda g: abs(g.sum())
    ),
    "it has length 1 now: its length must be the limit": (
        _if_long(lambda g, n, _most: g / n),
        lambda g, n, _most: g / n,
    ),
    "divide by the norm: the factor is limit / norm": _if_long(
        lambda g, _n, most: g * most
    ),
    "the factor is limit / norm, not norm / limit": _if_long(
        lambda g, n, most: g * (n / most)
    ),
    "multiply by limit / norm, do not subtract": _if_long(lambda g, _n, most: g - most),
    "shortened, not removed": _if_long(lambda g, _n, _most: g * 0),
    "nothing was clipped: a hook must RETURN the new gradient": (
        lambda g, _n, _most: g
    ),
    "each row was clipped separately: use the length of the whole gradient": (
        _by_line(-1),
        _by_line(-2),
    ),
}

LONG: Final = (
    [3.0, 4.0],
    [0.3, -0.4],
    [-6.0, 8.0],
    [[2.0, -1.0], [-2.0, 4.0]],
    [0.0, 0.0],
    [-9.0, 1.0, 2.0],
    [[0.9, 0.9, 0.9], [0.9, -0.9, 0.9]],
    -7.0,
    [0.1, -0.2],
    [[3.0, -4.0], [1.0, 2.0], [6.0, 0.0]],
)


def _fresh_gradient(draw: Draw, limit: float) -> tuple[Any]:
    shape = draw.choice(((3,), (2, 3), (5,), (1,), (2, 2, 2)))
    g = draw.tensor(*shape)
    n = float(np.sqrt((g.numpy() ** 2).sum())) or 1.0
    return (g * (limit * draw.number(0.3, 3.0) / n),)


def grade_clip(answer: Any) -> None:
    """04.2: hooks for several limits, called directly and in a backward."""
    answer = need_function(answer, "clip_hook")
    for limit in (2.5, 1.0, next(draws(1, ("float32",))).number(0.2, 0.8)):
        hook = _hook_of(answer, limit)
        mistakes: dict[str, Mistake] = {
            words: tuple(
                _hooked(clip, limit)
                for clip in (clips if isinstance(clips, tuple) else (clips,))
            )
            for words, clips in CLIPS.items()
        }
        compare_functions(
            hook,
            "hook",
            right=clipped(limit),
            shown=[(_tensor(values),) for values in LONG],
            fresh=partial(_fresh_gradient, limit=limit),
            rule=CLIP_RULE,
            mistakes=mistakes,
            returns="tensor",
            dtypes=("float32", "float64"),
        )
        _check_at_work(answer(limit), limit)


def _hook_of(answer: Callable[..., Any], limit: float) -> Callable[[Any], Any]:
    """The answer's hook; where it returns None, the gradient is unchanged."""
    called, rule = f"clip_hook({limit})", "define hook(g) inside, and return hook"
    made = call(answer, limit, called=called, rule=rule)
    if not callable(made) or hasattr(made, "detach"):
        raise CheckFailed(
            "returned no function",
            called=called,
            got=show(made),
            expected="a function hook(g)",
            rule=rule,
        )

    def hook(g: Any) -> Any:
        got = made(g)
        return g.clone() if got is None or got is g else got

    hook.__name__ = called
    return hook


def _check_at_work(hook: Any, limit: float) -> None:
    x = _tensor([1.0, 1.0], requires_grad=True)
    x.register_hook(hook)
    loss = (x * _tensor([3.0, -4.0])).sum()
    called = f"x.register_hook(clip_hook({limit})); loss.backward()"
    call(loss.backward, called=called, rule=CLIP_RULE)


# ---- 04.5

LENGTH_RULE = "the root of the sum of squares, for each row"
SLOPE_RULE = "v / length for each row, and 0 for a row of zeros"
EXACT: Final = 8e-7  # below 1e-6, the root of the 1e-12 that many answers add
NO_NORMS: Final = (
    "norm", "vector_norm", "matrix_norm", "linalg_norm", "cdist", "pdist", "dist",
    "pairwise_distance", "normalize", "renorm", "hypot",
)  # fmt: skip
ZERO_ROW: Final = "a row of zeros must have length 0, whatever was added or substituted"


def _rows(formula: Callable[[Array], Any]) -> Callable[[Any], Any]:
    """Turn a function of NumPy arrays into one of the rows of v."""

    def function(v: Any) -> Any:
        array = np.asarray(v.detach().numpy(), dtype=np.float64)
        return _like(formula(array), v)

    return function


def lengths(v: Any) -> Any:
    """The right lengths."""
    return _rows(lambda v: np.sqrt((v**2).sum(axis=1)))(v)


POWERS: Final = (1.0, *(10.0**-k for k in range(1, 10)))


def _added(eps: float) -> Callable[[Any], Any]:
    return _rows(lambda v: np.sqrt((v**2).sum(axis=1) + eps))


def _at_zero(value: float) -> Callable[[Any], Any]:
    return _rows(
        lambda v: np.where((v == 0).all(axis=1), value, np.sqrt((v**2).sum(axis=1)))
    )


def _zero_below(low: float) -> Callable[[Any], Any]:
    return _rows(
        lambda v: np.where((v**2).sum(axis=1) < low, 0, np.sqrt((v**2).sum(axis=1)))
    )


def _at_least(low: float) -> Callable[[Any], Any]:
    return _rows(lambda v: np.sqrt(np.maximum((v**2).sum(axis=1), low)))


LENGTH_MISTAKES: Final[dict[str, Mistake]] = {
    "the square root is missing": _rows(lambda v: (v**2).sum(axis=1)),
    "that is the length of each column: dim=1 runs along a row": _rows(
        lambda v: np.sqrt((v**2).sum(axis=0))
    ),
    "one length for all rows: sum(dim=1)": _rows(lambda v: np.sqrt((v**2).sum())),
    "a column came out: without keepdim": _rows(
        lambda v: np.sqrt((v**2).sum(axis=1, keepdims=True))
    ),
    "squares are added, not averaged": _rows(lambda v: np.sqrt((v**2).mean(axis=1))),
    "absolute values are not squares": _rows(lambda v: abs(v).sum(axis=1)),
    "that is the largest element, not the length": _rows(lambda v: abs(v).max(axis=1)),
    ZERO_ROW: (
        *map(_at_zero, (1.0, 1e-3, 1e-4, 1e-5, 1e-6)),
        *map(_added, (1e-10, 1e-11, 1e-12)),
        *map(_at_least, (1e-10, 1e-12)),
    ),
    "a row is 0 only where all of its elements are, not any of them": _rows(
        lambda v: np.where((v == 0).any(axis=1), 0, np.sqrt((v**2).sum(axis=1)))
    ),
    "short rows are not 0: compare with 0 itself": tuple(map(_zero_below, POWERS)),
    "what was added changes short rows": tuple(map(_added, POWERS)),
    "the smallest length that is allowed changes short rows": tuple(
        map(_at_least, POWERS)
    ),
}


def _sloped(formula: Callable[[Array, Array], Any]) -> Callable[[Any, Any], Any]:
    """The gradient of v, from v and its lengths, times the incoming gradient."""

    def gradient(v: Any, g: Any) -> Any:
        array = np.asarray(v.detach().numpy(), dtype=np.float64)
        length = np.sqrt((array**2).sum(axis=1, keepdims=True))
        with np.errstate(all="ignore"):
            slope = formula(array, length)
        return _like(np.asarray(g.numpy())[:, None] * slope, v)

    return gradient


def slopes(v: Any, g: Any) -> Any:
    """The right gradient of v, given the gradient g of the lengths."""
    return _slope_at_zero(0.0)(v, g)


def _slope_added(eps: float) -> Callable[[Any, Any], Any]:
    return _sloped(lambda v, n: v / np.sqrt(n**2 + eps))


def _slope_above(low: float) -> Callable[[Any, Any], Any]:
    return _sloped(lambda v, n: np.where(n**2 > low, v / n, 0.0))


def _slope_at_zero(value: float) -> Callable[[Any, Any], Any]:
    return _sloped(lambda v, n: np.where(n > 0, v / n, value))


SLOPE_MISTAKES: Final[dict[str, Mistake]] = {
    "NaN: the root still sees the 0, even where its result is thrown away": _sloped(
        lambda v, n: v / n
    ),
    "the gradient of short rows is wrong: nothing may be added to them": tuple(
        map(_slope_added, (10.0**-k for k in range(8, 21)))
    ),
    "short rows lose their gradient: clamp is flat below its limit": tuple(
        map(_slope_above, (10.0**-k for k in range(6, 34)))
    ),
    "no row gets a gradient": _sloped(lambda v, _n: 0 * v),
    "the gradient of a row of zeros is 0": tuple(map(_slope_at_zero, (1.0, 0.5))),
    "one row of zeros makes the gradient of all rows 0": _sloped(
        lambda v, n: v / n if n.all() else 0 * v
    ),
}

V_SHOWN: Final = (
    [[3.0, 4.0], [0.0, 0.0]],
    [[0.0, 0.0], [-5.0, 12.0]],
    [[1.0, 2.0, 2.0], [0.0, -0.1, 0.0], [0.0, 0.0, 0.0]],
    [[3e-7, 4e-7], [0.0, 0.0], [1.0, 0.0]],
    [[-4e-5, 3e-5], [6.0, 8.0]],
    [[0.0], [-2.0], [0.5]],
    [[0.0, 0.0, 0.0]],
    [[3e-9, 4e-9], [1.0, -1.0]],
    [[4e-8, -3e-8], [0.0, 0.0]],
    [[3e-18, 4e-18], [0.0, 0.0]],
    [[1.0, 2.0], [-4e-17, 3e-17]],
)


def _fresh_rows(draw: Draw, gradient: bool) -> tuple[Any, ...]:
    n, d = draw.size(2, 5), draw.size(1, 4)
    v = draw.tensor(n, d)
    v[draw.size(0, n - 1)] = 0.0
    v[draw.size(0, n - 1)] *= draw.choice((1.0, 1e-3, 1e-6))
    leaf = v.requires_grad_()
    return (leaf, draw.tensor(n)) if gradient else (leaf,)


def _shown_rows(gradient: bool) -> list[tuple[Any, ...]]:
    cases = []
    for values in V_SHOWN:
        g = _tensor([1.0, -2.0, 0.5][: len(values)])
        v = _tensor(values, requires_grad=True)
        cases.append((v, g) if gradient else (v,))
    return cases


def grade_length(answer: Any) -> None:
    """04.5: first the lengths, then their gradient."""
    answer = need_function(answer, "safe_length")

    def values(v: Any) -> Any:
        length = answer(v)
        if length is not None and not getattr(length, "requires_grad", False):
            raise CheckFailed(
                "the length has no history",
                rule="stay with tensors: .item(), .detach() and NumPy cut the graph",
            )
        return length

    def gradient(v: Any, g: Any) -> Any:
        leaf = v.detach().clone().requires_grad_()
        values(leaf).backward(g)
        return 0 * leaf.detach() if leaf.grad is None else leaf.grad

    values.__name__ = "safe_length"
    gradient.__name__ = "gradient of v in safe_length(v).backward(g): "
    parts: tuple[tuple[Any, ...], ...] = (
        (values, lengths, LENGTH_RULE, LENGTH_MISTAKES),
        (gradient, slopes, SLOPE_RULE, SLOPE_MISTAKES),
    )
    for with_gradient, (run, right, rule, mistakes) in enumerate(parts):
        compare_functions(
            run,
            "safe_length",
            right=right,
            shown=_shown_rows(bool(with_gradient)),
            fresh=partial(_fresh_rows, gradient=bool(with_gradient)),
            rule=rule,
            mistakes=mistakes,
            forbidden=NO_NORMS,
            returns="tensor",
            dtypes=("float32", "float64"),
            tolerance=1e-5 if with_gradient else EXACT,
        )
    _check_zero_row(values)


def _check_zero_row(lengths_of: Callable[[Any], Any]) -> None:
    """Compare the length of a row of zeros without tolerance."""
    v = _tensor([[3.0, 4.0], [0.0, 0.0]], requires_grad=True)
    got = lengths_of(v)
    if got[1] != 0:
        raise CheckFailed(
            "the length of a row of zeros is not exactly 0",
            called="safe_length([[3, 4], [0, 0]])",
            got=str(got[1].item()),
            expected="0.0",
            rule=LENGTH_RULE,
            mistake=ZERO_ROW,
        )
