"""Softmax and its relatives in `nn.functional`, where `dim` may be omitted.

`torch.softmax` and Tensor's method, which require `dim`, are in `ops/softmax.py`.
"""

from __future__ import annotations

import warnings
from typing import Any

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import apply1
from ...backends import array_module
from ...random.continuous import exponential
from ...random.generator import generator_for
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import need_tensors
from ..dims import dim_of, ndim_of
from ..pointwise import log
from ..reduce import argmax
from ..registration import composite
from ..softmax import LogSoftmax, Softmax, as_dtype

__all__ = ["gumbel_softmax", "log_softmax", "softmax", "softmin"]


def softmax(
    input: Tensor,
    dim: int | None = None,
    _stacklevel: int = 3,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """Exponentials along `dim`, scaled to sum to 1.

    Math: y_i = exp(x_i) / Σ_j exp(x_j)      ∂L/∂x = y · (g − Σ_j g_j y_j)
    Shape: (*) -> (*)

    Args:
        input: the scores.
        dim: the dimension that adds up to 1; omitting it is deprecated.
        dtype: what to convert to first.

    Raises:
        IndexError: if there is no such dimension.
        NotImplementedError: for integers.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.softmax(torch.tensor([0.0, 0.0]), dim=0)
        tensor([0.5000, 0.5000])
    """
    if _m.special_modes and softmax in _m.modes.autocast:
        return _m.autocast(softmax, input, dim, _stacklevel, dtype)
    if dim is None:
        dim = _implicit_dim(input, "softmax", _stacklevel)
    x = input if dtype is None else as_dtype(input, dtype)
    return apply1(Softmax(dim_of(dim, ndim_of(x))), x)


def log_softmax(
    input: Tensor,
    dim: int | None = None,
    _stacklevel: int = 3,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """Logarithms of the softmax, computed without underflow.

    Math: y_i = x_i − log Σ_j exp(x_j)      ∂L/∂x = g − exp(y) · Σ_j g_j
    Shape: (*) -> (*)

    Args:
        input: the scores.
        dim: the dimension whose probabilities add up to 1; omitting it is deprecated.
        dtype: what to convert to first.

    Raises:
        IndexError: if there is no such dimension.
        NotImplementedError: for integers.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.log_softmax(torch.tensor([1000.0, 0.0]), dim=0)
        tensor([    0., -1000.])
    """
    if _m.special_modes and log_softmax in _m.modes.autocast:
        return _m.autocast(log_softmax, input, dim, _stacklevel, dtype)
    if dim is None:
        dim = _implicit_dim(input, "log_softmax", _stacklevel)
    x = input if dtype is None else as_dtype(input, dtype)
    return apply1(LogSoftmax(dim_of(dim, ndim_of(x))), x)


@composite
def softmin(
    input: Tensor,
    dim: int | None = None,
    _stacklevel: int = 3,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """Softmax of the negated scores, so that the smallest has the highest probability.

    Math: y_i = exp(−x_i) / Σ_j exp(−x_j)      ∂L/∂x = −y · (g − Σ_j g_j y_j)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.softmin(torch.tensor([0.0, 0.0]), 0)
        tensor([0.5000, 0.5000])
    """
    if dim is None:
        dim = _implicit_dim(input, "softmin", _stacklevel)
    probabilities: Tensor = (-input).softmax(dim, dtype)
    return probabilities


def _implicit_dim(input: Tensor, name: str, stacklevel: int) -> int:
    """The dimension of a call without `dim`, with a warning."""
    ndim = ndim_of(input)
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the "
        "call to include dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if ndim in (0, 1, 3) else 1


@composite
def gumbel_softmax(
    logits: Tensor,
    tau: float = 1,
    hard: bool = False,
    eps: float = 1e-10,
    dim: int = -1,
) -> Tensor:
    """Differentiable samples of a categorical distribution.

    Math: y = softmax((x + G) / tau), G = −log(E), E exponentially distributed
          ∂L/∂x = y · (g − Σ_j g_j y_j) / tau; y is this softmax with `hard`, too
    Shape: (*) -> (*)

    Args:
        logits: unnormalised logarithms of probabilities.
        tau: temperature: the lower, the closer to one-hot.
        hard: return one-hot samples, with the gradient of the soft ones.
        eps: not used.
        dim: the dimension of the categories.

    Raises:
        RuntimeError: for scores that are not floating-point numbers.

    Reference: Jang, Gu, Poole (2017), "Categorical reparameterization with
    Gumbel-softmax".

    Example:
        >>> import edutorch as torch
        >>> y = torch.nn.functional.gumbel_softmax(torch.zeros(4), hard=True)
        >>> y.sum()
        tensor(1.)
    """
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    need_tensors("empty_like", input=logits)
    if not logits.dtype.is_floating_point and logits.numel():
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. dtype "
            f"must be a floating point but you specified {logits.dtype.short}"
        )
    x = logits._data
    draws = exponential(generator_for(logits._device), x.shape, x.dtype)
    noise = -log(wrap(draws, logits._device))
    soft: Tensor = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = argmax(soft, dim, keepdim=True)
    categories = wrap(_arange_along(x, dim), logits._device)
    one_hot = (categories == index).to(soft.dtype)
    straight: Tensor = one_hot - soft.detach() + soft
    return straight


def _arange_along(x: Any, dim: int) -> Any:
    """0, 1, 2, ... along `dim`, with size 1 elsewhere."""
    xp = array_module(x)
    shape = [1] * x.ndim
    shape[dim] = x.shape[dim] if x.ndim else 1
    return xp.arange(x.shape[dim] if x.ndim else 1).reshape(shape if x.ndim else ())
