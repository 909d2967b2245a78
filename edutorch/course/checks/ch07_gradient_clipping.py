"""Gradient clipping: runs an answer, compares gradients and norm."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from edutorch.course.answer_calls import record_calls
from edutorch.course.compare import compare, show
from edutorch.course.compare_functions import check_functions
from edutorch.course.failure import CheckFailed
from edutorch.ops.create import from_numpy

from .optimizer_steps import call_limited, tell_generator

__all__ = ["grade_clipping"]

Array = npt.NDArray[Any]

LIBRARY = ("clip_grad_norm_", "clip_grads_with_norm_", "get_total_norm")
CLIP_RULE = "norm = sqrt of the sum of all squares; g <- g · max_norm / norm if longer"


@dataclass(frozen=True)
class _Clip:
    gradients: Sequence[Array | None]
    max_norm: float
    generator: bool = False


Clipped = tuple[list[Array], float]  # the gradients afterwards, and the norm


def grade_clipping(answer: Callable[..., Any], rng: np.random.Generator) -> None:
    """Run an answer through all cases, and compare gradients and norm.

    Raises:
        CheckFailed: a gradient, the norm or a parameter is wrong.
    """
    seen: list[tuple[_Clip, Clipped]] = []
    failed: CheckFailed | None = None
    for case in _clip_cases(rng):
        try:
            with record_calls() as recorded:
                got = _clipped(answer, case)
        except CheckFailed as failure:
            if failed:
                break
            raise _of_generator(answer, case, failure) from failure.__cause__
        check_functions(recorded, LIBRARY, "clip_gradients", CLIP_RULE)
        failure_here = _compared(case, got)
        if failure_here and case.generator and not failed:
            raise _of_generator(answer, case, failure_here)
        failed = failed or failure_here
        seen.append((case, (got[0], float(got[1]))))
    if failed:
        failed.mistake = _find_mistake(seen) or failed.mistake
        raise failed


def _of_generator(
    answer: Callable[..., Any], case: _Clip, failure: CheckFailed
) -> CheckFailed:
    if not case.generator or "generator" in failure.what:
        return failure
    plain = _Clip(case.gradients, case.max_norm)
    try:
        same = _compared(plain, _clipped(answer, plain)) is None
    except CheckFailed:
        same = False
    return tell_generator(failure) if same else failure


def _clip_cases(rng: np.random.Generator) -> Iterator[_Clip]:
    def numbers(*shape: int) -> Array:
        return np.asarray(rng.standard_normal(shape), dtype=np.float32)

    yield _Clip([np.array([3], np.float32), np.array([0, 4], np.float32)], 1.0)
    yield _Clip([np.array([3], np.float32), np.array([0, 4], np.float32)], 10.0)
    yield _Clip([numbers(3), None, numbers(2, 2)], 0.5)
    yield _Clip([numbers(2, 3), numbers(4)], 2.0)
    yield _Clip([3 * numbers(2, 3), numbers()], 1.5, generator=True)
    yield _Clip([numbers(5), numbers(1)], 100.0)
    yield _Clip([np.zeros(3, np.float32), None], 1.0)
    yield _Clip([None, None], 1.0)
    for _ in range(4):
        sizes = rng.integers(1, 6, size=rng.integers(1, 5))
        dtype = np.float64 if rng.random() < 0.5 else np.float32
        drawn = [numbers(int(n)).astype(dtype) for n in sizes]
        yield _Clip(drawn, round(float(rng.uniform(0.1, 4)), 2))


def _clipped(answer: Callable[..., Any], case: _Clip) -> tuple[list[Array], float]:
    """The answer's result for a case; it may change nothing but gradients."""
    params = []
    for g in case.gradients:
        size = (2,) if g is None else g.shape
        kind = np.float32 if g is None else g.dtype
        params.append(from_numpy(np.ones(size, kind)).requires_grad_())
        params[-1].grad = None if g is None else from_numpy(g.copy())
    called = _called(case)
    handed = (p for p in params) if case.generator else list(params)
    try:
        norm = call_limited(
            answer, handed, case.max_norm, called=called, rule=CLIP_RULE
        )
    except CheckFailed as failure:
        if "ZeroDivisionError" in failure.what:
            failure.mistake = "the norm can be 0: divide only where it is too large"
        empty = [i for i, g in enumerate(case.gradients) if g is None]
        if "NoneType" in failure.what and empty:
            failure.mistake = f"params[{empty[0]}].grad is None: skip that parameter"
        if len(empty) == len(params):
            failure.mistake = "here no parameter has a gradient: then the norm is 0"
        raise
    for i, p in enumerate(params):
        if not (p.detach().numpy() == 1).all():
            raise CheckFailed(
                f"params[{i}] itself was changed",
                called=called,
                got=show(p),
                rule="do not change the parameters, only shorten their gradients",
            )
    return [_grad(p) for p in params if p.grad is not None], _number(norm, called)


def _grad(p: Any) -> Array:
    return np.array(p.grad.detach().numpy(), dtype=np.float64)


def _called(case: _Clip) -> str:
    shown = ", ".join(
        "None" if g is None else show(from_numpy(g)) for g in case.gradients
    )
    given = "generator" if case.generator else "params"
    return f"clip_gradients({given}, max_norm={case.max_norm}), gradients {shown}"


def _number(norm: Any, called: str) -> float:
    """The answer's norm, which must be one number."""
    wrong = "returned None: is a return missing?" if norm is None else ""
    try:
        array = np.asarray(norm.detach().numpy() if hasattr(norm, "detach") else norm)
    except (TypeError, ValueError):
        array = np.zeros((0,))
    if wrong or array.shape != () or array.dtype.kind not in "fiu":
        raise CheckFailed(
            wrong or "expects a number: the norm before",
            called=called,
            got=f"{show(norm)}, a {type(norm).__name__}",
            rule=CLIP_RULE,
        )
    return float(array)


