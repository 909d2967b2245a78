"""Dropout: in training, zero values at random and scale up the others."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..autograd.dispatch import Op, apply1
from ..autograd.op_errors import cast_error
from ..backends import array_module
from ..op_events import reported
from ..random.continuous import empty_like, in_fill_order
from ..random.discrete import bernoulli, dropout_mask, feature_mask
from ..random.generator import generator_for
from ..tensor.tensor import Tensor, wrap
from .argument_checks import need_flags, need_tensors, refuse_kinds, type_error
from .argument_errors import argument_error
from .registration import composite

__all__ = [
    "alpha_dropout",
    "dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "feature_alpha_dropout",
    "feature_dropout",
]

# The limit of selu at −∞: −scale·alpha, the value that alpha dropout
# gives to dropped elements.
SELU_LIMIT = 1.7580993408473766


class Dropout(Op):
    """Multiplies values by a random mask of 0 and 1/(1 − p).

    Math: y = x · m, m = 0 with probability p, else 1/(1 − p)      ∂L/∂x = g · m
    Shape: (*) -> (*)
    """

    attributes = ("p",)
    onnx = "Dropout"
    torch_name = "Mul"
    saves = ()
    saves_extra = True

    def __init__(self, p: float, mask: Any) -> None:
        self.p, self.saved = p, mask

    def check(self, x: Any) -> None:
        """Raise for integers and booleans."""
        if x._data.dtype.kind in "iub":
            raise cast_error("Float", x.dtype.short)

    def forward(self, x: Any) -> Any:
        return x * self.saved

    def backward(self, g: Any) -> Any:
        return g * self.saved

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """The nodes that backward visits next; the mask, the other factor, has none."""
        return (*super().next_functions, (None, 0))


def _probability(p: Any) -> float:
    """A probability, given as a number or a tensor without dimensions."""
    if isinstance(p, Tensor) and p.ndim:
        raise type_error("float", "p", p)
    if not 0 <= p <= 1:
        text = f"dropout probability has to be between 0 and 1, but got {p}"
        if p < 0 or p > 1:
            raise ValueError(text)
        raise argument_error() or RuntimeError(text)  # for nan
    return float(p)


def _mask(x: Tensor, p: float, features: bool) -> Any:
    """A mask with an entry per value, or per channel (`features`)."""
    data, generator = x._data, generator_for(x._device)
    xp = array_module(data)
    if p == 1:
        return xp.zeros((), data.dtype)
    if data.dtype.kind in "iub":
        return data  # rejected by the op's check
    if x.is_meta:
        return data
    draw = feature_mask if features else dropout_mask
    return _draw_mask(
        data, features, lambda shape: draw(generator, shape, data.dtype, p)
    )


def _draw_mask(
    data: Any, features: bool, draw: Callable[[tuple[int, ...]], Any]
) -> Any:
    """The results of `draw` for each value, or for each channel (`features`).

    Values are drawn in the order in which they lie in memory. The mask of a tensor
    that is not row-major lies as the tensor does, and so will the product of both.
    """
    xp = array_module(data)
    rows = data.flags.c_contiguous
    if features:
        shape = (*data.shape[:2], *(1,) * (data.ndim - 2))
        mask = xp.asarray(draw(shape))
        if rows:
            return mask
        full = empty_like(data, data.dtype)
        full[...] = mask
        return full
    if rows:
        return xp.asarray(draw(data.shape))
    mask = empty_like(data, data.dtype)
    view = in_fill_order(mask)
    view[...] = xp.asarray(draw(view.shape))
    return mask


def _drops_nothing(x: Any, p: float, training: bool, features: bool) -> bool:
    """Whether nothing is dropped, so that no random numbers are drawn.

    Raises:
        RuntimeError: for features without a dimension to drop them in.
    """
    if p == 0 or not training or x.numel() == 0:
        return True
    if features and x.ndim < 2 and p < 1:
        raise RuntimeError(
            "Feature dropout requires at least 2 dimensions in the input"
        )
    return False


def _dropout(
    x: Tensor, p: float, training: bool, inplace: bool, features: bool = False
) -> Tensor:
    p = _probability(p)
    if _drops_nothing(x, p, training, features):
        bool(inplace)  # refuses tensors of several elements
        return x
    if p == 1 and not x.is_floating_point():
        nothing = wrap(np.zeros((), x._data.dtype), x._device)
        return x.mul_(nothing) if inplace else x * nothing
    refuse_kinds("bernoulli_scalar_cpu_", "c", x)
    mask = _mask(x, p, features)
    if inplace:
        return x.mul_(wrap(mask, x._device))
    return apply1(Dropout(p, mask), x)


@reported
def dropout(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """In training, zero values with probability p and scale the others by 1/(1 − p).

    Math: y = x · m, m = 0 with probability p, else 1/(1 − p)      ∂L/∂x = g · m
    Shape: (*) -> (*)

    Args:
        input: the values.
        p: the probability of zeroing a value, 0 to 1.
        training: otherwise the input is returned as it is.
        inplace: overwrite the input with the result.

    Raises:
        ValueError: if p is not a probability.

    Reference: Srivastava, Hinton, Krizhevsky, Sutskever and Salakhutdinov (2014),
    "Dropout: a simple way to prevent neural networks from overfitting".

    Example:
        >>> import edutorch as torch
        >>> torch.dropout(torch.ones(3), 0.5, False)
        tensor([1., 1., 1.])
    """
    need_tensors("dropout", input=input)
    if training is not False and training is not True:
        _probability(p)  # which PyTorch looks at first
        need_flags("dropout", training=training)
    return _dropout(input, p, training, inplace)


def feature_dropout(
    input: Tensor, p: float, train: bool, inplace: bool = False
) -> Tensor:
    """Dropout of entire channels, drawn once per sample and channel.

    Math: y[n, c] = x[n, c] · m[n, c]      ∂L/∂x = g · m
    Shape: (N, C, *) -> (N, C, *)

    Example:
        >>> import edutorch as torch
        >>> torch.feature_dropout(torch.ones(1, 2, 1), 1.0, True).sum()
        tensor(0.)
    """
    return _dropout(input, p, train, inplace, features=True)


@composite
def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Dropout of entire channels of sequences.

    Math: y[n, c] = x[n, c] · m[n, c], m = 0 with probability p, else 1/(1 − p)
          ∂L/∂x = g · m
    Shape: (N, C, L) -> (N, C, L); N may be absent

    Raises:
        ValueError: if p is not a probability.
        RuntimeError: for another number of dimensions.

    Reference: Tompson, Goroshin, Jain, LeCun and Bregler (2015), "Efficient object
    localization using convolutional networks".

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.dropout1d(torch.ones(1, 2, 3), 0.0).sum()
        tensor(6.)
    """
    p = _probability(p)
    if input.ndim not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.ndim}D input. "
            "Note that dropout1d exists to provide channel-wise dropout on inputs with "
            "1 spatial dimension, a channel dimension, and an optional batch dimension "
            "(i.e. 2D or 3D inputs)."
        )
    return _feature_dropout(input, p, training, inplace, single=input.ndim == 2)


