"""Pads a tensor: `torch.nn.functional.pad`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply1
from ...backends import array_module
from ...kernels.memory_format import match_memory_format, row_major
from ...tensor.tensor import Tensor
from ...text_arguments import as_text
from ..argument_checks import need_tensors, number_of, type_error
from ..argument_errors import argument_error, check_call, parser_errors
from ..convert.copy_fill import castable_number
from ..int_arguments import ints_of
from .slices import index_at_dim

__all__ = ["constant_pad_nd", "pad"]

Pads = tuple[tuple[int, int], ...]  # before and after, of each dimension


class ConstantPad(Op):
    """Pads with a constant value; negative widths crop.

    Math: y = value, x inside      ∂L/∂x = g inside
    """

    attributes = ("pads", "value")
    onnx = "Pad"
    torch_name = "ConstantPadNd"
    saves = ()
    complex32 = "single"

    def __init__(self, pads: Pads, value: Any) -> None:
        self.pads, self.value = pads, value

    def forward(self, x: Any) -> Any:
        shape = tuple(n + a + b for n, (a, b) in zip(x.shape, self.pads, strict=True))
        unpadded = tuple(
            slice(max(-a, 0), n - max(-b, 0))
            for n, (a, b) in zip(x.shape, self.pads, strict=True)
        )
        inside = tuple(
            slice(max(a, 0), n - max(b, 0))
            for n, (a, b) in zip(shape, self.pads, strict=True)
        )
        if shape == x[unpadded].shape:  # no padding: a copy in the same memory order
            return x[unpadded].copy("K")
        y = array_module(x).full(shape, self.value, x.dtype)
        y[inside] = x[unpadded]
        return match_memory_format(y, x)

    def backward(self, g: Any) -> Any:
        back = tuple((-a, -b) for a, b in self.pads)
        return apply1(ConstantPad(back, 0), g)


class BorderPad(Op):
    """Pads with the tensor's own entries: reflected, replicated or circular.

    Math: y[i] = x[source(i)]      ∂L/∂x[j] = Σ g[i] over source(i) = j
    """

    attributes = ("pads", "mode")
    onnx = "Pad"
    saves = ()
    complex32 = "single"

    def __init__(self, pads: Pads, mode: str) -> None:
        self.pads, self.mode = pads, mode

    def name(self) -> str:
        """PyTorch's name of the node."""
        kind = {"reflect": "Reflection", "replicate": "Replication"}.get(self.mode)
        ndim = sum(p != (0, 0) for p in self.pads) or 1
        return f"{kind}Pad{ndim}DBackward0" if kind else "torch::autograd::CopySlices"

    @property
    def double_backward(self) -> str:
        """Mark circular padding as a copy, as PyTorch does."""
        return "" if self.mode == "circular" else "zeros"

    def forward(self, x: Any) -> Any:
        self.old_shape, y = x.shape, x
        for dim, (before, after) in enumerate(self.pads):
            if before or after:
                source = source_indices(x.shape[dim], before, after, self.mode)
                y = np.take(y, array_module(x).asarray(source), dim)
        y = y.copy("C") if y is x else y
        return row_major(y) if self.mode == "circular" else match_memory_format(y, x)

    def backward(self, g: Any) -> Any:
        return apply1(BorderPadBackward(self.pads, self.mode, self.old_shape), g)


class BorderPadBackward(Op):
    """Adds the border to the entries it was copied from: the gradient of `BorderPad`.

    Math: y[j] = Σ x[i] over the i that j was copied to
          ∂L/∂x = g with its border added
    """

    attributes = ("pads", "mode", "shape")
    saves = ()

    def __init__(self, pads: Pads, mode: str, shape: tuple[int, ...]) -> None:
        self.pads, self.mode, self.shape = pads, mode, shape

    def forward(self, x: Any) -> Any:
        for dim, (before, after) in enumerate(self.pads):
            if before or after:
                source = source_indices(self.shape[dim], before, after, self.mode)
                x = _fold_border(x, dim, source, before, self.shape[dim])
        return x

    def backward(self, g: Any) -> Any:
        return apply1(BorderPad(self.pads, self.mode), g)


