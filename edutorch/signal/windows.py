"""Windows, as `torch.signal.windows`: symmetric, or one period of a longer signal.

In the formulas i = 0 .. M - 1, n is M - 1 for symmetric windows and M for periodic
ones, and c = n / 2 is the middle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import pi
from typing import Any

import numpy as np

from .. import dtypes
from ..devices import to_device
from ..ops.create.factory import tensor_on_device
from ..ops.spectral.window_functions import kaiser_values
from ..tensor.tensor import Tensor, strided

__all__ = [
    "bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine",
    "general_hamming", "hamming", "hann", "kaiser", "nuttall",
]  # fmt: skip

NUTTALL = [0.3635819, 0.4891775, 0.1365995, 0.0106411]


def _window(
    name: str, M: int, sym: bool, formula: Callable[[Any, float], Any], dtype: Any,
    layout: Any, device: Any, requires_grad: bool, single: bool = False,
) -> Tensor:  # fmt: skip
    """A window as a tensor: `formula` of the numbers i and the middle c.

    A window of one element is 1, unless the formula holds for a single one, too.
    """
    if M < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={M}")
    if layout is not strided:
        raise ValueError(
            f"{name} is implemented for strided tensors only, got: {layout}"
        )
    shown = dtypes.get_default_dtype() if dtype is None else dtype
    if shown not in (dtypes.float32, dtypes.float64):
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {shown}")
    kind = shown.numpy
    values = np.ones(M)
    if M > 1 or single:
        values = formula(np.arange(float(M)), (M - 1 if sym or M == 1 else M) / 2)
    return tensor_on_device(values.astype(kind), to_device(device), requires_grad)


def bartlett(
    M: int,
    *,
    sym: bool = True,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Bartlett's window: a triangle.

    Math: y = 1 - |i / c - 1|
    Shape: () -> (M)

    Raises:
        ValueError: for a negative M and dtypes other than float32 and float64.

    Reference: Bartlett, 1950

    Example:
        >>> import edutorch as torch
        >>> torch.signal.windows.bartlett(5)
        tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """
    return _window(
        "bartlett", M, sym, lambda i, c: 1 - np.abs(i / c - 1),
        dtype, layout, device, requires_grad,
    )  # fmt: skip


