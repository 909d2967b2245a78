"""`rearrange`: permutes, splits and merges dimensions by a pattern of their names.

Reference: Rogozhnikov, "Einops: clear and reliable tensor manipulations with
Einstein-like notation", 2022.
"""

from __future__ import annotations

import re
from math import prod
from typing import Any

from ..ops.shape import stack
from ..tensor.tensor import Tensor

__all__ = ["rearrange"]

ELLIPSIS = "..."  # the dimensions that have no names
MERGED_ELLIPSIS = "(...)"  # the same, as parts of one dimension
TOKEN = re.compile(r"\.\.\.|[()]|[A-Za-z_][A-Za-z0-9_]*|\d+|\S")

Groups = list[list[str]]  # the names that each dimension is made of


def rearrange(tensor: Any, pattern: str, **axes_lengths: int) -> Tensor:
    """A tensor's dimensions in another order, split or merged.

    Math: y = x, in another order      ∂L/∂x = g in the old one
    Shape: as the pattern says: "b (h w) -> b w h" is (b, h·w) -> (b, w, h)

    Args:
        tensor: a tensor, or several that are stacked first.
        pattern: names of the dimensions "before -> after"; brackets hold the parts of
            one dimension, `...` matches any number of them, 1 for one of size 1.
        axes_lengths: sizes of parts that cannot be inferred.

    Raises:
        ValueError: for a pattern that does not fit.

    Example:
        >>> import edutorch as torch
        >>> images = torch.zeros(2, 32, 48, 3)
        >>> torch.func.rearrange(images, "b h w c -> b c h w").shape
        torch.Size([2, 3, 32, 48])
        >>> torch.func.rearrange(images, "b (r h) w c -> b r (h w c)", r=4).shape
        torch.Size([2, 4, 1152])
    """
    x = stack(list(tensor)) if isinstance(tensor, (list, tuple)) else tensor
    sides = pattern.split("->")
    if len(sides) != 2:
        raise ValueError("Pattern must contain a single '->' separator")
    left, right = (_groups(side) for side in sides)
    _check_names(left, right, axes_lengths)
    left, right = _with_rest(left, right, x.ndim)
    if len(left) != x.ndim:
        raise ValueError(
            f"Number of dimensions in pattern ({len(left)}) must be equal to the "
            f"number of dimensions in the tensor ({x.ndim})"
        )
    sizes = dict(axes_lengths)
    for group, size in zip(left, x.shape, strict=True):
        _infer(group, int(size), sizes)
    flat = [name for group in left for name in group]
    order = [flat.index(name) for group in right for name in group]
    parts = x.reshape([sizes[name] for name in flat]).permute(order)
    result: Tensor = parts.reshape([prod(sizes[n] for n in group) for group in right])
    return result


def _groups(side: str) -> Groups:
    """The dimensions of one side of a pattern; those of size 1 have no names."""
    groups: Groups = []
    inside = False
    for word in TOKEN.findall(side):
        if word == "(":
            if inside:
                raise ValueError(
                    "Axis composition is one-level (brackets inside brackets not "
                    "allowed)"
                )
            inside = True
            groups.append([])
        elif word == ")":
            if not inside:
                raise ValueError("Brackets are not balanced")
            inside = False
        elif word.isdigit():
            if word != "1":
                raise ValueError("rearrange only supports unnamed axes of size 1")
            groups += [] if inside else [[]]
        elif inside:
            groups[-1].append(MERGED_ELLIPSIS if word == ELLIPSIS else word)
        else:
            groups.append([word])
    if inside:
        raise ValueError(f'Imbalanced parentheses in expression: "{side}"')
    return groups


def _check_names(left: Groups, right: Groups, lengths: dict[str, int]) -> None:
    names = [[ELLIPSIS if n == MERGED_ELLIPSIS else n for group in side for n in group]
             for side in (left, right)]  # fmt: skip
    for side in names:
        for name in side:
            if side.count(name) > 1:
                raise ValueError(
                    f"Indexing expression contains duplicate dimension '{name}'"
                )
            if name != ELLIPSIS and not name.isidentifier():
                raise ValueError(f"Invalid axis identifier: {name}")
    only = set(names[0]) ^ set(names[1])
    if only:
        raise ValueError(
            "Identifiers only on one side of rearrange expression (should be on both): "
            f"{only}"
        )
    unknown = set(lengths) - set(names[0])
    if unknown:
        raise ValueError(f"Identifiers not found in rearrange expression: {unknown}")


def _with_rest(left: Groups, right: Groups, ndim: int) -> tuple[Groups, Groups]:
    """Names for the dimensions that `...` matches."""
    names = [f"...{i}" for i in range(ndim - len(left) + 1)]

    def full(side: Groups) -> Groups:
        found: Groups = []
        for group in side:
            if group == [ELLIPSIS]:
                found += [[name] for name in names]
            elif MERGED_ELLIPSIS in group:
                i = group.index(MERGED_ELLIPSIS)
                found.append([*group[:i], *names, *group[i + 1 :]])
            else:
                found.append(group)
        return found

    return full(left), full(right)


def _infer(group: list[str], size: int, sizes: dict[str, int]) -> None:
    """The sizes of the parts of one dimension; one of them may be unknown."""
    unknown = [name for name in group if name not in sizes]
    known = prod(sizes[name] for name in group if name in sizes)
    if len(unknown) > 1:
        raise ValueError(f"cannot infer the sizes of several at once: {unknown}")
    if unknown:
        if known == 0 or size % known:
            raise ValueError(
                f"inferred dimension does not evenly fit into larger dimension: {size} "
                f"vs {known}"
            )
        sizes[unknown[0]] = size // known
    elif known != size:
        raise ValueError(f"a dimension of size {size} is not made of {group}: {known}")
