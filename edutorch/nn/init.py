"""Initialisers, which fill a tensor in place with suitable initial values."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..autograd.modes import no_grad
from ..ops import randperm
from ..ops.promotion import refuse_dtype
from ..tensor.tensor import Tensor, wrap
from .trunc_normal import trunc_normal_

__all__ = [
    "calculate_gain", "constant", "constant_", "dirac", "dirac_", "eye", "eye_",
    "kaiming_normal", "kaiming_normal_", "kaiming_uniform", "kaiming_uniform_",
    "normal", "normal_", "ones_", "orthogonal", "orthogonal_", "sparse", "sparse_",
    "trunc_normal_", "uniform", "uniform_", "xavier_normal", "xavier_normal_",
    "xavier_uniform", "xavier_uniform_", "zeros_",
]  # fmt: skip


def calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """The gain that compensates for how a nonlinearity shrinks the standard deviation.

    Math: √(2 / (1 + a²)) for leaky_relu of slope a, √2 relu, 5/3 tanh, 3/4 selu, else 1

    Raises:
        ValueError: for an unknown nonlinearity, or a slope that is not a number.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.init.calculate_gain("tanh")
        1.6666666666666667
    """
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    gains = {
        "linear": 1, "sigmoid": 1, "conv1d": 1, "conv2d": 1, "conv3d": 1,
        "conv_transpose1d": 1, "conv_transpose2d": 1, "conv_transpose3d": 1,
        "tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 0.75,
    }  # fmt: skip
    if nonlinearity not in gains:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return gains[nonlinearity]


def uniform_(
    tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None
) -> Tensor:
    """Fill with numbers from the uniform distribution on [a, b).

    Math: x ~ U[a, b)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.init.uniform_(torch.empty(2), 3, 4).min() >= 3
        tensor(True)
    """
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None
) -> Tensor:
    """Fill with numbers from a normal distribution.

    Math: x ~ N(mean, std²)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.init.normal_(torch.empty(3)).shape
        torch.Size([3])
    """
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill with one value.

    Math: x ← val
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.init.constant_(torch.empty(2), 0.3)
        tensor([0.3000, 0.3000])
    """
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Fill with 1.

    Math: x ← 1

    Example:
        >>> import edutorch as torch
        >>> torch.nn.init.ones_(torch.empty(2))
        tensor([1., 1.])
    """
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Fill with 0.

    Math: x ← 0

    Example:
        >>> import edutorch as torch
        >>> torch.nn.init.zeros_(torch.empty(2))
        tensor([0., 0.])
    """
    return constant_(tensor, 0.0)


