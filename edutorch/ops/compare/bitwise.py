"""Operations on the bits of integers and booleans."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import apply1, apply2
from ...backends import array_module
from ...dtypes import BOOL, FLOATING
from ...kernels.memory_format import match_strides
from ...tensor.tensor import Tensor
from ..argument_checks import refuse_self
from ..promotion import Pointwise, common_dtype, refuse_dtype
from ..registration import copyto, public

__all__ = [
    "bitwise_and", "bitwise_left_shift", "bitwise_not", "bitwise_or",
    "bitwise_right_shift", "bitwise_xor",
]  # fmt: skip


class _Bits(Pointwise):
    """Base class of bitwise ops, which refuse floating-point numbers."""

    differentiable = False
    kernel = ""  # PyTorch's name, if it differs

    def check(self, *operands: Any) -> None:
        for x in operands:
            if not isinstance(x, Tensor) or x._data.dtype.kind not in "iub":
                break
        else:
            return  # the usual case, without looking for the common dtype
        found = common_dtype(*[getattr(x, "_data", x) for x in operands])
        if found.kind >= FLOATING:
            refuse_dtype(self.kernel or f"{self.public}_cpu", found)


class BitwiseAnd(_Bits):
    """The bits set in both operands."""

    public = "bitwise_and"

    def forward(self, a: Any, b: Any) -> Any:
        return a & b


@public("bitwise_and", "__and__", inplace="bitwise_and_",
        augmented="__iand__")  # fmt: skip
def bitwise_and(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise bits set in both; for booleans, logical and.

    Math: y = a & b, bit by bit
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for floating and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([6, 3]) & 5
        tensor([4, 1])
    """
    result = apply2(BitwiseAnd(), input, other)
    return result if out is None else copyto(out, result, "bitwise_and", (input, other))


@public("__rand__")
def _tensor_reflected_and(input: Tensor, other: Any) -> Tensor:
    refuse_self("__rand__", input)
    return apply2(BitwiseAnd(), other, input)


class BitwiseOr(_Bits):
    """The bits set in one or both operands."""

    public = "bitwise_or"

    def forward(self, a: Any, b: Any) -> Any:
        return a | b


@public("bitwise_or", "__or__", inplace="bitwise_or_", augmented="__ior__")
def bitwise_or(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise bits set in one or both; for booleans, logical or.

    Math: y = a | b, bit by bit
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for floating and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([6, 3]) | 5
        tensor([7, 7])
    """
    result = apply2(BitwiseOr(), input, other)
    return result if out is None else copyto(out, result, "bitwise_or", (input, other))


@public("__ror__")
def _tensor_ror(input: Tensor, other: Any) -> Tensor:
    refuse_self("__ror__", input)
    return apply2(BitwiseOr(), other, input)


class BitwiseXor(_Bits):
    """The bits set in exactly one operand."""

    public = "bitwise_xor"

    def forward(self, a: Any, b: Any) -> Any:
        return a ^ b


@public("bitwise_xor", "__xor__", inplace="bitwise_xor_",
        augmented="__ixor__")  # fmt: skip
def bitwise_xor(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise bits set in exactly one; for booleans, whether they differ.

    Math: y = a ^ b, bit by bit
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for floating and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([6, 3]) ^ 5
        tensor([3, 6])
    """
    result = apply2(BitwiseXor(), input, other)
    return result if out is None else copyto(out, result, "bitwise_xor", (input, other))


@public("__rxor__")
def _tensor_rxor(input: Tensor, other: Any) -> Tensor:
    refuse_self("__rxor__", input)
    return apply2(BitwiseXor(), other, input)


class BitwiseNot(_Bits):
    """Every bit inverted."""

    public = "bitwise_not"

    def forward(self, x: Any) -> Any:
        return ~x


@public("__invert__")
def _tensor_invert(input: Tensor) -> Tensor:
    if input._data.dtype.kind not in "iub":
        raise TypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type "
            "tensors"
        )
    return apply1(BitwiseNot(), input)


@public("bitwise_not", inplace="bitwise_not_")
def bitwise_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise complement of the bits; for booleans, logical not.

    Math: y = ~x, bit by bit
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for floating and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> ~torch.tensor([True, False])
        tensor([False,  True])
    """
    result = apply1(BitwiseNot(), input)
    return result if out is None else copyto(out, result, "bitwise_not", (input,))


class _Shift(_Bits):
    """Base class of shifts, which refuse booleans."""

    def check(self, *operands: Any) -> None:
        super().check(*operands)
        found = common_dtype(*[getattr(x, "_data", x) for x in operands])
        if found.kind == BOOL:
            refuse_dtype("lshift_cpu" if "left" in self.public else "rshift_cpu", found)


def _on_one_device(a: Any, b: Any) -> tuple[Any, Any]:
    """Both operands as arrays of one library, if one of them is a number."""
    if type(a) is type(b):
        return a, b
    xp = array_module(b if type(a) is np.ndarray else a)
    return xp.asarray(a), xp.asarray(b)


class LeftShift(_Shift):
    """Shifts bits to the left; shifting by the width or more gives 0.

    Math: y = a · 2^b
    """

    public = "bitwise_left_shift"
    kernel = "lshift_cpu"

    def forward(self, a: Any, b: Any) -> Any:
        a, b = _on_one_device(a, b)
        bits = 8 * a.dtype.itemsize
        gone = (b < 0) | (b >= bits)
        shifted = a << np.where(gone, 0, b).astype(a.dtype)
        return match_strides(np.where(gone, a.dtype.type(0), shifted), a, b)


@public("bitwise_left_shift", "__lshift__", inplace="bitwise_left_shift_",
        augmented="__ilshift__")  # fmt: skip
def bitwise_left_shift(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise shift of bits to the left.

    Math: y = a · 2^b
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for booleans, floating and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 3]) << 2
        tensor([ 4, 12])
    """
    result = apply2(LeftShift(), input, other)
    if out is None:
        return result
    return copyto(out, result, "bitwise_left_shift", (input, other))


class RightShift(_Shift):
    """Shifts bits to the right, preserving the sign.

    Math: y = ⌊a / 2^b⌋
    """

    public = "bitwise_right_shift"
    kernel = "rshift_cpu"

    def forward(self, a: Any, b: Any) -> Any:
        a, b = _on_one_device(a, b)
        most = 8 * a.dtype.itemsize - 1
        places = np.where((b < 0) | (b > most), most, b).astype(a.dtype)
        shifted = a >> places
        if a.dtype.kind == "u":
            shifted = np.where((b < 0) | (b > most), a.dtype.type(0), shifted)
        return match_strides(shifted, a, b)


@public("bitwise_right_shift", "__rshift__", inplace="bitwise_right_shift_",
        augmented="__irshift__")  # fmt: skip
def bitwise_right_shift(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise shift of bits to the right, preserving the sign.

    Math: y = ⌊a / 2^b⌋
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for booleans, floating and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([4, -8]) >> 1
        tensor([ 2, -4])
    """
    result = apply2(RightShift(), input, other)
    if out is None:
        return result
    return copyto(out, result, "bitwise_right_shift", (input, other))


@public("__rlshift__")
def _tensor_rlshift(input: Tensor, other: Any) -> Tensor:
    return apply2(LeftShift(), other, input)


@public("__rrshift__")
def _tensor_rrshift(input: Tensor, other: Any) -> Tensor:
    return apply2(RightShift(), other, input)
