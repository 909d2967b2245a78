"""Quasirandom numbers: points that cover a cube more evenly than random ones.

The direction numbers of Joe and Kuo (2008) come from SciPy.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from . import dtypes
from .kernels.lazy_modules import LazyModule
from .ops.create import tensor
from .ops.sampling import randint
from .random import Generator
from .tensor.tensor import Tensor, wrap

__all__ = ["SobolEngine"]

_qmc = LazyModule("scipy.stats.qmc")


class SobolEngine:
    """Points of a Sobol sequence in a cube of some dimensions.

    Math: x_(i+1) = x_i ⊕ v_c(i), c(i) the place of the lowest zero bit of i

    Args:
        dimension: of the cube, at most 21201.
        scramble: turn the points by a random matrix of bits, and shift them.
        seed: of the scrambling; by default the usual generator draws it.

    Raises:
        ValueError: for another dimension.

    Example:
        >>> import edutorch as torch
        >>> torch.quasirandom.SobolEngine(2).draw(3)
        tensor([[0.0000, 0.0000],
                [0.5000, 0.5000],
                [0.7500, 0.2500]])
    """

    MAXBIT: ClassVar[int] = 30
    MAXDIM: ClassVar[int] = 21201

    def __init__(
        self, dimension: int, scramble: bool = False, seed: int | None = None
    ) -> None:
        if dimension > self.MAXDIM or dimension < 1:
            raise ValueError(
                "Supported range of dimensionality for SobolEngine is "
                f"[1, {self.MAXDIM}]"
            )
        self.seed, self.scramble, self.dimension = seed, scramble, dimension
        # SciPy's engine holds the direction numbers, and offers them to nobody.
        engine = _qmc.Sobol(dimension, scramble=False, bits=self.MAXBIT)
        self.sobolstate = wrap(np.array(engine._sv, np.int64))
        self.shift = wrap(np.zeros(dimension, np.int64))
        if scramble:
            self._scramble()
        self.quasi = self.shift.clone()
        self.num_generated = 0

    def _scramble(self) -> None:
        """Turn the direction numbers by triangular matrices of random bits."""
        generator = None
        if self.seed is not None:
            generator = Generator()
            generator.manual_seed(self.seed)
        n, bits = self.dimension, self.MAXBIT
        drawn = randint(2, (n, bits), generator=generator)._data
        self.shift = wrap(drawn @ (1 << np.arange(bits)))
        square = randint(2, (n, bits, bits), generator=generator)._data
        matrix = np.tril(square, -1) + np.eye(bits, dtype=np.int64)
        places = np.arange(bits)[::-1]  # the highest bit first
        columns = self.sobolstate._data[:, None, :] >> places[:, None] & 1
        scrambled = np.matmul(matrix, columns) & 1  # (n, bits, numbers)
        self.sobolstate = wrap((scrambled << places[:, None]).sum(axis=1))

    def draw(
        self, n: int = 1, out: Tensor | None = None, dtype: dtypes.dtype | None = None
    ) -> Tensor:
        """The next points.

        Shape: (n, dimension)

        Args:
            out: the tensor to write them to.
            dtype: by default the default floating one.
        """
        dtype = dtypes.get_default_dtype() if dtype is None else dtype
        points = self._walk(n)
        result = wrap(points).to(dtype) * 2.0**-self.MAXBIT
        self.num_generated += n
        return result if out is None else out.resize_as_(result).copy_(result)

    def _walk(self, n: int) -> Any:
        """The next points as integers, after which `quasi` is the last one."""
        first = self.num_generated
        before = range(max(first - 1, 0), first - 1 + n)
        zeros = [(~i & (i + 1)).bit_length() - 1 for i in before]
        steps = self.sobolstate._data[:, zeros].T  # (n, dimension)
        start = self.quasi._data[None]
        points = np.bitwise_xor.accumulate(np.concatenate([start, steps]), axis=0)
        self.quasi = tensor(points[-1])
        return points if first == 0 else points[1:]

    def draw_base2(
        self, m: int, out: Tensor | None = None, dtype: dtypes.dtype | None = None
    ) -> Tensor:
        """The next 2^m points, if all points so far are a power of two then.

        Shape: (2^m, dimension)

        Raises:
            ValueError: if they are not.
        """
        n = 2**m
        total = self.num_generated + n
        if total & (total - 1):
            raise ValueError(
                "The balance properties of Sobol' points require n to be a power of 2. "
                f"{self.num_generated} points have been previously generated, then: "
                f"n={self.num_generated}+2**{m}={total}. If you still want to do this, "
                "please use 'SobolEngine.draw()' instead."
            )
        return self.draw(n, out, dtype)

    def reset(self) -> SobolEngine:
        """Begin again with the first point."""
        self.quasi = self.shift.clone()
        self.num_generated = 0
        return self

    def fast_forward(self, n: int) -> SobolEngine:
        """Leave out the next points."""
        self._walk(n)
        self.num_generated += n
        return self

    def __repr__(self) -> str:
        told = [f"dimension={self.dimension}"]
        if self.scramble:
            told.append("scramble=True")
        if self.seed is not None:
            told.append(f"seed={self.seed}")
        return f"{type(self).__name__}({', '.join(told)})"
