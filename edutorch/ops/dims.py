"""Normalises and checks dimensions: negative, single or several.

# Note [NumPy's names]
PyTorch's functions also accept NumPy's names of `dim` and `keepdim`: `axis` and
`keepdims`, and `x` for `input`, `x2` for `other`. Python refuses unknown names before
a function runs, and a wrapper for all functions would cost each call a frame. So
functions whose `dim` may be left out declare `axis` themselves; those that have a
wrapper for other reasons (`parser_errors`) take all these names there.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from ..errors import raise_if
from .argument_checks import size_type_error, type_error
from .argument_errors import argument_error, check_integer, invalid_combination
from .signatures import call_of

__all__ = [
    "ABSENT", "axis_for", "check_named_sizes", "dim_alone", "dim_and_keepdim",
    "dim_of", "dim_or_axis", "dims_of", "keepdim_shape", "dim_unless_scalar", "ndim_of",
    "refuse_negative_sizes", "sizes_of",
]  # fmt: skip


def ndim_of(input: Any, function: str = "", argument: str = "input") -> int:
    """The number of dimensions of `input`, a tensor or an array.

    Raises:
        TypeError: for an argument that is neither, with the name of the function.
    """
    try:
        return input.ndim
    except AttributeError:
        raise type_error("Tensor", argument, input, function) from None


ABSENT: Any = object()  # omitted; None means all dimensions


def axis_for(dim: Any, axis: Any, default: Any = None) -> Any:
    """The dimension given as `axis`: see Note [NumPy's names].

    Args:
        default: what `dim` is if it is not given.

    Raises:
        TypeError: if `dim` is given, too.

    Example:
        >>> axis_for(-1, 2, -1)
        2
    """
    if dim is not None and dim is not ABSENT and dim != default:
        raise argument_error() or TypeError(
            f"{call_of().name}() got an unexpected keyword argument 'axis'"
        )
    return axis


def dim_and_keepdim(dim: Any, keepdim: Any, function: str) -> tuple[Any, bool]:
    """`dim` and `keepdim`, the second of which requires the first.

    Raises:
        TypeError: for `keepdim` alone, or of another type, in the name of the function.
    """
    if keepdim is ABSENT:
        return None if dim is ABSENT else dim, False
    if keepdim is not True and keepdim is not False:
        raise type_error("bool", "keepdim", keepdim, function)
    if dim is ABSENT:
        raise invalid_combination(function)
    return dim, keepdim


def dim_alone(dim: Any, keepdim: Any, function: str) -> tuple[Any, bool]:
    """Like `dim_and_keepdim`, for functions whose `dim` may be omitted but not None.

    Raises:
        TypeError: for a `dim` of None, and as there.
    """
    if dim is None:
        raise invalid_combination(function)
    return dim_and_keepdim(dim, keepdim, function)


def dim_of(dim: Any, ndim: int, function: str = "") -> int:
    """A dimension as a non-negative number.

    Raises:
        IndexError: if there is no such dimension.
        TypeError: for arguments that are not integers, in the name of the function.
    """
    if type(dim) is not int:
        dim = _integer(dim, "int", function)
    n = ndim or 1  # a 0-d tensor accepts dimension 0
    if not -n <= dim < n:
        raise argument_error() or IndexError(
            f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but "
            f"got {dim})"
        )
    return dim + n if dim < 0 else dim


def dim_or_axis(function: str, input: Any, dim: Any, axis: Any) -> int:
    """A required `dim`, which may be given as `axis`, as a non-negative number.

    Raises:
        IndexError: if there is no such dimension.
        TypeError: if neither is given, or for arguments that are not integers.
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if dim is None:
        raise argument_error() or TypeError(
            f'{function}() missing 1 required positional arguments: "dim"'
        )
    return dim_of(dim, ndim_of(input, function), function)


def dim_unless_scalar(dim: Any, ndim: int, function: str = "") -> int:
    """Like `dim_of`, for functions that refuse 0-d tensors.

    Raises:
        IndexError: if there is no such dimension.

    Example:
        >>> dim_unless_scalar(0, 0)
        Traceback (most recent call last):
        IndexError: Dimension specified as 0 but tensor has no dimensions
    """
    if not ndim:
        dim = _integer(dim, "int", function)
        raise argument_error() or IndexError(
            f"Dimension specified as {dim} but tensor has no dimensions"
        )
    return dim_of(dim, ndim, function)


def _integer(value: Any, kind: str, function: str) -> int:
    """An integer from Python, NumPy or a tensor; booleans are refused."""
    check_integer(value)
    if not isinstance(value, (bool, np.ndarray)):
        with suppress(TypeError):
            return operator.index(value)
    raise type_error(kind, "dim", value, function)


def dims_of(dim: Any, ndim: int, function: str = "") -> tuple[int, ...] | None:
    """The dimensions to reduce as NumPy's axis; None for all.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if one is named twice.
        TypeError: for arguments that are not integers, in the name of the function.
    """
    if dim is None:
        return None
    if type(dim) is int:
        found: tuple[int, ...] = (dim_of(dim, ndim),)
    elif not isinstance(dim, (tuple, list)):
        found = (dim_of(_integer(dim, "tuple of ints", function), ndim),)
    else:
        found = tuple(
            [dim_of(_integer(d, "tuple of ints", function), ndim) for d in _ints(dim)]
        )
        if not found:
            return None
        for d in found:
            if found.count(d) > 1:
                raise RuntimeError(
                    f"dim {d} appears multiple times in the list of dims"
                )
    return found if ndim else None


def _ints(values: Any) -> Any:
    """The integers of a sequence; bools are accepted after the first."""
    if any(isinstance(v, bool) for v in values[1:]):
        return [values[0], *(int(v) if isinstance(v, bool) else v for v in values[1:])]
    return values


def keepdim_shape(
    shape: tuple[int, ...], dim: tuple[int, ...] | None
) -> tuple[int, ...]:
    """The shape after reducing over `dim` with keepdim=True."""
    if dim is None:
        return (1,) * len(shape)
    return tuple(1 if i in dim else n for i, n in enumerate(shape))


def sizes_of(
    sizes: tuple[Any, ...], function: str = "", argument: str = "size"
) -> tuple[int, ...]:
    """Sizes given as `f(2, 3)` or `f((2, 3))`, as a tuple of ints.

    Raises:
        TypeError: for arguments that are not integers, in the name of the function.
    """
    if len(sizes) == 1 and not hasattr(sizes[0], "__index__"):
        sizes = sizes[0]
        if not hasattr(sizes, "__getitem__") or isinstance(
            sizes, (str, bytes, dict, range)
        ):
            raise size_type_error(sizes, function, argument)
    elif not sizes:  # none given: not even an empty tuple
        raise_if(argument_error())
    for n in sizes:
        if type(n) is not int:
            return _indices(sizes, function, argument)
    return sizes if type(sizes) is tuple else tuple(sizes)


def check_named_sizes(sizes: Any) -> None:
    """Raise for sizes given by name that are not a sequence, where PyTorch needs one.

    Raises:
        TypeError: in the name of the function called by the program.

    Example:
        >>> check_named_sizes((2, 3))
    """
    if not isinstance(sizes, (tuple, list)):
        raise_if(argument_error())


def refuse_negative_sizes(sizes: Sequence[int]) -> None:
    """Raise for a size below zero of a tensor to be made.

    Raises:
        RuntimeError: with the first such size.

    Example:
        >>> refuse_negative_sizes((2, -1))
        Traceback (most recent call last):
        RuntimeError: Trying to create tensor with negative dimension -1: [2, -1]
    """
    for n in sizes:
        if n < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {n}: {[*sizes]}"
            )


def _indices(sizes: Any, function: str, argument: str) -> tuple[int, ...]:
    """Convert NumPy integers, tensors and, where PyTorch does, bools to ints."""
    if isinstance(sizes[0], bool):  # PyTorch only requires the others to be indices
        raise_if(argument_error())
    try:
        return tuple([operator.index(n) for n in sizes])
    except TypeError:
        raise size_type_error(sizes, function, argument) from None
