"""Random integers: ranges, permutations, Bernoulli trials, counts and choices.

All fill arrays in row-major order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..backends.array_modules import host_array
from .continuous import empty_like, exponential, in_fill_order
from .generator import Generator

__all__ = [
    "randint",
    "random",
    "randperm",
    "bernoulli",
    "dropout_mask",
    "feature_mask",
    "geometric",
    "multinomial",
    "poisson",
]


def randint(generator: Generator, shape: Any, dtype: Any, low: int, high: int) -> Any:
    """Integers from low to high - 1, all equally likely."""
    if np.dtype(dtype).kind not in "iub":
        low, high = _ends_that_round_inside(low, high, np.dtype(dtype))
    if generator.on_gpu:
        return generator.gpu.randint(shape, np.dtype(dtype), low, high)
    n, span = math.prod(shape), high - low
    if span >= 2**64:
        return generator.long_words(n).view(np.int64).astype(dtype).reshape(shape)
    if span >= 2**28:
        offset = generator.long_words(n) % np.uint64(span)
    else:
        offset = generator.words(n) % np.uint64(span)
    x = offset.view(np.int64) + np.uint64(low % 2**64).view(np.int64)
    return x.astype(dtype).reshape(shape)


def _ends_that_round_inside(low: int, high: int, dtype: Any) -> tuple[int, int]:
    """The range without the ends that a floating-point type would round out of it."""
    first, last = np.array([low + 1, high - 1]).astype(dtype)
    if int(first) < low:
        low = int(np.nextafter(first, dtype.type(math.inf)))
    if int(last) >= high:
        high = int(np.nextafter(last, dtype.type(-math.inf)))
    return low, high


def random(generator: Generator, shape: Any, dtype: Any) -> Any:
    """Integers from 0 to the largest up to which the type represents all integers."""
    dtype, n = np.dtype(dtype), math.prod(shape)
    if dtype.kind in "iu":
        span = int(np.iinfo(dtype).max) + 1
    else:
        digits = {"bool": 0, "float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}
        span = 2 ** digits.get(dtype.name, 0) + 1  # no complex ones are drawn
    if generator.on_gpu:
        return generator.gpu.random(shape, dtype, span)
    words = generator.long_words(n) if dtype.itemsize == 8 else generator.words(n)
    return (words % np.uint64(span)).astype(dtype).reshape(shape)


def randperm(generator: Generator, n: int, dtype: Any) -> Any:
    """The integers from 0 to n - 1 in random order."""
    if generator.on_gpu:
        return generator.gpu.randperm(n, np.dtype(dtype))
    steps = np.arange(n - 1 if n else 0)
    draw = generator.words if n < (2**32 - 1) // 20 else generator.long_words
    offset = draw(steps.size) % (n - steps).astype(np.uint64)
    swaps = steps + offset.astype(np.int64)
    shuffle = _shuffle_by_swaps if n < 300 else _shuffle_at_once
    return shuffle(n, swaps).astype(dtype)


def _shuffle_by_swaps(n: int, swaps: Any) -> Any:
    """Fisher and Yates: swap position i with position swaps[i] >= i, one by one."""
    x = list(range(n))
    for i, k in enumerate(swaps.tolist()):
        x[i], x[k] = x[k], x[i]
    return np.array(x, np.int64)


def _shuffle_at_once(n: int, swaps: Any) -> Any:
    """The same permutation without a loop.

    Swap i puts into position k = swaps[i] what position i held just then; that is
    what the last swap m < i with swaps[m] = i put there, or i itself. These links
    from i to m are followed for all i together, twice as far each time. The result
    at i is what k held: what the last swap before i that also went to k put there.
    """
    steps = np.arange(n)
    swaps = np.append(swaps, n - 1)
    held = steps.copy()  # held[i]: first the link from i, then what it leads to
    apart = swaps != steps
    held[swaps[apart]] = steps[apart]  # of several links, the last one stays
    while not np.array_equal(further := held[held], held):
        held = further
    bits = n.bit_length()
    order = np.sort(swaps << bits | steps)  # by target, then by time
    target, step = order >> bits, order & ((1 << bits) - 1)
    again = np.append(False, target[1:] == target[:-1])
    result = np.empty(n, np.int64)
    result[step] = np.where(again, held[np.roll(step, 1)], target)
    return result


def bernoulli(generator: Generator, shape: Any, dtype: Any, p: Any) -> Any:
    """Ones with probability p, a number or an array of this shape, else zeros."""
    if generator.on_gpu:
        if isinstance(p, np.ndarray):
            return generator.gpu.bernoulli_of(p).astype(dtype).reshape(shape)
        return generator.gpu.bernoulli(shape, np.dtype(dtype), p)
    n = math.prod(shape)
    if isinstance(p, np.ndarray):
        u = generator.doubles(n) if p.dtype == np.float64 else generator.singles(n)
        p = p.astype(u.dtype).reshape(-1)
    else:
        u = generator.doubles(n)
    return (u < p).astype(dtype).reshape(shape)


def dropout_mask(generator: Generator, shape: Any, dtype: Any, p: float) -> Any:
    """A dropout mask: 0 with probability p, else 1 / (1 - p)."""
    if generator.on_gpu:
        return generator.gpu.dropout_mask(shape, np.dtype(dtype), p)
    return feature_mask(generator, shape, dtype, p)


def feature_mask(generator: Generator, shape: Any, dtype: Any, p: float) -> Any:
    """A dropout mask of whole features, which a GPU draws in another order."""
    mask = bernoulli(generator, shape, dtype, 1.0 - p)
    return mask / mask.dtype.type(1.0 - p) if p < 1 else mask


def geometric(generator: Generator, shape: Any, dtype: Any, p: float) -> Any:
    """The number of trials up to the first success, of probability p."""
    if generator.on_gpu:
        return generator.gpu.geometric(shape, np.dtype(dtype), p)
    u = generator.doubles(math.prod(shape))
    with np.errstate(divide="ignore"):
        x = np.ceil(np.log(u) / np.log1p(-p))
    return x.astype(dtype).reshape(shape)


def multinomial(
    generator: Generator, weights: Any, num_samples: int, replacement: bool = False
) -> Any:
    """Indices drawn in proportion to the weights along the last dimension.

    Without replacement, each index waits for an exponential time at the rate of its
    weight, and the first ones are drawn; with replacement, uniform numbers are looked
    up in the cumulative weights.

    Shape:
        (C) -> (num_samples), or (N, C) -> (N, num_samples)
    """
    if not replacement or num_samples == 1:
        waits = empty_like(weights, weights.dtype)
        view = in_fill_order(waits)
        view[...] = host_array(exponential(generator, view.shape, weights.dtype))
        with np.errstate(divide="ignore", invalid="ignore"):
            order = np.argsort(-(weights / waits), axis=-1, kind="stable")
        return order[..., :num_samples].astype(np.int64)
    rows = weights.reshape(-1, weights.shape[-1])  # (N, C)
    u = generator.doubles(len(rows) * num_samples).reshape(len(rows), num_samples)
    drawn = [_searchsorted(row, x) for row, x in zip(rows, u, strict=True)]
    return np.array(drawn, np.int64).reshape(*weights.shape[:-1], num_samples)


def _searchsorted(weights: Any, u: Any) -> Any:
    """For each u, the first index whose cumulative share of the weights reaches it."""
    single = weights.dtype.itemsize < np.dtype(np.float32).itemsize
    shares = np.cumsum(weights, dtype=np.float32 if single else weights.dtype)
    shares = shares / shares[-1]
    shares[-1] = 1
    return np.searchsorted(shares.astype(np.float64), u)


def poisson(generator: Generator, rates: Any) -> Any:
    """Poisson distributed counts with the means `rates`."""
    draw = UniformStream(generator, rates.size)
    counts = [_poisson(float(rate), draw) for rate in rates.reshape(-1)]
    draw.close()
    return np.array(counts, rates.dtype).reshape(rates.shape)


class UniformStream:
    """Uniform numbers one by one, for algorithms that need an unknown count.

    They are drawn in bulk; closing puts back those that were not used.
    """

    def __init__(self, generator: Generator, n: int) -> None:
        self.generator, self.block = generator, 4 * n + 16
        self.start = generator.position()
        self.numbers: list[float] = []
        self.used = 0

    def __call__(self) -> float:
        if self.used == len(self.numbers):
            self.numbers += self.generator.doubles(self.block).tolist()
        self.used += 1
        return self.numbers[self.used - 1]

    def close(self) -> None:
        self.generator.rewind(self.start, self.used)


def _poisson(rate: float, draw: Callable[[], float]) -> int:
    if rate >= 10:
        return _poisson_by_rejection(rate, draw)
    if rate == 0:
        return 0
    count, product, limit = 0, draw(), math.exp(-rate)
    while product > limit:
        count += 1
        product *= draw()
    return count


def _poisson_by_rejection(rate: float, draw: Callable[[], float]) -> int:
    """Transformed rejection, algorithm PTRS (Hörmann, 1993)."""
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    v_r = 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = draw() - 0.5, draw()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + rate + 0.43)
        if us >= 0.07 and v <= v_r:
            return k
        if k < 0 or (us < 0.013 and v > us):
            continue
        accept = math.log(v * inverse_alpha / (a / (us * us) + b))
        if accept <= k * math.log(rate) - rate - math.lgamma(k + 1):
            return k