def _feature_dropout(
    x: Any, p: float, training: bool, inplace: bool, single: bool
) -> Tensor:
    """Feature dropout of a batch, or of a single sample without a batch dimension."""
    if not single:
        return _dropout(x, p, training, inplace, features=True)
    if inplace:  # which a leaf refuses even where nothing is dropped
        x.unsqueeze_(0)
        return _dropout(x, p, training, inplace, features=True).squeeze_(0)
    return _dropout(x.unsqueeze(0), p, training, inplace, features=True).squeeze(0)


def _warn_of_rank(name: str, n: int, ndim: int) -> None:
    warnings.warn(
        f"{name}: Received a {ndim}-D input to {name}, which is deprecated and will "
        "result in an error in a future release. To retain the behavior and silence "
        f"this warning, please use dropout instead. Note that {name} exists to provide "
        f"channel-wise dropout on inputs with {n} spatial dimensions, a channel "
        f"dimension, and an optional batch dimension (i.e. {n + 1}D or {n + 2}D "
        "inputs).",
        stacklevel=3,
    )


@composite
def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Dropout of entire channels of images.

    Math: y[n, c] = x[n, c] · m[n, c], m = 0 with probability p, else 1/(1 − p)
          ∂L/∂x = g · m
    Shape: (N, C, H, W) -> (N, C, H, W)

    Raises:
        ValueError: if p is not a probability.

    Reference: Tompson, Goroshin, Jain, LeCun and Bregler (2015), "Efficient object
    localization using convolutional networks".

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.dropout2d(torch.ones(1, 2, 1, 1), 0.0).sum()
        tensor(2.)
    """
    if training is not False and training is not True:
        raise type_error("bool", "training", training, "dropout2d")
    p = _probability(p)
    if input.ndim not in (3, 4):
        _warn_of_rank("dropout2d", 2, input.ndim)
    if input.ndim == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that "
            "channel-wise "
            "1D dropout behavior is desired - input is interpreted as shape (N, C, L), "
            "where C is the channel dim. This behavior will change in a future release "
            "to interpret the input as one without a batch dimension, i.e. shape (C, "
            "H, "
            "W). To maintain the 1D channel-wise dropout behavior, please switch to "
            "using dropout1d instead.",
            stacklevel=2,
        )
    return _dropout(input, p, training, inplace, features=True)


@composite
def dropout3d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Dropout of entire channels of volumes.

    Math: y[n, c] = x[n, c] · m[n, c], m = 0 with probability p, else 1/(1 − p)
          ∂L/∂x = g · m
    Shape: (N, C, D, H, W) -> (N, C, D, H, W); N may be absent
    Reference: Tompson, Goroshin, Jain, LeCun and Bregler (2015), "Efficient object
          localization using convolutional networks".

    Raises:
        ValueError: if p is not a probability.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.dropout3d(torch.ones(1, 2, 1, 1, 1), 0.0).sum()
        tensor(2.)
    """
    if training is not False and training is not True:
        raise type_error("bool", "training", training, "dropout3d")
    p = _probability(p)
    if input.ndim not in (4, 5):
        _warn_of_rank("dropout3d", 3, input.ndim)
    return _feature_dropout(input, p, training, inplace, single=input.ndim != 5)


