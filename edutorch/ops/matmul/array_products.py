"""Products of arrays."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy import ndarray

from ... import dtypes
from ...kernels.products import LARGE, product
from ...tensor.tensor import Tensor
from ..pointwise.conjugate import conj
from ..promotion import refuse_dtype
from ..shape.transposing import transpose
from .checks import SMALL_PRODUCT, shape_mismatch

__all__: list[str] = []


def matmul_arrays(a: Any, b: Any, kernel: str = "addmm_impl_cpu_") -> Any:
    """The product of two matrices as arrays; half precision is accumulated in single.

    Raises:
        NotImplementedError: for booleans, with PyTorch's name of the `kernel`.
        RuntimeError: for booleans whose sizes do not fit.
    """
    if a.dtype.kind == "b":
        if a.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]:
            raise RuntimeError(shape_mismatch(a.shape, b.shape))
        _refuse_booleans(a, b, kernel)
    if b.ndim == 2 == a.ndim and a.shape[1] == 1 == len(b) < min(len(a), b.shape[1]):
        return a * b  # no sum: -0 stays
    try:
        # For small matrices `dot` takes half the time of `a @ b`.
        large = type(a) is ndarray is type(b) and b.size >= LARGE
        return product(a, b) if large else a.dot(b)
    except TypeError:  # `dot` does not support sparse matrices, `@` defers to them
        return a @ b


def _refuse_booleans(a: Any, b: Any, kernel: str) -> None:
    """Raise for booleans, except in products of matrices that PyTorch need not compute.

    Raises:
        NotImplementedError: with the name of the kernel: of stacks PyTorch has one only
            for small products.
    """
    if kernel != "dot" and not (a.size and b.size):
        return
    if kernel in ("bmm", "baddbmm"):
        if b.ndim == 1:
            kernel = "addmv_impl_cpu"
        elif b.ndim == 2 or prod(a.shape[-2:]) * b.shape[-1] >= SMALL_PRODUCT:
            kernel = "addmm_impl_cpu_"
    refuse_dtype(kernel, dtypes.bool_)


def bmm_arrays(a: Any, b: Any, kernel: str = "bmm") -> Any:
    """The products of two stacks of matrices, as arrays.

    Raises:
        NotImplementedError: for booleans, with PyTorch's name of the `kernel`.
    """
    if a.dtype.kind == "b":
        _refuse_booleans(a, b, kernel)
    if b.ndim == 2 and a.ndim > 2:  # one large product instead of many small ones
        y = matmul_arrays(a.reshape(prod(a.shape[:-1]), a.shape[-1]), b)
        return y.reshape(*a.shape[:-1], b.shape[1])
    matrices = a.ndim > 1 and b.ndim > 1
    if matrices and a.shape[-1] == 1 and a.dtype.kind in "fc" and type(a) is np.ndarray:
        y = a * b  # for rows of one element a product takes several times as long
        y += 0  # turns -0 into 0, as a sum does
        return y
    return a @ b


def ctranspose(x: Any) -> Any:
    """The conjugate transpose of the last two dimensions, for formulas."""
    if isinstance(x, Tensor):
        return conj(transpose(x, -2, -1))
    transposed = x.T if x.ndim == 2 else x.swapaxes(-2, -1)
    return transposed.conj() if x.dtype.kind in "cW" else transposed
