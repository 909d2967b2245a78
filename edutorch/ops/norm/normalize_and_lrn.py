"""`normalize` and local response normalisation."""

from __future__ import annotations

from typing import Any

from ...errors import python_type_name
from ...tensor.tensor import Tensor
from ..argument_errors import check_call, parser_errors
from ..linalg.norms import norm
from ..pointwise import clamp_min
from ..pool import avg_pool2d, avg_pool3d
from ..pool.average import check_average_dtype
from ..pool.checks import check_window
from ..registration import composite, copyto
from ..shape.pad import pad
from ..shape.squeezing import squeeze, unsqueeze
from ..shape.views import reshape

__all__ = ["local_response_norm", "normalize"]


@composite
@parser_errors
def normalize(
    input: Tensor,
    p: float = 2.0,
    dim: Any = 1,
    eps: float = 1e-12,
    out: Tensor | None = None,
) -> Tensor:
    """Scale vectors along `dim` to p-norm 1.

    Math: y = x / max(‖x‖_p, eps)
          ∂L/∂x = (g − Σ g·y · ∂‖x‖_p/∂x) / ‖x‖_p where ‖x‖_p > eps; ∂‖x‖₂/∂x = y
    Shape: (*) -> (*)

    Args:
        input: the vectors.
        p: which norm.
        dim: the dimension of the vectors, or several.
        eps: a lower bound of the norm, against division by 0.
        out: where to write the result.

    Raises:
        IndexError: if there is no such dimension.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.normalize(torch.tensor([[3.0, 4.0]]))
        tensor([[0.6000, 0.8000]])
    """
    if isinstance(p, Tensor):
        check_call(False)
    lengths = norm(input, p, dim, True)
    if eps is None or isinstance(eps, (str, tuple, list)):
        raise TypeError(
            "clamp_min() received an invalid combination of arguments - got "
            f"({type(eps).__name__}), but expected one of:"
        )
    if out is not None and not isinstance(out, (Tensor, int, float, complex)):
        raise TypeError(
            "div() received an invalid combination of arguments - got (Tensor, Tensor, "
            f"out={python_type_name(out)}), but expected one of:"
        )
    result = input / clamp_min(lengths, eps).expand_as(input)
    return result if out is None else copyto(out, result, "normalize", (input,))


@composite
@parser_errors
def local_response_norm(
    input: Tensor,
    size: int,
    alpha: float = 1e-4,
    beta: float = 0.75,
    k: float = 1.0,
) -> Tensor:
    """Divide each value by a power of the mean energy of neighbouring channels.

    Math: y_c = x_c / s_c^beta, s_c = k + alpha/size · Σ x_c'² over `size` channels c'
          around c
          ∂L/∂x_c = g_c / s_c^beta − 2·alpha·beta/size · x_c · Σ g_c' y_c' / s_c' over
          the c' around which c is
    Shape: (N, C, *S) -> (N, C, *S)

    Args:
        input: channels in the second dimension.
        size: how many channels are neighbours.
        alpha: how strongly they inhibit.
        beta: the power of the divisor.
        k: the divisor where all is 0.

    Raises:
        ValueError: for fewer than three dimensions.

    Reference: Krizhevsky, Sutskever and Hinton (2012), "ImageNet classification with
    deep convolutional neural networks", section 3.3.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.local_response_norm
        >>> f(torch.ones(1, 2, 1), 2, alpha=1.0, beta=1.0)
        tensor([[[0.6667],
                 [0.5000]]])
    """
    if input.dim() < 3:
        raise ValueError(
            "Expected 3D or higher dimensionality                          input (got "
            f"{input.ndim} dimensions)"
        )
    if input.numel() == 0:
        return input
    check_call(type(size) is int and not isinstance(alpha, tuple))
    _check_windows(input, size)
    means = _channel_means(input * input, size)
    return input / (means * alpha + k) ** beta


def _channel_means(x: Tensor, size: int) -> Tensor:
    """The mean of `size` neighbouring channels around each one."""
    around = (size // 2, (size - 1) // 2)
    if x.ndim == 3:
        padded = pad(unsqueeze(x, 1), (0, 0, *around))
        return squeeze(avg_pool2d(padded, (size, 1), stride=1), 1)
    n, c, height = x.shape[:3]
    padded = pad(reshape(x, (n, 1, c, height, -1)), (0, 0, 0, 0, *around))
    means = squeeze(avg_pool3d(padded, (size, 1, 1), stride=1), 1)
    return reshape(means, x.shape)


def _check_windows(x: Tensor, size: int) -> None:
    """Check the operands of PyTorch's pooling: padded channels of lines or volumes."""
    n = 2 if x.ndim == 3 else 3
    if x.shape[1] + size // 2 + (size - 1) // 2 < 0:  # PyTorch pads on both sides
        raise RuntimeError("narrow(): length must be non-negative.")
    if size < 1:
        check_window(n, (size, *(1,) * (n - 1)), (1,) * n, (0,) * n, (1,) * n)
    if n == 3:
        check_average_dtype(x, 3)
