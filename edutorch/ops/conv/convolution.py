"""Convolutions: each output is a weighted sum over a window of the input.

Three ops, each the derivative of the others: `Convolution` in its input is
`ConvTranspose`, in its weight `ConvWeight`. Like PyTorch's, they are
cross-correlations: the kernel is not flipped.
"""

from __future__ import annotations

from typing import Any, ClassVar

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply
from ...errors import raise_if
from ...kernels.conv import conv_forward, conv_grad_input, conv_grad_weight
from ...kernels.memory_format import match_image_format, match_memory_format, row_major
from ...tensor.tensor import Tensor
from ...text_arguments import as_text
from ..argument_checks import need_tensors
from ..argument_errors import argument_error
from ..int_arguments import int_of
from ..pointwise.conjugate import conj
from ..reduce.sums import sum
from ..shape import squeeze, unsqueeze
from ..shape.pad import pad
from .checks import (
    Numbers,
    cast_bias,
    check_conv,
    check_conv_transpose,
    check_input,
    check_ranks,
    check_repeats,
    half_dtype_name,
    numbers_of,
    uses_onednn,
)

__all__ = ["conv1d", "conv2d", "conv3d"]


class ConvOp(Op):
    """Base class of the three ops, with the window parameters."""

    attributes: ClassVar[tuple[str, ...]] = ("stride", "padding", "dilation", "groups")
    half = ""  # the name of the operands' dtype if it has 16 bits
    # PyTorch computes all gradients of a convolution by one function, and the gradients
    # of these by convolutions anew.
    is_gradient = False

    def __init__(
        self,
        stride: Numbers,
        padding: Numbers,
        dilation: Numbers,
        groups: int,
        *,
        size: Numbers | None = None,
    ) -> None:
        self.stride, self.padding = stride, padding
        self.dilation, self.groups = dilation, groups
        self.size = size  # of the result, where it is not determined by the padding

    @property
    def params(self) -> tuple[Numbers, Numbers, Numbers, int]:
        """The parameters passed to the kernels."""
        return self.stride, self.padding, self.dilation, self.groups

    @property
    def double_backward(self) -> str:
        """Mark that every gradient depends on all operands."""
        return "" if self.is_gradient else "joint"

    def gradient_op(self, kind: type[ConvOp], **given: Any) -> ConvOp:
        """An op with the same windows that computes one of this op's gradients."""
        op = kind(*self.params, **given)
        op.is_gradient = not self.is_gradient
        return op


def match_format(op: ConvOp, y: Any, x: Any, w: Any) -> Any:
    """Convert a result to channels last if PyTorch would return it so.

    It does so for images, and for the volumes that it computes by oneDNN. Sequences
    are images of one row to it; those it makes contiguous, but not their weights.
    """
    if y.ndim == 3:
        return match_image_format(y, w)
    known = y.ndim == 4 or (y.ndim == 5 and uses_onednn(op, x, w))
    return match_memory_format(y, x, w) if known else row_major(y)


class Convolution(ConvOp):
    """Cross-correlation with a bank of kernels.

    Math: y[n, o, p] = b[o] + Σ_(c, k) w[o, c, k] · x[n, c, q],
          q = p·stride − padding + k·dilation
          ∂L/∂x = conv_transpose(g, w)      ∂L/∂w = Σ_(n, p) g·x      ∂L/∂b = Σ_(n, p) g
    Shape: (N, C, *S), (O, C/groups, *K), (O) -> (N, O, *S')
    """

    onnx = "Conv"
    complex32 = "single"
    saves = (0, 1)

    @property
    def public(self) -> str:
        """The name of the public function."""
        return f"conv{len(self.stride)}d"

    check = check_conv

    def forward(self, x: Any, w: Any, b: Any) -> Any:
        y = conv_forward(x, w, b, *self.params, self.size)
        if not x.shape[1]:  # of no channels, PyTorch makes none
            y = y[:, :0]
        return match_format(self, y, x, w)

    def backward(self, g: Any) -> Any:
        x, w, _ = self.inputs
        gx = gw = gb = None
        if not x.shape[1]:
            gb = sum(w, tuple(range(1, w.ndim))) if self.needs[2] else None
            return x * 0, w * 0, gb  # without elements, and zeros for each kernel
        if self.needs[0]:
            gx = apply(
                self.gradient_op(ConvTranspose, size=x.shape[2:]), g, conj(w), None
            )
        if self.needs[1]:
            gw = apply(self.gradient_op(ConvWeight, kernel=w.shape[2:]), g, conj(x))
        if self.needs[2]:
            gb = bias_gradient(g)
        return gx, gw, gb


