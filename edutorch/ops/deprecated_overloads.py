"""Old argument orders, with numbers before the tensors: `x.add_(-lr, g)`."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..tensor.tensor import Tensor
from .argument_errors import check_call

__all__ = ["reordered"]


def reordered(
    name: str, *given: Any, names: tuple[str, ...] = ("beta", "alpha")
) -> Any:
    """Separate tensors, in order, from numbers, which are passed by name.

    Args:
        name: the public function.
        given: all arguments that have a place.
        names: of the numbers, in order.

    Raises:
        TypeError: if there are more numbers than names, or no numbers.

    Example:
        >>> import warnings
        >>> import edutorch as torch
        >>> with warnings.catch_warnings(action="ignore"):
        ...     torch.add(torch.ones(2), 3, torch.ones(2))
        tensor([4., 4.])
    """
    places = {"add": 2, "sub": 2}.get(name.rstrip("_"), 3)
    # `x.add(2, y)`, `addmm(2, x, a, b)`, `x.addmm(2, a, b)`: where numbers may be.
    spots = (0, 1, 2)[: len(given) - 2] if len(names) == 2 else (1,)
    written, given = given, _with_numbers(given, spots, len(given) - places)
    tensors = [t for t in given if isinstance(t, Tensor)]
    numbers = [n for n in given if isinstance(n, (int, float, complex, np.generic))]
    if [places, len(given), len(tensors), len(numbers)] == [2, 3, 1, 2]:
        tensors, numbers = [given[0], given[2]], [given[1]]  # an operand is a number
    elif all(a is b for a, b in zip(written, given, strict=True)):
        check_call(False)
    fit = len(tensors) == places and 0 < len(numbers) <= len(names)
    if not fit or len(tensors) + len(numbers) < len(given):
        raise TypeError(
            f"{name}() takes {places} positional arguments but {len(given)} were given"
        )
    keywords = ", ".join(f"Number {n}" for n in names)
    kinds = ["Tensor" if isinstance(v, Tensor) else "Number" for v in given]
    old = ", ".join(kinds)
    warnings.warn(
        f"This overload of {name} is deprecated:\n\t{name}({old})\n"
        "Consider using one of the following signatures instead:\n"
        f"\t{name}({', '.join(['Tensor'] * places)}, *, {keywords})",
        stacklevel=3,
    )
    return tensors, dict(zip(names, numbers, strict=False))


def _with_numbers(
    given: tuple[Any, ...], spots: tuple[int, ...], surplus: int
) -> tuple[Any, ...]:
    """The arguments, with up to `surplus` tensors that stand for numbers replaced."""
    found = list(given)
    for i in spots:
        value = found[i]
        single = isinstance(value, Tensor) and not value.ndim
        if surplus > 0 and single and not value.requires_grad:
            found[i], surplus = value.item(), surplus - 1
    return tuple(found)