def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Dropout that preserves mean 0 and variance 1, for networks with `selu`.

    Dropped values become the negative limit of selu instead of 0.

    Math: y = a (x · m + α′ (1 − m)) + b, m = 0 with probability p, else 1,
          a = ((1 − p)(1 + p α′²))^(−1/2), b = −a α′ p, α′ = −1.7581
          ∂L/∂x = a · m · g
    Shape: (*) -> (*)

    Raises:
        ValueError: if p is not a probability.

    Reference: Klambauer, Unterthiner, Mayr and Hochreiter (2017), "Self-normalizing
    neural networks".

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.alpha_dropout(torch.ones(2), 0.5, False)
        tensor([1., 1.])
    """
    if training is not False and training is not True:
        raise type_error("bool", "training", training, "alpha_dropout")
    need_tensors("alpha_dropout", input=input)
    return _alpha_dropout(input, p, training, inplace, features=False)


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """`alpha_dropout` of entire channels.

    Math: y = a (x · m + α′ (1 − m)) + b, one m for each sample and channel
          ∂L/∂x = a · m · g
    Shape: (N, C, *) -> (N, C, *)

    Raises:
        ValueError: if p is not a probability.

    Reference: Klambauer, Unterthiner, Mayr and Hochreiter (2017), "Self-normalizing
    neural networks".

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.feature_alpha_dropout
        >>> f(torch.ones(1, 2), 0.5, False)
        tensor([[1., 1.]])
    """
    if training is not False and training is not True:
        raise type_error("bool", "training", training, "feature_alpha_dropout")
    need_tensors("feature_alpha_dropout", input=input)
    return _alpha_dropout(input, p, training, inplace, features=True)


def _alpha_dropout(
    x: Any, p: float, training: bool, inplace: bool, features: bool
) -> Any:
    p = _probability(p)
    if _drops_nothing(x, p, training, features):
        return x
    if p == 1:
        return x.mul_(0) if inplace else x * 0
    refuse_kinds("bernoulli_scalar_cpu_", "c", x)
    if not x.is_floating_point():
        short = "Long" if x.dtype.short == "Bool" else x.dtype.short
        raise cast_error("Float", short)
    data, generator = x._data, generator_for(x._device)
    m = _draw_mask(
        data, features, lambda shape: bernoulli(generator, shape, data.dtype, 1.0 - p)
    )
    a = 1 / math.sqrt((SELU_LIMIT**2 * p + 1) * (1 - p))
    mask = wrap(m, x._device)
    shift = (mask - 1) * (SELU_LIMIT * a) + SELU_LIMIT * a * p
    scale = mask * a
    if inplace:
        return x.mul_(scale).add_(shift)
    return x * scale + shift
