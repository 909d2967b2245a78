"""Linear layers."""

from __future__ import annotations

import math
from typing import Any

from ...tensor.tensor import Tensor
from .. import functional as F
from .. import init
from ..factories import empty_parameter
from .module import Module

__all__ = ["Bilinear", "Identity", "Linear"]


class Identity(Module):
    """Returns its input; accepts and ignores any arguments.

    Math: y = x      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Identity(54, unused=True)(torch.ones(1))
        tensor([1.])
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        """The input."""
        return input


class Linear(Module):
    """An affine map of the last dimension.

    Math: y = x Wᵀ + b      ∂L/∂W = gᵀ x      ∂L/∂b = Σ g      ∂L/∂x = g W
    Shape: (*, in_features) -> (*, out_features)

    Weight and bias start uniform in ±1/√in_features.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.Linear(2, 1)
        >>> layer.weight.data = torch.tensor([[2.0, 3.0]])
        >>> layer.bias.data = torch.tensor([1.0])
        >>> layer(torch.tensor([[1.0, 1.0], [0.0, 2.0]])).detach()
        tensor([[6.],
                [7.]])
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = empty_parameter((out_features, in_features), device, dtype)
        if bias:
            self.bias = empty_parameter((out_features,), device, dtype)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reinitialise weight and bias."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        """The map: x Wᵀ + b."""
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Sizes, and whether there is a bias."""
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class NonDynamicallyQuantizableLinear(Linear):
    """A `Linear` with PyTorch's class name for the output projection of attention.

    Example:
        >>> from edutorch.nn.modules.linear import NonDynamicallyQuantizableLinear
        >>> NonDynamicallyQuantizableLinear(2, 3)
        NonDynamicallyQuantizableLinear(in_features=2, out_features=3, bias=True)
    """


class Bilinear(Module):
    """A bilinear map of two inputs.

    Math: y_k = x₁ᵀ W_k x₂ + b_k      ∂L/∂W_k = g_k x₁ x₂ᵀ      ∂L/∂b = g
          ∂L/∂x₁ = Σ_k g_k W_k x₂      ∂L/∂x₂ = Σ_k g_k W_kᵀ x₁
    Shape: (*, in1_features), (*, in2_features) -> (*, out_features)

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.Bilinear(2, 2, 1, bias=False)
        >>> layer.weight.data = torch.tensor([[[0.0, 1.0], [2.0, 0.0]]])
        >>> x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 5.0])
        >>> layer(x, y).detach()  # 1·1·5 + 2·2·3
        tensor([17.])
    """

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in1_features, self.in2_features = in1_features, in2_features
        self.out_features = out_features
        shape = (out_features, in1_features, in2_features)
        self.weight = empty_parameter(shape, device, dtype)
        if bias:
            self.bias = empty_parameter((out_features,), device, dtype)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reinitialise weight and bias."""
        n = self.weight.size(1)
        if n <= 0:
            raise ValueError(f"in1_features must be > 0, but got (in1_features={n})")
        bound = 1 / math.sqrt(n)
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        """x₁ᵀ W x₂ + b."""
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Sizes, and whether there is a bias."""
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )
