"""Checks of pooling, with PyTorch's messages; arguments as tuples."""

from __future__ import annotations

from math import prod
from typing import Any

from ...kernels.memory_format import has_channels_last
from ...kernels.sliding_windows import pool_size
from ...tensor.tensor import Tensor
from ..int_arguments import ints_of
from ..window_op import Numbers

__all__ = [
    "Numbers",
    "check_adaptive",
    "check_channels",
    "check_float",
    "check_result",
    "check_window",
    "expand_ints",
    "image_kernel",
    "need_gradient",
    "rank_error",
    "window_arguments",
]


INT_COUNT_TEXTS = {1: "one int", 2: "two ints", 3: "three ints"}
AXES = {1: "W", 2: "HW", 3: "THW"}


def expand_ints(value: Any, n: int, message: str) -> Numbers:
    """A tuple of `n` numbers, given as one number or as a sequence of 1 or `n`.

    Raises:
        RuntimeError: with `message`, for a sequence of another length.
        TypeError: for numbers that are not integers, naming the public function.
    """
    given = ints_of(value)
    if len(given) not in (1, n):
        raise RuntimeError(message.replace("#", str(len(given))))
    return given * n if len(given) == 1 else given


def window_arguments(
    name: str,
    n: int,
    kernel: Any,
    stride: Any,
    padding: Any,
    dilation: Any = 1,
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Kernel, stride (by default the kernel), padding and dilation."""
    if n == 1:
        return _int_arguments(name, kernel, stride, padding, dilation)
    tail = f"a single int, or a tuple of {INT_COUNT_TEXTS[n]}"
    must = "must" if name == "avg_pool3d" else "must either"
    k = expand_ints(kernel, n, f"{name}: kernel_size {must} be {tail}")
    t = k
    if not _omitted(stride):
        text = f"{name}: stride {must} be omitted, {tail}"
        t = expand_ints(stride, n, text)
    p = expand_ints(padding, n, f"{name}: padding {must} be {tail}")
    d = expand_ints(dilation, n, f"{name}: dilation must be either {tail}")
    return k, t, p, d


def _omitted(stride: Any) -> bool:
    return stride is None or (isinstance(stride, (list, tuple)) and len(stride) == 0)


def _int_arguments(
    name: str, kernel: Any, stride: Any, padding: Any, dilation: Any
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    given = {"kernel_size": kernel, "padding": padding, "dilation": dilation}
    given["stride"] = kernel if _omitted(stride) else stride
    found = {}
    for what, value in given.items():
        public = name.removesuffix("_with_indices")
        text = f"{public}() argument '{what}' should contain one int (got #)"
        if name == "max_pool1d":
            kinds = "an int, list of ints or tuple of ints"
            if what == "padding":
                kinds = "an int, list of ints, or tuple of ints"
            elif what == "stride":
                kinds = "None, an int, list of ints, or tuple of ints"
            text = f"{name}() {what} must be {kinds} of size 1 but got size #"
        found[what] = expand_ints(value, 1, text)
    return found["kernel_size"], found["stride"], found["padding"], found["dilation"]


def check_window(
    n: int, kernel: Numbers, stride: Numbers, padding: Numbers, dilation: Numbers
) -> None:
    """Check kernel, stride, padding and dilation of two or three dimensions.

    Raises:
        RuntimeError: otherwise.
    """
    if 0 in stride:
        raise RuntimeError("stride should not be zero")
    _check_padding(kernel, padding, dilation)
    for what, values, letter in (
        ("kernel size", kernel, "k#"),
        ("stride", stride, "d#"),
        ("dilation", dilation, "dilation#"),
    ):
        if min(values) <= 0:
            shown = (
                f"{letter.replace('#', axis)}: {v}"
                for axis, v in zip(AXES[n], values, strict=True)
            )
            raise RuntimeError(
                f"{what} should be greater than zero, but got {' '.join(shown)}"
            )


def _check_padding(kernel: Numbers, padding: Numbers, dilation: Numbers) -> None:
    for k, p, d in zip(kernel, padding, dilation, strict=True):
        if p < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {p}")
        if p > int((d * (k - 1) + 1) / 2):  # rounded to zero
            raise RuntimeError(
                "pad should be at most half of effective kernel size, but got "
                f"pad={p}, kernel_size={k} and dilation={d}"
            )


def rank_error(n: int) -> RuntimeError:
    """The error for an input that has not `n` spatial dimensions and channels.

    Example:
        >>> rank_error(2).args[0]
        'non-empty 3D or 4D (batch mode) tensor expected for input'
    """
    return RuntimeError(
        f"non-empty {n + 1}D or {n + 2}D (batch mode) tensor expected for input"
    )


def check_channels(
    shape: Numbers, n: int, name: str = "max_pool3d_with_indices_out_cpu_template()"
) -> None:
    """Check that the input has `n` spatial dimensions, channels and optionally a batch.

    Raises:
        RuntimeError: otherwise, or where anything but the batch is empty.
    """
    if len(shape) < n + 1 or (n == 3 and len(shape) > 5):
        raise rank_error(n)
    if n == 3 and 0 in shape[-4:]:
        raise RuntimeError(
            f"{name}: Expected input's non-batch dimensions to have positive length, "
            f"but input has a shape of {list(shape)} and non-batch dimension 0 has "
            "length zero!"
        )
    if n == 2 and (len(shape) > 4 or 0 in shape[-3:]):
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for "
            f"input, but got:{list(shape)}"
        )


def check_result(
    shape: Numbers,
    kernel: Numbers,
    stride: Numbers,
    padding: Numbers,
    dilation: Numbers,
    ceil_mode: bool,
) -> None:
    """Check that at least one window fits and that the padding is not too large.

    Raises:
        RuntimeError: otherwise.
    """
    n = len(kernel)
    if any(p > k // 2 for p, k in zip(padding, kernel, strict=True)):
        raise RuntimeError(
            "pad should be smaller than or equal to half of kernel size, but got "
            + _wide_padding(kernel, padding)
        )
    c, *size = shape[-n - 1 :]
    out = pool_size(tuple(size), kernel, stride, padding, dilation, ceil_mode)
    if min(out) < 1:
        given = "x".join(str(s) for s in (c, *size))
        result = "x".join(str(s) for s in (c, *out))
        raise RuntimeError(
            f"Given input size: ({given}). Calculated output size: ({result}). Output "
            "size is too small"
        )


def _wide_padding(kernel: Numbers, padding: Numbers) -> str:
    """Kernel and padding as in PyTorch's messages."""
    if len(kernel) == 2:
        (kh, kw), (ph, pw) = kernel, padding
        return f"padW = {pw}, padH = {ph}, kW = {kw}, kH = {kh}"
    (kt, kh, kw), (pt, ph, pw) = kernel, padding
    return f"kT: {kt} kW: {kw} kH: {kh} padT: {pt} padW: {pw} padH: {ph}"


def check_float(x: Any, kernel_name: str) -> None:
    """Raise unless the input is floating-point.

    Raises:
        NotImplementedError: otherwise.
    """
    if not x.dtype.is_floating_point:
        raise NotImplementedError(
            f"\"{kernel_name}\" not implemented for '{x.dtype.short}'"
        )


def image_kernel(name: str, x: Tensor, n: int) -> str:
    """The name of PyTorch's kernel for lines (n = 1) or images in this order."""
    images = x._data[..., None, :] if n == 1 else x._data
    return f"{name}_channels_last" if has_channels_last(images) else name


def check_adaptive(x: Tensor, out: Numbers, kind: str) -> None:
    """Check the operands of adaptive pooling, with PyTorch's messages."""
    n = len(out)
    if n == 1 and x.ndim not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {x.ndim}-dimensional tensor for "
            f"argument #1 'self' (while checking arguments for adaptive_{kind}_pool1d)"
        )
    shape, sizes, name = list(x.shape), list(out), f"adaptive_{kind}_pool{n}d"
    if n == 1 and kind == "avg":  # PyTorch pools a line as an image of height 1
        shape, sizes, name = (
            [*shape[:-1], 1, shape[-1]],
            [1, *sizes],
            "adaptive_avg_pool2d",
        )
    if n > 1 and x.ndim not in (n + 1, n + 2):
        colon = ":" if kind == "max" else ""
        raise RuntimeError(
            f"{name}(): Expected {n + 1}D or {n + 2}D tensor, but got{colon} {shape}"
        )
    if kind == "avg" and min(out) < 0:
        parts = [str(s) for s in sizes]
        shown = ", ".join(parts[:2]) + "".join("," + p for p in parts[2:])
        raise RuntimeError(
            f"{name}: elements of output_size must be greater than or equal to 0 but "
            f"received {{{shown}}}"
        )
    _check_result_size(x, out, kind)
    if kind == "avg" and set(out) == {1}:  # a mean, before checks of sizes
        _need_mean(x)
    images = kind == "avg" and n < 3  # which may have no channels
    if (kind, *out) != ("avg", 1):  # the mean of a line may be that of nothing
        _need_elements(name, shape, len(shape) - len(sizes) if images else 1)
    if kind == "max" and min(out) < 0:
        leading = x.shape[:-n] + (1,) * (n == 1)
        raise RuntimeError(
            f"Trying to create tensor with negative dimension {min(out)}: "
            f"{[*leading, *out]}"
        )
    if kind == "avg" and set(out) == {1}:
        return
    if n == 3:
        check_float(x, f"adaptive_{kind}_pool3d_cpu")
    elif kind == "max" or prod(shape[: x.ndim - n]) * prod(out):
        check_float(x, image_kernel(f"adaptive_{kind}_pool2d", x, n))