class ConvTranspose(ConvOp):
    """Transposed convolution: each input element adds a scaled kernel to the output.

    Math: y[n, c, p·stride − padding + k·dilation] += Σ_o w[o, c, k] · x[n, o, p]
          ∂L/∂x = conv(g, w)      ∂L/∂w = Σ_(n, p) x · g      ∂L/∂b = Σ_(n, p) g
    Shape: (N, O, *S'), (O, C/groups, *K), (C) -> (N, C, *S)
    """

    attributes = ("stride", "padding", "dilation", "groups", "output_padding")
    onnx = "ConvTranspose"
    complex32 = "single"
    torch_name = "Convolution"
    saves = (0, 1)

    def __init__(
        self,
        stride: Numbers,
        padding: Numbers,
        dilation: Numbers,
        groups: int,
        *,
        output_padding: Numbers = (),
        size: Numbers | None = None,
    ) -> None:
        super().__init__(stride, padding, dilation, groups, size=size)
        self.output_padding = output_padding or (0,) * len(stride)

    @property
    def public(self) -> str:
        """The name of the public function."""
        return f"conv_transpose{len(self.stride)}d"

    def check(self, x: Any, w: Any, b: Any) -> None:
        """Check that shapes and dtypes fit together."""
        self.half = half_dtype_name(x)
        if self.size is None:
            check_conv_transpose(self, x, w, b)

    def output_size(self, x_shape: Numbers, w_shape: Numbers) -> Numbers:
        """The spatial size of the result."""
        if self.size is not None:
            return self.size
        return tuple(
            (s - 1) * t - 2 * p + d * (k - 1) + e + 1
            for s, k, t, p, d, e in zip(
                x_shape[2:], w_shape[2:], self.stride, self.padding, self.dilation,
                self.output_padding, strict=True,
            )
        )  # fmt: skip

    def forward(self, x: Any, w: Any, b: Any) -> Any:
        size = self.output_size(x.shape, w.shape)
        y_shape = (x.shape[0], w.shape[1] * self.groups, *size)
        y = conv_grad_input(x, w, y_shape, *self.params)
        if b is not None:
            y += b.reshape(-1, *(1,) * len(size)).astype(y.dtype, copy=False)
        return match_format(self, y, x, w)

    def backward(self, g: Any) -> Any:
        x, w, _ = self.inputs
        gx = gw = gb = None
        if self.needs[0] and not x.shape[0]:
            gx = x * 0  # without elements; a convolution refuses images without any
        elif self.needs[0]:
            gx = apply(
                self.gradient_op(Convolution, size=x.shape[2:]), g, conj(w), None
            )
        if self.needs[1]:
            gw = apply(self.gradient_op(ConvWeight, kernel=w.shape[2:]), conj(x), g)
        if self.needs[2]:
            gb = bias_gradient(g)
        return gx, gw, gb


