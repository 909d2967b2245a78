"""Checks of matrix products, with PyTorch's messages."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.op_errors import broadcast_error
from ...errors import raise_if
from ...tensor.tensor import Tensor
from ..promotion import refuse_dtype

__all__: list[str] = []

SMALL_PRODUCT = 400  # multiplications of each matrix of a stack


def refuse_dtypes(a: Any, b: Any, kernel: str = "bmm") -> Any:
    """Raise for factors of different dtypes.

    Args:
        kernel: PyTorch's name of the kernel for stacks of matrices.

    Raises:
        RuntimeError: always: the dtypes of the operands differ, or their sizes.
        NotImplementedError: for stacks if there is no kernel for the first dtype.
    """
    if a.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]:
        raise RuntimeError(shape_mismatch(a.shape, b.shape))
    if a.ndim > 2 and b.ndim > 2:
        raise_if(broadcast_error([a.shape[:-2], b.shape[:-2]]))
    short = [dtypes.of_numpy[x.dtype].short for x in (a, b)]
    if a.ndim > 2 and b.ndim == 1:
        raise RuntimeError(
            "addmv input tensors must have the same dtype, but got "
            f"{short[1]}, {short[0]}, and {short[1]}"
        )
    if b.ndim > 2 or (a.ndim > 2 and b.ndim != 2):
        if prod(a.shape[-2:]) * b.shape[-1] >= SMALL_PRODUCT:
            raise RuntimeError(_large_mismatch(a, b, kernel))
        if a.dtype.kind == "b":
            refuse_dtype(kernel, dtypes.bool_)
        raise RuntimeError(f"expected scalar type {short[0]} but found {short[1]}")
    raise RuntimeError(_matrix_mismatch(a, b))


def _large_mismatch(a: Any, b: Any, kernel: str) -> str:
    """What PyTorch says of a stack that it multiplies matrix by matrix."""
    short = [dtypes.of_numpy[x.dtype].short for x in (a, b)]
    if b.dtype.kind in "fc" and b.dtype.itemsize > 2:  # by BLAS
        return f"expected scalar type {short[1]} but found {short[0]}"
    if kernel == "baddbmm":
        return (
            f"mat1 and mat2 must have the same dtype, but got {short[0]} and {short[1]}"
        )
    return _matrix_mismatch(a, b)


def _matrix_mismatch(a: Any, b: Any) -> str:
    first, second = (dtypes.of_array(x).c_name for x in (a, b))
    return f"expected m1 and m2 to have the same dtype, but got: {first} != {second}"


def refuse_dtypes_of_sum(x: Any, a: Any, b: Any) -> Any:
    """Raise for factors and a summand of different dtypes.

    Raises:
        RuntimeError: always: the dtypes of the operands differ.
    """
    name, other = ("self", x) if x.dtype != b.dtype else ("mat1", a)
    first, second = (dtypes.of_numpy[v.dtype].short for v in (other, b))
    raise RuntimeError(
        f"{name} and mat2 must have the same dtype, but got {first} and {second}"
    )


def check_linear(x: Any, w: Any, b: Any = None) -> None:
    """Check that rows, matrix and bias fit and have one dtype.

    Raises:
        RuntimeError: otherwise.
    """
    n, m = x._data.shape, w._data.shape
    if len(m) > 2:
        raise RuntimeError(
            f"t() expects a tensor with <= 2 dimensions, but self is {len(m)}D"
        )
    kind, dtype = x._data.dtype, w._data.dtype
    if not n or n[-1] != m[-1]:
        if n and b is not None and not x._data.dtype == dtype == b._data.dtype:
            refuse_dtypes_of_sum(b._data, x._data, w._data)
        raise RuntimeError(_linear_mismatch(n, m))
    if b is not None and (b._data.shape != m[:1] or not kind == dtype == b._data.dtype):
        _check_bias(x, w, b)
    if x._data.dtype != dtype:
        refuse_dtypes(x._data.reshape(prod(n[:-1]), n[-1]), w._data.T)


def _check_bias(x: Any, w: Any, b: Any) -> None:
    """Check that a bias can be added to the rows of the product."""
    if not x._data.dtype == w._data.dtype == b._data.dtype:
        refuse_dtypes_of_sum(b._data, x._data, w._data)
    added, rows = b._data.shape, (prod(x._data.shape[:-1]), w._data.shape[0])
    if len(added) > 2 or any(
        size not in (1, r) for size, r in zip(added[::-1], rows[::-1], strict=False)
    ):
        raise RuntimeError(sum_mismatch(b._data, rows))


def is_vector_shaped(shape: tuple[int, ...]) -> bool:
    """Whether all sizes but one are 1; PyTorch adds such a bias within the product."""
    return len(shape) == 1 or sum(n != 1 for n in shape) == 1


def check_vector_weight(x: Any, w: Any, b: Any) -> None:
    """Check the operands of a linear map with a vector as weight.

    Raises:
        RuntimeError: for operands without dimensions, and where PyTorch's product adds
            a bias, which is one of matrices.
    """
    n, m = x._data.shape, w._data.shape
    if not n or not m:
        raise RuntimeError(_linear_mismatch(n, m))
    if b is not None and (len(n) == 2 or is_vector_shaped(b._data.shape)):
        if not x._data.dtype == w._data.dtype == b._data.dtype:
            refuse_dtypes_of_sum(b._data, x._data, w._data)
        raise RuntimeError("mat2 must be a matrix, got 1-D tensor")


def _linear_mismatch(n: tuple[int, ...], m: tuple[int, ...]) -> str:
    if not n or not m:
        return (
            f"both arguments to linear need to be at least 1D, but they are {len(n)}D "
            f"and {len(m)}D"
        )
    rows = 1
    for size in n[:-1]:
        rows *= size
    return (
        f"mat1 and mat2 shapes cannot be multiplied ({rows}x{n[-1]} and {m[-1]}x{m[0]})"
    )


def folds(stack: Tensor, vector: Tensor) -> bool:
    """Whether PyTorch makes one matrix of a stack that is multiplied by a row."""
    if vector._requires_grad or not stack.numel():
        return True
    sizes, steps = tuple(stack.mT.shape), stack.mT.stride()
    return all(
        step == inner * size
        for step, inner, size in zip(steps, steps[1:-1], sizes[1:-1], strict=False)
    )


def shape_mismatch(n: Any, m: Any) -> str:
    """PyTorch's message for shapes that do not fit."""
    if len(m) > 2:  # PyTorch repeats the operands for each pair of a batch
        error = broadcast_error([n[:-2], m[:-2]])
        if error is not None:
            return str(error)
        count = prod(np.broadcast_shapes(n[:-2], m[:-2]))
        return (
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{count}, {n[-1]}] but got: [{count}, {m[-2]}]."
        )
    if len(n) == 1 and len(m) == 1:
        return (
            f"inconsistent tensor size, expected tensor {list(n)} and src {list(m)} to "
            f"have the same number of elements, but got {n[0]} and {m[0]} elements "
            "respectively"
        )
    if len(m) == 1:
        rows = int(np.prod(n[:-1]))
        return f"size mismatch, got input ({rows}), mat ({rows}x{n[-1]}), vec ({m[0]})"
    rows = int(np.prod(n[:-1]))
    return (
        "mat1 and mat2 shapes cannot be multiplied "
        f"({rows}x{n[-1]} and {m[-2]}x{m[-1]})"
    )


