"""The checks of chapter 17 for bytes: a step's peak, and an allocator's choice."""

# ruff: noqa: ARG005  # a mistake leaves out what the rule needs

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from edutorch.course.compare_functions import Mistake, compare_functions
from edutorch.course.random_cases import Draw

__all__ = ["FIT_MISTAKES", "PEAK_MISTAKES", "best_fit", "step_peak"]

Sizes = Sequence[int]
Fit = Callable[[Sizes, int], Any]

PEAK_RULE = (
    "forward keeps all outputs; backward, last layer first, makes the gradients of the "
    "weights and of the input, then frees the layer's output and its gradient"
)
FIT_RULE = "round up to 512 bytes; the smallest free block that is large enough"


def _course(
    weights: Sizes,
    outputs: Sizes,
    *,
    made: Callable[[Sizes, Sizes, int], int],
    freed: Callable[[Sizes, Sizes, int], int],
) -> list[int]:
    """The bytes held after forward, at each layer's peak in backward, at the end."""
    held = sum(weights) + sum(outputs) + outputs[-1]
    moments = [held]
    for i in reversed(range(len(weights))):
        held += made(weights, outputs, i)
        moments.append(held)
        held -= freed(weights, outputs, i)
    return [*moments, held]


def _made(w: Sizes, o: Sizes, i: int) -> int:
    return w[i] + (o[i - 1] if i else 0)


def _freed(_w: Sizes, o: Sizes, i: int) -> int:
    return 2 * o[i]


def _peak(w: Sizes, o: Sizes) -> int:
    """The right peak."""
    return max(_course(w, o, made=_made, freed=_freed))


def _with(
    made: Callable[[Sizes, Sizes, int], int] = _made,
    freed: Callable[[Sizes, Sizes, int], int] = _freed,
) -> Callable[[Sizes, Sizes], int]:
    return lambda w, o: max(_course(w, o, made=made, freed=freed))


def _without_last(w: Sizes, o: Sizes) -> int:
    """A mistake: without the gradient of the last output."""
    held = peak = sum(w) + sum(o)
    for i in reversed(range(len(w))):
        held += _made(w, o, i)
        peak = max(peak, held)
        held -= o[i] if i == len(w) - 1 else 2 * o[i]
    return peak


def _never_made(w: Sizes, o: Sizes) -> int:
    """The same mistake, but the bytes of that gradient are subtracted nevertheless."""
    return max(sum(w) + sum(o), _with(_made)(w, o) - o[-1])


def _freed_first(w: Sizes, o: Sizes) -> int:
    held = peak = sum(w) + sum(o) + o[-1]
    for i in reversed(range(len(w))):
        held += _made(w, o, i) - 2 * o[i]
        peak = max(peak, held)
    return peak


def _forwards(w: Sizes, o: Sizes) -> int:
    """A mistake: backward from the first layer to the last."""
    held = peak = sum(w) + sum(o) + o[-1]
    for i in range(len(w)):
        held += _made(w, o, i)
        peak = max(peak, held)
        held -= 2 * o[i]
    return peak


