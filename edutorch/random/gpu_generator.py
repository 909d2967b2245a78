"""The generator of a real GPU: a seed, a counter, and PyTorch's streams from them."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ..backends import gpus
from ..kernels.gpu import philox as kernels
from . import philox as formulas
from .generator import Generator

__all__ = ["GpuGenerator"]

WIDE: Final = 2**28  # from this many integers on, each takes two words
SINGLE: Final = np.dtype(np.float32)
STATE: Final = np.dtype([("seed", "<u8"), ("offset", "<u8")])


class GpuGenerator(Generator):
    """The source of random numbers of a real GPU, with PyTorch's streams.

    The arrays that its methods return are on the GPU. `offset` counts words: each
    thread of a GPU has drawn as many.
    """

    on_gpu = True

    def manual_seed(self, seed: int) -> Generator:
        super().manual_seed(seed)
        self.offset = 0
        return self

    def get_state(self) -> Any:
        """Seed and offset as 16 bytes, which PyTorch's GPU generator reads too."""
        state = np.array((self._seed, self.offset), STATE)
        return self._wrap_state(np.frombuffer(state.tobytes(), np.uint8).copy())

    def set_state(self, new_state: Any) -> None:
        """Restore a state returned by `get_state`.

        Raises:
            TypeError: if it is not made of bytes.
            RuntimeError: if it has another size.
        """
        array = self._unwrap_state(new_state)
        if array.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if array.size not in (STATE.itemsize, 8):
            raise RuntimeError("RNG state is wrong size")
        offset: list[int]
        seed, *offset = np.frombuffer(array.tobytes(), np.uint64).tolist()
        self._seed, self.offset = seed, offset[0] if offset else 0

    def clone_state(self) -> Generator:
        """An independent generator with the same state."""
        clone = GpuGenerator(self.device)
        clone._seed, clone.offset = self._seed, self.offset
        return clone

    def get_offset(self) -> int:
        """The number of words that each thread has drawn."""
        return self.offset

    def set_offset(self, offset: int) -> None:
        """Continue from another point of the stream."""
        self.offset = int(offset)

    # What the functions of `continuous.py` and `discrete.py` return on a GPU.

    def uniform(self, shape: Any, dtype: Any, low: float, high: float) -> Any:
        """Uniform random numbers in [low, high)."""
        if dtype.itemsize >= 4:
            return self._draw("uniform", shape, dtype, high - low, low, high)
        y = self._draw("uniform", shape, dtype, high - low, low, math.nan)
        end = np.asarray(high, dtype)  # rounding may have reached it
        y[y == end] = low
        return y

    def normal(self, shape: Any, dtype: Any, mean: float, std: float) -> Any:
        """Normally distributed numbers."""
        return self._draw("normal", shape, dtype, std, mean)

    def log_normal(self, shape: Any, dtype: Any, mean: float, std: float) -> Any:
        """exp(x) of normally distributed x."""
        return self._draw("log_normal", shape, dtype, std, mean)

    def exponential(self, shape: Any, dtype: Any, rate: float) -> Any:
        """Exponentially distributed waiting times."""
        return self._draw("exponential", shape, dtype, rate)

    def cauchy(self, shape: Any, dtype: Any, median: float, sigma: float) -> Any:
        """Cauchy's distribution."""
        return self._draw("cauchy", shape, dtype, sigma, median)

    def geometric(self, shape: Any, dtype: Any, p: float) -> Any:
        """The number of trials up to the first success."""
        return self._draw("geometric", shape, dtype, p)

    def bernoulli(self, shape: Any, dtype: Any, p: float) -> Any:
        """Ones with probability p, else zeros."""
        return self._draw("bernoulli", shape, dtype, p)

    def dropout_mask(self, shape: Any, dtype: Any, p: float) -> Any:
        """A dropout mask: 0 with probability p, else 1 / (1 - p)."""
        scale = np.asarray(1 / (1 - p), np.float64 if dtype.itemsize == 8 else SINGLE)
        out = self._empty(shape, SINGLE)
        pack = math.gcd(out.size, 16 // dtype.itemsize)
        if pack == 1:
            kept = self.bernoulli(shape, SINGLE, 1.0 - p)
        else:
            grid = self._grid(out.size)
            self._run("dropout_mask", out, (grid,), (1.0 - p, pack))
            self._advance(out.size, grid, 4)
            kept = out
        if dtype.itemsize == 8:
            return kept.astype(dtype) * scale.item()
        kept *= scale.item()
        return kept.astype(dtype, copy=False)

    def bernoulli_of(self, p: Any) -> Any:
        """Ones with the probabilities of an array, else zeros."""
        u = self._empty(p.shape, SINGLE)
        if u.size:
            grid = -(-u.size // (4 * formulas.BLOCK))
            self._run("packed_uniform", u, (grid,), ())
            self.offset += 12
        with gpus.gpus().on(self.device):
            return u <= self.xp.asarray(p)

    def randint(self, shape: Any, dtype: Any, low: int, high: int) -> Any:
        """Integers from low to high - 1."""
        wide = high - low >= WIDE
        return self._integers(shape, dtype, (high - low) % 2**64, low % 2**64, wide)

    def random(self, shape: Any, dtype: Any, span: int) -> Any:
        """Integers from 0 to span - 1."""
        return self._integers(shape, dtype, span, 0, dtype.itemsize == 8)

    def randperm(self, n: int, dtype: Any) -> Any:
        """The integers from 0 to n - 1, sorted by random keys.

        The keys have so many bits that few of them are equal; where they are, the
        integers are shuffled.
        """
        expected = n - (6 * n * n + 1) / (math.log(0.9) * 12)
        bits = min(64, math.ceil(math.log2(expected))) if n else 0
        if n == 0:
            return self._empty((0,), dtype)
        size = 32 if bits <= 32 else 64
        keys = self.randint((n,), np.dtype(np.int64), -(2 ** (size - 1)),
                            2 ** (size - 1) - 1)  # fmt: skip
        keys = keys & (2**bits - 1) if bits < size else keys
        order = self.xp.argsort(keys, kind="stable")
        keys = keys[order]
        self._run("shuffle_equal_keys", keys, (order,), ())
        self.offset += -(-n // 4) * 4
        return order.astype(dtype, copy=False)

    # Words for distributions that have no kernel; they come from the first stream.

    def words(self, n: int) -> Any:
        """The next n words of 32 bits, in an array of uint64 on the host."""
        draws = -(-n // 4)
        counters = (self.offset // 4 + np.arange(draws)).astype(np.uint64)
        self.offset += 4 * draws
        drawn = formulas.philox(self._seed, counters, np.uint64(0))
        return drawn.reshape(-1)[:n].astype(np.uint64)

    def singles(self, n: int) -> Any:
        """The next n float32 in [0, 1), on the host."""
        return ((self.words(n) >> np.uint64(8)) * 2.0**-24).astype(np.float32)

    def position(self) -> Any:
        """The position in the stream, for `rewind`."""
        return self.offset

    def rewind(self, state: Any, n: int) -> None:
        """Go back to a `position`, then skip the n float64 that were used."""
        self.offset = state + -(-2 * n // 4) * 4

    # Drawing.

    @property
    def xp(self) -> Any:
        """The library of the GPU's arrays."""
        return gpus.gpus().xp

    def _empty(self, shape: Any, dtype: Any) -> Any:
        with gpus.gpus().on(self.device):
            return self.xp.empty(shape, dtype)

    def _grid(self, n: int) -> int:
        return formulas.grid_of(n, gpus.gpus().resident_blocks(self.device))

    def _draw(self, name: str, shape: Any, dtype: Any, *parameters: float) -> Any:
        kind = np.dtype(np.float64 if _is_double(dtype) else np.float32)
        unroll = 2 if kind == np.float64 else 4
        out = self._fill(f"{name}_{'float' if unroll == 4 else 'double'}", shape, kind,
                         unroll, parameters)  # fmt: skip
        return out.astype(dtype, copy=False)

    def _integers(self, shape: Any, dtype: Any, span: int, low: int, wide: bool) -> Any:
        name = "integers_wide" if wide else "integers_narrow"
        out = self._fill(name, shape, np.int64, 2 if wide else 4, (span, low))
        return out.astype(dtype, copy=False)

    def _fill(
        self, name: str, shape: Any, dtype: Any, unroll: int, parameters: Any
    ) -> Any:
        out = self._empty(shape, dtype)
        if out.size:
            grid = self._grid(out.size)
            self._run("draw", out, (grid,), parameters, name)
            self._advance(out.size, grid, unroll)
        return out

    def _run(
        self, kernel: str, out: Any, shape: Any, parameters: Any, *name: str
    ) -> None:
        """Run a kernel on the GPU, or its NumPy version where none can be compiled."""
        backend = gpus.gpus()
        counter = self.offset // 4
        if backend.compiles:
            with backend.on(self.device):
                getattr(kernels, kernel)(
                    *name, out, *shape, self._seed, counter, *parameters
                )
            return
        host = backend.download(out)
        arrays = [backend.download(x) if hasattr(x, "dtype") else x for x in shape]
        getattr(formulas, kernel)(
            *name, host, *arrays, self._seed, counter, *parameters
        )
        for x, y in zip((out, *shape), (host, *arrays), strict=True):
            if hasattr(x, "dtype"):
                x[...] = backend.upload(y, self.device)

    def _advance(self, n: int, grid: int, unroll: int) -> None:
        self.offset += ((n - 1) // (grid * formulas.BLOCK * unroll) + 1) * 4


def _is_double(dtype: Any) -> bool:
    """Whether distributions compute in float64 for a dtype."""
    return bool(dtype == np.float64)


Generator.of_real_gpus = GpuGenerator
