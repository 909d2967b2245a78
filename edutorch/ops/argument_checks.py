"""Argument checks shared by many functions, with PyTorch's messages."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..autograd import op_errors
from ..autograd.modes import modes
from ..errors import python_type_name
from ..tensor.tensor import Tensor
from .argument_errors import argument_error
from .signatures import Call, call_of

__all__ = [
    "need_each", "need_flags", "need_floats", "need_one_device", "need_optional",
    "need_tensors", "type_error", "size_type_error", "number_of", "numpy_dtype",
    "refuse_complex_gradients", "refuse_gradients", "refuse_kinds", "refuse_numbers",
    "refuse_self", "tensor_of",
]  # fmt: skip

NUMBERS = frozenset((bool, int, float, complex))


def type_error(kind: str, argument: str, value: Any, function: str = "") -> Exception:
    """A `TypeError` for an argument of a public function.

    Args:
        kind: the required kind, in PyTorch's words ("tuple of ints").
        argument: its name; where the function has none of this name, that of the
            argument which holds the value.
        value: what was given.
        function: the public function, by the name that messages have for it; without
            one, it is the function that the program called.

    Example:
        >>> import edutorch as torch
        >>> torch.median(torch.ones(2), "a")
        Traceback (most recent call last):
        TypeError: median(): argument 'dim' (position 2) must be int, not str
    """
    error = argument_error()
    if error is not None:
        return error
    call = call_of(function)
    name = call.name
    argument, place = _argument(call, argument, value)
    got = python_type_name(value)
    return TypeError(
        f"{name}(): argument '{argument}'{place} must be {kind}, not {got}"
    )


def _argument(call: Call, argument: str, value: Any) -> tuple[str, str]:
    """The name and the position, as text, of the argument that holds a value."""
    placed, keywords = call.arguments()
    if call.takes_many() and argument == "size":  # of reshape(*sizes), shape
        own = [n for n in keywords if n in ("dims", "repeats", "shape")]
        return own[0] if own else "size", " (position 1)"
    given = call.values()
    holding = [n for n in placed + keywords if given.get(n, call) is value]
    if argument not in placed and holding:
        argument = holding[0]
    if argument not in placed or argument in call.by_name():
        return argument.removesuffix("_"), ""
    place = placed.index(argument) + call.counts_self()
    return argument.removesuffix("_"), f" (position {place})"  # from_ is called from


def operand_error(public: str, operands: tuple[Any, ...]) -> Exception | None:
    """A `TypeError` for the first operand of an op that is not a tensor.

    Args:
        public: the op's public function.

    Returns:
        None where this function is not running, or none of its arguments is to blame.
    """
    error = argument_error()
    if error is not None:
        return error
    call = call_of(public)
    values = call.values()
    for position, name in enumerate(call.arguments()[0], call.counts_self()):
        value = values.get(name)
        wrong = any(value is x for x in operands) and not isinstance(value, Tensor)
        if name in values and wrong:
            return TypeError(
                f"{call.name}(): argument '{name}' (position {position}) must be "
                f"Tensor, not {python_type_name(value)}"
            )
    return None


op_errors.operand_error = operand_error


def size_type_error(
    sizes: Any, function: str = "", argument: str = "size"
) -> Exception:
    """A `TypeError` for sizes that are not a tuple of ints.

    Example:
        >>> import edutorch as torch
        >>> torch.tile(torch.ones(2), "a")
        Traceback (most recent call last):
        TypeError: tile(): argument 'dims' (position 2) must be tuple of ints, not str
    """
    if not isinstance(sizes, (tuple, list)):
        return type_error("tuple of ints", argument, sizes, function)
    call = call_of(function)
    argument, place = _argument(call, argument, sizes)
    name = call.name
    error = argument_error()
    if error is not None:
        return error
    wrong = (i for i, n in enumerate(sizes) if not isinstance(n, (int, np.integer)))
    at = 0 if type(sizes[0]) is bool else next(wrong)
    got = type(sizes[at]).__name__
    if at:
        return TypeError(
            f"{name}(): argument '{argument}' failed to unpack the object at pos "
            f'{at + 1} with error "type must be tuple of ints,but got {got}"'
        )
    return TypeError(
        f"{name}(): argument '{argument}'{place} must be tuple of ints, but found "
        f"element of type {got} at pos 0"
    )


def tensor_of(value: Any, function: str = "", argument: str = "input") -> Tensor:
    """The value of an argument, if it is a tensor.

    Raises:
        TypeError: if it is not one, in the name of the function.

    Example:
        >>> import edutorch as torch
        >>> torch.numel([1])
        Traceback (most recent call last):
        TypeError: numel(): argument 'input' (position 1) must be Tensor, not list
    """
    if isinstance(value, Tensor):
        return value
    raise type_error("Tensor", argument, value, function)


def number_of(
    value: Any, argument: str, function: str = "", kind: str = "Number"
) -> Any:
    """An argument as a Python number; NumPy numbers and single elements are accepted.

    Raises:
        TypeError: if it is not one, in the name of the function.
        OverflowError: for integers beyond 64 bits.

    Example:
        >>> import edutorch as torch
        >>> torch.full((2,), [1])
        Traceback (most recent call last):
        TypeError: full(): argument 'fill_value' (position 2) must be Number, not list
    """
    if type(value) is float or (type(value) is int and -(2**63) <= value < 2**64):
        return value
    if isinstance(value, np.number | np.bool_):
        return dtypes.as_number(value)  # np.float64 would widen results
    if type(value) is int and kind != "float":
        raise dtypes.integer_overflow(value)
    if _is_single(value):
        number = value.item()
        if kind == "float" and isinstance(number, complex):
            if number.imag:
                raise RuntimeError(
                    "value cannot be converted to type double without overflow"
                )
            return number.real
        return number
    if isinstance(value, (int, float)) or (
        kind != "float" and isinstance(value, complex)
    ):
        return value
    raise type_error(kind, argument, value, function)


def need_each(tensors: Any, place: int = 0) -> None:
    """Raise if a sequence contains anything other than tensors.

    Args:
        tensors: the sequence.
        place: that of the sequence among the arguments.

    Raises:
        TypeError: with the place of the first that is none.

    Example:
        >>> need_each([1])
        Traceback (most recent call last):
        TypeError: expected Tensor as element 0 in argument 0, but got int
    """
    for i, t in enumerate(tensors):
        if not isinstance(t, Tensor):
            raise argument_error() or TypeError(
                f"expected Tensor as element {i} in argument {place}, but got "
                f"{python_type_name(t)}"
            )


def numpy_dtype(dtype: Any, out: Any = None, function: str = "") -> Any:
    """The NumPy dtype named by `dtype`, or else that of `out`; or None.

    Raises:
        TypeError: for arguments that are not dtypes, in the name of the function.

    Example:
        >>> import edutorch as torch
        >>> numpy_dtype(torch.float32)
        dtype('float32')
    """
    if dtype is None:
        return out._data.dtype if isinstance(out, Tensor) else None
    if isinstance(dtype, dtypes.dtype):
        return dtype.numpy
    if dtype not in (bool, int, float, complex):
        raise type_error("torch.dtype", "dtype", dtype, function)
    return dtypes.to_dtype(dtype).numpy


def need_tensors(function: str, **operands: Any) -> None:
    """Raise unless arguments are tensors; formulas may also pass arrays.

    Args:
        function: the name of the public function.
        operands: its first arguments, by their names, in order.

    Raises:
        TypeError: for the first argument that is not a tensor.

    Example:
        >>> need_tensors("f", input=None)
        Traceback (most recent call last):
        TypeError: f(): argument 'input' (position 1) must be Tensor, not NoneType
    """
    for position, (name, value) in enumerate(operands.items(), 1):
        if not (isinstance(value, Tensor) or _is_accepted_array(value)):
            raise argument_error() or TypeError(
                f"{function}(): argument '{name}' (position {position}) must be "
                f"Tensor, not {python_type_name(value)}"
            )


def refuse_numbers(name: str, beside: Any = None, **operands: Any) -> None:
    """Raise for Python numbers where a function accepts tensors only.

    Args:
        name: the public function.
        beside: an operand that may be a number.
        operands: those that must be tensors, by their names.

    Raises:
        TypeError: with the first argument that is a number.
    """
    tensors = any(isinstance(value, Tensor) for value in (beside, *operands.values()))
    for position, (argument, value) in enumerate(operands.items(), 1):
        # NumPy's numbers are allowed in formulas of `backward`, which have no tensors.
        if type(value) in NUMBERS or (tensors and isinstance(value, np.generic)):
            raise argument_error() or TypeError(
                f"{name}(): argument '{argument}' (position {position}) must be "
                f"Tensor, not {python_type_name(value)}"
            )


def refuse_self(name: str, self: Any) -> None:
    """Raise for an operator's method called on a Python number.

    Raises:
        TypeError: in Python's words for methods of built-in types.
    """
    if isinstance(self, (int, float, complex)):
        raise TypeError(
            f"descriptor '{name}' for 'torch._C.TensorBase' objects doesn't apply to a "
            f"'{type(self).__name__}' object"
        )


def _is_accepted_array(value: Any) -> bool:
    """Whether a formula of the library is running and this is an array it may use."""
    return modes.takes_arrays and hasattr(value, "dtype")


def need_one_device(kernel: str, home: Tensor, **others: Tensor | None) -> None:
    """Raise for operands on different devices, for ops that read some as arrays.

    Args:
        kernel: PyTorch's name of the kernel on a GPU.
        home: the operand whose device counts.
        others: the others by PyTorch's names; None if absent.

    Raises:
        RuntimeError: with the first operand that is elsewhere.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=1, memory="8MB"):  # doctest: +ELLIPSIS
        ...     need_one_device("f", torch.ones(1).cuda(), index=torch.ones(1))
        Traceback (most recent call last):
        RuntimeError: Expected all tensors to be on the same device, but got index ...
    """
    for name, other in others.items():
        if other is not None and other._device is not home._device:
            # A GPU kernel names the last operand that it received.
            away, there = (home, other) if home._device.type == "cpu" else (other, home)
            shown = "self" if away is home else name
            raise RuntimeError(
                f"Expected all tensors to be on the same device, but got {shown} is on "
                f"{away._device}, different from other tensors on {there._device} "
                f"(when checking argument in method wrapper_CUDA_{kernel})"
            )


def need_optional(function: str, place: int, **operands: Any) -> None:
    """Raise unless an argument is a tensor or None.

    Args:
        function: the name of the public function.
        place: the position of the first of the operands.
        operands: arguments that may be None, by their names, in order.

    Raises:
        TypeError: with the first argument that is neither.

    Example:
        >>> need_optional("f", 3, weight=None, bias=1.0)
        Traceback (most recent call last):
        TypeError: f(): argument 'bias' (position 4) must be Tensor, not float
    """
    for position, (name, value) in enumerate(operands.items(), place):
        if not (
            value is None or isinstance(value, Tensor) or _is_accepted_array(value)
        ):
            raise argument_error() or TypeError(
                f"{function}(): argument '{name}' (position {position}) must be "
                f"Tensor, not {python_type_name(value)}"
            )


def need_floats(kernel: str, *operands: Any, also: str = "") -> None:
    """Raise for tensors of integers, booleans or complex numbers.

    Args:
        kernel: PyTorch's name of the kernel that does not support them.
        operands: tensors.
        also: NumPy's letters of kinds that are taken all the same.

    Raises:
        NotImplementedError: with the first dtype that is refused.

    Example:
        >>> import edutorch as torch
        >>> need_floats("gelu_cpu", torch.tensor(1))
        Traceback (most recent call last):
        NotImplementedError: "gelu_cpu" not implemented for 'Long'
    """
    for x in operands:
        if x._data.dtype.kind not in "fV" + also:
            raise NotImplementedError(
                f"\"{kernel}\" not implemented for '{x.dtype.short}'"
            )


def refuse_kinds(kernel: str, kinds: str, *operands: Any) -> None:
    """Raise for dtypes that PyTorch's kernel lacks, although ours would work.

    Args:
        kernel: PyTorch's name of the kernel that does not support them.
        kinds: NumPy's letters of kinds, and "h" for floats of 16 bits.
        operands: tensors.

    Raises:
        NotImplementedError: with the first dtype that is refused.

    Example:
        >>> import edutorch as torch
        >>> refuse_kinds("maximum_cpu", "c", torch.ones(1, dtype=torch.complex64))
        Traceback (most recent call last):
        NotImplementedError: "maximum_cpu" not implemented for 'ComplexFloat'
    """
    for x in operands:
        dtype = x._data.dtype
        short = dtype.kind in "fV" and dtype.itemsize == 2
        if ("h" if short else dtype.kind) in kinds:
            raise NotImplementedError(
                f"\"{kernel}\" not implemented for '{x.dtype.short}'"
            )


def need_flags(function: str, **flags: Any) -> None:
    """Raise unless flags are bools.

    Args:
        function: the public function.
        flags: values by the names of the arguments.

    Raises:
        TypeError: for the first that is none.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.dropout(torch.ones(2), 0.5, 1)
        Traceback (most recent call last):
        TypeError: dropout(): argument 'train' (position 3) must be bool, not int
    """
    for name, value in flags.items():
        if type(value) is not bool:
            raise type_error("bool", name, value, function)


def _is_single(value: Any) -> bool:
    """Whether a tensor can stand for a number: no dimensions and no history."""
    return (
        isinstance(value, Tensor) and value._data.ndim == 0 and not value._requires_grad
    )


def refuse_gradients(name: str, **operands: Any) -> None:
    """Raise for operands that require grad where PyTorch has no derivative.

    Raises:
        RuntimeError: if one does.
    """
    for argument, value in operands.items():
        if modes.grad and getattr(value, "requires_grad", False):
            raise RuntimeError(
                f"The function '{name}' is not differentiable with respect to argument "
                f"'{argument}'. This input cannot have requires_grad True."
            )


def refuse_complex_gradients(name: str, *operands: Any) -> None:
    """Raise for complex operands that require grad where PyTorch has no derivative.

    Raises:
        RuntimeError: if one does.
    """
    if modes.grad and any(x.requires_grad and x.is_complex() for x in operands):
        raise RuntimeError(
            f"{name} does not support automatic differentiation for outputs with "
            "complex dtype."
        )