def _need_elements(name: str, shape: list[int], first: int) -> None:
    """Raise for an empty dimension from the given one on."""
    for i in range(first, len(shape)):
        if shape[i] == 0:
            raise RuntimeError(
                f"{name}(): Expected input to have non-zero size for non-batch "
                f"dimensions, but input has sizes {shape} with dimension {i} being "
                "empty"
            )


def need_gradient(function: str, g: Any) -> None:
    """Check the gradient of an adaptive pooling, which may have an empty batch.

    Raises:
        RuntimeError: if another dimension is empty.
    """
    shape = list(g.shape)
    if 0 in shape[1:]:
        raise RuntimeError(
            f"{function}_backward(): Expected grad_output to have non-zero size for "
            f"non-batch dimensions, but grad_output has sizes {shape} with dimension "
            f"{shape.index(0, 1)} being empty"
        )


def _need_mean(x: Tensor) -> None:
    """Raise for integers, whose mean is not supported."""
    if x._data.dtype.kind in "iub":
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a "
            f"floating point or complex dtype. Got: {x.dtype.short}"
        )


def _check_result_size(x: Tensor, out: Numbers, kind: str) -> None:
    """Raise for results too large for memory, before windows are computed."""
    shape = (*x.shape[: x.ndim - len(out)], *out)
    if prod(shape) >= 2**63 and kind == "avg":
        raise RuntimeError("numel: integer multiplication overflow")
    if prod(shape) * x._data.itemsize >= 2**63:
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={list(shape)}"
        )
