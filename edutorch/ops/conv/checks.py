"""Checks of convolutions, with PyTorch's messages."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

from ...autograd.op_errors import cast_error, type_name
from ..argument_checks import refuse_kinds
from ..int_arguments import ints_of
from ..window_op import Numbers

__all__ = [
    "Numbers", "check_conv", "check_conv_transpose", "check_input", "half_dtype_name",
    "numbers_of", "sizes_text", "uses_onednn",
]  # fmt: skip


RANKS = {
    1: "2D (unbatched) or 3D",
    2: "3D (unbatched) or 4D",
    3: "4D (unbatched) or 5D",
}


def numbers_of(value: Any, n: int, name: str, x: Any = None, b: Any = None) -> Numbers:
    """A tuple of `n` numbers, given as one number or as a sequence of 1 or `n`.

    Args:
        x: the input, whose dtype is compared with that of the bias `b` before lengths.

    Raises:
        RuntimeError: for a sequence of another length.
        TypeError: for numbers that are not integers, naming the public function.
    """
    given = ints_of(value)
    if len(given) == 1:
        return given * n
    if len(given) != n:
        if hasattr(b, "dtype"):
            _check_bias_dtype(x, b)
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {n} values to "
            f"match the convolution dimensions, but got {name}={list(given)}"
        )
    return given


def check_input(x: Any, n: int, name: str, b: Any = None) -> bool:
    """Check that the input has `n` spatial dimensions, channels and optionally a batch.

    Returns whether it is a single sample, without a batch.

    Raises:
        RuntimeError: otherwise.
    """
    if x.ndim not in (n + 1, n + 2):
        _check_bias_dtype(x, b)
        raise RuntimeError(
            f"Expected {RANKS[n]} (batched) input to {name}{n}d, but got input of "
            f"size: {list(x.shape)}"
        )
    return bool(x.ndim == n + 1)


def check_repeats(n: int, **values: Any) -> None:
    """Check that there is one value for all dimensions or for each, by name.

    Raises:
        RuntimeError: otherwise, as PyTorch where the padding is "same".
    """
    for name, value in values.items():
        if len(ints_of(value)) not in (1, n):
            raise RuntimeError(f"{name} cannot broadcast to {n} dimensions")


def check_ranks(x: Any, w: Any) -> None:
    """Check that weight and input have the same number of dimensions.

    Raises:
        RuntimeError: otherwise.
    """
    if w.ndim < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if x.ndim != w.ndim:
        raise RuntimeError(
            f"Expected {w.ndim}-dimensional input for {w.ndim}-dimensional weight"
            f"{list(w.shape)}, but got {x.ndim}-dimensional input of size "
            f"{list(x.shape)} instead"
        )


def check_attributes(op: Any, w: Numbers) -> None:
    """Check the ranges of stride, padding, dilation and groups."""
    if len(w) < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if min(op.padding) < 0:
        raise RuntimeError("negative padding is not supported")
    if min(op.stride) <= 0:
        raise RuntimeError("non-positive stride is not supported")
    if min(op.dilation) < 0:
        raise RuntimeError("dilation should be greater than zero")
    if op.groups <= 0:
        raise RuntimeError("non-positive groups is not supported")


def _no_dilation(op: Any) -> RuntimeError:
    """PyTorch's error for a dilation of 0; sequences are images of height 1."""
    given = [1] * (len(op.dilation) == 1) + list(op.dilation)
    if hasattr(op, "output_padding"):
        axes = ("depth", "height", "width")[-len(given) :]
        shown = ", ".join(
            f"dilation_{axis}: {d}" for axis, d in zip(axes, given, strict=True)
        )
    else:
        shown = str(given)
    return RuntimeError(f"dilation should be greater than zero, but got {shown}")