def check_chain(tensors: Sequence[Tensor]) -> None:
    """Check that tensors multiplied in sequence have one dtype and matching sizes.

    Raises:
        RuntimeError: otherwise.
    """
    first = tensors[0].dtype
    for i, x in enumerate(tensors):
        if x.dtype is not first:
            raise RuntimeError(
                "multi_dot(): all tensors must have be the same dtype but tensor 0 is "
                f"{first.c_name} and tensor {i} {x.dtype.c_name}"
            )
    for i, (a, b) in enumerate(pairwise(tensors)):
        if a.shape[-1] != b.shape[0]:
            raise RuntimeError(
                f"multi_dot(): tensors {i} and {i + 1} with shapes {list(a.shape)} and "
                f"{list(b.shape)} cannot be multiplied"
            )


def sum_mismatch(x: Any, sizes: Any) -> str:
    """PyTorch's message for an array that cannot be added to a product's `sizes`."""
    words = expand_mismatch(x.shape, sizes)
    if x.ndim <= len(sizes):
        return words
    kind = dtypes.of_array(x).short
    old = x.dtype.kind in "bc" or kind.startswith(("BFloat", "UInt"))
    name = f"CPU{kind}Type" if old else f"torch.{kind}Tensor"
    shown = f"{name}{{{list(x.shape)}}}"
    return f"expand({shown}, size={list(sizes)}): {words}"


def check_expands(x: Any, shape: tuple[int, ...]) -> None:
    """Raise unless an array expands to the shape of a product it is added to.

    Raises:
        RuntimeError: if it does not.
    """
    sizes = zip(x.shape[::-1], shape[::-1], strict=False)
    if x.ndim > len(shape) or any(n not in (1, m) for n, m in sizes):
        raise RuntimeError(sum_mismatch(x, shape))


def expand_mismatch(shape: Any, sizes: Any) -> str:
    """PyTorch's message for a shape that does not expand to `sizes`."""
    if len(shape) > len(sizes):
        return (
            f"the number of sizes provided ({len(sizes)}) must be greater or equal to "
            f"the number of dimensions in the tensor ({len(shape)})"
        )
    leading = len(sizes) - len(shape)
    dim = max(i for i, n in enumerate(shape, leading) if n not in (1, sizes[i]))
    return (
        f"The expanded size of the tensor ({sizes[dim]}) must match the existing size "
        f"({shape[dim - leading]}) at non-singleton dimension {dim}.  Target sizes: "
        f"{list(sizes)}.  Tensor sizes: {list(shape)}"
    )
