"""Batch norm and its running statistics, with known mistakes.

An answer changes the running tensors, and `compare_functions` forbids changes of
arguments. So it is graded as three functions that change nothing: one returns the
result, one the running mean afterwards, one the running variance.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from edutorch.course.compare import need_function
from edutorch.course.compare_functions import Case, compare_functions
from edutorch.course.random_cases import Draw
from edutorch.ops.create import from_numpy

from .modules import refuse, watched_ops

__all__ = ["grade_batch_norm"]

Array = npt.NDArray[Any]
Function = Callable[..., Any]

AXES: Final = (0, 2, 3)
LIBRARY: Final = ("batch_norm", "instance_norm", "group_norm", "layer_norm")
RULE = "y = (x - mean) / sqrt(var + eps), per channel"
RUNNING_RULE = (
    "in training: running <- (1 - momentum) · running + momentum · batch, in place"
)


@dataclass(frozen=True)
class _Norm:
    """The arguments of a call, as arrays."""

    x: Array
    mean: Array
    var: Array
    training: bool
    momentum: float = 0.1
    eps: float = 1e-5

    def batch(self) -> tuple[Array, Array]:
        """The mean and biased variance of each channel."""
        return self.x.mean(AXES), self.x.var(AXES)

    def used(self) -> tuple[Array, Array]:
        """The statistics with which x is normalised."""
        return self.batch() if self.training else (self.mean, self.var)


def grade_batch_norm(answer: Any) -> None:
    """Grade the result, then the running statistics.

    Raises:
        CheckFailed: one of the three is not right, or something else was changed.
    """
    answer = need_function(answer, "batch_norm")
    for part, right, mistakes in (
        (None, _y, _Y_MISTAKES),
        (1, _mean, _MEAN_MISTAKES),
        (2, _var, _VAR_MISTAKES),
    ):
        compare_functions(
            _after(answer, part),
            "batch_norm",
            right=_on_tensors(right),
            shown=_SHOWN,
            fresh=_fresh,
            rule=RULE if part is None else RUNNING_RULE,
            mistakes={words: _on_tensors(made) for words, made in mistakes.items()},
            forbidden=LIBRARY,
            returns="tensor",
            dtypes=("float32", "float64"),
            tolerance=1e-4,
        )
    with watched_ops(*LIBRARY) as used:
        _after(answer, None)(*_SHOWN[0].args)
    refuse(used, "right, but {}", "the steps of the computation, written out by you")


def _after(answer: Function, part: int | None) -> Function:
    """The answer's result, or one of its arguments after the call, by number."""

    @functools.wraps(answer)
    def run(x: Any, mean: Any, var: Any, *args: Any, **kwargs: Any) -> Any:
        # copied by NumPy, so that no op is attributed to the learner
        given = (x, *(from_numpy(v.numpy().copy()) for v in (mean, var)))
        y = answer(*given, *args, **kwargs)
        return y if part is None else given[part]

    names = ("", "running_mean after", "running_var after")
    name = getattr(answer, "__name__", "batch_norm")
    run.__name__ = name if part is None else f"{names[part]} {name}"
    return run


def _on_tensors(made: Callable[[_Norm], Array]) -> Function:
    def run(x: Any, mean: Any, var: Any, *args: Any, **kwargs: Any) -> Any:
        arrays = [t.numpy().astype(np.float64) for t in (x, mean, var)]
        with np.errstate(all="ignore"):
            value = made(_Norm(*arrays, *args, **kwargs))
        return from_numpy(np.asarray(value).astype(x.numpy().dtype))

    return run


def _case(x: Any, mean: Any, var: Any, training: bool, **kwargs: float) -> Case:
    tensors = [from_numpy(np.array(v, dtype=np.float32)) for v in (x, mean, var)]
    return Case((*tensors, training), kwargs)


