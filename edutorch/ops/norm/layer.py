"""Layer normalisation: each sample to mean 0 and variance 1 over its features."""

from __future__ import annotations

from math import prod
from typing import Any

from ... import dtypes, layouts
from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply
from ...kernels import norm as kernels
from ...kernels.memory_format import has_channels_last, row_major
from ...tensor.tensor import Tensor
from .. import reduce
from ..argument_checks import (
    need_floats,
    need_optional,
    need_tensors,
    number_of,
    type_error,
)
from ..argument_errors import check_call
from ..int_arguments import ints_of
from ..pointwise import rsqrt
from ..pointwise.with_numbers import add_number
from .checks import check_dtypes, check_mixed_dtypes
from .gradient_formulas import gradients
from .saved_statistics import as_saved, half_dtype

__all__ = ["layer_norm", "rms_norm"]


class LayerNorm(Op):
    """Normalises the last dimensions, then scales and shifts.

    Math: y = z · w + b, z = (x − mean) / √(var + eps)
          ∂L/∂x = (h − mean(h) − z · mean(h·z)) / √(var + eps), h = g·w
          ∂L/∂w = Σ g·z      ∂L/∂b = Σ g
    Shape: (*, *normalized_shape), normalized_shape, the same -> as the first
    """

    same_device = slice(None)
    double_backward = "joint"
    attributes = ("normalized_shape", "eps")
    onnx = "LayerNormalization"
    torch_name = "NativeLayerNorm"
    saves = (0, 1)
    saves_extra = True
    narrow: Any = None

    def __init__(self, normalized_shape: tuple[int, ...], eps: float) -> None:
        self.normalized_shape, self.eps = normalized_shape, eps

    def check(self, x: Any, w: Any, b: Any) -> None:
        """Check that the shapes end with the same sizes."""
        self.eps = float(self.eps)  # of NumPy it would widen single precision
        try:
            check_shapes(self.normalized_shape, x, w, b)
        except RuntimeError:
            check_mixed_dtypes(x, w, b)  # which PyTorch checks before shapes
            raise
        check_dtypes(x, "LayerNormKernelImpl", w, b)
        self.narrow = half_dtype(x, w, b)

    def forward(self, x: Any, w: Any, b: Any) -> Any:
        rows = self.rows(x)
        y, mean, var = kernels.normalize_rows(
            rows, _flatten_parameter(w), _flatten_parameter(b), self.eps
        )
        self.saved = as_saved(mean, var, self.eps, self.narrow)
        return row_major(y.reshape(x.shape))

    def backward(self, g: Any) -> Any:
        x, w, _ = self.inputs
        if isinstance(g, Tensor):
            leading = x.ndim - len(self.normalized_shape)
            shape = (1,) * leading + self.normalized_shape
            dims = tuple(range(leading, x.ndim))
            gx, gw, gb = gradients(g, x, w, dims, shape, self.eps)
        else:
            mean, var = self.saved
            gx, gw, gb = kernels.normalize_rows_backward(
                self.rows(g), self.rows(x), _flatten_parameter(w), mean, var, self.eps
            )
            if gx.shape != x.shape:  # a view would be copied into a leaf's `.grad`
                gx = gx.reshape(x.shape)
            if not self.needs[1]:
                gw = None
        if w is None:
            return gx, None, self.sum_rows(g) if self.needs[2] else None
        gw = gw.reshape(self.normalized_shape) if self.needs[1] else None
        return gx, gw, gb.reshape(self.normalized_shape) if self.needs[2] else None

    def rows(self, x: Any) -> Any:
        """`x` as a matrix whose rows are normalised."""
        width = prod(self.normalized_shape)
        batch_shape = x.shape[: x.ndim - len(self.normalized_shape)]
        return x.reshape(prod(batch_shape), width)

    def sum_rows(self, g: Any) -> Any:
        """The gradient of the bias if there is no weight."""
        return self.rows(g).sum(0).reshape(self.normalized_shape)


def _flatten_parameter(w: Any) -> Any:
    return None if w is None else w.reshape(-1)


def check_shapes(
    shape: tuple[int, ...], x: Any, w: Any, b: Any, before: str = "*, "
) -> None:
    """Check that the input ends with the normalised shape, which the parameters have.

    Args:
        before: how the message shows the other dimensions.

    Raises:
        RuntimeError: otherwise.
    """
    if not shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing "
            "at least one element, but got normalized_shape = []"
        )
    for name, p in (("weight", w), ("bias", b)):
        if p is not None and tuple(p.shape) != shape:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got "
                f"{name} of shape {list(p.shape)} and normalized_shape = {list(shape)}"
            )
    if tuple(x.shape[-len(shape) :]) != shape:
        expected = ", ".join(str(n) for n in shape)
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape "
            f"[{before}{expected}], but got input of size{list(x.shape)}"
        )