def blackman(
    M: int,
    *,
    sym: bool = True,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Blackman's window: two cosines.

    Math: y = 0.42 - 0.5 cos(2πi / n) + 0.08 cos(4πi / n)
    Shape: () -> (M)

    Raises:
        ValueError: for a negative M and dtypes other than float32 and float64.

    Reference: Blackman and Tukey, 1958

    Example:
        >>> import edutorch as torch
        >>> torch.signal.windows.blackman(5)[1:4]
        tensor([0.3400, 1.0000, 0.3400])
    """
    return _window(
        "blackman", M, sym, _cosines([0.42, 0.5, 0.08]),
        dtype, layout, device, requires_grad,
    )  # fmt: skip


def cosine(
    M: int,
    *,
    sym: bool = True,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """The first half of a sine.

    Math: y = sin(π (i + 1/2) / (n + 1))
    Shape: () -> (M)

    Raises:
        ValueError: for a negative M and dtypes other than float32 and float64.

    Example:
        >>> import edutorch as torch
        >>> torch.signal.windows.cosine(4)
        tensor([0.3827, 0.9239, 0.9239, 0.3827])
    """
    return _window(
        "cosine", M, sym, lambda i, c: np.sin(pi * (i + 0.5) / (2 * c + 1)),
        dtype, layout, device, requires_grad,
    )  # fmt: skip


def exponential(
    M: int,
    *,
    center: float | None = None,
    tau: float = 1.0,
    sym: bool = True,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Falls off exponentially from the middle.

    Math: y = e^(-|i - c| / τ)
    Shape: () -> (M)

    Args:
        center: the middle, of a window that is not symmetric.
        tau: after so many steps it has fallen to 1/e.

    Raises:
        ValueError: for a negative M and dtypes other than float32 and float64,
            a `tau` that is not positive, and a `center` of a symmetric window.

    Example:
        >>> import edutorch as torch
        >>> torch.signal.windows.exponential(3)
        tensor([0.3679, 1.0000, 0.3679])
    """
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")

    def formula(i: Any, c: float) -> Any:
        return np.exp(-np.abs(i - (c if center is None else center)) / tau)

    return _window(
        "exponential", M, sym, formula,
        dtype, layout, device, requires_grad, single=True,
    )  # fmt: skip


def gaussian(
    M: int,
    *,
    std: float = 1.0,
    sym: bool = True,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """The bell curve.

    Math: y = e^(-((i - c) / σ)² / 2)
    Shape: () -> (M)

    Args:
        std: the standard deviation σ, in steps.

    Raises:
        ValueError: for a negative M and dtypes other than float32 and float64,
            and a `std` that is not positive.

    Example:
        >>> import edutorch as torch
        >>> torch.signal.windows.gaussian(3)
        tensor([0.6065, 1.0000, 0.6065])
    """
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    return _window(
        "gaussian", M, sym, lambda i, c: np.exp(-(((i - c) / std) ** 2) / 2),
        dtype, layout, device, requires_grad,
    )  # fmt: skip


def general_cosine(
    M: int,
    *,
    a: Iterable[float],
    sym: bool = True,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """A sum of cosines with alternating signs.

    Math: y = Σ (-1)ᵏ aₖ cos(2πki / n)
    Shape: () -> (M)

    Args:
        a: the coefficients, from the constant one on.

    Raises:
        ValueError: for a negative M and dtypes other than float32 and float64,
            and for no coefficients.

    Example:
        >>> import edutorch as torch
        >>> torch.signal.windows.general_cosine(3, a=[0.5, 0.5])
        tensor([0., 1., 0.])
    """
    if not isinstance(a, Iterable):
        raise TypeError("Coefficients must be a list/tuple")
    a = list(a)
    if not a:
        raise ValueError("Coefficients cannot be empty")
    return _window(
        "general_cosine", M, sym, _cosines(a),
        dtype, layout, device, requires_grad,
    )  # fmt: skip


def _cosines(a: Any) -> Callable[[Any, float], Any]:
    """The formula of a sum of cosines."""

    def formula(i: Any, c: float) -> Any:
        terms = [(-1) ** k * ak * np.cos(pi * k * i / c) for k, ak in enumerate(a)]
        return np.add.reduce(terms)

    return formula


def general_hamming(
    M: int,
    *,
    alpha: float = 0.54,
    sym: bool = True,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """One period of a cosine on a pedestal.

    Math: y = α - (1 - α) cos(2πi / n)
    Shape: () -> (M)

    Raises:
        ValueError: for a negative M and dtypes other than float32 and float64.

    Example:
        >>> import edutorch as torch
        >>> torch.signal.windows.general_hamming(3)
        tensor([0.0800, 1.0000, 0.0800])
    """
    return general_cosine(
        M, a=[alpha, 1 - alpha], sym=sym, dtype=dtype, layout=layout, device=device,
        requires_grad=requires_grad,
    )  # fmt: skip


def hamming(
    M: int,
    *,
    sym: bool = True,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Hamming's window.

    Math: y = 0.54 - 0.46 cos(2πi / n)
    Shape: () -> (M)

    Raises:
        ValueError: for a negative M and dtypes other than float32 and float64.

    Reference: Blackman and Tukey, 1958

    Example:
        >>> import edutorch as torch
        >>> torch.signal.windows.hamming(3)
        tensor([0.0800, 1.0000, 0.0800])
    """
    return general_cosine(
        M, a=[0.54, 0.46], sym=sym, dtype=dtype, layout=layout, device=device,
        requires_grad=requires_grad,
    )  # fmt: skip


def hann(
    M: int,
    *,
    sym: bool = True,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Hann's window.

    Math: y = (1 - cos(2πi / n)) / 2
    Shape: () -> (M)

    Raises:
        ValueError: for a negative M and dtypes other than float32 and float64.

    Reference: Blackman and Tukey, 1958

    Example:
        >>> import edutorch as torch
        >>> torch.signal.windows.hann(3)
        tensor([0., 1., 0.])
    """
    return general_cosine(
        M, a=[0.5, 0.5], sym=sym, dtype=dtype, layout=layout, device=device,
        requires_grad=requires_grad,
    )  # fmt: skip


def kaiser(
    M: int,
    *,
    beta: float = 12.0,
    sym: bool = True,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Kaiser's window: nearly the most energy in the main lobe.

    Math: y = I₀(β √(1 - (i / c - 1)²)) / I₀(β)
    Shape: () -> (M)

    Args:
        beta: larger values fade more strongly.

    Raises:
        ValueError: for a negative M and dtypes other than float32 and float64,
            and a negative `beta`.

    Reference: Kaiser and Schafer, 1980

    Example:
        >>> import edutorch as torch
        >>> torch.signal.windows.kaiser(3, beta=5.0)
        tensor([0.0367, 1.0000, 0.0367])
    """
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    return _window(
        "kaiser", M, sym, lambda i, c: kaiser_values(i / c - 1, beta),
        dtype, layout, device, requires_grad,
    )  # fmt: skip


def nuttall(
    M: int,
    *,
    sym: bool = True,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Nuttall's window of four cosines, as smooth as they allow.

    Math: y = 0.3635819 - 0.4891775 cos(2πi / n) + 0.1365995 cos(4πi / n)
          - 0.0106411 cos(6πi / n)
    Shape: () -> (M)

    Raises:
        ValueError: for a negative M and dtypes other than float32 and float64.

    Reference: Nuttall, 1981

    Example:
        >>> import edutorch as torch
        >>> torch.signal.windows.nuttall(4)
        tensor([3.6280e-04, 5.2923e-01, 5.2923e-01, 3.6280e-04])
    """
    return general_cosine(
        M, a=NUTTALL, sym=sym, dtype=dtype, layout=layout, device=device,
        requires_grad=requires_grad,
    )  # fmt: skip
