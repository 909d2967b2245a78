"""PyTorch's error for integers of more than 64 bits among the arguments of a call."""

from __future__ import annotations

from typing import Any

from .. import dtypes
from .argument_parser import INTS, OTHER_NAMES, TAKE_NUMBERS, Signature

__all__ = ["overflow"]

LONG = range(-(2**63), 2**63)


def overflow(
    name: str, signature: Signature, args: list[Any], named: dict[str, Any]
) -> Exception | None:
    """The error for the first argument beyond 64 bits; None if there is none.

    PyTorch's parser reads the numbers of a call that fits a signature one by one.

    Example:
        >>> from edutorch.ops.argument_parser import signatures_of
        >>> overflow("renorm", signatures_of("renorm")[0], [None, 2**64, 0, 1], {})
        OverflowError('int too big to convert')
    """
    for place, p in enumerate(signature.parameters):
        keys = (p.name, *OTHER_NAMES.get(p.name, ()))
        value = args[place] if place < len(args) else None
        value = next((named[k] for k in keys if k in named), value)
        if type(value) is not int or value in LONG:
            continue
        number = p.kind == "Number" or (p.kind == "Tensor" and name in TAKE_NUMBERS)
        if number and not dtypes.LEAST <= value < dtypes.BEYOND:
            return dtypes.integer_overflow(value)
        if p.kind in ("int", "SymInt", *INTS):
            return ValueError("Overflow when unpacking long long")
    return None
