"""The generator of real GPUs, Philox4x32-10, and PyTorch's streams from it.

A draw of four words depends only on seed, stream and counter, so that every thread of
a GPU draws by itself. Threads share an array as in PyTorch: see `words`. The functions
here compute the numbers with NumPy; `kernels/gpu/philox.py` does so on GPUs.

Reference: Salmon, Moraes, Dror and Shaw, 2011, "Parallel random numbers: as easy as
1, 2, 3".
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ..kernels.multiply_add import multiply_add

__all__ = [
    "draw", "dropout_mask", "grid_of", "packed_uniform", "shuffle_equal_keys", "philox",
    "words",
]  # fmt: skip

BLOCK: Final = 256  # threads of a block
MULTIPLIERS: Final = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
STEPS: Final = (0x9E3779B9, 0xBB67AE85)  # of the two halves of the key, per round
LOW: Final = np.uint64(0xFFFFFFFF)
HALF: Final = np.uint64(32)


def philox(seed: int, counters: Any, streams: Any) -> Any:
    """Four words of 32 bits for each counter of each stream, which broadcast.

    Example:
        >>> import numpy as np
        >>> [hex(word) for word in philox(0, np.uint64(0), np.uint64(0))]
        ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    counters, streams = np.broadcast_arrays(counters, streams)
    c = [counters & LOW, counters >> HALF, streams & LOW, streams >> HALF]
    key = [seed % 2**32, seed >> 32]
    for _ in range(10):
        p, q = c[0] * MULTIPLIERS[0], c[2] * MULTIPLIERS[1]
        k0, k1 = map(np.uint64, key)
        c = [(q >> HALF) ^ c[1] ^ k0, q & LOW, (p >> HALF) ^ c[3] ^ k1, p & LOW]
        key = [(k + step) % 2**32 for k, step in zip(key, STEPS, strict=True)]
    return np.stack(c, -1).astype(np.uint32)


