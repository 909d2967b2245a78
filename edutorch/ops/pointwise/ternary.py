"""Ops with three operands: where, addcmul, addcdiv."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply, apply1
from ...autograd.half_precision import is_half
from ...kernels import activations as kernels
from ...kernels.memory_format import match_strides
from ...kernels.multiply_add import multiply_add
from ...tensor.tensor import Tensor
from ..argument_checks import number_of, refuse_numbers, type_error
from ..argument_errors import check_call, invalid_combination
from ..deprecated_overloads import reordered
from ..number_ranges import checked_number, compute_dtype
from ..promotion import Pointwise, cast_operand, common_dtype, promoted, refuse_dtype
from ..registration import copyto, public
from .conjugate import conj

__all__ = ["addcdiv", "addcmul", "where"]


class Masked(Op):
    """`x` where a mask is true, else 0, even where x is infinite.

    Math: y = x where mask, else 0      ∂L/∂x = g where mask, else 0
    """

    attributes = ("mask",)
    saves = ()

    def __init__(self, mask: Any) -> None:
        self.mask = getattr(mask, "_data", mask)

    def forward(self, x: Any) -> Any:
        return kernels.masked(x, self.mask)

    def backward(self, g: Any) -> Any:
        return masked(g, self.mask)


def masked(x: Any, mask: Any) -> Any:
    """`x` where a boolean `mask` of equal shape is true, else 0, for formulas."""
    if isinstance(x, Tensor):
        return apply1(Masked(mask), x)
    return kernels.masked(x, mask)


class Where(Op):
    """Selects elements of one tensor or another by a condition.

    Math: y = a where c, else b
          ∂L/∂a = g where c, else 0      ∂L/∂b = 0 where c, else g
    Shape: (*), (*), (*) -> (*), broadcast
    """

    same_device = slice(None)
    dtype_operand = 1
    takes_float8 = True
    constants = (0,)
    onnx = "Where"
    saves = (0,)

    def check(self, condition: Any, a: Any, b: Any) -> None:
        numbers = [v for v in (a, b) if not isinstance(v, (Tensor, np.ndarray))]
        if numbers:
            _check_numbers(numbers, a, b)
        if isinstance(condition, Tensor) and condition._data.dtype not in MASK_DTYPES:
            raise RuntimeError(
                "where expected condition to be a boolean tensor, but got a tensor "
                f"with dtype {condition.dtype.short}"
            )

    def promote(self, condition: Any, a: Any, b: Any) -> Any:
        if condition.dtype.kind != "b":
            condition = condition.astype(bool)
        if getattr(a, "dtype", 0) is getattr(b, "dtype", 1):
            return condition, a, b
        return condition, *promoted(a, b)

    def forward(self, condition: Any, a: Any, b: Any) -> Any:
        y = kernels.choose(condition, a, b)
        if condition.flags.c_contiguous:
            return y
        return match_strides(y, condition, *(v for v in (a, b) if np.ndim(v)))

    def backward(self, g: Any) -> Any:
        condition = self.inputs[0]
        return (
            None,
            where(condition, g, 0) if self.needs[1] else None,
            where(condition, 0, g) if self.needs[2] else None,
        )


def _check_numbers(numbers: list[Any], a: Any, b: Any) -> None:
    for number in numbers:
        if not isinstance(number, (int, float, complex, np.generic)):
            raise type_error("Tensor", "input", number)
    found = common_dtype(*(getattr(v, "_data", v) for v in (a, b)))
    for number in numbers:
        checked_number(number, found, single=True)


def _from_numpy(value: Any) -> Any:
    """Convert a NumPy number to a Python number; arrays are refused."""
    if isinstance(value, np.ndarray):
        raise type_error("Tensor", "other", value, "where")
    return dtypes.as_number(value)


class WhereIndices(Op):
    """The indices of nonzero elements, a tensor for each dimension.

    Math: y = all i with x[i] ≠ 0
    """

    meta_kernel = "nonzero"
    data_dependent = True
    multiple_outputs = True
    differentiable = False

    def forward(self, condition: Any) -> Any:
        found = np.nonzero(condition if condition.ndim else condition.reshape(1))
        return tuple([index.copy() for index in found])  # without gaps, as in PyTorch


_missing: Any = object()
NUMPY_TYPES, MASK_DTYPES = (np.ndarray, np.generic), (np.bool_, np.uint8)


def where(
    condition: Tensor,
    input: Any = _missing,
    other: Any = _missing,
    *,
    out: Tensor | None = None,
) -> Any:
    """`input` where `condition` is true, otherwise `other`.

    With the condition alone: the indices at which it holds, one tensor for each
    dimension.

    Math: y = a where c, else b
          ∂L/∂a = g where c, else 0      ∂L/∂b = 0 where c, else g
    Shape: (*), (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: if the condition is not boolean.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([-1.0, 2.0])
        >>> torch.where(x > 0, x, 0)
        tensor([0., 2.])
    """
    if input is _missing:
        return apply(WhereIndices(), condition)
    if isinstance(condition, Tensor):  # in formulas it may be an array
        if isinstance(input, NUMPY_TYPES):
            input = _from_numpy(input)
        if isinstance(other, NUMPY_TYPES):
            other = _from_numpy(other)
    elif isinstance(condition, bool):
        raise invalid_combination("where")
    if out is not None:
        check_call(isinstance(input, Tensor) and isinstance(other, Tensor))
    result = apply(Where(), condition, input, other)
    if out is None:
        return result
    return copyto(out, result, "where", (condition, input, other))


@public("where")
def _tensor_where(input: Tensor, condition: Tensor, other: Any) -> Any:
    """The tensor where `condition` is true, otherwise `other`.

    Math: y = x where the condition holds, else b
          ∂L/∂x = g where it holds, else 0      ∂L/∂b = 0 where it holds, else g
    Shape: (*), (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for a condition that is not boolean.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, -2.0])
        >>> x.where(x > 0, torch.tensor(0.0))
        tensor([1., 0.])
    """
    if isinstance(other, NUMPY_TYPES):
        other = _from_numpy(other)
    return apply(Where(), condition, input, other)


class AddCMul(Pointwise):
    """A tensor plus a scaled product.

    Math: y = x + v · a · b
          ∂L/∂x = g      ∂L/∂a = v · g · b      ∂L/∂b = v · g · a
    """

    public = "addcmul"
    torch_name = "Addcmul"
    attributes = ("value",)
    saves = (1, 2)
    saves_for = {1: 2, 2: 1}  # noqa: RUF012 (a table, not a state)
    value: complex = 1
    half = False
    complex32 = "single"

    def promote(self, *arrays: Any) -> Any:
        return _promote3(*arrays)

    def check(self, x: Any, a: Any, b: Any) -> None:
        self.half = is_half(x._data.dtype)
        self.value = checked_value(self.value, x, a, b)

    def forward(self, x: Any, a: Any, b: Any) -> Any:
        if self.half and x.dtype.char == "f":
            return multiply_add(self.value * a, b, x)
        if self.value == 1:
            return x + a * b
        value: Any = self.value
        if x.dtype.kind in "iu":
            value = np.asarray(int(value)).astype(x.dtype)[()]  # to bytes -1 is 255
        return x + value * a * b

    def backward(self, g: Any) -> Any:
        _, a, b = self.inputs
        scaled = g if self.value == 1 else g * conj(self.value)
        return (
            g,
            scaled * conj(b) if self.needs[1] else None,
            scaled * conj(a) if self.needs[2] else None,
        )


def checked_value(value: complex, *operands: Any) -> complex:
    """The factor, after checking that the result's dtype can represent it.

    Raises:
        NotImplementedError: for booleans.
        RuntimeError: for a complex number with others, or one that is too large.
    """
    found = common_dtype(*[t._data for t in operands])
    if found.kind == dtypes.BOOL:
        refuse_dtype("addcmul_cpu_out", found)
    number: complex = checked_number(value, compute_dtype(found))
    return number


def _promote3(x: Any, a: Any, b: Any) -> tuple[Any, Any, Any]:
    if x.dtype is a.dtype is b.dtype:
        return x, a, b
    target = common_dtype(x, a, b).numpy
    return (
        cast_operand(x, target), cast_operand(a, target), cast_operand(b, target)
    )  # fmt: skip


@public("addcmul", inplace="addcmul_")
def addcmul(
    input: Tensor, tensor1: Any, tensor2: Any, *old: Any, value: complex = 1,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Elementwise `input + value * tensor1 * tensor2`.

    Math: y = x + v · a · b
          ∂L/∂x = g      ∂L/∂a = v · g · b      ∂L/∂b = v · g · a
    Shape: (*), (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for booleans.
        RuntimeError: for a complex value with real tensors.

    Example:
        >>> import edutorch as torch
        >>> torch.addcmul(torch.ones(2), torch.ones(2), torch.ones(2), value=2)
        tensor([3., 3.])
    """
    if _m.special_modes and addcmul in _m.modes.autocast:
        return _m.autocast(addcmul, input, tensor1, tensor2, *old, value=value, out=out)
    if old:  # the deprecated signature with numbers first
        given, number = reordered(
            "addcmul", input, tensor1, tensor2, *old, names=("value",)
        )
        return addcmul(*given, out=out, **number)
    refuse_numbers("addcmul", input=input, tensor1=tensor1, tensor2=tensor2)
    op = AddCMul()
    if type(value) is not int or value != 1:
        op.value = number_of(value, "value", "addcmul")
    result = apply(op, input, tensor1, tensor2)
    if out is None:
        return result
    return copyto(out, result, "addcmul", (input, tensor1, tensor2))