def eye_(tensor: Tensor) -> Tensor:
    """Fill a matrix with the identity.

    Math: x[i, j] ← 1 where i = j, else 0
    Shape: (n, m) -> (n, m)

    Raises:
        ValueError: if the input is not a matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.init.eye_(torch.empty(2, 2))
        tensor([[1., 0.],
                [0., 1.]])
    """
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with no_grad():
        tensor.zero_().diagonal().fill_(1)
    return tensor


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Fill a convolution's weight so that it preserves as many channels as possible.

    Math: w[o, c, k] ← 1 where o = c and k is the middle, in each group, else 0
    Shape: (O, C, *K) -> (O, C, *K)

    Raises:
        ValueError: for other than 3 to 5 dimensions, or groups that do not divide O.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.init.dirac_(torch.empty(1, 1, 3))
        tensor([[[0., 1., 0.]]])
    """
    if tensor.ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.shape[0] % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    each = tensor.shape[0] // groups
    centre = tuple(k // 2 for k in tensor.shape[2:])
    with no_grad():
        tensor.zero_()
        for group in range(groups):
            for i in range(min(each, tensor.shape[1])):
                tensor[(group * each + i, i, *centre)] = 1
    return tensor


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """The numbers of inputs and outputs of a unit."""
    if tensor.ndim < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 "
            "dimensions"
        )
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with uniform numbers that keep the variance of activations and gradients.

    Math: bound = gain · √(6 / (fan_in + fan_out))
    Shape: (out, in, *K) -> the same; fan_in = in · prod(K), fan_out = out · prod(K)
    Reference: Glorot and Bengio, 2010.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.init.xavier_uniform_(torch.empty(3, 3)).abs().max() <= 1
        tensor(True)
    """
    bound = gain * math.sqrt(6.0 / sum(_calculate_fan_in_and_fan_out(tensor)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with normal numbers that keep the variance of activations and gradients.

    Math: std = gain · √(2 / (fan_in + fan_out))
    Shape: (out, in, *K) -> the same; fan_in = in · prod(K), fan_out = out · prod(K)
    Reference: Glorot and Bengio, 2010.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.init.xavier_normal_(torch.empty(3, 5)).shape
        torch.Size([3, 5])
    """
    std = gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor)))
    return normal_(tensor, 0.0, std, generator)


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    """The number of inputs ("fan_in") or outputs ("fan_out") of one unit."""
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(
            f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']"
        )
    return _calculate_fan_in_and_fan_out(tensor)[mode == "fan_out"]


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def _is_empty(tensor: Tensor) -> bool:
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return True
    return False


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Fill with uniform numbers that keep the variance through rectifiers.

    Math: bound = gain · √(3 / fan)
    Shape: (out, in, *K) -> the same; fan_in = in · prod(K), fan_out = out · prod(K)
    Reference: He et al., 2015.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.init.kaiming_uniform_(torch.empty(3, 6)).abs().max() <= 1
        tensor(True)
    """
    if _is_empty(tensor):
        return tensor
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Fill with normal numbers that keep the variance through rectifiers.

    Math: std = gain / √fan
    Shape: (out, in, *K) -> the same; fan_in = in · prod(K), fan_out = out · prod(K)
    Reference: He et al., 2015.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.init.kaiming_normal_(torch.empty(3, 5)).shape
        torch.Size([3, 5])
    """
    if _is_empty(tensor):
        return tensor
    return normal_(tensor, 0, _kaiming_std(tensor, a, mode, nonlinearity), generator)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Fill with a (semi-)orthogonal matrix times `gain`.

    Math: x ← gain · Q of a random matrix, xᵀ x = gain² or x xᵀ = gain²
    Shape: (n, *) -> (n, *), a matrix with the product of * columns

    Raises:
        ValueError: for fewer than two dimensions.

    Reference: Saxe, McClelland and Ganguli, 2013.

    Example:
        >>> import edutorch as torch
        >>> w = torch.nn.init.orthogonal_(torch.empty(3, 3))
        >>> torch.allclose(w @ w.T, torch.eye(3), atol=1e-5)
        True
    """
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows, cols = tensor.shape[0], tensor.numel() // tensor.shape[0]
    flat = normal_(tensor.new_empty((rows, cols)), 0, 1, generator)
    if flat.dtype.itemsize < 4:
        refuse_dtype("geqrf_cpu", flat.dtype)
    q, r = np.linalg.qr(flat._data.T if rows < cols else flat._data)
    q = q * np.sign(np.diag(r))  # makes the factorisation unique: r's diagonal > 0
    q = q.T if rows < cols else q
    with no_grad():
        return tensor.copy_(wrap(q, tensor._device).view_as(tensor) * gain)


def sparse_(
    tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None
) -> Tensor:
    """Fill a matrix with normal numbers, with a fraction of zeros in each column.

    Math: x ~ N(0, std²), ⌈sparsity · n⌉ zeros in each column
    Shape: (n, m) -> (n, m)

    Raises:
        ValueError: if the input is not a matrix.

    Reference: Martens, 2010.

    Example:
        >>> import edutorch as torch
        >>> w = torch.nn.init.sparse_(torch.empty(10, 2), sparsity=0.5)
        >>> (w == 0).sum(0)
        tensor([5, 5])
    """
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, cols = tensor.shape
    zeros = math.ceil(sparsity * rows)
    normal_(tensor, 0, std, generator)
    with no_grad():
        for col in range(cols):
            tensor[randperm(rows)[:zeros], col] = 0
    return tensor


def _old(new: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A deprecated alias of an initialiser, without the underscore."""
    name = new.__name__.removesuffix("_")

    @functools.wraps(new)
    def initialise(*args: Any, **kwargs: Any) -> Tensor:
        warnings.warn(
            f"`nn.init.{name}` is now deprecated in favor of `nn.init.{name}_`.",
            FutureWarning,
            stacklevel=2,
        )
        return new(*args, **kwargs)

    initialise.__name__ = name
    initialise.__doc__ = f"The old name of `{name}_`."
    return initialise


constant = _old(constant_)
dirac = _old(dirac_)
eye = _old(eye_)
kaiming_normal = _old(kaiming_normal_)
kaiming_uniform = _old(kaiming_uniform_)
normal = _old(normal_)
orthogonal = _old(orthogonal_)
sparse = _old(sparse_)
uniform = _old(uniform_)
xavier_normal = _old(xavier_normal_)
xavier_uniform = _old(xavier_uniform_)
