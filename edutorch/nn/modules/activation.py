"""Piecewise linear activation layers: rectifiers, thresholds and shrinkage.

As in PyTorch, this file also has the smooth ones, softmax, and attention.
"""

from __future__ import annotations

import warnings
from typing import Any

from ...tensor.tensor import Tensor
from .. import functional as F
from .. import init
from ..factories import empty_parameter
from . import smooth_activations, softmax
from .module import Module
from .multihead import MultiheadAttention
from .smooth_activations import *  # noqa: F403
from .softmax import *  # noqa: F403

__all__ = [
    "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU",
    "MultiheadAttention", "PReLU", "RReLU", "ReLU", "ReLU6", "Softshrink", "Threshold",
    *smooth_activations.__all__, *softmax.__all__,
]  # fmt: skip


class ReLU(Module):
    """The rectified linear unit: negative elements become 0.

    Math: y = max(x, 0)      ∂L/∂x = g where x > 0, else 0
    Shape: (*) -> (*)
    Reference: Nair and Hinton, 2010.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ReLU()(torch.tensor([-1.0, 2.0]))
        tensor([0., 2.])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.relu(input, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return "inplace=True" if self.inplace else ""


class LeakyReLU(Module):
    """A rectifier with a small slope for negative elements.

    Math: y = max(x, 0) + negative_slope · min(x, 0)
          ∂L/∂x = g where x > 0, else negative_slope · g
    Shape: (*) -> (*)
    Reference: Maas, Hannun and Ng, 2013.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LeakyReLU()(torch.tensor([-1.0, 2.0]))
        tensor([-0.0100,  2.0000])
    """

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return f"negative_slope={self.negative_slope}" + (
            ", inplace=True" if self.inplace else ""
        )


class RReLU(Module):
    """A leaky rectifier with a random slope in training.

    Math: y = x where x > 0, else a · x with a random in [lower, upper];
          in evaluation a = (lower + upper) / 2
          ∂L/∂x = g where x > 0, else a · g
    Shape: (*) -> (*)
    Reference: Xu et al., 2015.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.RReLU()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def __init__(
        self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False
    ) -> None:
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return f"lower={self.lower}, upper={self.upper}" + (
            ", inplace=True" if self.inplace else ""
        )


class PReLU(Module):
    """A rectifier with a learned slope for negative elements.

    Math: y = max(x, 0) + weight · min(x, 0), one weight or one per channel
          ∂L/∂x = g where x > 0, else weight · g      ∂L/∂weight = Σ g · min(x, 0)
    Shape: (N, C, *) -> the same
    Reference: He et al., 2015.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.PReLU()(torch.tensor([-4.0])).item()
        -1.0
    """

    def __init__(
        self,
        num_parameters: int = 1,
        init: float = 0.25,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        shape: Any = num_parameters
        if not isinstance(shape, (tuple, list)):
            shape = (shape,)
        shape = tuple(shape)
        self.weight = empty_parameter(shape, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reset the slope to its initial value."""
        init.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """The number of slopes."""
        return f"num_parameters={self.num_parameters}"


class Threshold(Module):
    """Replaces elements that do not exceed a threshold by a value.

    Math: y = x where x > threshold, else value
          ∂L/∂x = g where x > threshold, else 0
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Threshold(0.1, 20.0)(torch.tensor([-1.0, 2.0]))
        tensor([20.,  2.])
    """

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return f"threshold={self.threshold}, value={self.value}" + (
            ", inplace=True" if self.inplace else ""
        )


class Hardtanh(Module):
    """Clamps elements to an interval.

    Math: y = min(max(x, min_val), max_val)
          ∂L/∂x = g where min_val < x < max_val, else 0
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Hardtanh()(torch.tensor([-1.0, 2.0]))
        tensor([-1.,  1.])
    """

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:
        super().__init__()
        for name, value in (("min", min_value), ("max", max_value)):
            if value is not None:
                warnings.warn(
                    f"keyword argument `{name}_value` is deprecated and renamed to "
                    f"`{name}_val`",
                    FutureWarning,
                    stacklevel=2,
                )
        self.min_val = min_val if min_value is None else min_value
        self.max_val = max_val if max_value is None else max_value
        self.inplace = inplace
        if self.max_val <= self.min_val:
            raise AssertionError(
                f"max_val ({self.max_val}) must be greater than min_val "
                f"({self.min_val})"
            )

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return f"min_val={self.min_val}, max_val={self.max_val}" + (
            ", inplace=True" if self.inplace else ""
        )


class ReLU6(Hardtanh):
    """The rectifier clamped at 6.

    Math: y = min(max(x, 0), 6)      ∂L/∂x = g where 0 < x < 6, else 0
    Shape: (*) -> (*)
    Reference: Krizhevsky, 2010.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ReLU6()(torch.tensor([-1.0, 2.0]))
        tensor([0., 2.])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return "inplace=True" if self.inplace else ""


class Hardsigmoid(Module):
    """A piecewise linear approximation of the sigmoid.

    Math: y = min(max(x / 6 + 1/2, 0), 1)      ∂L/∂x = g / 6 where −3 < x < 3, else 0
    Shape: (*) -> (*)
    Reference: Courbariaux, Bengio and David, 2015.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Hardsigmoid()(torch.tensor([-1.0, 2.0]))
        tensor([0.3333, 0.8333])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.hardsigmoid(input, self.inplace)


class Hardswish(Module):
    """A piecewise polynomial approximation of `SiLU`.

    Math: y = x · hardsigmoid(x)
          ∂L/∂x = 0 where x <= −3, g where x >= 3, else g · (x / 3 + 1/2)
    Shape: (*) -> (*)
    Reference: Howard et al., 2019.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Hardswish()(torch.tensor([-1.0, 2.0]))
        tensor([-0.3333,  1.6667])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.hardswish(input, self.inplace)


class Hardshrink(Module):
    """Sets elements close to 0 to 0.

    Math: y = x where |x| > lambd, else 0      ∂L/∂x = g where |x| > lambd, else 0
    Shape: (*) -> (*)
    Reference: Donoho and Johnstone, 1994.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Hardshrink()(torch.tensor([-1.0, 2.0]))
        tensor([-1.,  2.])
    """

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.hardshrink(input, self.lambd)

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.lambd}"


class Softshrink(Module):
    """Shrinks elements towards 0 by a constant.

    Math: y = x - lambd where x > lambd, x + lambd where x < -lambd, else 0
          ∂L/∂x = g where |x| > lambd, else 0
    Shape: (*) -> (*)
    Reference: Donoho and Johnstone, 1994.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Softshrink()(torch.tensor([-1.0, 2.0]))
        tensor([-0.5000,  1.5000])
    """

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.softshrink(input, self.lambd)

    def extra_repr(self) -> str:
        """The settings."""
        return str(self.lambd)
