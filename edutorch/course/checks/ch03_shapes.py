"""Sums to a shape and the backward of matmul, with known mistakes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from edutorch.course.compare import need_function, show
from edutorch.course.compare_functions import Case, Mistake, compare_functions
from edutorch.course.failure import CheckFailed
from edutorch.course.lint import lint
from edutorch.course.output_limit import suppress_output
from edutorch.course.random_cases import Draw
from edutorch.ops.create import tensor

from .ch03_numeric import with_helper

__all__ = [
    "MATMUL_MISTAKES",
    "MATMUL_SHOWN",
    "SUM_MISTAKES",
    "SUM_SHOWN",
    "grade_matmul",
    "grade_sum_to",
]

Array = npt.NDArray[Any]
Shape = tuple[int, ...]

SUM_RULE = "sum over the dimensions that shape lacks, or in which it is 1"
A_RULE = "gradient of a: g @ bᵀ, added up to the shape of a"
B_RULE = "gradient of b: aᵀ @ g, added up to the shape of b"
NO_AUTOGRAD: Final = ("_backward", "backward", "grad", "vjp", "jacobian")


def _counting(*shape: int) -> Any:
    return tensor(np.arange(1.0, 1.0 + int(np.prod(shape))).reshape(shape))


# ---- 03.3


def _summed(g: Array, shape: Shape, reduce: Callable[..., Any] = np.sum) -> Array:
    """The sum over the dimensions along which `shape` was broadcast."""
    lead = g.ndim - len(shape)
    g = np.asarray(reduce(g, axis=tuple(range(lead))))
    ones = tuple(i for i, size in enumerate(shape) if size == 1)
    return np.asarray(reduce(g, axis=ones, keepdims=True)) if ones else g


def summed(g: Any, shape: Shape) -> Any:
    """g, summed to a shape that broadcasts to its own."""
    if tuple(g.shape) == tuple(shape):
        return g
    return tensor(_summed(g.numpy(), tuple(shape)))


def _by_numpy(reduce: Callable[[Array, Shape], Any]) -> Callable[..., Any]:
    """A mistake, as a function of NumPy arrays."""
    return lambda g, shape: tensor(np.array(reduce(g.numpy(), tuple(shape))))


def _lead(g: Array, shape: Shape) -> tuple[int, ...]:
    return tuple(range(g.ndim - len(shape)))


def _ones(shape: Shape) -> tuple[int, ...]:
    return tuple(i for i, size in enumerate(shape) if size == 1)


def _first(g: Array, axis: Any, keepdims: bool = False) -> Array:
    for i in sorted(axis, reverse=True):
        g = g.take([0], axis=i) if keepdims else g.take(0, axis=i)
    return g


def _only_ones(g: Array, shape: Shape) -> Array:
    """A mistake: no dimension is removed, as if g had as many as shape."""
    if len(shape) == g.ndim:
        return _summed(g, shape)
    return g


def _from_the_front(g: Array, shape: Shape) -> Array:
    """A mistake: the missing dimensions are taken to be the last ones."""
    g = g.sum(axis=tuple(range(len(shape), g.ndim)))
    ones = _ones(shape)
    return np.asarray(g.sum(axis=ones, keepdims=True)) if ones else g


def _one_leading(g: Array, shape: Shape) -> Array:
    g = g.sum(axis=0) if g.ndim > len(shape) else g
    ones = tuple(i for i in _ones(shape) if i < g.ndim)
    return np.asarray(g.sum(axis=ones, keepdims=True)) if ones else g


def _all_when_none(g: Array, shape: Shape) -> Array:
    """A mistake: sum(dim=()) sums over all dimensions."""
    g = g.sum(axis=_lead(g, shape) or None)
    ones = _ones(shape)
    if g.ndim < len(shape):
        return g
    return np.asarray(g.sum(axis=ones, keepdims=True)) if ones else g


def _forwards(g: Any, shape: Shape) -> Any:
    """A mistake: dimensions 0, 1, ... are summed, though each sum renumbers others."""
    for dim in range(g.dim() - len(shape)):
        g = g.sum(dim)
    for dim in _ones(tuple(shape)):
        g = g.sum(dim, keepdim=True)
    return g


ONES: Final = "sizes of 1 are added up, too"
SUM_MISTAKES: Final[dict[str, Mistake]] = {
    "nothing is added up": lambda g, _: g,
    "the sum, not the mean: every copy counts": _by_numpy(
        lambda g, shape: _summed(g, shape, np.mean)
    ),
    "the sum, not the first copy": _by_numpy(
        lambda g, shape: _summed(g, shape, _first)
    ),
    "the sum, not the largest": _by_numpy(lambda g, shape: _summed(g, shape, np.max)),
    "a size of 1 stays: sum with keepdim=True": _by_numpy(
        lambda g, shape: g.sum(axis=_lead(g, shape)).sum(axis=_ones(shape))
    ),
    "reshape mixes the columns: add up the dimensions themselves": _by_numpy(
        lambda g, shape: g.reshape(-1, *shape).sum(axis=0)
    ),
    ONES: _by_numpy(lambda g, shape: g.sum(axis=_lead(g, shape))),
    "sum over the dimensions that shape lacks, too": _by_numpy(_only_ones),
    "shapes are aligned on the right: the missing dimensions are in front": _by_numpy(
        _from_the_front
    ),
    "more than one dimension may be missing": _by_numpy(_one_leading),
    "after a sum the dimensions after it move forward: add up dimension 0 again": (
        _forwards
    ),
    "missing dimensions disappear: no keepdim there": _by_numpy(
        lambda g, shape: _summed(g, (1,) * (g.ndim - len(shape)) + shape)
    ),
    "sum(dim=()) adds up everything": _by_numpy(_all_when_none),
    "everything is added up": _by_numpy(lambda g, _: g.sum()),
    "everything is added up, and repeated": _by_numpy(
        lambda g, shape: np.broadcast_to(g.sum(), shape)
    ),
}

SUM_SHOWN: Final = (
    (_counting(2, 3), (3,)),
    (_counting(2, 3), (2, 1)),
    (_counting(2, 3), ()),
    (_counting(2, 3), (2, 3)),
    (_counting(2, 3), (1, 1)),
    (_counting(2, 3, 4), (3, 1)),
    (_counting(2, 3, 4), (4,)),
    (_counting(2, 2), (2,)),
    (_counting(2, 2), (2, 1)),
    (_counting(3, 1, 2), (1, 2)),
    (_counting(3, 3, 3), (3,)),
    (_counting(4), (1,)),
    (_counting(4), (4,)),
    (_counting(1, 4), (4,)),
    (tensor(np.asarray(5.0)), ()),
)


def _fresh_sum(draw: Draw) -> Case:
    full = [draw.size(1, 4) for _ in range(draw.size(1, 4))]
    kept = full[draw.size(0, len(full)) :]
    shape = tuple(1 if draw.choice((True, False, False)) else size for size in kept)
    return Case((draw.tensor(*full), shape))


def _of_its_own(answer: Callable[..., Any]) -> Callable[..., Any]:
    """The answer; if its result lies in the memory of g, it is copied."""

    @functools.wraps(answer)
    def copied(g: Any, shape: Shape) -> Any:
        got = answer(g, shape)
        is_part = hasattr(got, "detach") and got.data_ptr() == g.data_ptr()
        return got.clone() if is_part else got

    return copied


def grade_sum_to(answer: Any) -> None:
    """03.3: on shown and random shapes."""
    try:
        compare_functions(
            _of_its_own(need_function(answer, "sum_to")),
            "sum_to",
            right=summed,
            shown=SUM_SHOWN,
            fresh=_fresh_sum,
            rule=SUM_RULE,
            mistakes=SUM_MISTAKES,
            forbidden=("sum_to_size", *NO_AUTOGRAD),
            returns="tensor",
            dtypes=("float64", "float32"),
        )
    except CheckFailed as failure:
        if failure.mistake == ONES:  # or the sum was computed and its result not used
            failure.mistake = lint(answer) or ONES
        raise


# ---- 03.4

Pair = tuple[Any, Any]
Product = Callable[[Any, Any, Any], Any]  # of g, a and b


def _of_a(g: Any, _: Any, b: Any) -> Any:
    return g @ b.mT


def _of_b(g: Any, a: Any, _: Any) -> Any:
    return a.mT @ g


def _sum_if(values: Any, shape: Any) -> Any:
    """Like sum_to; a tensor with too few dimensions is left unchanged."""
    return summed(values, tuple(shape)) if values.dim() >= len(shape) else values


def _pair(of_a: Product = _of_a, of_b: Product = _of_b) -> Callable[..., Pair]:
    """Both gradients from these products, summed to the shapes of a and b."""

    def both(g: Any, a: Any, b: Any) -> Pair:
        ga, gb = of_a(g, a, b), of_b(g, a, b)
        return _sum_if(ga, a.shape), _sum_if(gb, b.shape)

    return both


def _raw(of_a: Product = _of_a, of_b: Product = _of_b) -> Callable[..., Pair]:
    """Both gradients without the sums."""
    return lambda g, a, b: (of_a(g, a, b), of_b(g, a, b))


def _either(of_a: Product, of_b: Product) -> tuple[Callable[..., Pair], ...]:
    """A mistake in either gradient or in both, with or without the sums to a shape."""
    made = ((of_a, _of_b), (_of_a, of_b), (of_a, of_b))
    return tuple(form(*two) for form in (_pair, _raw) for two in made)


def _reverse_dims(x: Any) -> Any:
    return x.permute(*reversed(range(x.dim())))


def _without_g(right: Product) -> Product:
    return lambda g, a, b: right(g * 0 + 1, a, b)


def _average(values: Any, like: Any) -> Any:
    return tensor(_summed(values.numpy(), tuple(like.shape), np.mean))


def _swapped(g: Any, a: Any, b: Any) -> Pair:
    ga, gb = gradients(g, a, b)
    return gb, ga


gradients: Final = _pair()

MATMUL_MISTAKES: Final[dict[str, Mistake]] = {
    "a transpose is missing: only with it do the shapes fit": _either(
        lambda g, _, b: g @ b, lambda g, a, _: a @ g
    ),
    "the factors are in the wrong order: look at their shapes": _either(
        lambda g, _, b: b.mT @ g, lambda g, a, _: g @ a.mT
    ),
    "neither order nor transpose is right: look at the shapes": _either(
        lambda g, _, b: b @ g, lambda g, a, _: g @ a
    ),
    "a and b are swapped: g @ bᵀ is the gradient of a, aᵀ @ g that of b": (
        _swapped,
        *_either(lambda g, a, _: g @ a.mT, lambda g, _, b: b.mT @ g),
    ),
    "forgotten un-broadcast: sum_to with the shapes of a and b": (
        _raw(),
        lambda g, a, b: (gradients(g, a, b)[0], _of_b(g, a, b)),
        lambda g, a, b: (_of_a(g, a, b), gradients(g, a, b)[1]),
    ),
    "the copies of a broadcast are added up, not averaged": lambda g, a, b: (
        _average(_of_a(g, a, b), a),
        _average(_of_b(g, a, b), b),
    ),
    "the incoming gradient, g, is missing": _either(
        _without_g(_of_a), _without_g(_of_b)
    ),
    "leave g as it is, do not transpose it": _either(
        lambda g, _, b: g.mT @ b.mT, lambda g, a, _: a.mT @ g.mT
    ),
    "the product is transposed: that is the gradient of aᵀ or bᵀ": _either(
        lambda g, a, b: _of_a(g, a, b).mT, lambda g, a, b: _of_b(g, a, b).mT
    ),
    "reshape does not transpose: transpose(-2, -1) swaps rows and columns": _either(
        lambda g, _, b: g @ b.reshape(*b.shape[:-2], b.shape[-1], b.shape[-2]),
        lambda g, a, _: a.reshape(*a.shape[:-2], a.shape[-1], a.shape[-2]) @ g,
    ),
    "the sign is wrong": _either(
        lambda g, a, b: -_of_a(g, a, b), lambda g, a, b: -_of_b(g, a, b)
    ),
    "in a batch transpose the last two dimensions: .T and transpose(0, 1) swap "
    "others": (
        *_either(
            lambda g, _, b: g @ _reverse_dims(b), lambda g, a, _: _reverse_dims(a) @ g
        ),
        *_either(
            lambda g, _, b: g @ b.transpose(0, 1), lambda g, a, _: a.transpose(0, 1) @ g
        ),
    ),
    "g · slope element by element: that is the backward of a * b": _either(
        lambda g, _, b: g * b, lambda g, a, _: g * a
    ),
}  # fmt: skip

MATMUL_SHOWN: Final = (
    (_counting(2, 2), _counting(2, 2), tensor(np.array([[1.0, 0.0], [2.0, -1.0]]))),
    (_counting(2, 3), _counting(2, 4), _counting(4, 3)),
    (_counting(1, 1), _counting(1, 2), _counting(2, 1)),
    (_counting(5, 2, 3), _counting(5, 2, 4), _counting(4, 3)),
    (_counting(5, 2, 3), _counting(2, 4), _counting(5, 4, 3)),
    (_counting(2, 3, 3), _counting(2, 3, 3), _counting(3, 3)),
    (_counting(2, 3, 3), _counting(3, 3), _counting(2, 3, 3)),
    (_counting(3, 2, 2, 2), _counting(3, 1, 2, 2), _counting(2, 2, 2)),
    (tensor(np.zeros((0, 3))), tensor(np.zeros((0, 2))), _counting(2, 3)),
)


def _fresh_matmul(draw: Draw) -> Case:
    n, k, m = (draw.size(1, 4) for _ in range(3))
    if draw.choice((True, False)):
        k = m = n
    lead_a, lead_b = draw.choice(
        (((), ()), ((), ()), ((2,), ()), ((), (3,)), ((2,), (2,)), ((3, 1), (2,)))
    )
    a, b = draw.tensor(*lead_a, n, k), draw.tensor(*lead_b, k, m)
    lead = np.broadcast_shapes(lead_a, lead_b)
    return Case((draw.tensor(*lead, n, m), a, b))


def _part(answer: Callable[..., Any], i: int) -> Callable[..., Any]:
    """One of the two results of an answer, as a function."""

    @functools.wraps(answer)
    def part(*args: Any) -> Any:
        got = answer(*args)
        if isinstance(got, (tuple, list)) and len(got) == 2:
            return got[i]
        missing = ": is a return missing?" if got is None else ""
        raise CheckFailed(
            f"expects two gradients, that of a and that of b{missing}",
            got=show(got),
            expected="(ga, gb)",
        )

    return part


def _in_a_row(answer: Callable[..., Any]) -> Callable[..., Any]:
    """The shapes and elements of both results, as one tensor."""

    def row(*args: Any) -> Any:
        pair = [_part(answer, i)(*args).numpy() for i in (0, 1)]
        parts = [np.array([*p.shape, -0.5, *p.reshape(-1)]) for p in pair]
        return tensor(np.concatenate(parts))

    return row


def _mistake(answer: Callable[..., Any]) -> str:
    """The mistake that explains both results: either can be wrong, or raise."""
    known = {
        name: tuple(map(_in_a_row, made if isinstance(made, tuple) else (made,)))
        for name, made in MATMUL_MISTAKES.items()
    }
    try:
        compare_functions(
            _in_a_row(answer),
            "matmul_backward",
            right=_in_a_row(gradients),
            shown=MATMUL_SHOWN,
            fresh=_fresh_matmul,
            mistakes=known,
        )
    except CheckFailed as failure:
        return failure.mistake
    return ""


def grade_matmul(answer: Any) -> None:
    """03.4: one gradient after the other, then whose fault it is."""
    answer = need_function(answer, "matmul_backward")
    try:
        _grade_matmul(answer)
    except CheckFailed as failure:
        if "not written" not in failure.what and _is_right_with_right_sums(answer):
            failure.what = (
                "matmul_backward is right, but the sum_to that it calls is not"
            )
            failure.mistake = "begin with sum_to: check 03.3 says what is wrong with it"
        raise


def _is_right_with_right_sums(answer: Callable[..., Any]) -> bool:
    """Whether it passes with a right `sum_to` in place of the learner's."""
    names = getattr(answer, "__globals__", {})
    own = names.get("sum_to")
    if own is None:
        return False
    try:
        names["sum_to"] = lambda g, shape: summed(g, tuple(shape))
        with suppress_output():
            _grade_matmul(answer)
    except CheckFailed:
        return False
    finally:
        names["sum_to"] = own
    return True


def _grade_matmul(answer: Callable[..., Any]) -> None:
    for i, rule in enumerate((A_RULE, B_RULE)):
        try:
            with with_helper("sum_to", "03.3"):
                compare_functions(
                    _part(answer, i),
                    "matmul_backward",
                    right=_part(gradients, i),
                    shown=MATMUL_SHOWN,
                    fresh=_fresh_matmul,
                    rule=rule,
                    forbidden=NO_AUTOGRAD,
                    returns="tensor",
                    dtypes=("float64", "float32"),
                )
        except CheckFailed as failure:
            failure.mistake = failure.mistake or _mistake(answer)
            raise
