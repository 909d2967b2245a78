"""Sums of products over indices, in the notation of `einsum`.

"no,ok->nk" means outgoing[n, k] = Σ_o incoming[n, o] · local[o, k]. Unlike in `einsum`,
a letter that occurs only on the right is allowed: the result is constant along that
dimension.
"""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

import numpy as np

__all__ = ["OpCall", "contract", "elementwise", "product_letters", "reduced_letters"]

Array = np.ndarray
# ops that multiply two operands: the letters of both, and of the result
_PRODUCTS = {
    "Mm": ("xy", "yz", "xz"),
    "Bmm": ("axy", "ayz", "axz"),
    "Mv": ("xy", "y", "x"),
    "Dot": ("x", "x", ""),
    "Outer": ("x", "y", "xy"),
}


class OpCall(NamedTuple):
    """One call of an op: its class, operands, result and attributes."""

    cls: str
    inputs: list[Any]
    y: Any
    attributes: dict[str, Any]


def contract(spec: str, incoming: Array, local: Any, shape: tuple[int, ...]) -> Array:
    """The sum of products that a spec describes, in float64.

    Example:
        >>> contract("ab,b->ab", np.ones((2, 2)), np.array([1.0, 3.0]), (2, 2)).tolist()
        [[1.0, 3.0], [1.0, 3.0]]
    """
    left, out = spec.split("->")
    first, second = left.split(",")
    factors = [(first, incoming)] + ([] if local is None else [(second, local)])
    operands: list[Any] = []
    for letters, array in factors:
        operands += [np.asarray(array, np.float64), [_code(c) for c in letters]]
    held = [c for c in out if any(c in letters for letters, _ in factors)]
    with np.errstate(all="ignore"):
        inner = np.einsum(*operands, [_code(c) for c in held])
    sizes = iter(inner.shape)
    inner = inner.reshape([next(sizes) if c in held else 1 for c in out])
    return np.broadcast_to(inner, shape)


def _code(letter: str) -> int:
    return (ascii_lowercase + ascii_uppercase).index(letter)


def elementwise(result: tuple[int, ...], operand: tuple[int, ...]) -> str:
    """The letters of an operand's dimensions, where the result's are a, b, c, ...

    A dimension that was stretched to a larger one has its own letter.

    Example:
        >>> elementwise((4, 3), (3,)), elementwise((4, 3), (4, 1))
        ('b', 'aB')
    """
    lead = len(result) - len(operand)
    pairs = zip(operand, result[lead:], strict=True)
    return "".join(
        ascii_lowercase[lead + k] if n == m else ascii_uppercase[lead + k]
        for k, (n, m) in enumerate(pairs)
    )


def product_letters(op: OpCall) -> tuple[str, str, str] | None:
    """The letters of a product's factors and result; None for any other op.

    Example:
        >>> operands = [np.ones((5, 2, 3)), np.ones((3, 4))]
        >>> product_letters(OpCall("Matmul", operands, 0, {}))
        ('axy', 'yz', 'axz')
    """
    if op.cls != "Matmul":
        return _PRODUCTS.get(op.cls)
    a, b = (np.ndim(x) for x in op.inputs[:2])
    lead = ascii_lowercase[: max(a, b) - 2]
    first, second = (lead[max(0, len(lead) + 2 - n) :] for n in (a, b))
    row, column = "x" if a > 1 else "", "z" if b > 1 else ""  # none for a vector
    return f"{first}{row}y", f"{second}y{column}", f"{lead}{row}{column}"


def reduced_letters(op: OpCall) -> tuple[str, str]:
    """The letters of the operand and of the result of a sum or mean.

    Example:
        >>> x = np.ones((2, 3))
        >>> attributes = {"dim": (1,), "keepdim": False}
        >>> reduced_letters(OpCall("Sum", [x], x.sum(1), attributes))
        ('ab', 'a')
    """
    rank = np.ndim(op.inputs[0])
    letters = ascii_lowercase[:rank]
    dims = op.attributes.get("dim")
    dims = range(rank) if dims is None else (dims,) if type(dims) is int else dims
    gone = {d % rank for d in dims} if rank else set()
    kept = op.attributes.get("keepdim", False)
    y = [c.upper() if k in gone else c for k, c in enumerate(letters)]
    return letters, "".join(c for k, c in enumerate(y) if kept or k not in gone)
