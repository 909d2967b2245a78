"""Promotes the operands of an op to one dtype, by PyTorch's rules."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from .. import dtypes
from ..autograd.dispatch import Op
from ..autograd.half_precision import SINGLE, is_half
from ..autograd.modes import modes
from ..backends import to_device_of
from ..kernels.casts import cast
from ..kernels.memory_format import cast_preserving_strides
from ..tensor.tensor import Tensor
from .argument_checks import numpy_dtype, type_error
from .argument_errors import check_call

__all__ = [
    "RealPointwise",
    "Pointwise",
    "cast_operand",
    "common_dtype",
    "operand_and_dtype",
    "as_floating",
    "promoted",
    "promoted_floating",
    "refuse_dtype",
    "refuse_integral",
    "result_type",
]


FEW_KERNELS = dtypes.FLOAT8 | {dtypes.complex32.numpy}  # dtypes that most ops reject


def common_dtype(*operands: Any) -> dtypes.dtype:
    """The dtype in which arrays and Python numbers are computed."""
    dims: list[Any] = []
    zero: list[Any] = []
    numbers: list[Any] = []
    for v in operands:
        if hasattr(v, "dtype") and hasattr(v, "ndim") and not isinstance(v, np.generic):
            found = dtypes.of_numpy.get(v.dtype) or dtypes.of_array(v)  # which raises
            (dims if v.ndim else zero).append(found)
        else:
            numbers.append(dtypes.of_number(v))
    return dtypes.promote_groups(dims, zero, numbers)


def promoted(x: Any, y: Any, wide: tuple[int, ...] = ()) -> tuple[Any, Any]:
    """Two operands (arrays or numbers) in their common dtype; `wide` as in `Op`."""
    return _cast_both(x, y, common_dtype(x, y).numpy, wide)


def _cast_both(x: Any, y: Any, target: Any, wide: tuple[int, ...]) -> tuple[Any, Any]:
    if not (wide and is_half(target)):
        return _on_one_device(cast_operand(x, target), cast_operand(y, target))
    of = [
        SINGLE if i in wide and not np.ndim(v) else target for i, v in enumerate((x, y))
    ]
    if of == [SINGLE, SINGLE]:
        of = [target, target]
    return _on_one_device(cast_operand(x, of[0]), cast_operand(y, of[1]))


def _on_one_device(x: Any, y: Any) -> tuple[Any, Any]:
    """Both operands, on one device."""
    if type(x) is type(y):
        return x, y
    return to_device_of(x, y), to_device_of(y, x)


def cast_operand(v: Any, target: Any) -> Any:
    """An array in a dtype, with its elements in the same order; a number as one.

    Example:
        >>> cast_operand(np.arange(2), np.float32)
        array([0., 1.], dtype=float32)
    """
    if hasattr(v, "astype") and hasattr(v, "ndim"):
        return v if v.dtype == target else cast_preserving_strides(v, target)
    # Numbers that fit stay NumPy's weak scalars; others wrap around.
    return cast(np.asarray(v), target)


def as_floating(x: Any) -> Any:
    """Integers and booleans in the default floating type; others unchanged."""
    if x.dtype.kind in "fcVW":
        return x
    return cast_preserving_strides(x, dtypes.get_default_dtype().numpy)


def promoted_floating(x: Any, y: Any, wide: tuple[int, ...] = ()) -> tuple[Any, Any]:
    """Two operands in their common dtype, which is made floating-point."""
    target = common_dtype(x, y)
    if target.kind < dtypes.FLOATING:
        target = dtypes.get_default_dtype()
    return _cast_both(x, y, target.numpy, wide)


def refuse_integral(kernel: str, *operands: Any) -> None:
    """Raise if the common dtype of operands is an integer type or bool.

    Raises:
        NotImplementedError: with PyTorch's name of the kernel.
    """
    found = common_dtype(*(getattr(v, "_data", v) for v in operands))
    if found.kind < dtypes.FLOATING:
        refuse_dtype(kernel, found)


_OPERANDS = (Tensor, int, float, complex, np.ndarray, np.number, np.bool_)


def result_type(tensor1: Any, tensor2: Any) -> dtypes.dtype:
    """The dtype in which an operation on two tensors or numbers is computed.

    Raises:
        TypeError: for anything else.

    Example:
        >>> import edutorch as torch
        >>> torch.result_type(torch.tensor([1, 2]), 1.0)
        torch.float32
    """
    for name, value in (("tensor1", tensor1), ("tensor2", tensor2)):
        if not isinstance(value, _OPERANDS):
            raise type_error("Tensor", name, value, "result_type")
        check_call(not isinstance(value, np.ndarray))
    operands = [
        dtypes.as_number(v) if isinstance(v, np.generic) else getattr(v, "_data", v)
        for v in (tensor1, tensor2)
    ]
    return common_dtype(*operands)


def refuse_dtype(kernel: str, found: dtypes.dtype) -> None:
    """Raise for a dtype that an op does not support.

    Raises:
        NotImplementedError: with PyTorch's name of the kernel.
    """
    raise NotImplementedError(f"\"{kernel}\" not implemented for '{found.short}'")


class Pointwise(Op):
    """An elementwise op that promotes its operands to one dtype."""

    __slots__ = ()
    broadcasts = True
    gives_bool: ClassVar[bool] = False  # for operands of any dtype
    composed: bool = False  # of ops, which compare shapes of their own

    def promote(self, *arrays: Any) -> Any:
        """Both operands in their common dtype."""
        return promoted(arrays[0], arrays[1], self.unrounded_scalars)


class RealPointwise(Pointwise):
    """An elementwise op that refuses complex numbers and, optionally, half precision.

    `kernel` is PyTorch's name of the kernel in messages, if not `public` + "_cpu".
    """

    kernel = ""
    accepts_half = True

    def check(self, *operands: Any) -> None:
        found = common_dtype(*[getattr(v, "_data", v) for v in operands])
        half = found.kind == dtypes.FLOATING and found.itemsize == 2
        if found.is_complex or (half and not self.accepts_half):
            refuse_dtype(self.kernel or f"{self.public}_cpu", found)


def _refuse_other_dtype(function: str, out: Tensor, dtype: dtypes.dtype) -> None:
    """Refuse an `out` of another dtype than that given, unless `copyto` will.

    Raises:
        RuntimeError: for it.
    """
    if function == "nansum" and not out.is_meta:
        raise RuntimeError(
            "nansum: provided dtype must match dtype of result. Got "
            f"{out.dtype.short} and {dtype.short}."
        )
    if function != "nansum" and out.is_meta:
        raise RuntimeError("dtype argument and out dtype must match in reduction")


def operand_and_dtype(
    input: Any, dtype: Any, out: Any, function: str
) -> tuple[Any, Any]:
    """The operand of a reduction, and the NumPy dtype in which its op computes.

    8-bit floats and complex32 are refused for the dtype that a reduction computes in,
    but dispatch looks at the operand's. So an operand with elements is cast before the
    op, which gets None; with all other dtypes the op casts while it computes.

    Args:
        input: the operand.
        dtype: the argument of the public function.
        out: the argument of the public function, whose dtype counts if `dtype` is None.
        function: the name of the public function, for messages.

    Raises:
        TypeError: for a `dtype` that is none.
        RuntimeError: for one of integers or booleans, which have no gradients, if the
            operand requires one.

    Example:
        >>> import edutorch as torch
        >>> x, dtype = operand_and_dtype(torch.ones(2), torch.complex32, None, "sum")
        >>> x.dtype, dtype
        (torch.complex32, None)
    """
    if dtype is None:
        return input, out._data.dtype if isinstance(out, Tensor) else None
    wanted = numpy_dtype(dtype, None, function)
    if isinstance(out, Tensor) and out._data.dtype != wanted:
        _refuse_other_dtype(function, out, dtypes.of_numpy[wanted])
    if not isinstance(input, Tensor):
        return input, wanted
    if wanted.kind in "biu" and input._requires_grad and modes.grad and out is None:
        kind = dtypes.of_numpy[wanted]
        raise RuntimeError(f"Autograd not support dtype: {kind.short}")
    if not input._data.size:
        return input, wanted
    if wanted in FEW_KERNELS or input._data.dtype in FEW_KERNELS:
        return input.to(dtypes.of_numpy[wanted]), None
    return input, wanted