def check_dtypes(op: Any, x: Any, w: Any, b: Any = None) -> None:
    """Check that input, weight and bias have the same dtype, other than bool."""
    if hasattr(op, "output_padding") or max(op.dilation) > 1:
        _check_kernel(op, x, w)
    for what, t in (("weight", w), ("bias", b)):
        if t is None or t.dtype == x.dtype:
            continue
        if x._data.dtype.kind == "b":
            _check_kernel(op, x, w)
        onednn = _refused_by_onednn(op, x, w)
        if not (onednn or x._data.dtype.kind == "c"):
            if t is b and hasattr(op, "output_padding") and len(op.stride) < 3:
                _check_added(t, x)
                continue
            raise RuntimeError(
                f"expected scalar type {x.dtype.short} but found {t.dtype.short}"
            )
        rest = (
            f" or input should be a MKLDNN tensor and {what} is a dense tensor"
            if onednn
            else ""
        )
        raise RuntimeError(
            f"Input type ({type_name(x)}) and {what} type ({type_name(t)}) should be "
            f"the same{rest}"
        )
    _check_kernel(op, x, w)


def _check_added(b: Any, x: Any) -> None:
    """Refuse a bias of a higher kind; PyTorch's kernel for planes adds it in place."""
    if b.dtype.is_complex or b.dtype.is_floating_point > x.dtype.is_floating_point:
        raise cast_error(b.dtype.short, x.dtype.short)


def _check_bias_dtype(x: Any, b: Any) -> None:
    if b is not None and b.dtype != x.dtype:
        raise RuntimeError(
            f"Input type ({x.dtype.c_name}) and bias type ({b.dtype.c_name}) should be "
            "the same"
        )


def cast_bias(op: Any, x: Any, w: Any, b: Any) -> Any:
    """The bias; with named padding it is cast to the input's dtype.

    oneDNN asks for it whatever the padding.
    """
    if b.dtype is x.dtype:
        return b
    if x._data.dtype.kind == "c":
        check_dtypes(op, x, w, b)
    _check_conv_sizes(sizes_of(op, x, w, b))  # as in PyTorch, before dtypes
    if _refused_by_onednn(op, x, w):
        check_dtypes(op, x, w, b)
    return b.to(x.dtype)


def _check_kernel(op: Any, x: Any, w: Any) -> None:
    """Refuse integers where PyTorch has no fallback kernel, and booleans always."""
    if x._data.dtype.kind == "f":
        return
    is_3d = len(op.dilation) == 3
    if hasattr(op, "output_padding"):
        kernel = f"slow_conv_transpose{3 if is_3d else 2}d_out_cpu"
        refuse_kinds(kernel, "ub" if x.dtype.short == "Long" else "iub", x)
    elif max(op.dilation) > 1:
        refuse_kinds(
            "slow_conv_dilated<>", "ub" if x.dtype.short == "Long" else "iub", x
        )
    kernel = "compute_columns3d" if is_3d else "slow_conv2d_cpu"
    if is_3d and max(w.shape[2:]) == max(op.stride) == 1 and max(op.padding) == 0:
        kernel = "slow_conv3d_cpu"  # the columns are those of the input itself
    refuse_kinds(kernel, "b", x)


def _refused_by_onednn(op: Any, x: Any, w: Any) -> bool:
    """Whether oneDNN, whose messages differ, sees the operands of a wrong call."""
    return not x.dtype.is_complex and uses_onednn(op, x, w)


def _rank_error(name: str, x: Numbers, w: Numbers, op: Any) -> RuntimeError:
    """The error for a weight of another rank than the input's.

    PyTorch repeats a single number, and so compares the ranks of signals themselves.
    """
    given, n = list(getattr(op, name)), len(w) - 2
    if len(given) == 1:
        return RuntimeError(
            f"Expected {n + 2}-dimensional input for {n + 2}-dimensional weight "
            f"{list(w)}, but got {len(x)}-dimensional input of size {list(x)} instead"
        )
    return RuntimeError(
        f"expected {name} to be a single integer value or a list of {n} values to "
        f"match the convolution dimensions, but got {name}={given}"
    )


def check_weight(x: Numbers, w: Numbers, op: Any) -> None:
    """Check that the weight fits the input's rank and the groups."""
    n = len(w) - 2
    for name in ("stride", "padding", "dilation"):
        if len(getattr(op, name)) != n:
            raise _rank_error(name, x, w, op)
    if w[0] < op.groups:
        raise RuntimeError(
            f"Given groups={op.groups}, expected weight to be at least {op.groups} at "
            f"dimension 0, but got weight of size {list(w)} instead"
        )
    if w[0] % op.groups:
        raise RuntimeError(
            f"Given groups={op.groups}, expected weight to be divisible by {op.groups} "
            f"at dimension 0, but got weight of size [{list(w)}] instead"
        )


