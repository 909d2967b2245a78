"""Three-term recurrences of orthogonal polynomials."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import apply
from ...kernels.memory_format import match_strides
from ...tensor.tensor import Tensor
from ..argument_errors import argument_error
from ..promotion import Pointwise, as_floating, promoted_floating, result_type
from ..registration import copyto
from .special_functions import number_as_array

__all__: list[str] = []


class Recurrence(Pointwise):
    """Polynomials of degree n at x, by a three-term recurrence; 0 for n < 0.

    Subclasses give the polynomial of degree 1 and the rule, and may give values that
    need no recurrence. As in PyTorch, there is no derivative.

    Math: y = pₙ(x), each pₖ from the two before it
    """

    differentiable = False
    takes_scalars = True

    def first_terms(self, x: Any) -> Any:
        """The polynomial of degree 1; that of degree 0 is 1."""
        raise NotImplementedError

    def next_term(self, k: int, x: Any, p: Any, q: Any) -> Any:
        """The polynomial of degree k + 1, given those of degrees k - 1 and k."""
        raise NotImplementedError

    def known_values(self, x: Any, n: Any) -> tuple[Any, Any]:
        """A mask of the elements whose value is known directly, and the values."""
        return np.zeros(x.shape, bool), x

    def promote(self, x: Any, n: Any) -> tuple[Any, Any]:
        return promoted_floating(x, n)

    def check(self, x: Any, n: Any) -> None:
        common = result_type(x, n)
        if common.is_complex or (common.is_floating_point and common.itemsize == 2):
            raise NotImplementedError(
                f"\"{self.public}_cpu\" not implemented for '{common.short}'"
            )

    def forward(self, points: Any, degrees: Any) -> Any:
        x, n = np.broadcast_arrays(as_floating(points), np.trunc(as_floating(degrees)))
        found, values = self.known_values(x, n)
        y = self.by_recurrence(x, np.where(found, 0, n))
        y = np.where(n < 0, 0, np.where(found, values, y)).astype(x.dtype)
        return match_strides(y, points, degrees)

    def by_recurrence(self, x: Any, n: Any) -> Any:
        """Apply the recurrence to each element, up to its degree."""
        p, q = np.ones_like(x), self.first_terms(x)
        y = np.where(n == 0, p, q)
        k = 1
        while (going := (n > k) & ~np.isnan(q)).any():
            p, q = q, self.next_term(k, x, p, q)
            y = np.where(going, q, y)
            k += 1
        return y


def apply_with_degree(op: Recurrence, input: Any, n: Any, out: Tensor | None) -> Tensor:
    """Run `op` on points and degrees, one of which may be a number."""
    name = f"special_{op.public}"
    if isinstance(input, Tensor) and not isinstance(n, Tensor):
        n = number_as_array(n, input, name)
    elif isinstance(n, Tensor) and not isinstance(input, Tensor):
        input = number_as_array(input, n, name)
    elif not isinstance(n, Tensor):
        kinds = f"({type(input).__name__}, {type(n).__name__})"
        raise argument_error() or TypeError(
            f"{name}() received an invalid combination of arguments - got "
            f"{kinds}, but expected one of:"
        )
    result = apply(op, input, n)
    return result if out is None else copyto(out, result, name, (input, n))
