"""Covariances and correlations of variables."""

from __future__ import annotations

import warnings
from typing import Any

from ...autograd.half_precision import is_half
from ...callers import stack_level
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, type_error
from ..argument_errors import parser_errors
from ..convert.complex_numbers import complex
from ..int_arguments import int_of
from ..pointwise.conjugate import conj
from ..pointwise.roots import sqrt
from ..reduce.sums import sum
from ..registration import composite, public
from ..shape.squeezing import squeeze, unsqueeze
from ..shape.transposing import t
from .matrix_products import matmul

__all__ = ["corrcoef", "cov"]


@public("cov")
@composite
@parser_errors
@reported
def cov(
    input: Tensor,
    *,
    correction: int = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Tensor:
    """The covariance matrix of variables (rows) over observations (columns).

    Math: y[i, j] = Σ w · (x[i] - m[i]) · (x[j] - m[j]) / (Σ w - correction)
          ∂L/∂x = (g + gᵀ) (w · (x - m)) / (Σ w - correction)
    Shape: (n, k) -> (n, n); (k) and (1, k) -> ()

    Args:
        fweights: how often each observation was made.
        aweights: how much each observation counts.

    Raises:
        RuntimeError: for more than two dimensions and weights that do not fit.

    Example:
        >>> import edutorch as torch
        >>> torch.cov(torch.tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]))
        tensor([[ 1., -1.],
                [-1.,  1.]])
    """
    need_tensors("cov", input=input)
    if input.ndim > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got an input "
            f"with {input.ndim} dimensions"
        )
    if input._data.dtype.kind == "b":
        raise RuntimeError("cov(): bool dtype is not supported for input")
    correction = int_of(correction, "correction", "cov")
    x = input.reshape(1, -1) if input.ndim < 2 else input
    _check_weights("fweights", fweights, x.shape[1], "iu", "integral")
    _check_weights("aweights", aweights, x.shape[1], "f", "floating point")
    weights = _weights(fweights, aweights)
    if weights is None:
        total: Any = x.shape[1]
        centred = x - unsqueeze(_divided(sum(x, 1), total), 1)
        product = matmul(centred, conj(t(centred)))
        freedom = total - correction
    else:
        total = sum(weights)
        middle = sum(x * weights, 1) / total
        bias = _bias_correction(correction, weights, aweights, total)
        freedom = total if isinstance(bias, int) and bias == 0 else total - bias
        centred = x - unsqueeze(middle, 1)
        product = matmul(centred, conj(t(centred * weights)))
    if freedom <= 0:
        warnings.warn(
            "cov(): degrees of freedom is <= 0. Correction should be strictly less "
            "than the number of observations.",
            stacklevel=stack_level(),
        )
        freedom = freedom.clamp(min=0) if isinstance(freedom, Tensor) else 0
    return squeeze(_divided(product, freedom))


def _divided(x: Tensor, y: Any) -> Tensor:
    """A quotient whose divisor may be 0."""
    return x / y if isinstance(y, Tensor) or y else x / 0.0


def _check_weights(name: str, w: Any, count: int, kinds: str, words: str) -> None:
    """Raise unless there is a weight for each observation."""
    if w is None:
        return
    if not isinstance(w, Tensor):
        raise type_error("Tensor", name, w)
    wrong = None
    if w.ndim > 1:
        wrong = (
            f"expected {name} to have one or fewer dimensions but got {name} with "
            f"{w.ndim} dimensions"
        )
    elif w._data.dtype.kind not in kinds and not (
        "f" in kinds and is_half(w._data.dtype)
    ):
        wrong = (
            f"expected {name} to have {words} dtype but got {name} with "
            f"{w.dtype.short} dtype"
        )
    elif w.numel() != count:
        wrong = (
            f"expected {name} to have the same numel as there are observations in the "
            f"input but got {w.numel()} != {count}"
        )
    elif (w._data < 0).any():
        wrong = f"{name} cannot be negative"
    if wrong:
        raise RuntimeError(f"cov(): {wrong}")


def _weights(fweights: Any, aweights: Any) -> Any:
    if fweights is None or aweights is None:
        return aweights if fweights is None else fweights
    return fweights * aweights


def _bias_correction(
    correction: int, weights: Tensor, aweights: Any, total: Tensor
) -> Any:
    """The correction of the divisor, adjusted for weights."""
    if aweights is None or correction == 0:
        return correction
    return correction * sum(weights * aweights) / total


@public("corrcoef")
@composite
@reported
def corrcoef(input: Tensor) -> Tensor:
    """The correlation matrix of variables (rows) over observations (columns).

    Math: y[i, j] = c[i, j] / √(c[i, i] · c[j, j]) with c the covariances
          ∂L/∂c: that of the quotient      ∂L/∂x: as of `cov`
    Shape: (n, k) -> (n, n); (k) and (1, k) -> ()

    Raises:
        RuntimeError: for more than two dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.corrcoef(torch.tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]))
        tensor([[ 1., -1.],
                [-1.,  1.]])
    """
    need_tensors("corrcoef", input=input)
    if input.ndim > 2:
        raise RuntimeError(
            "corrcoef(): expected input to have two or fewer dimensions but got an "
            f"input with {input.ndim} dimensions"
        )
    c = cov(input)
    if c.ndim == 0:
        return c / c
    spread = sqrt(c.diagonal().real if c.is_complex() else c.diagonal())
    y = c / spread.view(-1, 1) / spread.view(1, -1)
    if y.is_complex():
        return complex(y.real.clamp(-1, 1), y.imag.clamp(-1, 1))
    return y.clamp(-1, 1)