def _check_bias(w: Numbers, b: Numbers | None, outputs: int, transposed: bool) -> None:
    if b is not None and b != (outputs,):
        given = "transposed=1" if transposed else ""
        start = f"Given {given}, weight" if transposed else "Given weight"
        raise RuntimeError(
            f"{start} of size {list(w)}, expected bias to be 1-dimensional with "
            f"{outputs} elements, but got bias of size {list(b)} instead"
        )


def uses_onednn(op: Any, x: Any, w: Any) -> bool:
    """Whether PyTorch uses oneDNN for these images or volumes."""
    padding = getattr(op, "output_padding", ())
    if any(p >= s for p, s in zip(padding, op.stride, strict=False)):
        return False
    if op.half or getattr(x, "_data", x).dtype.char not in "fF":
        return bool(op.half == "bfloat16")
    sides = (1, *w.shape[2:])[-2:]  # a sequence is an image of height 1
    large = len(x) > 1 or prod(x.shape[:4]) > 20_480 or min(sides) > 3
    return large or op.groups > 1


def half_dtype_name(x: Any) -> str:
    """The name of a 16-bit dtype, or "" for any other dtype."""
    return x.dtype.name if x.dtype.itemsize == 2 else ""


def check_conv(op: Any, x: Any, w: Any, b: Any) -> None:
    """Check all operands of a convolution; record a 16-bit dtype.

    Raises:
        RuntimeError: for shapes, dtypes or attributes that do not fit together.
    """
    op.half = half_dtype_name(x)
    _check_bias_dtype(x, b)  # as in PyTorch, before sizes
    sizes = sizes_of(op, x, w, b)
    if 0 in op.dilation and x.shape[0]:
        _check_fit(sizes)
        if _refused_by_onednn(op, x, w):
            raise RuntimeError("non-positive dilation is not supported")
        _check_kernel_size(sizes.w[2:], dilated=True)
        raise _no_dilation(op)
    _check_conv_sizes(sizes)
    check_dtypes(op, x, w)


class ConvSizes(NamedTuple):
    """The sizes of a convolution's operands, which its checks compare."""

    x: Numbers
    w: Numbers
    b: Numbers | None
    stride: Numbers
    padding: Numbers
    dilation: Numbers
    groups: int


def sizes_of(op: Any, x: Any, w: Any, b: Any) -> ConvSizes:
    """The sizes and attributes that are compared."""
    shapes = x._data.shape, w._data.shape, None if b is None else b._data.shape
    return ConvSizes(*shapes, op.stride, op.padding, op.dilation, op.groups)


@lru_cache(256)  # checks take a fifth of a small convolution's time
def _check_conv_sizes(sizes: ConvSizes) -> None:
    _check_fit(sizes)
    x, w = sizes.x, sizes.w
    if prod(x[2:]) * prod(w[2:]) == 0:
        if all(x) or not x[0]:
            _check_kernel_size(w[2:], dilated=max(sizes.dilation) > 1)
        raise _nothing_to_convolve(x)


def _check_fit(sizes: ConvSizes) -> None:
    """Check that weight, bias and attributes fit the input, which may be empty."""
    x, w = sizes.x, sizes.w
    check_attributes(sizes, w)
    check_weight(x, w, sizes)
    channels = w[1] * sizes.groups
    if x[1] != channels:
        raise RuntimeError(
            f"Given groups={sizes.groups}, weight of size {list(w)}, expected "
            f"input{list(x)} to have {channels} channels, but got {x[1]} "
            "channels instead"
        )
    _check_bias(w, sizes.b, w[0], transposed=False)
    padded = [s + 2 * p for s, p in zip(x[2:], sizes.padding, strict=True)]
    kernel = [d * (k - 1) + 1 for k, d in zip(w[2:], sizes.dilation, strict=True)]
    if any(s < k for s, k in zip(padded, kernel, strict=True)):
        raise RuntimeError(
            f"Calculated padded input size per channel: ({sizes_text(padded)}). Kernel "
            f"size: ({sizes_text(kernel)}). Kernel size can't be greater than actual "
            "input size"
        )


