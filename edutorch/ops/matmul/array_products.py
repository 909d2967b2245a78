"""Products of arrays, and the words for what does not fit."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ... import dtypes
from ...tensor.tensor import Tensor
from ..pointwise.conjugate import conj
from ..promotion import refuse_dtype
from ..shape.transposing import transpose

__all__: list[str] = []


def refuse_dtypes(a: Any, b: Any) -> Any:
    """Matrix products promote nothing.

    Raises:
        RuntimeError: always: the dtypes of the operands differ, or their sizes.
    """
    if a.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]:
        raise RuntimeError(shape_mismatch(a.shape, b.shape))
    short = [dtypes.of_numpy[x.dtype].short for x in (a, b)]
    if a.ndim > 2 and b.ndim == 1:
        raise RuntimeError(
            "addmv input tensors must have the same dtype, but got "
            f"{short[1]}, {short[0]}, and {short[1]}"
        )
    if b.ndim > 2 or (a.ndim > 2 and b.ndim != 2):
        raise RuntimeError(f"expected scalar type {short[0]} but found {short[1]}")
    first, second = (dtypes.of_array(x).c_name for x in (a, b))
    raise RuntimeError(
        f"expected m1 and m2 to have the same dtype, but got: {first} != {second}"
    )


def refuse_dtypes_of_sum(x: Any, a: Any, b: Any) -> Any:
    """A product and what is added to it have one dtype.

    Raises:
        RuntimeError: always: the dtypes of the operands differ.
    """
    name, other = ("self", x) if x.dtype != b.dtype else ("mat1", a)
    first, second = (dtypes.of_numpy[v.dtype].short for v in (other, b))
    raise RuntimeError(
        f"{name} and mat2 must have the same dtype, but got {first} and {second}"
    )


def multiplied(a: Any, b: Any, kernel: str = "addmm_impl_cpu_") -> Any:
    """The product of two matrices as arrays; half precision is summed in single.

    Raises:
        NotImplementedError: for booleans, with PyTorch's name of the `kernel`.
    """
    if a.dtype.kind == "b":
        refuse_dtype(kernel, dtypes.bool_)
    try:
        return a.dot(b)  # for small matrices half the time of `a @ b`
    except TypeError:  # it does not know sparse matrices, `@` asks them
        return a @ b


def stacked(a: Any, b: Any, kernel: str = "bmm") -> Any:
    """The products of two stacks of matrices as arrays.

    Raises:
        NotImplementedError: for booleans, with PyTorch's name of the `kernel`.
    """
    if a.dtype.kind == "b":
        refuse_dtype(kernel, dtypes.bool_)
    matrices = a.ndim > 1 and b.ndim > 1
    if matrices and a.shape[-1] == 1 and a.dtype.kind in "fc" and type(a) is np.ndarray:
        y = a * b  # for lines of one number a product takes several times as long
        y += 0  # which is what makes -0 a sum
        return y
    if b.ndim == 2 and a.ndim > 2:  # one large product instead of many small ones
        y = a.reshape(prod(a.shape[:-1]), a.shape[-1]).dot(b)
        return y.reshape(*a.shape[:-1], b.shape[1])
    return a @ b


def ctranspose(x: Any) -> Any:
    """The conjugate transpose of the last two dimensions, for formulas."""
    if isinstance(x, Tensor):
        return conj(transpose(x, -2, -1))
    turned = x.T if x.ndim == 2 else x.swapaxes(-2, -1)
    return turned.conj() if x.dtype.kind in "cW" else turned


def shape_mismatch(n: Any, m: Any) -> str:
    """PyTorch's words for shapes that do not fit."""
    if len(m) > 2 and len(n) != 2:
        return (
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{np.prod(m[:-2])}, {n[-1]}] but got: [{np.prod(m[:-2])}, {m[-2]}]."
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


def expand_mismatch(shape: Any, sizes: Any) -> str:
    """PyTorch's words for a shape that does not expand to `sizes`."""
    if len(shape) > len(sizes):
        return (
            f"the number of sizes provided ({len(sizes)}) must be greater or equal to "
            f"the number of dimensions in the tensor ({len(shape)})"
        )
    lead = len(sizes) - len(shape)
    dim = max(i for i, n in enumerate(shape, lead) if n not in (1, sizes[i]))
    return (
        f"The expanded size of the tensor ({sizes[dim]}) must match the existing size "
        f"({shape[dim - lead]}) at non-singleton dimension {dim}.  Target sizes: "
        f"{list(sizes)}.  Tensor sizes: {list(shape)}"
    )
