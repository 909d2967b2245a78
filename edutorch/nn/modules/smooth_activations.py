"""Smooth activation layers."""

from __future__ import annotations

from ...tensor.tensor import Tensor
from .. import functional as F
from .module import Module

__all__ = [
    "CELU", "ELU", "GELU", "GLU", "LogSigmoid", "Mish", "SELU", "SiLU", "Sigmoid",
    "Softplus", "Softsign", "Tanh", "Tanhshrink",
]  # fmt: skip


class Sigmoid(Module):
    """The logistic function, with values in (0, 1).

    Math: y = 1 / (1 + exp(-x))      ∂L/∂x = g · y · (1 - y)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Sigmoid()(torch.tensor([-1.0, 2.0]))
        tensor([0.2689, 0.8808])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.sigmoid(input)


class LogSigmoid(Module):
    """The logarithm of the sigmoid, computed without overflow.

    Math: y = log(1 / (1 + exp(-x)))      ∂L/∂x = g / (1 + exp(x))
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LogSigmoid()(torch.tensor([-1.0, 2.0]))
        tensor([-1.3133, -0.1269])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.logsigmoid(input)


class Tanh(Module):
    """The hyperbolic tangent, with values in (-1, 1).

    Math: y = (exp(x) - exp(-x)) / (exp(x) + exp(-x))      ∂L/∂x = g · (1 - y²)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Tanh()(torch.tensor([-1.0, 2.0]))
        tensor([-0.7616,  0.9640])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.tanh(input)


class Tanhshrink(Module):
    """The difference between x and tanh(x).

    Math: y = x - tanh(x)      ∂L/∂x = g · tanh² x
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Tanhshrink()(torch.tensor([-1.0, 2.0]))
        tensor([-0.2384,  1.0360])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.tanhshrink(input)


class Softsign(Module):
    """Like tanh, but with slower saturation.

    Math: y = x / (1 + |x|)      ∂L/∂x = g / (1 + |x|)²
    Shape: (*) -> (*)
    Reference: Bergstra et al., 2009.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Softsign()(torch.tensor([-1.0, 2.0]))
        tensor([-0.5000,  0.6667])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.softsign(input)


class Softplus(Module):
    """A smooth approximation of the rectifier.

    Math: y = log(1 + exp(beta · x)) / beta; x itself where beta · x > threshold
          ∂L/∂x = g / (1 + exp(−beta · x)); g where beta · x > threshold
    Shape: (*) -> (*)
    Reference: Dugas et al., 2001.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Softplus()(torch.tensor([-1.0, 2.0]))
        tensor([0.3133, 2.1269])
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


class ELU(Module):
    """A rectifier with exponential saturation for negative elements.

    Math: y = x where x > 0, else alpha · (exp(x) - 1)
          ∂L/∂x = g where x > 0, else alpha · exp(x) · g
    Shape: (*) -> (*)
    Reference: Clevert, Unterthiner and Hochreiter, 2015.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ELU()(torch.tensor([-1.0, 2.0]))
        tensor([-0.6321,  2.0000])
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
    """A variant of `ELU` whose derivative is continuous for every alpha.

    Math: y = max(x, 0) + min(0, alpha · (exp(x / alpha) - 1))
          ∂L/∂x = g where x > 0, else exp(x / alpha) · g
    Shape: (*) -> (*)
    Reference: Barron, 2017.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.CELU()(torch.tensor([-1.0, 2.0]))
        tensor([-0.6321,  2.0000])
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
    """A scaled `ELU` that preserves mean 0 and variance 1 through deep networks.

    Math: y = 1.0507 · (max(x, 0) + min(0, 1.6733 · (exp(x) - 1)))
          ∂L/∂x = 1.0507 · g where x > 0, else 1.0507 · 1.6733 · exp(x) · g
    Shape: (*) -> (*)
    Reference: Klambauer et al., 2017.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.SELU()(torch.tensor([-1.0, 2.0]))
        tensor([-1.1113,  2.1014])
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
    """Each element times the probability that a standard normal number is smaller.

    Math: y = x · Φ(x), Φ the normal distribution function
          ∂L/∂x = g · (Φ(x) + x · φ(x)), φ its density
    Shape: (*) -> (*)
    Reference: Hendrycks and Gimpel, 2016.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.GELU()(torch.tensor([-1.0, 2.0]))
        tensor([-0.1587,  1.9545])
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
    """Each element times its sigmoid; also called swish.

    Math: y = x · sigmoid(x)      ∂L/∂x = g · σ(x) · (1 + x · (1 - σ(x)))
    Shape: (*) -> (*)
    Reference: Elfwing, Uchibe and Doya, 2018.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.SiLU()(torch.tensor([-1.0, 2.0]))
        tensor([-0.2689,  1.7616])
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
    """Each element times the tanh of its softplus.

    Math: y = x · tanh(log(1 + exp(x)))
          ∂L/∂x = g · (t + x · σ(x) · (1 - t²)), t the tanh
    Shape: (*) -> (*)
    Reference: Misra, 2019.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Mish()(torch.tensor([-1.0, 2.0]))
        tensor([-0.3034,  1.9440])
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


class GLU(Module):
    """One half of the elements, gated by the sigmoid of the other half.

    Math: y = a · sigmoid(b), a and b the halves of x along dim
          ∂L/∂a = g · σ(b)      ∂L/∂b = g · a · σ(b) · (1 - σ(b))
    Shape: (.., 2n, ..) -> (.., n, ..)
    Reference: Dauphin et al., 2016.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.GLU(dim=0)(torch.tensor([-1.0, 2.0]))
        tensor([-0.8808])
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