def _right_clip(case: _Clip) -> Clipped:
    grads = [g.astype(np.float64) for g in case.gradients if g is not None]
    norm = math.sqrt(sum(float((g**2).sum()) for g in grads))
    factor = case.max_norm / norm if norm > case.max_norm else 1.0
    return [g * factor for g in grads], norm


def _compared(case: _Clip, got: tuple[list[Array], float]) -> CheckFailed | None:
    grads, norm = _right_clip(case)
    called = _called(case)
    try:
        compare(
            got[1], norm, called=f"{called}; returned", rule=CLIP_RULE, tolerance=1e-4
        )
        for i, (g, right) in enumerate(zip(got[0], grads, strict=True)):
            then = f"{called}; then gradient {i}"
            compare(g, right, called=then, rule=CLIP_RULE, tolerance=1e-4)
    except CheckFailed as failure:
        return failure
    return None


def _find_mistake(seen: Sequence[tuple[_Clip, Clipped]]) -> str:
    """The only mistake that explains the gradients and the norms."""
    found = []
    for words, mistaken in _CLIP_MISTAKES.items():
        told = 0
        for case, got in seen:
            grads, norm = _right_clip(case)
            would = mistaken([g.copy() for g in grads], case)
            if not _equal(got, would):
                break
            told += not _equal(would, (grads, norm))
        else:
            if told >= 2:
                found.append(words)
    return found[0] if len(found) == 1 else ""


def _equal(a: Clipped, b: Clipped) -> bool:
    return bool(np.isclose(a[1], b[1], rtol=1e-4, equal_nan=True)) and all(
        np.allclose(x, y, rtol=1e-4, atol=1e-6, equal_nan=True)
        for x, y in zip(a[0], b[0], strict=True)
    )


def _scale(measure: Callable[[list[Array]], float]) -> Callable[..., Clipped]:
    """A mistake: clipping by something other than the norm."""

    def mistaken(_: list[Array], case: _Clip) -> Clipped:
        grads = _original(case)
        length = measure(grads)
        factor = case.max_norm / length if length > case.max_norm else 1.0
        return [g * factor for g in grads], length

    return mistaken


def _change(
    change: Callable[[list[Array], float, float], list[Array]],
    returned: Callable[[float, float], float] = lambda norm, _: norm,
) -> Callable[..., Clipped]:
    """A mistake: the right norm, used in another way."""

    def mistaken(_: list[Array], case: _Clip) -> Clipped:
        grads, norm = _original(case), _right_clip(case)[1]
        with np.errstate(all="ignore"):
            return change(grads, norm, case.max_norm), returned(norm, case.max_norm)

    return mistaken


def _original(case: _Clip) -> list[Array]:
    return [g.astype(np.float64) for g in case.gradients if g is not None]


def _if_long(
    change: Callable[[Array, float, float], Array],
) -> Callable[[list[Array], float, float], list[Array]]:
    return lambda grads, norm, most: [
        change(g, norm, most) if norm > most else g for g in grads
    ]


def _norms(grads: list[Array]) -> list[float]:
    return [float(np.sqrt((g**2).sum())) for g in grads]


def _own(g: Array, norm: float, most: float) -> Array:
    length = float(np.sqrt((g**2).sum()))
    return g * min(1.0, most / length) if length else g


def _last_norm(_: list[Array], case: _Clip) -> Clipped:
    """A mistake: each tensor is clipped by its own norm, and the last is returned."""
    grads = _original(case)
    clipped = [_own(g, 0.0, case.max_norm) for g in grads]
    return clipped, (_norms(grads) or [0.0])[-1]


_CLIP_MISTAKES: dict[str, Callable[..., Clipped]] = {
    "each tensor was clipped by its own norm, and the last one was returned: "
    "all gradients together have one norm": _last_norm,
    "nothing changed: g = g * ... only gives the name g to a new tensor": _change(
        lambda grads, _norm, _most: grads
    ),
    "short gradients stay: change only those that are too long": _change(
        lambda grads, norm, most: [g * (most / norm if norm else 1) for g in grads]
    ),
    "the wrong ones: short gradients stay, long ones are shortened": _change(
        lambda grads, norm, most: [
            g * (most / norm if 0 < norm < most else 1) for g in grads
        ]
    ),
    "divide by the norm: the factor is max_norm / norm": _change(
        _if_long(lambda g, _, most: g * most)
    ),
    "they have length 1 now: the length must be max_norm": _change(
        _if_long(lambda g, norm, _: g / norm)
    ),
    "each number was clipped separately: shorten all by one factor": _change(
        _if_long(lambda g, _, most: np.clip(g, -most, most))
    ),
    "each tensor was clipped separately: shorten all by one factor": _change(
        _if_long(_own)
    ),
    "return the norm from before clipping": _change(
        _if_long(lambda g, norm, most: g * most / norm),
        min,
    ),
    "the square root of the sum is missing": _scale(
        lambda grads: sum(float((g**2).sum()) for g in grads)
    ),
    "square each number, then add: not the other way round": _scale(
        lambda grads: math.sqrt(sum(float(g.sum()) ** 2 for g in grads))
    ),
    "the norm of all is not the sum of the norms": _scale(
        lambda grads: sum(_norms(grads))
    ),
    "the norm of all is not the largest norm": _scale(
        lambda grads: max(_norms(grads), default=0.0)
    ),
    "the norm of all is not the largest number": _scale(
        lambda grads: max((float(abs(g).max()) for g in grads), default=0.0)
    ),
    "squares are added, not absolute values": _scale(
        lambda grads: sum(float(abs(g).sum()) for g in grads)
    ),
}