_PAIR = [[[[1]]], [[[3]]]]
_SQUARES = np.array([0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121]).reshape(2, 3, 1, 2)
_THREE = ([1, -2, 3], [0.5, 2, 4])
_SHOWN = (
    _case(_PAIR, [0], [1], True),
    _case(_PAIR, [0.5], [4], False),
    _case(_SQUARES, *_THREE, True),
    _case(_SQUARES, *_THREE, False),
    _case(_SQUARES, *_THREE, True, momentum=0.3),
    _case(_PAIR, [0.5], [4], True, momentum=1.0),
    _case(_PAIR, [0.5], [4], True, eps=3.0),
    _case(_SQUARES, *_THREE, False, momentum=0.5, eps=2.0),
)


def _fresh(draw: Draw) -> Case:
    n, c, h, w = (draw.size(2, 4) for _ in range(4))
    x = draw.tensor(n, c, h, w, low=-4.0, high=6.0)
    mean, var = draw.tensor(c), draw.tensor(c, low=0.5, high=4.0)
    settings = {"momentum": draw.number(0.01, 0.9), "eps": draw.number(0.01, 2.0)}
    return Case((x, mean, var, draw.choice((True, False))), settings)


def _normal(given: _Norm, mean: Array, var: Array) -> Array:
    shape = (1, -1, 1, 1)
    return np.asarray(
        (given.x - mean.reshape(shape)) / np.sqrt(var.reshape(shape) + given.eps)
    )


# ---- the right ones


def _y(given: _Norm) -> Array:
    return _normal(given, *given.used())


def _blend(given: _Norm, old: Array, new: Array) -> Array:
    if not given.training:
        return old
    return np.asarray((1 - given.momentum) * old + given.momentum * new)


def _unbiased(given: _Norm) -> Array:
    return np.asarray(given.x.var(AXES, ddof=1))


def _mean(given: _Norm) -> Array:
    return _blend(given, given.mean, given.batch()[0])


def _var(given: _Norm) -> Array:
    return _blend(given, given.var, _unbiased(given))


# ---- the mistakes


def _over(axes: tuple[int, ...]) -> Callable[[_Norm], Array]:
    """A mistake: statistics over other axes in training."""

    def made(given: _Norm) -> Array:
        if not given.training:
            return _y(given)
        mean, var = (f(axes, keepdims=True) for f in (given.x.mean, given.x.var))
        return np.asarray((given.x - mean) / np.sqrt(var + given.eps))

    return made


def _scaled(scale: Callable[[Array, float], Array]) -> Callable[[_Norm], Array]:
    """A mistake: dividing by something other than sqrt(var + eps)."""

    def made(given: _Norm) -> Array:
        mean, var = (v.reshape(1, -1, 1, 1) for v in given.used())
        return np.asarray((given.x - mean) / scale(var, given.eps))

    return made


def _blended(given: _Norm) -> tuple[Array, Array]:
    """The running statistics that training would leave."""
    trained = replace(given, training=True)
    return _mean(trained), _var(trained)


def _as_rows(given: _Norm) -> Array:
    """A mistake: statistics that were not reshaped to (c, 1, 1)."""
    mean, var = given.used()
    try:
        return np.asarray((given.x - mean) / np.sqrt(var + given.eps))
    except ValueError as error:
        raise RuntimeError from error


def _count_of_images(given: _Norm) -> Array:
    count = len(given.x)
    return given.batch()[1] * count / (count - 1)


def _with_unbiased(given: _Norm) -> Array:
    mean, var = given.used()
    return _normal(given, mean, _unbiased(given) if given.training else var)