class AddCDiv(Pointwise):
    """A tensor plus a scaled quotient.

    Math: y = x + v · a / b
          ∂L/∂x = g      ∂L/∂a = v · g / b      ∂L/∂b = -v · g · a / b²
    """

    public = "addcdiv"
    torch_name = "Addcdiv"
    attributes = ("value",)
    saves = (1, 2)
    value: complex = 1
    complex32_kernel = "addcdiv_cpu_out"

    def check(self, x: Any, a: Any, b: Any) -> None:
        if a._data.dtype.kind in "iub" and b._data.dtype.kind in "iub":
            raise RuntimeError(
                "Integer division with addcdiv is no longer supported, and in a "
                "future  release addcdiv will perform a true division of tensor1 and "
                "tensor2. The historic addcdiv behavior can be implemented as (input "
                "+ value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for "
                "integer inputs and as (input + value * tensor1 / tensor2) for float "
                "inputs. The future addcdiv behavior is just the latter "
                "implementation: (input + value * tensor1 / tensor2), for all dtypes."
            )
        self.value = checked_number(
            self.value, compute_dtype(common_dtype(x._data, a._data, b._data))
        )

    def promote(self, *arrays: Any) -> Any:
        return _promote3(*arrays)

    def forward(self, x: Any, a: Any, b: Any) -> Any:
        return x + (a if self.value == 1 else self.value * a) / b

    def backward(self, g: Any) -> Any:
        _, a, b = self.inputs
        b = conj(b)
        scaled = (g if self.value == 1 else g * conj(self.value)) / b
        return g, scaled, -scaled * (conj(a) / b) if self.needs[2] else None


