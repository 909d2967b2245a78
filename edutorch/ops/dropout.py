"""Dropout: in training, elements or whole channels are zeroed at random.

Reference: Hinton et al., 2012 (dropout); Klambauer et al., 2017 (alpha dropout).
"""

from __future__ import annotations

import math
import warnings
from typing import Any, ClassVar

import numpy as np

from .. import dtypes
from ..autograd.inplace import check_writable, stand_in, update
from ..autograd.op import Op, apply1
from ..backends import array_module
from ..random import Generator, continuous, discrete
from ..random.generator import generator_for
from ..tensor.tensor import Tensor

__all__ = [
    "alpha_dropout",
    "dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "feature_alpha_dropout",
]

ALPHA = 1.7580993408473766  # -(λα) of SELU: its value far to the left, negated


class Dropout(Op):
    """Elements zeroed with probability p, the others scaled to keep the mean.

    Math: y = x · m, m = 0 with probability p, else 1/(1 - p)      ∂L/∂x = g · m
    Shape: (*) -> (*)
    """

    attributes = ("p",)
    onnx = "Dropout"
    torch_name = "Mul"
    saves = ()
    by_channel: ClassVar[bool] = False
    generator: Generator
    mask: Any

    def __init__(self, p: float) -> None:
        self.p = p

    def check(self, x: Tensor) -> None:
        if self.by_channel and x.ndim < 2:
            raise RuntimeError(
                "Feature dropout requires at least 2 dimensions in the input"
            )
        if x.dtype.is_complex:
            raise NotImplementedError(
                f"\"bernoulli_scalar_cpu_\" not implemented for '{x.dtype.short}'"
            )
        if not x.dtype.is_floating_point:
            raise RuntimeError(
                f"result type {dtypes.get_default_dtype().short} can't be cast to the "
                f"desired output type {x.dtype.short}"
            )

    def kept(self, x: Any) -> Any:
        """Ones where an element (or channel) of x stays, zeros elsewhere."""
        if self.by_channel:
            noise = np.empty(
                x.shape[:2] + (1,) * (x.ndim - 2), x.dtype
            )  # (N, C, 1, ..)
        else:
            noise = continuous.empty_like(x, x.dtype)
        view = continuous.in_fill_order(noise)
        view[...] = discrete.bernoulli(
            self.generator, view.shape, x.dtype, 1.0 - self.p
        )
        return noise

    def forward(self, x: Any) -> Any:
        if self.p == 1:
            self.mask = x.dtype.type(0)  # PyTorch draws nothing then
            return x * self.mask
        self.mask = array_module(x).asarray(self.kept(x) / x.dtype.type(1.0 - self.p))
        return x * self.mask

    def backward(self, g: Any) -> Any:
        return g * self.mask


class FeatureDropout(Dropout):
    """Whole channels zeroed with probability p, the others scaled.

    Math: y = x · m, with one m for each channel      ∂L/∂x = g · m
    Shape: (N, C, *) -> (N, C, *)
    """

    by_channel = True


class AlphaDropout(Dropout):
    """Dropout that keeps mean and variance of what SELU gives.

    Math: y = a · (x where kept, else -α) + a·α·p, a = ((1 - p)(1 + p·α²))^(-1/2)
          ∂L/∂x = a · g where kept, else 0
    """

    torch_name = "Add"

    def forward(self, x: Any) -> Any:
        if self.p == 1:
            self.mask = x.dtype.type(0)
            return x * self.mask
        kept = array_module(x).asarray(self.kept(x))
        real = x.dtype.type
        a = 1.0 / math.sqrt((ALPHA * ALPHA * self.p + 1.0) * (1.0 - self.p))
        shift = (kept - real(1)) * real(ALPHA * a) + real(ALPHA * a * self.p)
        self.mask = kept * real(a)
        return x * self.mask + shift


class FeatureAlphaDropout(AlphaDropout):
    """Alpha dropout of whole channels.

    Math: as alpha dropout, with one decision for each channel
    Shape: (N, C, *) -> (N, C, *)
    """

    by_channel = True


def _applied(op: Dropout, x: Tensor, training: bool, inplace: bool) -> Tensor:
    _check_probability(op.p)
    if not training or op.p == 0 or x.numel() == 0:
        return x
    op.generator = generator_for(x._device)
    if not inplace:
        result: Tensor = apply1(op, x)
        return result
    check_writable(x)
    old = stand_in(x)
    return update(x, old, apply1(op, old))