PEAK_MISTAKES: dict[str, Mistake] = {
    "that is what is held when forward ends: backward needs more": (
        lambda w, o: sum(w) + sum(o),
        lambda w, o: sum(w) + sum(o) + o[-1],
    ),
    "that is what is held when the step has ended": (
        lambda w, o: 2 * sum(w),
        lambda w, o: _course(w, o, made=_made, freed=_freed)[-1],
    ),
    "the weights themselves are not counted": lambda w, o: _peak(w, o) - sum(w),
    "the gradients of the weights are not counted": _with(
        made=lambda w, o, i: o[i - 1] if i else 0
    ),
    "the gradients of the outputs are not counted": (
        lambda w, o: max(
            sum(w) + sum(o[: i + 1]) + sum(w[i:]) for i in range(len(w))
        ),
        _with(made=lambda w, o, i: w[i], freed=lambda w, o, i: o[i]),
    ),
    "nothing is freed here: a layer's output is freed after its turn": (
        _with(freed=lambda w, o, i: 0),
        lambda w, o: 2 * sum(w) + 2 * sum(o),
    ),
    "the outputs stay here: each is freed with its gradient": _with(
        freed=lambda w, o, i: o[i]
    ),
    "the gradients of the weights stay until the optimizer has used them": _with(
        freed=lambda w, o, i: 2 * o[i] + w[i]
    ),
    "the first layer makes no gradient of its input; outputs[-1] is the LAST one": (
        _with(made=lambda w, o, i: w[i] + o[i - 1])
    ),
    "backward begins with the last layer": _forwards,
    "look at the peak before you free: both are held at once": _freed_first,
    "backward begins with the gradient of the last output, as large as it": (
        _without_last,
        _never_made,
    ),
    "the input's gradient is as large as the output of the layer BEFORE": _with(
        made=lambda w, o, i: w[i] + o[i]
    ),
}  # fmt: skip


def _fresh_sizes(draw: Draw) -> tuple[list[int], list[int]]:
    """Random layers, with large weights or large outputs."""
    layers, large = draw.size(2, 6), draw.choice((50, 200, 800))
    weights = [draw.size(1, large) for _ in range(layers)]
    return weights, [draw.size(1, 300) for _ in range(layers)]


def step_peak(answer: Any) -> None:
    """17.1: the peak of a training step."""
    compare_functions(
        answer,
        "step_peak",
        right=_peak,
        shown=(
            ([10, 20, 5], [100, 80, 4]),
            ([50], [7]),
            ([1, 1, 1], [90, 10, 10]),
            ([500, 2, 2], [10, 10, 10]),
            ([3, 300, 9], [20, 4, 60]),
        ),
        fresh=_fresh_sizes,
        rule=PEAK_RULE,
        mistakes=PEAK_MISTAKES,
        rounds=16,
    )


# ---- the allocator