@public("addcdiv", inplace="addcdiv_")
def addcdiv(
    input: Tensor, tensor1: Tensor, tensor2: Tensor, *old: Any, value: complex = 1,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Elementwise `input + value * tensor1 / tensor2`.

    Math: y = x + v · a / b
          ∂L/∂x = g      ∂L/∂a = v · g / b      ∂L/∂b = -v · g · a / b²
    Shape: (*), (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for two integer tensors.

    Example:
        >>> import edutorch as torch
        >>> torch.addcdiv(torch.ones(2), torch.ones(2), torch.full((2,), 4.0))
        tensor([1.2500, 1.2500])
    """
    if _m.special_modes and addcdiv in _m.modes.autocast:
        return _m.autocast(addcdiv, input, tensor1, tensor2, *old, value=value, out=out)
    if old:  # the deprecated signature with numbers first
        given, number = reordered(
            "addcdiv", input, tensor1, tensor2, *old, names=("value",)
        )
        return addcdiv(*given, out=out, **number)
    refuse_numbers("addcdiv", input=input, tensor1=tensor1, tensor2=tensor2)
    op = AddCDiv()
    if type(value) is not int or value != 1:
        op.value = number_of(value, "value", "addcdiv")
    result = apply(op, input, tensor1, tensor2)
    if out is None:
        return result
    return copyto(out, result, "addcdiv", (input, tensor1, tensor2))