def dropout(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Zero elements with probability p and scale the others; identity in evaluation.

    Math: y = x · m, m = 0 with probability p, else 1/(1 - p)      ∂L/∂x = g · m
    Shape: (*) -> (*)

    Raises:
        ValueError: if p is no probability.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.nn.functional.dropout(torch.ones(5), 0.2)
        tensor([0.0000, 1.2500, 1.2500, 0.0000, 1.2500])

    Reference: Hinton et al., 2012.
    """
    return _applied(Dropout(p), input, training, inplace)


def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Zero whole channels of sequences with probability p.

    Math: y = x · m, with one m for each channel      ∂L/∂x = g · m
    Shape: (N, C, L) -> (N, C, L), or (C, L) -> (C, L)

    Raises:
        RuntimeError: for inputs of other dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.dropout1d(torch.ones(1, 2, 3), 1.0).sum()
        tensor(0.)
    """
    _check_probability(p)
    if input.ndim not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.ndim}D input. "
            "Note that dropout1d exists to provide channel-wise dropout on inputs with "
            "1 spatial dimension, a channel dimension, and an optional batch dimension "
            "(i.e. 2D or 3D inputs)."
        )
    return _channels(input, input.ndim == 3, p, training, inplace)


def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Zero whole channels of images with probability p.

    Math: y = x · m, with one m for each channel      ∂L/∂x = g · m
    Shape: (N, C, H, W) -> (N, C, H, W)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.dropout2d(torch.ones(1, 2, 3, 3), 1.0).sum()
        tensor(0.)
    """
    _check_probability(p)
    if input.ndim not in (3, 4):
        _warn_of("dropout2d", input.ndim, "2 spatial dimensions", "3D or 4D")
    if input.ndim == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that "
            "channel-wise 1D dropout behavior is desired - input is interpreted as "
            "shape (N, C, L), where C is the channel dim. This behavior will change in "
            "a future release to interpret the input as one without a batch dimension, "
            "i.e. shape (C, H, W). To maintain the 1D channel-wise dropout behavior, "
            "please switch to using dropout1d instead.",
            stacklevel=2,
        )
    return _channels(input, True, p, training, inplace)


def dropout3d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Zero whole channels of volumes with probability p.

    Math: y = x · m, with one m for each channel      ∂L/∂x = g · m
    Shape: (N, C, D, H, W) -> (N, C, D, H, W), or without N

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.dropout3d(torch.ones(1, 2, 3, 3, 3), 1.0).sum()
        tensor(0.)
    """
    _check_probability(p)
    if input.ndim not in (4, 5):
        _warn_of("dropout3d", input.ndim, "3 spatial dimensions", "4D or 5D")
    return _channels(input, input.ndim == 5, p, training, inplace)


def _channels(
    x: Tensor, batched: bool, p: float, training: bool, inplace: bool
) -> Tensor:
    """Feature dropout, for a batch or for one sample."""
    if batched:
        return _applied(FeatureDropout(p), x, training, inplace)
    whole: Any = x.unsqueeze(0)
    result: Any = _applied(FeatureDropout(p), whole, training, inplace)
    return x if inplace else result.squeeze(0)


def _check_probability(p: float) -> None:
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _warn_of(name: str, ndim: int, spatial: str, wanted: str) -> None:
    warnings.warn(
        f"{name}: Received a {ndim}-D input to {name}, which is deprecated and will "
        "result in an error in a future release. To retain the behavior and silence "
        f"this warning, please use dropout instead. Note that {name} exists to provide "
        f"channel-wise dropout on inputs with {spatial}, a channel dimension, and an "
        f"optional batch dimension (i.e. {wanted} inputs).",
        stacklevel=3,
    )


def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Dropout for networks of SELU: mean and variance stay as they are.

    Math: y = a · (x where kept, else -α) + a·α·p      ∂L/∂x = a · g where kept
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.alpha_dropout(torch.ones(3))
        tensor([1., 1., 1.])

    Reference: Klambauer et al., 2017.
    """
    return _applied(AlphaDropout(p), input, training, inplace)


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Alpha dropout of whole channels.

    Math: as `alpha_dropout`, with one decision for each channel
    Shape: (N, C, *) -> (N, C, *)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.feature_alpha_dropout(torch.ones(1, 3))
        tensor([[1., 1., 1.]])

    Reference: Klambauer et al., 2017.
    """
    return _applied(FeatureAlphaDropout(p), input, training, inplace)