def _up(nbytes: int) -> int:
    return -(-nbytes // 512) * 512


def _place(fits: list[int], free: Sizes) -> int:
    """The smallest block that fits, the first of equals; -1 for none."""
    return min(fits, key=lambda i: free[i], default=-1)


def _fit(free: Sizes, nbytes: int) -> tuple[int, int]:
    """The right answer."""
    size = _up(nbytes)
    return _place([i for i, block in enumerate(free) if block >= size], free), size


def _sized(size: Callable[[int], int]) -> Fit:
    """A mistake: the right block for another size."""

    def fit(free: Sizes, nbytes: int) -> tuple[int, int]:
        want = size(nbytes)
        return _place([i for i, b in enumerate(free) if b >= want], free), want

    return fit


def _chosen(choose: Callable[[list[int], Sizes], int]) -> Fit:
    """A mistake: another of the blocks that fit."""

    def fit(free: Sizes, nbytes: int) -> tuple[int, int]:
        size = _up(nbytes)
        fits = [i for i, block in enumerate(free) if block >= size]
        return (choose(fits, free) if fits else -1), size

    return fit


def _compared(fits: Callable[[int, int], bool]) -> Fit:
    """A mistake: other blocks are considered large enough."""

    def fit(free: Sizes, nbytes: int) -> tuple[int, int]:
        found = [i for i, block in enumerate(free) if fits(block, nbytes)]
        return _place(found, free), _up(nbytes)

    return fit


def _returned(what: Callable[[Sizes, int, int], tuple[int, int]]) -> Fit:
    """A mistake: the right block, but another pair of numbers."""

    def fit(free: Sizes, nbytes: int) -> tuple[int, int]:
        at, size = _fit(free, nbytes)
        return what(free, at, size) if at >= 0 else (at, size)

    return fit


def _by_distance(free: Sizes, nbytes: int) -> tuple[int, int]:
    size = _up(nbytes)
    return min(range(len(free)), key=lambda i: abs(free[i] - size), default=-1), size


def _none_is(index: int) -> Fit:
    def fit(free: Sizes, nbytes: int) -> tuple[int, int]:
        at, size = _fit(free, nbytes)
        return (index if at < 0 else at), size

    return fit


FIT_MISTAKES: dict[str, Mistake] = {
    "the size is not rounded": _sized(lambda n: n),
    "round UP: a block must hold everything requested": _sized(
        lambda n: n // 512 * 512
    ),
    "a multiple of 512 is rounded already": _sized(lambda n: (n // 512 + 1) * 512),
    "round up, not to the nearest": (
        _sized(lambda n: round(n / 512) * 512),
        _sized(lambda n: int(n / 512 + 0.5) * 512),
    ),
    "round to 512, not to 1024": _sized(lambda n: -(-n // 1024) * 1024),
    "round to 512, not to a power of two": (
        _sized(lambda n: 1 << (n - 1).bit_length()),
        _sized(lambda n: max(512, 1 << (n - 1).bit_length())),
    ),
    "that is the first block that fits: take the smallest": _chosen(
        lambda fits, free: fits[0]
    ),
    "that is the last block that fits: take the smallest": _chosen(
        lambda fits, free: fits[-1]
    ),
    "that is the largest block: take the smallest that fits": (
        _chosen(lambda fits, free: max(fits, key=lambda i: free[i])),
        _chosen(lambda fits, free: max(reversed(fits), key=lambda i: free[i])),
    ),
    "a block of exactly this size fits, too": _compared(lambda b, n: b > _up(n)),
    "among equal blocks take the first": _chosen(
        lambda fits, free: min(reversed(fits), key=lambda i: free[i])
    ),
    "that is the place in a sorted list": _returned(
        lambda free, at, size: (sorted(free).index(free[at]), size)
    ),
    "that is the block's size: return its index": (
        _returned(lambda free, at, size: (free[at], size)),
    ),
    "first the index, then the size": lambda free, nbytes: _fit(free, nbytes)[::-1],
    "return a pair: the index, and the rounded size": (
        lambda free, nbytes: _fit(free, nbytes)[0],
        lambda free, nbytes: _fit(free, nbytes)[1],
    ),
    "start with no block, -1: block 0 may be too small": lambda free, nbytes: (
        min(
            (i for i, b in enumerate(free) if b >= _up(nbytes) and b < free[0]),
            key=lambda i: free[i],
            default=0,
        ),
        _up(nbytes),
    ),
    "the rounded size is set aside, not the whole block": (
        _returned(lambda free, at, size: (at, free[at])),
        lambda free, nbytes: (_fit(free, nbytes)[0], free[_fit(free, nbytes)[0]]),
    ),
    "that is what remains of the block": _returned(
        lambda free, at, size: (at, free[at] - size)
    ),
    "the nearest size may be too small": _by_distance,
    "if none fits, the index is -1": (_none_is(0), _none_is(1), _none_is(-2)),
    "the index counts from 0": _returned(lambda free, at, size: (at + 1, size)),
}


def _fresh_blocks(draw: Draw) -> tuple[list[int], int]:
    free = [512 * draw.size(1, 12) for _ in range(draw.size(2, 7))]
    request = draw.size(1, 5000)
    kind = draw.size(0, 3)
    if kind == 0:
        request = 512 * draw.size(1, 8)
    elif kind == 1:  # a block of the rounded size is there, twice
        free += [_up(request), _up(request)]
    return free, request


def best_fit(answer: Any) -> None:
    """17.2: rounding, and the best fit."""
    compare_functions(
        answer,
        "best_fit",
        right=_fit,
        shown=(
            ([4096, 1024, 2048], 700),
            ([512, 1024], 1024),
            ([2048, 1024, 1024], 513),
            ([512, 1024], 5000),
            ([1024, 512], 512),
            ([3072, 1024], 1100),
            ([], 1),
            ([512], 1),
        ),
        fresh=_fresh_blocks,
        rule=FIT_RULE,
        mistakes=FIT_MISTAKES,
        rounds=16,
    )
