"""Checks new shapes: their size, and whether a view is possible."""

from __future__ import annotations

from math import prod
from typing import Any

__all__ = ["infer_shape", "viewable"]


def infer_shape(sizes: tuple[int, ...], count: int) -> tuple[int, ...]:
    """The shape given by `sizes` for `count` elements, with -1 inferred.

    Raises:
        RuntimeError: if no such shape has that many elements.
    """
    if -1 not in sizes:
        if prod(sizes) != count or min(sizes, default=0) < 0:
            _refuse_shape(sizes, count)
        return sizes
    known = -prod(sizes)
    if sizes.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    if known == 0 and count == 0:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(sizes)} because the "
            "unspecified dimension size -1 can be any value and is ambiguous"
        )
    if known <= 0 or count % known:
        _refuse_shape(sizes, count)
    return tuple(count // known if n == -1 else n for n in sizes)


def _refuse_shape(sizes: tuple[int, ...], count: int) -> None:
    for i, n in enumerate(sizes):
        if n < -1:
            raise RuntimeError(
                f"invalid shape dimension {n} at index {i} of shape {list(sizes)}"
            )
    raise RuntimeError(f"shape '{list(sizes)}' is invalid for input of size {count}")


def viewable(x: Any, shape: tuple[int, ...]) -> bool:
    """Whether an array can be viewed in another shape without a copy.

    Neighbouring dimensions can be merged, and cut differently, where the outer one
    steps over exactly the whole of the inner one.
    """
    if x.flags.c_contiguous or not x.size:
        return True
    new_sizes = [n for n in shape if n != 1]
    for run in _contiguous_groups(x):
        rest = run
        while rest > 1:
            n = new_sizes.pop(0)
            if rest % n:
                return False
            rest //= n
    return True


def _contiguous_groups(x: Any) -> list[int]:
    """The sizes of the groups of dimensions that are contiguous in memory."""
    runs: list[int] = []
    outer = 0
    for n, step in zip(x.shape, x.strides, strict=True):
        if n == 1:
            continue
        if runs and outer == step * n:
            runs[-1] *= n
        else:
            runs.append(n)
        outer = step
    return runs
