"""Activations for which naive NumPy code is slow or inaccurate.

# Note [Masking bits]
`g * mask` would turn an infinite gradient into nan where the mask is 0. Instead,
`masked` multiplies the bit patterns by 0 or 1 as integers, which is exact and as fast.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy import inf, logical_not, maximum, minimum, ndarray, putmask

from edutorch.backends.array_modules import array_module, to_device_of
from edutorch.config import kernel_path, plain
from edutorch.kernels.compiled import CompiledKernels

__all__ = [
    "choose",
    "clamp",
    "expm1",
    "leaky_relu",
    "leaky_relu_gradient",
    "log1p_exp",
    "masked",
    "relu",
    "relu_gradient",
    "sigmoid",
    "sigmoid_gradient",
    "silu",
    "silu_gradient",
    "tanh_gradient",
]

_compiled = CompiledKernels("activations")

# Up to this size the number of calls dominates: comparing with a number is faster than
# with an array, and writing zeros is faster than multiplying bits.
SMALL_SIZE = 1024

# `maximum` is vectorised where both operands are arrays: up to this size cached zeros
# are used. Larger arrays are clipped, which takes one more call, but no second array.
MAX_ZEROS_SIZE = 2**14


def refuse_bool_and_complex(dtype: Any) -> None:
    """Refuse booleans and complex numbers.

    Raises:
        RuntimeError: for booleans.
        NotImplementedError: for complex numbers.
    """
    if dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    if dtype.kind == "c":
        raise NotImplementedError("clamp is not supported for complex types")


class Zeros(dict[Any, Any]):
    """A zero array of each dtype, which ufuncs take faster than Python numbers."""

    def __missing__(self, dtype: Any) -> Any:
        refuse_bool_and_complex(dtype)
        self[dtype] = np.zeros((), dtype)
        return self[dtype]


ZERO = Zeros()
FLOAT32 = np.dtype(np.float32)
FLOAT32_ZERO = ZERO[FLOAT32]  # needed by most calls: saves looking it up
ROWS = {kind: np.zeros(MAX_ZEROS_SIZE, kind) for kind in "fd"}


def masked(g: Any, mask: Any, out: Any = None) -> Any:
    """`g` where `mask`, else 0, see Note [Masking bits].

    Shape: (*), (*) -> (*)

    Example:
        >>> masked(np.array([1.0, np.inf]), np.array([True, False]))
        array([1., 0.])
    """
    xp = array_module(g)
    if kernel_path() == "plain" or g.dtype.itemsize > 8:  # no integers are as wide
        chosen = xp.where(mask, g, g.dtype.type(0))
        if out is None:
            return chosen
        out[...] = chosen
        return out
    bits = _bits(g.dtype)
    target = None if out is None else out.view(bits)
    return xp.multiply(g.view(bits), mask, out=target).view(g.dtype)


def choose(condition: Any, a: Any, b: Any) -> Any:
    """`np.where`, several times faster where the condition changes often.

    It branches at each number, and mispredicted branches are slow. Here the
    bits in which a and b differ are flipped in b, or multiplied by 0.

    Shape: (*), (*), (*) -> (*), broadcast

    Example:
        >>> choose(np.array([True, False]), np.array([1.0, 2.0]), np.array(3.0))
        array([1., 3.])
    """
    if type(condition) is ndarray and condition.size > SMALL_SIZE and not plain():
        a, b = _as_dtype(a, b), _as_dtype(b, a)
        if _same_float_dtype(a, b):
            bits = _bits(a.dtype)
            below = b.view(bits)
            y = np.bitwise_xor(a.view(bits), below) * condition
            y ^= below
            return y.view(a.dtype)
    a, b = to_device_of(a, condition), to_device_of(b, condition)
    return array_module(condition).where(condition, a, b)


def _as_dtype(x: Any, other: Any) -> Any:
    """A number as an array of the dtype of an array of floats."""
    if type(x) in (int, float) and type(other) is ndarray and other.dtype.char in "fd":
        return np.array(x, other.dtype)
    return x


def _same_float_dtype(a: Any, b: Any) -> bool:
    """Whether both are arrays of one dtype, of 4 or 8 bytes."""
    both = isinstance(a, ndarray) and isinstance(b, ndarray)
    return both and a.dtype is b.dtype and a.dtype.char in "fdil"


def log1p_exp(x: Any) -> Any:
    """log(1 + exp(x)), without overflow; `logaddexp`, unlike these, is not vectorised.

    Shape: (*) -> (*)

    Example:
        >>> log1p_exp(np.array([0.0, 1e3, -np.inf]))
        array([6.93147181e-01, 1.00000000e+03, 0.00000000e+00])
    """
    xp = array_module(x)
    return xp.log1p(xp.exp(-xp.abs(x))) + xp.maximum(x, x.dtype.type(0))


def relu(x: Any) -> Any:
    """The positive part; nan stays nan and -0 stays -0, since x comes second.

    Math: y = max(x, 0)
    Shape: (*) -> (*)

    Example:
        >>> relu(np.array([-1.0, 2.0]))
        array([0., 2.])
    """
    if type(x) is ndarray:
        if x.size <= SMALL_SIZE:
            return maximum(FLOAT32_ZERO if x.dtype is FLOAT32 else ZERO[x.dtype], x)
        row = ROWS.get(x.dtype.char)
        if row is not None and x.size <= MAX_ZEROS_SIZE and x.flags.c_contiguous:
            return maximum(row[: x.size].reshape(x.shape), x)
        if row is not None and (y := _clamp_in_one_pass(x, 0.0, None)) is not None:
            return y
    if x.dtype.kind != "f":
        refuse_bool_and_complex(x.dtype)
        return array_module(x).maximum(x, x.dtype.type(0))
    return array_module(x).clip(x, 0, np.inf)


def clamp(x: Any, low: Any, high: Any) -> Any:
    """Real numbers clamped to [low, high]; None for no limit.

    nan stays nan, and -0 at a limit of 0 stays -0, since x comes second.

    Math: y = min(max(x, low), high)
    Shape: (*) -> (*)

    Example:
        >>> clamp(np.array([-1.0, 2.0, 5.0]), None, 3)
        array([-1.,  2.,  3.])
    """
    if type(x) is ndarray and x.size > SMALL_SIZE:
        y = _clamp_in_one_pass(x, low, high)
        if y is not None:
            return y
    if low is not None:
        x = maximum(_in_dtype(low, x.dtype), x)
    return x if high is None else minimum(_in_dtype(high, x.dtype), x)


def _clamp_in_one_pass(x: Any, low: Any, high: Any) -> Any:
    """A clamped NumPy array, or None if no compiled kernel does it, or for nan."""
    if low != low or high != high:
        return None
    limits = -inf if low is None else low, inf if high is None else high
    return _compiled.elementwise("clamp", x, settings=limits)


def _in_dtype(limit: Any, dtype: Any) -> Any:
    """A limit in the dtype of the operand; -1 wraps around for unsigned dtypes."""
    wraps = dtype.kind == "u" and limit < 0
    return np.asarray(limit).astype(dtype)[()] if wraps else dtype.type(limit)


def relu_gradient(g: Any, y: Any) -> Any:
    """The gradient of `relu`, from its result.

    Math: gx = g where y > 0 or nan, else 0
    Shape: (*), (*) -> (*)

    Example:
        >>> relu_gradient(np.array([1.0, 2.0]), np.array([0.0, 3.0]))
        array([0., 2.])
    """
    if type(g) is not ndarray or type(y) is not ndarray or g.size > SMALL_SIZE:
        gx = _compiled.elementwise("relu_gradient", g, y)
        return masked(g, y != 0) if gx is None else gx
    gx = g.copy()
    putmask(gx, logical_not(y), ZERO[y.dtype])  # y is positive, 0 or nan
    return gx


def leaky_relu(x: Any, negative_slope: float) -> Any:
    """The positive part, and a slope below 0.

    Math: y = x where x > 0, else slope x
    Shape: (*) -> (*)

    Example:
        >>> leaky_relu(np.array([-1.0, 2.0]), 0.5)
        array([-0.5,  2. ])
    """
    y = _compiled.elementwise("leaky_relu", x, settings=(negative_slope,))
    return choose(x > 0, x, x * negative_slope) if y is None else y


def leaky_relu_gradient(g: Any, x: Any, negative_slope: float) -> Any:
    """The gradient of `leaky_relu`.

    Math: gx = g where x > 0, else slope g
    Shape: (*), (*) -> (*)
    """
    gx = _compiled.elementwise("leaky_relu_gradient", g, x, settings=(negative_slope,))
    return choose(x > 0, g, g * negative_slope) if gx is None else gx


def sigmoid(x: Any) -> Any:
    """The logistic function.

    Math: y = 1 / (1 + exp(-x))
    Shape: (*) -> (*)

    Example:
        >>> sigmoid(np.array([0.0, -1e3]))
        array([0.5, 0. ])
    """
    y = _compiled.elementwise("sigmoid", x)
    # exp(-x) may overflow to inf, and 1 / inf is the right 0.
    return 1 / (1 + np.exp(-x)) if y is None else y


def sigmoid_gradient(g: Any, y: Any) -> Any:
    """The gradient of `sigmoid`, from its result.

    Math: gx = g y (1 - y)
    Shape: (*), (*) -> (*)
    """
    gx = _compiled.elementwise("sigmoid_gradient", g, y)
    return g * (y * (1 - y)) if gx is None else gx


def tanh_gradient(g: Any, y: Any) -> Any:
    """The gradient of tanh, from its result.

    Math: gx = g (1 - y^2)
    Shape: (*), (*) -> (*)
    """
    gx = _compiled.elementwise("tanh_gradient", g, y)
    return g * (1 - y * y) if gx is None else gx


def expm1(x: Any) -> Any:
    """exp(x) - 1; of float32 rounded once, where NumPy's may be off by one place.

    Math: y = exp(x) - 1
    Shape: (*) -> (*)

    Example:
        >>> expm1(np.array([1e-8, 1.0], np.float32))
        array([9.9999999e-09, 1.7182819e+00], dtype=float32)
    """
    xp = array_module(x)
    if x.dtype != FLOAT32:
        return xp.expm1(x)
    y = _compiled.elementwise("expm1", x)
    return xp.expm1(x, dtype=np.float64).astype(x.dtype) if y is None else y


def silu(x: Any) -> Any:
    """A number times its sigmoid.

    Math: y = x / (1 + exp(-x))
    Shape: (*) -> (*)
    """
    y = _compiled.elementwise("silu", x)
    return x / (1 + np.exp(-x)) if y is None else y


def silu_gradient(g: Any, x: Any) -> Any:
    """The gradient of `silu`.

    Math: gx = g s (1 + x (1 - s)), s = sigmoid(x)
    Shape: (*), (*) -> (*)
    """
    gx = _compiled.elementwise("silu_gradient", g, x)
    if gx is not None:
        return gx
    s = sigmoid(x)
    return g * (s * (1 + x * (1 - s)))


@cache
def _bits(dtype: Any) -> Any:
    return np.dtype(f"u{dtype.itemsize}")