def source_indices(n: int, before: int, after: int, mode: str) -> Any:
    """The source index of each position along a padded dimension."""
    if mode == "circular":  # cropping happens before wrapping
        first, last = max(-before, 0), n - max(-after, 0)
        places = np.arange(-max(before, 0), last - first + max(after, 0))
        return places % (last - first) + first
    places = np.arange(-before, n + after)
    if mode == "replicate":
        return places.clip(0, n - 1)
    return (n - 1) - abs((n - 1) - abs(places))  # mirrored at both ends


def _fold_border(x: Any, dim: int, source: Any, before: int, n: int) -> Any:
    """The inner part along a dimension, with the border added to its sources."""
    first = min(max(before, 0), len(source))
    last = max(first, min(before + n, len(source)))  # more may be cropped than there is
    y = array_module(x).zeros((*x.shape[:dim], n, *x.shape[dim + 1 :]), x.dtype)
    y[index_at_dim(dim, slice(first - before, last - before))] = x[
        index_at_dim(dim, slice(first, last))
    ]
    for place in (*range(first), *range(last, len(source))):
        y[index_at_dim(dim, int(source[place]))] += x[index_at_dim(dim, place)]
    return y


def pad(
    input: Tensor, pad: Sequence[int], mode: str = "constant", value: Any = None
) -> Tensor:
    """Pad a tensor; widths are given for the last dimension first.

    Math: y[i] = x[source(i)], or value outside
          ∂L/∂x[j] = Σ g[i] over source(i) = j
    Shape: (.., w), (left, right) -> (.., left + w + right)

    Args:
        pad: before and after the last dimension, before and after the one before ...;
            negative widths cut off.
        mode: "constant" (`value` outside), "reflect" (mirrored, the edge not
            repeated), "replicate" (the edge repeated), "circular" (wrapped around).

    Raises:
        RuntimeError: for widths that do not fit the tensor.
        NotImplementedError: for other modes, or dimensions a mode does not know.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.pad(torch.tensor([1, 2]), (1, 2))
        tensor([0, 1, 2, 0, 0])
    """
    if _m.special_modes and PAD in _m.modes.autocast:
        return _m.autocast(PAD, input, pad, mode, value)
    need_tensors("pad", input=input)
    if isinstance(pad, int):
        raise type_error("tuple of ints", "pad", pad, "pad")
    widths = ints_of(pad, "pad")
    ndim = input.ndim
    if len(widths) % 2:
        raise argument_error() or RuntimeError("Padding length must be divisible by 2")
    if len(widths) > 2 * ndim:
        raise argument_error() or RuntimeError(
            "Padding length should be less than or equal to two times the input "
            f"dimension but got padding length {len(widths)} and input of dimension "
            f"{ndim}"
        )
    pads = _by_dimension(widths, ndim)
    if type(mode) is not str:
        check_call(isinstance(mode, (str, bytes)))
        mode = as_text(mode)
    if mode == "constant":
        check_call(type(value) is not complex)
        return _constant_pad(input, pads, _as_float(value, pads))
    if mode not in ("reflect", "replicate", "circular"):
        raise argument_error() or NotImplementedError(
            f"Unrecognised padding mode {mode}"
        )
    if value not in (None, 0):
        raise argument_error() or RuntimeError(
            f'Padding mode "{mode}" doesn\'t take in value argument'
        )
    if len(widths) not in _WIDTHS.get(ndim, ()):
        raise argument_error() or NotImplementedError(
            f"Padding size {len(widths)} is not supported for {ndim}D input tensor."
        )
    _check_not_empty(input, len(widths) // 2, mode)
    if mode == "circular":
        _check_wrapped(input, pads)
    else:
        _check_border(input, pads, mode, len(widths) // 2)
    if mode != "circular" and input.dtype.short == "Bool":
        kind = {"reflect": "reflection", "replicate": "replication"}[mode]
        raise NotImplementedError(
            f"\"{kind}_pad{len(widths) // 2}d\" not implemented for 'Bool'"
        )
    return apply1(BorderPad(pads, mode), input)


PAD = pad  # since an argument hides the function's name
_WIDTHS = {2: (2,), 3: (2, 4), 4: (4, 6), 5: (6,)}


def _by_dimension(widths: tuple[int, ...], ndim: int) -> Pads:
    """The widths before and after each dimension, first dimension first."""
    pairs = list(zip(widths[::2], widths[1::2], strict=True))[::-1]
    return ((0, 0),) * (ndim - len(pairs)) + tuple(pairs)


@parser_errors
def constant_pad_nd(input: Tensor, pad: Sequence[int], value: Any = 0) -> Tensor:
    """Pad a tensor with a constant; see `torch.nn.functional.pad`.

    Math: y[i] = x[i - before], or value outside      ∂L/∂x[j] = g[j + before]
    Shape: (.., w), (left, right) -> (.., left + w + right)

    Raises:
        RuntimeError: for widths that do not fit the tensor.

    Example:
        >>> import edutorch as torch
        >>> torch.constant_pad_nd(torch.tensor([1, 2]), (1, 2), 9)
        tensor([9, 1, 2, 9, 9])
    """
    need_tensors("constant_pad_nd", input=input)
    widths, ndim = ints_of(pad, "constant_pad_nd"), input.ndim
    if len(widths) % 2:
        raise RuntimeError(
            f"Length of pad must be even but instead it equals {len(widths)}"
        )
    if len(widths) > 2 * ndim:
        raise RuntimeError(
            "Length of pad should be no more than twice the number of dimensions of "
            f"the input. Pad length is {len(widths)}while the input has "
            f"{ndim}dimensions."
        )
    return _constant_pad(input, _by_dimension(widths, ndim), value)


def _as_float(value: Any, pads: Pads) -> Any:
    """The value to pad with; PyTorch passes integers on as floats."""
    if type(value) is int and any(max(pair) > 0 for pair in pads):
        return float(value)
    return 0 if value is None else value


def _constant_pad(input: Tensor, pads: Pads, value: Any) -> Tensor:
    for n, (before, after) in zip(input._data.shape, pads, strict=True):
        if n + before + after < 0 or n + min(before, 0) + min(after, 0) < 0:
            raise RuntimeError("narrow(): length must be non-negative.")
    number = number_of(value, "value", "constant_pad_nd")
    return apply1(ConstantPad(pads, castable_number(number, input)), input)


def _check_not_empty(input: Tensor, n: int, mode: str) -> None:
    """Refuse empty dimensions other than the batch."""
    shape = input._data.shape
    first = 1 if len(shape) == n + 2 else 0
    if mode == "circular" or 0 not in shape[first:]:
        return
    raise RuntimeError(
        f"Expected {n + 1}D or {n + 2}D (batch mode) tensor with possibly 0 batch size "
        f"and other non-zero dimensions for input, but got: {list(shape)}"
    )


def _check_wrapped(input: Tensor, pads: Pads) -> None:
    """Refuse padding that wraps around twice, or takes more than there is."""
    for n, (before, after) in zip(input._data.shape, pads, strict=True):
        if max(before, after) > n:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        if n + before + after < 0:
            raise RuntimeError(
                "Negative padding value is resulting in an empty dimension"
            )


def _check_border(input: Tensor, pads: Pads, mode: str, n: int) -> None:
    """Check padding by what is at the border of `n` dimensions."""
    shape = input._data.shape
    sizes = list(zip(shape, pads, strict=True))
    for dim, (size, (before, after)) in reversed(list(enumerate(sizes))):
        if mode == "reflect" and max(before, after) >= size and (before or after):
            raise RuntimeError(
                f"Argument #{2 + 2 * (len(sizes) - dim)}: Padding size should be less "
                "than the corresponding input dimension, but got: padding "
                f"({before}, {after}) at dimension {dim} of input {list(shape)}"
            )
    padded = [size + before + after for size, (before, after) in sizes]
    if max(padded[-n:]) < 1:
        last = " " if (mode, n) == ("replicate", 2) else ""
        given = BORDERS[n].format(*shape[-n:]) + last
        result = BORDERS[n].replace(",", "").format(*padded[-n:])
        raise RuntimeError(f"input ({given}) is too small. Calculated output {result}")
    for size in padded:
        if size < 0 and (mode, n) == ("reflect", 2):  # a result that is resized
            raise RuntimeError("numel: integer multiplication overflow")
        if size < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {size}: {padded}"
            )


# Sizes in PyTorch's messages, by the number of dimensions.
BORDERS = {1: "W: {}", 2: "H: {}, W: {}", 3: "D: {} H: {}, W: {}"}
