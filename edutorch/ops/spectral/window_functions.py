"""Window functions."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from ... import dtypes
from ...devices import to_device
from ...process_memory import allocate
from ...tensor.tensor import Tensor, strided
from ..argument_checks import need_flags
from ..argument_errors import check_integer, invalid_combination, parser_errors
from ..create.factory import numpy_dtype, tensor_on_device
from ..pointwise.special_functions import scipy_function
from ..promotion import refuse_dtype

__all__ = [
    "bartlett_window", "blackman_window", "hamming_window", "hann_window",
    "kaiser_window",
]  # fmt: skip


def _window(
    name: str, formula: Any, n: Any, periodic: bool, dtype: Any, layout: Any,
    device: Any, requires_grad: bool,
) -> Tensor:  # fmt: skip
    """A window as a tensor: `formula` of 0, ..., n - 1 and the last number.

    A periodic window is one of n + 1 numbers without the last, which the next period
    would repeat.
    """
    if not hasattr(n, "__index__"):
        raise TypeError(
            f"{name}(): argument 'window_length' (position 1) must be int, not "
            f"{type(n).__name__}"
        )
    check_integer(n)
    named = dtype is None or isinstance(dtype, (dtypes.dtype, type))
    if not (named and isinstance(periodic, bool)):
        raise invalid_combination(name)
    if layout not in (None, strided):
        raise RuntimeError(
            f"{name} is not implemented for sparse types, got: {layout.words}"
        )
    kind = numpy_dtype(dtype)
    if kind.kind == "c":
        short = dtypes.of_numpy[kind].short
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{short}'")
    if kind.kind not in "fV":
        word = {"int64": "long int", "int32": "int", "bool": "bool"}.get(
            str(kind), kind
        )
        raise RuntimeError(
            f"{name} expects floating point dtypes, got: TensorOptions(dtype={word}, "
            "device=cpu, layout=Strided (default), requires_grad=false (default), "
            "pinned_memory=false, memory_format=(nullopt))"
        )
    if n < 0:
        raise RuntimeError(
            f"{name} requires non-negative window_length, got window_length={n}"
        )
    values = allocate(np.ones, n, kind)
    if n > 1 and kind in dtypes.FLOAT8:
        refuse_dtype("arange_cpu", dtypes.of_numpy[kind])
    if n > 1:
        last = n if periodic else n - 1
        values = formula(np.arange(n).astype(kind), last).astype(kind)
    return tensor_on_device(values, to_device(device), requires_grad)


@parser_errors
def hamming_window(
    window_length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    *,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """The Hamming window: a period of a cosine on a pedestal.

    Math: y[i] = α - β cos(2πi / n), n - 1 instead of n where not `periodic`
    Shape: () -> (n)

    Raises:
        RuntimeError: for a negative length, and for dtypes that are not floating point.

    Reference: Blackman and Tukey, 1958

    Example:
        >>> import edutorch as torch
        >>> torch.hamming_window(4)
        tensor([0.0800, 0.5400, 1.0000, 0.5400])
    """
    need_flags("hamming_window", periodic=periodic)

    def formula(i: Any, last: int) -> Any:
        return alpha - beta * np.cos(i * i.dtype.type(2 * pi / last))

    return _window("hamming_window", formula, window_length, periodic, dtype, layout,
                   device, requires_grad)  # fmt: skip


@parser_errors
def hann_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """The Hann window: a period of a raised cosine.

    Math: y[i] = (1 - cos(2πi / n)) / 2, n - 1 instead of n where not `periodic`
    Shape: () -> (n)

    Raises:
        RuntimeError: for a negative length, and for dtypes that are not floating point.

    Reference: Blackman and Tukey, 1958

    Example:
        >>> import edutorch as torch
        >>> torch.hann_window(4)
        tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    need_flags("hann_window", periodic=periodic)

    def formula(i: Any, last: int) -> Any:
        return 0.5 - 0.5 * np.cos(i * i.dtype.type(2 * pi / last))

    return _window("hann_window", formula, window_length, periodic, dtype, layout,
                   device, requires_grad)  # fmt: skip


def blackman_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """The Blackman window: a sum of two cosines.

    Math: y[i] = 0.42 - 0.5 cos(2πi / n) + 0.08 cos(4πi / n), n - 1 instead of n where
          not `periodic`
    Shape: () -> (n)

    Raises:
        RuntimeError: for a negative length, and for dtypes that are not floating point.

    Reference: Blackman and Tukey, 1958

    Example:
        >>> import edutorch as torch
        >>> torch.blackman_window(4)[1:]
        tensor([0.3400, 1.0000, 0.3400])
    """
    need_flags("blackman_window", periodic=periodic)

    def formula(i: Any, last: int) -> Any:
        angle = i * i.dtype.type(pi / last)
        return np.cos(angle * 4) * 0.08 - np.cos(angle * 2) * 0.5 + 0.42

    return _window("blackman_window", formula, window_length, periodic, dtype, layout,
                   device, requires_grad)  # fmt: skip


@parser_errors
def bartlett_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """The Bartlett window: a triangle.

    Math: y[i] = 1 - |2i / n - 1|, n - 1 instead of n where not `periodic`
    Shape: () -> (n)

    Raises:
        RuntimeError: for a negative length, and for dtypes that are not floating point.

    Reference: Bartlett, 1950

    Example:
        >>> import edutorch as torch
        >>> torch.bartlett_window(4)
        tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    need_flags("bartlett_window", periodic=periodic)

    def formula(i: Any, last: int) -> Any:
        up = i * i.dtype.type(2 / last)
        return np.minimum(up, 2 - up)

    return _window("bartlett_window", formula, window_length, periodic, dtype, layout,
                   device, requires_grad)  # fmt: skip


def kaiser_window(
    window_length: int,
    periodic: bool = True,
    beta: float = 12.0,
    *,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """The Kaiser window, with near-optimal energy concentration in the main lobe.

    Math: y[i] = I₀(β √(1 - (2i / n - 1)²)) / I₀(β), n - 1 instead of n where not
          `periodic`
    Shape: () -> (n)

    Args:
        beta: the shape: larger values widen the main lobe and lower the side lobes.

    Raises:
        RuntimeError: for a negative length, and for dtypes that are not floating point.

    Reference: Kaiser and Schafer, 1980

    Example:
        >>> import edutorch as torch
        >>> torch.kaiser_window(4, beta=5.0)
        tensor([0.0367, 0.5529, 1.0000, 0.5529])
    """
    need_flags("kaiser_window", periodic=periodic)

    def formula(i: Any, last: int) -> Any:
        return kaiser_values(i * i.dtype.type(2 / last) - 1, beta)

    return _window("kaiser_window", formula, window_length, periodic, dtype, layout,
                   device, requires_grad)  # fmt: skip


def kaiser_values(x: Any, beta: float) -> Any:
    """The Kaiser window at numbers between -1 and 1."""
    inside = np.sqrt(np.maximum(1 - x * x, 0))
    return scipy_function("i0", beta * inside) / scipy_function(
        "i0", np.asarray(beta, x.dtype)
    )