def grid_of(n: int, most: int) -> int:
    """Blocks that fill n elements, at most as many as a GPU runs at once."""
    return max(min(most, -(-n // BLOCK)), 1)


def words(seed: int, counter: int, n: int, grid: int, unroll: int) -> Any:
    """The words of each thread's draws: (draws, threads, 4)."""
    threads = grid * BLOCK
    draws = (n - 1) // (threads * unroll) + 1
    counters = (counter + np.arange(draws)).astype(np.uint64)
    return philox(seed, counters[:, None], np.arange(threads, dtype=np.uint64))


def _singles(w: Any) -> Any:
    """Float32 in (0, 1]."""
    return w.astype(np.float32) * np.float32(2**-32) + np.float32(2**-33)


def _digits(low: Any, high: Any) -> Any:
    return (low ^ (high.astype(np.uint64) << np.uint64(21))).astype(np.float64)


def _doubles(w: Any) -> Any:
    """Float64 in (0, 1], of two words each."""
    return _digits(w[..., ::2], w[..., 1::2]) * 2.0**-53 + 2.0**-54


def _normal_singles(w: Any) -> Any:
    turn = np.float32(2 * math.pi)
    radius = np.sqrt(np.float32(-2) * np.log(_singles(w[..., ::2])))
    scale = np.float32(2**-32) * turn
    angle = w[..., 1::2].astype(np.float32) * scale + scale / np.float32(2)
    return _pairs(radius, np.sin(angle), np.cos(angle))


def _normal_doubles(w: Any) -> Any:
    u = _doubles(w)
    radius = np.sqrt(-2.0 * np.log(u[..., :1]))
    angle = 2 * math.pi * u[..., 1:]
    return _pairs(radius, np.sin(angle), np.cos(angle))


def _pairs(radius: Any, sine: Any, cosine: Any) -> Any:
    pairs = np.stack([radius * sine, radius * cosine], -1)
    return pairs.reshape(*pairs.shape[:-2], -1)


def _long_words(w: Any) -> Any:
    w = w.astype(np.uint64)
    return (w[..., ::2] << HALF) | w[..., 1::2]


def _multiply_add(x: Any, a: float, b: float) -> Any:
    """X · a + b, rounded once in float32."""
    if x.dtype != np.float32:
        return x * a + b
    return multiply_add(x, np.float32(a), np.float32(b))


def _uniform(u: Any, width: float, low: float, high: float) -> Any:
    y = _multiply_add(u, width, low)
    y[y == y.dtype.type(high)] = low
    return y


def _exponential(u: Any, rate: float) -> Any:
    eps = np.finfo(u.dtype).eps
    last = np.where(u >= 1 - eps / 2, -eps / 2, np.log(u))
    return u.dtype.type(-1) / u.dtype.type(rate) * last


def _cauchy(u: Any, sigma: float, median: float) -> Any:
    if u.dtype == np.float32:
        eps = np.finfo(np.float32).eps
        u = np.clip(u, eps, 1 - eps)
    kind = u.dtype.type
    return kind(median) + kind(sigma) * np.tan(kind(math.pi) * (u - kind(0.5)))


def _geometric(u: Any, p: float) -> Any:
    return np.ceil(np.log(u) / np.log(u.dtype.type(1) - u.dtype.type(p)))


def _integers(w: Any, span: int, low: int) -> Any:
    offset = w.astype(np.uint64)
    offset = offset % np.uint64(span) if span else offset
    return (offset + np.uint64(low % 2**64)).view(np.int64)


UNITS: Final = {4: _singles, 2: _doubles}
NORMALS: Final = {4: _normal_singles, 2: _normal_doubles}
WORDS: Final = {4: lambda w: w, 2: _long_words}
# What a draw is made into first, and the numbers of the distribution from it.
DISTRIBUTIONS: Final[dict[str, tuple[Any, Any]]] = {
    "uniform": (UNITS, _uniform),
    "normal": (NORMALS, _multiply_add),
    "bernoulli": (UNITS, lambda u, p: u < u.dtype.type(p)),
    "exponential": (UNITS, _exponential),
    "cauchy": (UNITS, _cauchy),
    "geometric": (UNITS, _geometric),
    "log_normal": (NORMALS, lambda z, std, mean: np.exp(_multiply_add(z, std, mean))),
    "integers": (WORDS, _integers),
}


def draw(
    name: str, out: Any, grid: int, seed: int, counter: int, *parameters: float
) -> None:
    """Fill an array with numbers of a distribution, as the kernel of this name does.

    Example:
        >>> import numpy as np
        >>> out = np.empty(2, np.float32)
        >>> draw("uniform_float", out, 1, 0, 0, 1.0, 0.0, 1.0)
        >>> out
        array([0.39904648, 0.51667917], dtype=float32)
    """
    distribution, _, kind = name.rpartition("_")
    unroll = 4 if kind in ("float", "narrow") else 2
    first, numbers = DISTRIBUTIONS[distribution]
    drawn = first[unroll](words(seed, counter, out.size, grid, unroll))
    flat = np.moveaxis(drawn, 2, 1).reshape(-1)[: out.size]
    out.reshape(-1)[...] = numbers(flat, *parameters)


def dropout_mask(
    out: Any, grid: int, seed: int, counter: int, kept: float, pack: int
) -> None:
    """Fill an array of float32 with ones, and with 0 at dropped elements.

    A thread takes `pack` neighbours at a time: 4 with a draw, 8 with two, or 2 with
    half a draw each.

    Example:
        >>> import numpy as np
        >>> out = np.empty(4, np.float32)
        >>> dropout_mask(out, 1, seed=0, counter=0, kept=0.5, pack=4)
        >>> out
        array([1., 0., 0., 0.], dtype=float32)
    """
    u = _packed(out.size, grid, seed, counter, pack)
    out.reshape(-1)[...] = u < np.float32(kept)


def packed_uniform(out: Any, grid: int, seed: int, counter: int) -> None:
    """Fill an array with uniform numbers, of which a thread draws four neighbours.

    Example:
        >>> import numpy as np
        >>> out = np.empty(1, np.float32)
        >>> packed_uniform(out, 1, seed=0, counter=0)
        >>> out
        array([0.39904648], dtype=float32)
    """
    out.reshape(-1)[...] = _packed(out.size, grid, seed, counter, 4)


def _packed(n: int, grid: int, seed: int, counter: int, pack: int) -> Any:
    """Uniform numbers of float32 in the order of threads that take `pack` at a time."""
    drawn = words(seed, counter, -(-n // 8) * 8, grid, 4)  # (draws, threads, 4)
    draws, threads, _ = drawn.shape
    if pack == 2:
        drawn = drawn.reshape(draws, threads, 2, 2).transpose(0, 2, 1, 3)
    if pack == 8:
        if draws % 2:
            drawn = words(seed, counter, n + 4 * threads, grid, 4)
        drawn = drawn.reshape(-1, 2, threads, 4).transpose(0, 2, 1, 3)
    return _singles(drawn.reshape(-1)[:n])


def shuffle_equal_keys(keys: Any, order: Any, seed: int, counter: int) -> None:
    """Shuffle the parts of `order` whose sorted keys are equal (Fisher and Yates).

    Example:
        >>> import numpy as np
        >>> order = np.arange(4)
        >>> shuffle_equal_keys(np.array([1, 5, 5, 5]), order, seed=0, counter=0)
        >>> sorted(order[1:].tolist())
        [1, 2, 3]
    """
    edges = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    for start, end in zip(edges, np.append(edges[1:], len(keys)), strict=True):
        draws = np.arange(counter, counter + (end - start) // 4 + 1, dtype=np.uint64)
        drawn = philox(seed, draws, np.uint64(start)).reshape(-1).tolist()
        for used, last in enumerate(range(end - start - 1, 0, -1)):
            a, b = start + last, start + drawn[used] % (last + 1)
            order[a], order[b] = order[b], order[a]
