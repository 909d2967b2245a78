"""Distributions that fill tensors, with one op each."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import dtypes
from ...backends.meta import MetaArray
from ...random import continuous, discrete
from ...tensor.complex_parts import real_part
from ...tensor.tensor import Tensor
from ..promotion import refuse_dtype
from .draw import Draw

__all__ = [
    "Bernoulli",
    "Cauchy",
    "Exponential",
    "Geometric",
    "LogNormal",
    "Normal",
    "Random",
    "Uniform",
]


class Uniform(Draw):
    """Uniform random numbers in [low, high).

    Math: y ~ U(low, high)      ∂L/∂x = 0
    """

    attributes = ("low", "high", "generator")
    complex32 = "stored"
    float8_kernel = "check_uniform_bounds"

    def __init__(self, low: float = 0.0, high: float = 1.0) -> None:
        self.low, self.high = float(low), float(high)

    def check(self, x: Tensor) -> None:
        if x.is_meta:
            return  # where nothing is checked
        if x.dtype.kind < dtypes.FLOATING:
            refuse_dtype("check_uniform_bounds", x.dtype)
        low, high, real = self.low, self.high, x.dtype.to_real()
        if (low, high) == (0, 1):
            return
        limit = dtypes.finfo(real).max
        for name, value in (("from", low), ("to", high)):
            if not -limit <= value <= limit:
                raise RuntimeError(f"{name} is out of bounds for {real.c_name}")
        if low > high:
            raise RuntimeError(
                "uniform_ expects to return a [from, to) range, but found "
                f"from={low:g} > to={high:g}"
            )
        if high - low > limit:
            raise RuntimeError(
                "uniform_ expects to-from <= std::numeric_limits<Float>::max(), but "
                f"found to={high:g} and from={low:g} which result in to-from to exceed "
                "the limit"
            )

    def draw(self, x: Any, shape: tuple[int, ...]) -> Any:
        real, parts = _real_dtype_and_shape(x, shape)
        y = continuous.uniform(self.generator, parts, real, self.low, self.high)
        return y.view(x.dtype).reshape(shape)


class Normal(Draw):
    """Normal random numbers.

    Math: y ~ N(mean, std²)      ∂L/∂x = 0
    """

    attributes = ("mean", "std", "generator")
    complex32 = "stored"
    float8_kernel = "normal_kernel_cpu"

    def __init__(self, mean: float = 0.0, std: float = 1.0) -> None:
        self.mean, self.std = float(mean), float(std)

    def check(self, x: Tensor) -> None:
        if not self.std >= 0:
            told = _number(self.std, x)
            raise RuntimeError(f"normal expects std >= 0.0, but found std {told}")
        if x.dtype.kind >= dtypes.FLOATING:
            return
        if x.is_meta:
            raise RuntimeError(
                f"expected a floating-point or complex dtype, but got dtype={x.dtype}"
            )
        if x._data.size:
            refuse_dtype("normal_kernel_cpu", x.dtype)

    def draw(self, x: Any, shape: tuple[int, ...]) -> Any:
        real, parts = _real_dtype_and_shape(x, shape)
        # Each part of a complex number has half of the variance.
        std = self.std if real == x.dtype else self.std / math.sqrt(2)
        y = continuous.normal(
            self.generator, parts, real, self.mean, std, x.flags.c_contiguous
        )
        return y.view(x.dtype).reshape(shape)


def _real_dtype_and_shape(
    x: Any, shape: tuple[int, ...]
) -> tuple[Any, tuple[int, ...]]:
    """A real dtype and shape; complex numbers are pairs of reals."""
    if x.dtype.kind not in "cW":
        return x.dtype, shape
    return real_part(x).dtype, (*shape, 2)


class LogNormal(Draw):
    """Log-normal numbers.

    Math: log y ~ N(mean, std²)      ∂L/∂x = 0
    """

    attributes = ("mean", "std", "generator")

    def __init__(self, mean: float, std: float) -> None:
        self.mean, self.std = float(mean), float(std)

    def check(self, x: Tensor) -> None:
        fits = x.dtype.is_floating_point
        _check_meta("log_normal", x, fits)
        if not self.std > 0:
            raise RuntimeError(
                f"log_normal_ expects std > 0.0, but found std={_number(self.std, x)}"
            )
        if not fits and x._data.size:
            refuse_dtype("log_normal_cpu", x.dtype)

    def draw(self, x: Any, shape: tuple[int, ...]) -> Any:
        return continuous.log_normal(
            self.generator, shape, x.dtype, self.mean, self.std
        )


def _need_floats(name: str, x: Tensor, dtype: str) -> None:
    """Raise unless `x` is floating-point; messages name its dtype `dtype`."""
    if not x.dtype.is_floating_point:
        gap, dtype = (" " * 9, str(x.dtype)) if x.is_meta else (" ", dtype)
        raise RuntimeError(
            f"{name} distribution is a continuous probability distribution.{gap}dtype "
            f"must be a floating point but you specified {dtype}"
        )


def _check_meta(name: str, x: Tensor, fits: bool) -> None:
    """On the meta device the dtype is looked at before the parameters.

    Raises:
        RuntimeError: there, if the dtype does not fit.
    """
    if x.is_meta and not fits:
        raise RuntimeError(f"{name} not implemented for {x.dtype}")


def _number(value: float, x: Tensor) -> str:
    """A parameter as messages tell it: Python's on the meta device, else C++'s."""
    return str(value) if x.is_meta else f"{value:g}"


class Exponential(Draw):
    """Exponential random numbers with the given rate.

    Math: p(y) = rate · exp(-rate · y)      ∂L/∂x = 0
    """

    attributes = ("rate", "generator")

    def __init__(self, rate: float) -> None:
        self.rate = float(rate)

    def check(self, x: Tensor) -> None:
        if x.is_meta:
            _need_floats("Exponential", x, "")
        if not self.rate > 0:
            told = _number(self.rate, x)
            raise RuntimeError(
                f"exponential_ expects lambda > 0.0, but found lambda={told}"
            )
        if x._data.size:
            _need_floats("Exponential", x, x.dtype.short)

    def draw(self, x: Any, shape: tuple[int, ...]) -> Any:
        return continuous.exponential(self.generator, shape, x.dtype, self.rate)


class Cauchy(Draw):
    """Cauchy random numbers.

    Math: p(y) = σ / (π · ((y - median)² + σ²))      ∂L/∂x = 0
    """

    attributes = ("median", "sigma", "generator")

    def __init__(self, median: float, sigma: float) -> None:
        self.median, self.sigma = float(median), float(sigma)

    def check(self, x: Tensor) -> None:
        if x.is_meta:
            _need_floats("Cauchy", x, "")
        if not self.sigma > 0:
            told = _number(self.sigma, x)
            raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={told}")
        _need_floats("Cauchy", x, x.dtype.c_name)

    def draw(self, x: Any, shape: tuple[int, ...]) -> Any:
        return continuous.cauchy(
            self.generator, shape, x.dtype, self.median, self.sigma
        )


class Geometric(Draw):
    """The number of trials up to the first success with probability p.

    Math: P(y = k) = (1 - p)^(k - 1) · p      ∂L/∂x = 0
    """

    attributes = ("p", "generator")

    def __init__(self, p: float) -> None:
        self.p = float(p)

    def check(self, x: Tensor) -> None:
        fits = x.dtype is not dtypes.bool_ and not x.dtype.is_complex
        _check_meta("geometric", x, fits)
        if not 0 < self.p < 1:
            raise RuntimeError(
                f"geometric_ expects p to be in (0, 1), but got p={_number(self.p, x)}"
            )
        if not fits and x._data.size:
            refuse_dtype("geometric_cpu", x.dtype)

    def draw(self, x: Any, shape: tuple[int, ...]) -> Any:
        return discrete.geometric(self.generator, shape, x.dtype, self.p)


class Random(Draw):
    """Random integers in [low, high), by default over the range of the dtype.

    Math: y ~ U{low, ..., high - 1}      ∂L/∂x = 0
    """

    attributes = ("low", "high", "generator")

    def __init__(self, low: int | None = None, high: int | None = None) -> None:
        self.low, self.high = low, high

    def name(self) -> str:
        """PyTorch's name of the node, with the number of the overload."""
        form = 2 if self.low is None else 0 if self.high is None else 1
        return f"RandomBackward{form}"

    def check(self, x: Tensor) -> None:
        if type(x._data) is MetaArray:
            return
        if self.low is None:
            if x.dtype.is_complex and x._data.size:
                refuse_dtype("random_kernel_cpu", x.dtype)
            return
        low = self.low
        high = low + 1 if x.dtype.is_complex else self._end(x.dtype)
        check_range(low, high if self.high is None else self.high)
        if x.dtype.is_complex:
            raise RuntimeError(
                "check_random_bounds handles only integral, floating-point and boolean "
                "types"
            )
        first, last = _limits(x.dtype)
        for name, value in (("from", low), ("to - 1", high - 1)):
            if not first <= value <= last:
                raise RuntimeError(f"{name} is out of bounds for {x.dtype.c_name}")

    def _end(self, dtype: dtypes.dtype) -> int:
        if self.high is not None:
            return self.high
        if dtype.is_floating_point:  # largest range with all integers exact
            digits = 1 - round(math.log2(dtypes.finfo(dtype).eps))
            return int(2**digits) + 1
        return int(_limits(dtype)[1]) + 1

    def draw(self, x: Any, shape: tuple[int, ...]) -> Any:
        if self.low is None:
            return discrete.random(self.generator, shape, x.dtype)
        high = self._end(dtypes.of_numpy[x.dtype])
        return discrete.randint(self.generator, shape, x.dtype, self.low, high)


