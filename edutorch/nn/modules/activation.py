"""Activation layers: functions of each element, or of rows."""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor
from .. import functional as F
from .. import init
from ..make import full_parameter
from ..module import Module

__all__ = [
    "CELU",
    "ELU",
    "GELU",
    "GLU",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "Mish",
    "PReLU",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SELU",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softmax2d",
    "Softmin",
    "Softplus",
    "Softshrink",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    "Threshold",
]


class ReLU(Module):
    """`ReLU`, as a layer.

    Math: y = max(x, 0)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ReLU()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
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


class ReLU6(Module):
    """`ReLU6`, as a layer.

    Math: y = min(max(x, 0), 6)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ReLU6()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.relu6(input, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return "inplace=True" if self.inplace else ""


class LeakyReLU(Module):
    """`LeakyReLU`, as a layer.

    Math: y = max(x, 0) + negative_slope · min(x, 0)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LeakyReLU()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
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
    """`RReLU`, as a layer.

    Math: y = x where x >= 0, else a · x with a random in [lower, upper]
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


class ELU(Module):
    """`ELU`, as a layer.

    Math: y = x where x > 0, else alpha · (exp(x) - 1)
    Shape: (*) -> (*)
    Reference: Clevert, Unterthiner and Hochreiter, 2015.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ELU()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.elu(input, self.alpha, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")


class CELU(Module):
    """`CELU`, as a layer.

    Math: y = max(x, 0) + min(0, alpha · (exp(x / alpha) - 1))
    Shape: (*) -> (*)
    Reference: Barron, 2017.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.CELU()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.celu(input, self.alpha, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")


class SELU(Module):
    """`SELU`, as a layer.

    Math: y = 1.0507 · (max(x, 0) + min(0, 1.6733 · (exp(x) - 1)))
    Shape: (*) -> (*)
    Reference: Klambauer et al., 2017.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.SELU()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.selu(input, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return "inplace=True" if self.inplace else ""


class GELU(Module):
    """`GELU`, as a layer.

    Math: y = x · Φ(x), Φ the normal distribution function
    Shape: (*) -> (*)
    Reference: Hendrycks and Gimpel, 2016.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.GELU()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        """The settings."""
        return f"approximate={self.approximate!r}"


class SiLU(Module):
    """`SiLU`, as a layer.

    Math: y = x · sigmoid(x)
    Shape: (*) -> (*)
    Reference: Elfwing, Uchibe and Doya, 2018.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.SiLU()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.silu(input, inplace=self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return "inplace=True" if self.inplace else ""


class Mish(Module):
    """`Mish`, as a layer.

    Math: y = x · tanh(log(1 + exp(x)))
    Shape: (*) -> (*)
    Reference: Misra, 2019.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Mish()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.mish(input, inplace=self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return "inplace=True" if self.inplace else ""


class Sigmoid(Module):
    """`Sigmoid`, as a layer.

    Math: y = 1 / (1 + exp(-x))
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Sigmoid()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return input.sigmoid()


class Tanh(Module):
    """`Tanh`, as a layer.

    Math: y = (exp(x) - exp(-x)) / (exp(x) + exp(-x))
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Tanh()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return input.tanh()


class LogSigmoid(Module):
    """`LogSigmoid`, as a layer.

    Math: y = log(1 / (1 + exp(-x)))
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LogSigmoid()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.logsigmoid(input)


class Softplus(Module):
    """`Softplus`, as a layer.

    Math: y = log(1 + exp(beta · x)) / beta; x itself where beta · x > threshold
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Softplus()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        """The settings."""
        return f"beta={self.beta}, threshold={self.threshold}"


class Softsign(Module):
    """`Softsign`, as a layer.

    Math: y = x / (1 + |x|)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Softsign()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.softsign(input)


class Tanhshrink(Module):
    """`Tanhshrink`, as a layer.

    Math: y = x - tanh(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Tanhshrink()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.tanhshrink(input)


class Softshrink(Module):
    """`Softshrink`, as a layer.

    Math: y = x - lambd where x > lambd, x + lambd where x < -lambd, else 0
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Softshrink()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
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


class Hardshrink(Module):
    """`Hardshrink`, as a layer.

    Math: y = x where |x| > lambd, else 0
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Hardshrink()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
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


class Hardtanh(Module):
    """`Hardtanh`, as a layer.

    Math: y = min(max(x, min_val), max_val)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Hardtanh()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def __init__(
        self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
    ) -> None:
        super().__init__()
        self.min_val = min_val
        self.max_val = max_val
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return f"min_val={self.min_val}, max_val={self.max_val}" + (
            ", inplace=True" if self.inplace else ""
        )


class Hardsigmoid(Module):
    """`Hardsigmoid`, as a layer.

    Math: y = min(max(x / 6 + 1/2, 0), 1)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Hardsigmoid()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.hardsigmoid(input, self.inplace)


class Hardswish(Module):
    """`Hardswish`, as a layer.

    Math: y = x · hardsigmoid(x)
    Shape: (*) -> (*)
    Reference: Howard et al., 2019.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Hardswish()(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.hardswish(input, self.inplace)


class Threshold(Module):
    """`Threshold`, as a layer.

    Math: y = x where x > threshold, else value
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Threshold(0.1, 20.0)(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
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


class GLU(Module):
    """`GLU`, as a layer.

    Math: y = a · sigmoid(b), a and b the halves of x along dim
    Shape: (.., 2n, ..) -> (.., n, ..)
    Reference: Dauphin et al., 2016.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.GLU(dim=0)(torch.tensor([-1.0, 2.0])).shape
        torch.Size([1])
    """

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.glu(input, self.dim)

    def extra_repr(self) -> str:
        """The settings."""
        return f"dim={self.dim}"


class Softmax(Module):
    """`Softmax`, as a layer.

    Math: y_i = exp(x_i) / Σ_j exp(x_j) along dim
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Softmax(dim=0)(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.softmax(input, self.dim)

    def extra_repr(self) -> str:
        """The settings."""
        return f"dim={self.dim}"


class Softmin(Module):
    """`Softmin`, as a layer.

    Math: y_i = exp(-x_i) / Σ_j exp(-x_j) along dim
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Softmin(dim=0)(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.softmin(input, self.dim)

    def extra_repr(self) -> str:
        """The settings."""
        return f"dim={self.dim}"


class LogSoftmax(Module):
    """`LogSoftmax`, as a layer.

    Math: y_i = x_i - log Σ_j exp(x_j) along dim
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LogSoftmax(dim=0)(torch.tensor([-1.0, 2.0])).shape
        torch.Size([2])
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.log_softmax(input, self.dim)

    def extra_repr(self) -> str:
        """The settings."""
        return f"dim={self.dim}"


class PReLU(Module):
    """`PReLU`, as a layer: a rectifier that learns the slope of its negative side.

    Math: y = max(x, 0) + weight · min(x, 0), one weight or one per channel
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
        self.weight = full_parameter((num_parameters,), init, device, dtype)

    def reset_parameters(self) -> None:
        """Set the slope to where it began."""
        init.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """The number of slopes."""
        return f"num_parameters={self.num_parameters}"


class Softmax2d(Module):
    """`Softmax` over the channels of each pixel.

    Math: y[n, c, h, w] = exp(x[n, c, h, w]) / Σ_c' exp(x[n, c', h, w])
    Shape: (N, C, H, W) -> the same

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Softmax2d()(torch.zeros(1, 2, 1, 1))[0, 0, 0, 0].item()
        0.5
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        if input.ndim not in (3, 4):
            raise ValueError(
                f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead"
            )
        return F.softmax(input, -3)