_Y_MISTAKES: dict[str, Callable[[_Norm], Array]] = {
    "one number per channel: bring them to the shape (c, 1, 1)": _as_rows,
    "in evaluation the RUNNING statistics are used": (
        lambda given: _normal(given, *given.batch())
    ),
    "in training the statistics of the BATCH are used": (
        lambda given: _normal(given, given.mean, given.var)
    ),
    "the two modes are swapped": lambda given: _normal(
        given, *((given.mean, given.var) if given.training else given.batch())
    ),
    "in training the statistics of the BATCH are used, not the updated ones": (
        lambda given: _normal(given, _mean(given), _var(given))
    ),
    "evaluation changes nothing: it only uses the running statistics": (
        lambda given: (
            _normal(given, *given.batch())
            if given.training
            else _normal(given, *_blended(given))
        )
    ),
    "y is normalised with the biased variance: divide by the count": _with_unbiased,
    "the statistics are one number per channel, over n, h and w": _over((0,)),
    "one number per channel, over h and w, too: these are one for each column": _over(
        (0, 2)
    ),
    "one number per channel, over h and w, too: these are one for each row": _over(
        (0, 3)
    ),
    "one number per channel: these are one for each pixel, over all channels": _over(
        (0, 1)
    ),
    "channels are not mixed: these are statistics over the channels": _over((1,)),
    "per channel over n, too: these are statistics of each image": _over((2, 3)),
    "one number per channel: these are one for all channels": _over((0, 1, 2, 3)),
    "one number per channel: these are one for each image": _over((1, 2, 3)),
    "divide by the standard deviation: the square root is missing": _scaled(
        lambda var, eps: var + eps
    ),
    "eps is added to the variance, under the root": _scaled(
        lambda var, eps: np.sqrt(var) + eps
    ),
    "eps was ignored": _scaled(lambda var, _: np.sqrt(var)),
    "divide by the standard deviation, do not multiply": _scaled(
        lambda var, eps: 1 / np.sqrt(var + eps)
    ),
    "the mean is not subtracted": lambda given: np.asarray(
        given.x / np.sqrt(given.used()[1].reshape(1, -1, 1, 1) + given.eps)
    ),
    "the mean is subtracted, but nothing is divided": _scaled(
        lambda var, _: np.ones_like(var)
    ),
}


def _running(
    new: Callable[[_Norm], Array], old: Callable[[_Norm], Array]
) -> dict[str, Callable[[_Norm], Array]]:
    """Mistakes that can be made in the running mean and in the running variance."""
    share = "momentum is the share of the NEW value"
    return {
        "it did not change: update it in place": old,
        share: lambda given: (
            given.momentum * old(given) + (1 - given.momentum) * new(given)
            if given.training
            else old(given)
        ),
        "momentum was ignored: it is not always 0.1": lambda given: (
            0.9 * old(given) + 0.1 * new(given) if given.training else old(given)
        ),
        "evaluation changes nothing": lambda given: (
            (1 - given.momentum) * old(given) + given.momentum * new(given)
        ),
        "it changes only in training, not in evaluation": lambda given: (
            old(given)
            if given.training
            else (1 - given.momentum) * old(given) + given.momentum * new(given)
        ),
        "the old value keeps the share 1 - momentum": lambda given: (
            old(given) + given.momentum * new(given) if given.training else old(given)
        ),
        "a share of the old value stays: it was replaced completely": lambda given: (
            new(given) if given.training else old(given)
        ),
    }


def _with(new: Callable[[_Norm], Array]) -> Callable[[_Norm], Array]:
    return lambda given: _blend(given, given.var, new(given))


_MEAN_MISTAKES = _running(lambda given: given.batch()[0], lambda given: given.mean)
_VAR_MISTAKES = {
    **_running(_unbiased, lambda given: given.var),
    "running_var takes the UNBIASED variance: divide by count - 1": _with(
        lambda given: given.batch()[1]
    ),
    "the count is n · h · w, not only n": _with(_count_of_images),
    "running_var is a variance, not a standard deviation": _with(
        lambda given: np.sqrt(_unbiased(given))
    ),
    "running_var takes the variance of the batch, without eps": _with(
        lambda given: _unbiased(given) + given.eps
    ),
    "running_var got the mean": _with(lambda given: given.batch()[0]),
}