class ConvWeight(ConvOp):
    """The gradient of the weight: products of two images summed over all windows.

    Math: y[o, c, k] = Σ_(n, p) g[n, o, p] · x[n, c, p·stride − padding + k·dilation]
          ∂L/∂g = conv(x, ∂L/∂y)      ∂L/∂x = conv_transpose(g, ∂L/∂y)
    Shape: (N, O, *S'), (N, C, *S) -> (O, C/groups, *K)
    """

    attributes = ("stride", "padding", "dilation", "groups", "kernel")
    torch_name = "ConvolutionBackward"

    def __init__(
        self,
        stride: Numbers,
        padding: Numbers,
        dilation: Numbers,
        groups: int,
        *,
        kernel: Numbers,
    ) -> None:
        super().__init__(stride, padding, dilation, groups)
        self.kernel = kernel

    def forward(self, g: Any, x: Any) -> Any:
        w_shape = (g.shape[1], x.shape[1] // self.groups, *self.kernel)
        return conv_grad_weight(g, x, w_shape, *self.params)

    def backward(self, gw: Any) -> Any:
        g, x = self.inputs
        gg = gx = None
        if self.needs[0]:
            gg = apply(
                self.gradient_op(Convolution, size=g.shape[2:]), conj(x), gw, None
            )
        if self.needs[1]:
            gx = apply(
                self.gradient_op(ConvTranspose, size=x.shape[2:]), conj(g), gw, None
            )
        return gg, gx


def bias_gradient(g: Any) -> Any:
    """The gradient of the bias: the sum over all dimensions but the channels."""
    return sum(g, (0, *range(2, g.ndim)))


def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolution over one dimension: sequences, sound.

    Math: y[n, o, p] = b[o] + Σ_(c, k) w[o, c, k] · x[n, c, q],
          q = p·stride − padding + k·dilation
          ∂L/∂x = conv_transpose(g, w)      ∂L/∂w = Σ_(n, p) g·x      ∂L/∂b = Σ_(n, p) g
    Shape: (N, C, L), (O, C/groups, K), (O) -> (N, O, L'),
        S' = ⌊(S + 2·padding − dilation·(K − 1) − 1) / stride⌋ + 1; N may be absent
    Reference: LeCun et al. (1989), "Backpropagation applied to handwritten zip code
          recognition".

    Args:
        input: the images (or signals) that the kernels slide over.
        weight: the kernels.
        bias: added to every cell of a channel.
        stride: steps between windows.
        padding: zeros at both ends of each dimension, or "valid" for none, or
            "same" for as many as keep the size (with stride 1).
        dilation: distance between the cells of a kernel.
        groups: channels are split into so many independent convolutions.

    Raises:
        RuntimeError: for shapes or dtypes that do not fit together.

    Example:
        >>> import edutorch as torch
        >>> torch.conv1d(torch.ones(1, 1, 4), torch.ones(1, 1, 3))
        tensor([[[3., 3.]]])
    """
    if _m.special_modes and conv1d in _m.modes.autocast:
        return _m.autocast(
            conv1d, input, weight, bias, stride, padding, dilation, groups
        )
    need_tensors("conv1d", input=input, weight=weight)
    return _convolve(input, weight, bias, stride, padding, dilation, groups, 1)


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolution over two dimensions: images.

    Math: y[n, o, p] = b[o] + Σ_(c, k) w[o, c, k] · x[n, c, q],
          q = p·stride − padding + k·dilation
          ∂L/∂x = conv_transpose(g, w)      ∂L/∂w = Σ_(n, p) g·x      ∂L/∂b = Σ_(n, p) g
    Shape: (N, C, H, W), (O, C/groups, K, K), (O) -> (N, O, H', W'),
        S' = ⌊(S + 2·padding − dilation·(K − 1) − 1) / stride⌋ + 1; N may be absent
    Reference: LeCun et al. (1989), "Backpropagation applied to handwritten zip code
          recognition".

    Args:
        input: the images (or signals) that the kernels slide over.
        weight: the kernels.
        bias: added to every cell of a channel.
        stride: steps between windows.
        padding: zeros at both ends of each dimension, or "valid" for none, or
            "same" for as many as keep the size (with stride 1).
        dilation: distance between the cells of a kernel.
        groups: channels are split into so many independent convolutions.

    Raises:
        RuntimeError: for shapes or dtypes that do not fit together.

    Example:
        >>> import edutorch as torch
        >>> torch.conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2))
        tensor([[[[4., 4.],
                  [4., 4.]]]])
    """
    if _m.special_modes and conv2d in _m.modes.autocast:
        return _m.autocast(
            conv2d, input, weight, bias, stride, padding, dilation, groups
        )
    need_tensors("conv2d", input=input, weight=weight)
    return _convolve(input, weight, bias, stride, padding, dilation, groups, 2)


def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolution over three dimensions: volumes, video.

    Math: y[n, o, p] = b[o] + Σ_(c, k) w[o, c, k] · x[n, c, q],
          q = p·stride − padding + k·dilation
          ∂L/∂x = conv_transpose(g, w)      ∂L/∂w = Σ_(n, p) g·x      ∂L/∂b = Σ_(n, p) g
    Shape: (N, C, D, H, W), (O, C/groups, K, K, K), (O) -> (N, O, D', H', W'),
        S' = ⌊(S + 2·padding − dilation·(K − 1) − 1) / stride⌋ + 1; N may be absent
    Reference: LeCun et al. (1989), "Backpropagation applied to handwritten zip code
          recognition".

    Args:
        input: the images (or signals) that the kernels slide over.
        weight: the kernels.
        bias: added to every cell of a channel.
        stride: steps between windows.
        padding: zeros at both ends of each dimension, or "valid" for none, or
            "same" for as many as keep the size (with stride 1).
        dilation: distance between the cells of a kernel.
        groups: channels are split into so many independent convolutions.

    Raises:
        RuntimeError: for shapes or dtypes that do not fit together.

    Example:
        >>> import edutorch as torch
        >>> x = torch.arange(8.0).reshape(1, 1, 2, 2, 2)
        >>> torch.conv3d(x, torch.ones(1, 1, 2, 2, 2) / 8)  # the mean of a window
        tensor([[[[[3.5000]]]]])
    """
    if _m.special_modes and conv3d in _m.modes.autocast:
        return _m.autocast(
            conv3d, input, weight, bias, stride, padding, dilation, groups
        )
    need_tensors("conv3d", input=input, weight=weight)
    return _convolve(input, weight, bias, stride, padding, dilation, groups, 3)


def _convolve(
    x: Any,
    w: Any,
    b: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
    n: int,
) -> Tensor:
    single, named = check_input(x, n, "conv", b), isinstance(padding, (str, bytes))
    groups = int_of(groups, "groups")
    if named and padding in ("same", b"same"):
        check_repeats(n, stride=stride, dilation=dilation)  # first, as in PyTorch
    stride = numbers_of(stride, n, "stride", x, not named and b)
    dilation = numbers_of(dilation, n, "dilation", x, not named and b)
    if single:
        x = unsqueeze(x, 0)
    if named:
        if b is not None and not isinstance(b, Tensor):
            raise_if(argument_error())
        if padding in ("same", b"same"):
            check_ranks(x, w)
        padding, extra = _named_padding(as_text(padding), w.shape[2:], stride, dilation)
        if any(extra):  # one more zero at the end of some dimensions
            x = pad(x, [p for e in reversed(extra) for p in (0, e)])
    op = Convolution(stride, numbers_of(padding, n, "padding", x, b), dilation, groups)
    b = cast_bias(op, x, w, b) if named and b is not None else b
    y: Tensor = apply(op, x, w, b)
    return squeeze(y, 0) if single else y


def _named_padding(
    name: str, kernel: Numbers, stride: Numbers, dilation: Numbers
) -> tuple[Numbers, Numbers]:
    """The padding with a name, and extra padding at the end of each dimension."""
    if name == "valid":
        return (0,) * len(stride), ()
    if name != "same":
        raise RuntimeError(f"Invalid padding string: '{name}'")
    if any(t != 1 for t in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    # Negative for a kernel of size 0 or a negative dilation, which are refused later.
    total = [d * (k - 1) for k, d in zip(kernel, dilation, strict=True)]
    return tuple(int(t / 2) for t in total), tuple(max(0, t) % 2 for t in total)