def _nothing_to_convolve(x: Numbers) -> RuntimeError:
    """The error for images without elements."""
    shape = list(x) if len(x) > 3 else [*x[:2], 1, x[2]]
    return RuntimeError(
        "Only zero batch or zero channel inputs are supported, but got input "
        f"shape: {shape}"
    )


def _check_kernel_size(kernel: Numbers, dilated: bool = False) -> None:
    """Check that the kernel is not empty."""
    if 0 not in kernel:
        return
    if dilated:
        shown = f" {[1, *kernel] if len(kernel) == 1 else list(kernel)}"
    elif len(kernel) == 3:
        shown = f": {sizes_text(kernel)} (TxHxW)"
    else:
        height, width = (1, *kernel)[-2:]
        shown = f" kernel_height: {height} kernel_width: {width}"
    raise RuntimeError(f"kernel size should be greater than zero, but got{shown}")


def _check_transposed_kernel(w: Numbers) -> None:
    """Check that the weight of a transposed convolution is not empty."""
    if len(w) == 5:
        words = "5D (n_output_plane x n_input_plane x kernel_depth x kernel_height x "
        raise RuntimeError(
            f"non-empty {words}kernel_width) tensor expected for weight, but got: "
            f"{list(w)}"
        )
    _check_kernel_size(w[2:])
    shape = list(w) if len(w) > 3 else [*w[:2], 1, w[2]]
    raise RuntimeError(f"non-empty 2D or 4D weight tensor expected, but got: {shape}")


def check_conv_transpose(op: Any, x: Any, w: Any, b: Any) -> None:
    """Check all operands of a transposed convolution.

    Raises:
        RuntimeError: for shapes, dtypes or attributes that do not fit together.
    """
    check_attributes(op, w.shape)
    if min(op.output_padding) < 0:
        raise RuntimeError("negative output_padding is not supported")
    check_weight(x.shape, w.shape, op)
    if x.shape[1] != w.shape[0]:
        raise RuntimeError(
            f"Given transposed=1, weight of size {list(w.shape)}, expected "
            f"input{list(x.shape)} to have {w.shape[0]} channels, but got {x.shape[1]} "
            "channels instead"
        )
    bias = None if b is None else b.shape
    _check_bias(w.shape, bias, w.shape[1] * op.groups, transposed=True)
    if prod(x.shape) == 0 < prod(x.shape[:2]):
        raise _nothing_to_convolve(x.shape)
    if 0 in w.shape[2:] and x.shape[0] and w.ndim < 5:
        _check_kernel_size(w.shape[2:])
    if x.shape[0]:  # PyTorch runs no kernel without samples
        if 0 in op.dilation:
            raise _no_dilation(op)
        _check_output_padding(op)
    if 0 in w.shape and 0 not in (x.shape[0], x.shape[1]):
        _check_transposed_kernel((w.shape[0] // op.groups, *w.shape[1:]))
    out = op.output_size(x.shape, w.shape)
    least = 1 if x.shape[0] and not uses_onednn(op, x, w) else 0
    if min(out, default=1) < least or (prod(x.shape[2:]) == 0 and prod(x.shape[:2])):
        line = (1,) * (len(out) == 1)  # which PyTorch treats as an image of height 1
        size = (*line, *x.shape[2:])
        raise RuntimeError(
            f"Given input size per channel: ({sizes_text(size)}). Calculated output "
            f"size per channel: ({sizes_text((*line, *out))}). Output size is too small"
        )
    check_dtypes(op, x, w, b)


def _check_output_padding(op: Any) -> None:
    limits = [max(t, d) for t, d in zip(op.stride, op.dilation, strict=True)]
    if all(p < m for p, m in zip(op.output_padding, limits, strict=True)):
        return
    axes = ("depth", "height", "width")[-max(2, len(limits)) :]
    shown = []
    for name in ("output_padding", "stride", "dilation"):
        values = getattr(op, name)
        values = (1 - (name == "output_padding"),) * (len(axes) - len(values)) + values
        shown += [f"{name}_{axis}: {v}" for axis, v in zip(axes, values, strict=True)]
    raise RuntimeError(
        "output padding must be smaller than either stride or dilation, but got "
        + " ".join(shown)
    )


def sizes_text(sizes: Any) -> str:
    """Sizes as in PyTorch's messages: "3 x 3"."""
    return " x ".join(str(s) for s in sizes)