def check_range(low: int, high: int) -> None:
    """Refuse an empty range of integers.

    Raises:
        RuntimeError: unless `low` < `high`.
    """
    if low >= high:
        raise RuntimeError(
            "random_ expects 'from' to be less than 'to', but got "
            f"from={low} >= to={high}"
        )


def _limits(dtype: dtypes.dtype) -> tuple[float, float]:
    """The smallest and the largest number of a real dtype."""
    if dtype is dtypes.bool_:
        return 0, 1
    info: Any = dtypes.finfo if dtype.is_floating_point else dtypes.iinfo
    return info(dtype).min, info(dtype).max


class Bernoulli(Draw):
    """1 with probability p, else 0; p is a number or an array like x.

    Math: P(y = 1) = p      ∂L/∂x = 0
    """

    attributes = ("p", "generator", "form")

    def __init__(self, p: Any, form: int) -> None:
        self.p, self.form = p, form

    def name(self) -> str:
        """PyTorch's name of the node, with the number of the overload."""
        return f"BernoulliBackward{self.form}"

    def check(self, x: Tensor) -> None:
        if x.is_meta or (isinstance(self.p, np.ndarray) and not self.p.size):
            return  # nothing is drawn, of whatever dtype
        if isinstance(self.p, np.ndarray):
            if self.p.dtype.kind not in "fV":
                refuse_dtype("bernoulli_tensor_cpu_p_", dtypes.of_numpy[self.p.dtype])
            if not bool(((self.p >= 0) & (self.p <= 1)).all()):
                raise RuntimeError(
                    "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  "
                    "(Could this error message be improved?  If so, please report an "
                    "enhancement request to PyTorch.)"
                )
        elif not 0 <= self.p <= 1:
            raise RuntimeError(
                f"bernoulli_ expects p to be in [0, 1], but got p={self.p:g}"
            )
        if x.dtype.is_complex and x._data.size:
            drawn = "scalar_cpu_" if self.form != 1 else "tensor_cpu_self_"
            refuse_dtype(f"bernoulli_{drawn}", x.dtype)

    def forward(self, x: Any) -> Any:
        # The function makes a row-major tensor, the method fills what is there.
        return super().forward(np.empty(x.shape, x.dtype) if self.form == 0 else x)

    def draw(self, x: Any, shape: tuple[int, ...]) -> Any:
        p = self.p
        if isinstance(p, np.ndarray):
            p = p.transpose(continuous.fill_axes(x))
        return discrete.bernoulli(self.generator, shape, x.dtype, p)
