"""Attention masks, and checks of the operands of attention."""

from __future__ import annotations

import math
import warnings
from typing import Any

from ... import dtypes
from ...tensor.tensor import Tensor
from ..create import full

__all__ = ["check_masks", "check_ranks", "subsequent_mask", "additive_mask"]


def additive_mask(
    mask: Tensor | None, name: str, dtype: Any, other: Any = None, other_name: str = ""
) -> Tensor | None:
    """A mask to add to the scores: −∞ where a boolean mask is True.

    Args:
        mask: booleans, or numbers that stay as they are.
        name: its name, for messages.
        dtype: of the scores.
        other: another mask, whose dtype should be the same.
        other_name: its name.

    Raises:
        AssertionError: for integers.

    Example:
        >>> import edutorch as torch
        >>> additive_mask(torch.tensor([True, False]), "mask", torch.float32)
        tensor([-inf, 0.])
    """
    if mask is None:
        return None
    floating = mask.is_floating_point()
    if mask.dtype is not dtypes.bool_ and not floating:
        raise AssertionError(f"only bool and floating types of {name} are supported")
    if other is not None and mask.dtype is not other.dtype:
        warnings.warn(
            f"Support for mismatched {name} and {other_name} is deprecated. Use same "
            "type for both instead.",
            stacklevel=3,
        )
    if floating:
        return mask
    zeros = mask.new_zeros(mask.shape, dtype=dtype)
    return zeros.masked_fill_(mask, -math.inf)


def subsequent_mask(n: int, device: Any = None, dtype: Any = None) -> Tensor:
    """The causal mask: 0 up to the diagonal, −∞ above it.

    Example:
        >>> subsequent_mask(2)
        tensor([[0., -inf],
                [0., 0.]])
    """
    from_now = full((n, n), -math.inf, dtype=dtype, device=device)
    return from_now.triu(1)


def check_ranks(
    query: Tensor, key: Tensor, value: Tensor, padding: Any, mask: Any, heads: int
) -> bool:
    """Whether queries are batched; the ranks of all other operands must match.

    Raises:
        AssertionError: where they do not.
    """
    if query.dim() not in (2, 3):
        raise AssertionError(
            "query should be unbatched 2D or batched 3D tensor but received "
            f"{query.ndim}-D query tensor"
        )
    n = query.ndim
    kind = "batched (3-D)" if n == 3 else "unbatched (2-D)"
    if key.dim() != n or value.dim() != n:
        raise AssertionError(
            f"For {kind} `query`, expected `key` and `value` to be {n}-D but found "
            f"{key.ndim}-D and {value.ndim}-D tensors respectively"
        )
    if padding is not None and padding.dim() != n - 1:
        raise AssertionError(
            f"For {kind} `query`, expected `key_padding_mask` to be `None` or {n - 1}-D"
            f" but found {padding.ndim}-D tensor instead"
        )
    if mask is None:
        return n == 3
    if mask.dim() not in (2, 3):
        raise AssertionError(
            f"For {kind} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but "
            f"found {mask.ndim}-D tensor instead"
        )
    shape = (heads, query.shape[0], key.shape[0])
    if n == 2 and mask.ndim == 3 and tuple(mask.shape) != shape:
        raise AssertionError(
            f"Expected `attn_mask` shape to be {shape} but got {mask.shape}"
        )
    return n == 3


def check_masks(
    mask: Tensor | None, queries: int, keys: int, heads: int
) -> Tensor | None:
    """The mask in three dimensions: one matrix for all heads, or one for each.

    Args:
        mask: (queries, keys) or (heads, queries, keys).
        queries, keys: the numbers of queries and keys.
        heads: of all samples together.

    Raises:
        RuntimeError: for other shapes.
    """
    if mask is None:
        return None
    expected: tuple[int, ...] = (queries, keys)
    if mask.ndim == 3:
        expected = (heads, queries, keys)
    if tuple(mask.shape) != expected:
        raise RuntimeError(
            f"The shape of the {mask.ndim}D attn_mask is {mask.shape}, but should be "
            f"{expected}."
        )
    return mask.unsqueeze(0) if mask.ndim == 2 else mask