def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise the last dimensions to mean 0 and variance 1, then scale and shift.

    Math: y = (x − mean) / √(var + eps) · w + b
          ∂L/∂x = (h − mean(h) − z · mean(h·z)) / √(var + eps), h = g·w, z = (y − b) / w
          ∂L/∂w = Σ g·z      ∂L/∂b = Σ g
    Shape: (*, *normalized_shape) -> the same

    Args:
        input: the samples.
        normalized_shape: the sizes of the last dimensions.
        weight: scale, of `normalized_shape`.
        bias: shift, of `normalized_shape`.
        eps: added to the variance, against division by 0.

    Raises:
        RuntimeError: for shapes or dtypes that do not fit together.

    Reference: Ba, Kiros and Hinton (2016), "Layer normalization".

    Example:
        >>> import edutorch as torch
        >>> torch.layer_norm(torch.tensor([[1.0, 3.0]]), (2,))
        tensor([[-1.0000,  1.0000]])
    """
    if _m.special_modes and layer_norm in _m.modes.autocast:
        return _m.autocast(layer_norm, input, normalized_shape, weight, bias, eps)
    need_tensors("layer_norm", input=input)
    need_optional("layer_norm", 3, weight=weight, bias=bias)
    shape = _shape_of(normalized_shape)
    if type(eps) is not float:
        eps = number_of(eps, "eps", "layer_norm", "float")
    return apply(LayerNorm(shape, eps), input, weight, bias)


def rms_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    eps: float | None = None,
) -> Tensor:
    """Normalise the last dimensions to mean square 1, then scale.

    Math: y = x · r · w, r = 1 / √(mean(x²) + eps)
          ∂L/∂x = r · (h − z · mean(h·z)), h = g·w, z = x · r      ∂L/∂w = Σ g·z
    Shape: (*, *normalized_shape) -> the same

    Raises:
        TypeError: for a `normalized_shape` that is not a tuple of ints.
        ValueError: for more sizes than the input has dimensions.
        RuntimeError: for shapes that do not fit together.

    Reference: Zhang and Sennrich (2019), "Root mean square layer normalization".

    Example:
        >>> import edutorch as torch
        >>> torch.rms_norm(torch.tensor([[1.0, 7.0]]), (2,))
        tensor([[0.2000, 1.4000]])
    """
    if _m.special_modes and rms_norm in _m.modes.autocast:
        return _m.autocast(rms_norm, input, normalized_shape, weight, eps)
    need_tensors("rms_norm", input=input)
    need_optional("rms_norm", 3, weight=weight)
    check_call(eps is None or isinstance(eps, (float, int)))
    shape = _shape_of(normalized_shape)
    if input.ndim < len(shape):
        if weight is not None:
            check_shapes(shape, weight, weight, None)
        raise ValueError(
            f"Input tensor must have at least {len(shape)} dimensions, but got "
            f"{input.ndim}"
        )
    check_shapes(shape, input, weight, None, before="*")
    need_floats("rms_norm", input, also="c")
    x = input.float() if input.dtype.itemsize == 2 else input  # summed in 32 bits
    if eps is None:
        eps = array_eps(x)
    dims = tuple(range(x.ndim - len(shape), x.ndim))
    y = x * rsqrt(add_number(reduce.mean(x**2, dims, keepdim=True), eps))
    y = y if weight is None else y * weight
    y = y if input._data.flags.c_contiguous else _match_layout(y, input)
    return y.to(input.dtype)


def _match_layout(y: Tensor, x: Tensor) -> Tensor:
    """Convert the result to row-major order, or to channels last like `x`."""
    last = layouts.channels_last if x.ndim == 4 else layouts.channels_last_3d
    like = last if has_channels_last(x._data) else layouts.contiguous_format
    return y.contiguous(memory_format=like)


def _shape_of(sizes: Any) -> tuple[int, ...]:
    if hasattr(sizes, "__index__"):
        raise type_error("tuple of ints", "normalized_shape", sizes)
    return ints_of(sizes)


def array_eps(x: Tensor) -> float:
    """The machine epsilon of the tensor's dtype."""
    return float(dtypes.finfo(x.dtype).eps)
