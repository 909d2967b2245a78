"""`gradcheck` for functions that take or return sparse tensors."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...autograd.dispatch import apply1
from ...layouts import sparse_bsc, sparse_bsr, sparse_coo, strided
from ...tensor.tensor import Tensor
from ..create import ones
from .create import same_pattern_op

__all__ = ["as_sparse_gradcheck"]


def as_sparse_gradcheck(gradcheck: Callable[..., Any]) -> Callable[..., Any]:
    """A `gradcheck` that also takes functions of sparse tensors.

    The function that it checks is one of the stored values, and gives dense results.

    Math: f(v) = dense(func(sparse(v))), whose slopes are compared

    Args:
        gradcheck: `torch.autograd.gradcheck`, or it with some arguments given.

    The result takes `masked` as well: whether only stored values are varied; otherwise
    all positions are, for which zeros are stored first.

    Example:
        >>> import edutorch as torch
        >>> check = torch.sparse.as_sparse_gradcheck(torch.autograd.gradcheck)
        >>> x = torch.eye(2, dtype=torch.float64).to_sparse().requires_grad_()
        >>> check(lambda x: (x * 2).to_sparse_csr(), x)
        True
    """

    @functools.wraps(gradcheck)
    def check(
        func: Callable[..., Any], inputs: Any, *, masked: bool = False, **options: Any
    ) -> Any:
        given = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
        parts = [_values_and_rebuild(x, masked) for x in given]
        values = tuple(v for v, _ in parts)

        def of_values(*values: Any) -> Any:
            made = [make(v) for v, (_, make) in zip(values, parts, strict=True)]
            y = func(*made)
            several = isinstance(y, (tuple, list))
            return tuple(map(_dense, y)) if several else _dense(y)

        return gradcheck(of_values, values, **options)

    return check


def _dense(y: Any) -> Any:
    return y.to_dense() if isinstance(y, Tensor) and y.layout is not strided else y


def _values_and_rebuild(x: Any, masked: bool) -> tuple[Any, Callable[[Any], Any]]:
    """The stored values of a sparse tensor, and a function that rebuilds it."""
    if not isinstance(x, Tensor) or x.layout is strided or not x.requires_grad:
        return x, lambda x: x
    x = x.detach()
    if not masked:
        block = None
        if x.layout in (sparse_bsr, sparse_bsc):
            block = x._data.block
        everywhere = ones(x.shape, dtype=x.dtype)
        dims: Any = {"sparse_dim": x.sparse_dim()}
        if x.layout is not sparse_coo:
            dims = {"layout": x.layout, "blocksize": block, "dense_dim": x.dense_dim()}
        x = x.to_dense().sparse_mask(everywhere.to_sparse(**dims))
    values = x._values() if x.layout is sparse_coo else x.values()
    pattern = x._data
    return values.requires_grad_(), lambda v: apply1(same_pattern_op(pattern), v)
