"""Linear interpolation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import apply
from ...autograd.half_precision import is_half
from ...kernels.memory_format import match_strides
from ...kernels.multiply_add import multiply_add
from ...tensor.tensor import Tensor
from ..argument_checks import number_of, refuse_numbers
from ..number_ranges import checked_number, compute_dtype, overflow_error
from ..promotion import Pointwise, cast_operand, common_dtype
from ..registration import copyto, public
from .conjugate import conj

__all__ = ["lerp"]


class Lerp(Pointwise):
    """Linear interpolation.

    Math: y = a + w · (b - a)
          ∂L/∂a = g · (1 - w)      ∂L/∂b = g · w      ∂L/∂w = g · (b - a)
    Shape: (*), (*), (*) -> (*), broadcast
    """

    packs = (1, 0, 2)
    saves_for = {0: 2, 1: 2}  # noqa: RUF012 (a table, not a state)
    half = False
    complex32_kernel = "lerp_kernel_scalar"

    @property
    def constants(self) -> tuple[int, ...]:
        """Treat numbers as constants, which have no edge in the graph."""
        return () if self.overload else (2,)

    def promote(self, a: Any, b: Any, weight: Any) -> Any:
        if getattr(weight, "ndim", 1) == 0 and weight.dtype != a.dtype:
            target = common_dtype(a, weight).numpy
            a, b, weight = (cast_operand(v, target) for v in (a, b, weight))
        return a, b, weight

    def check(self, a: Any, b: Any, weight: Any) -> None:
        if a.dtype is not b.dtype:
            names = [x.dtype.c_name for x in (a, b)]
            raise RuntimeError(
                f"expected dtype {names[0]} for `end` but got dtype {names[1]}"
            )
        if (
            isinstance(weight, Tensor)
            and weight.dtype is not a.dtype
            and weight._data.ndim
        ):
            raise RuntimeError(
                f"expected dtype {a.dtype.c_name} for `weight` but got dtype "
                f"{weight.dtype.c_name}"
            )
        found = a.dtype
        if isinstance(weight, Tensor):
            found = common_dtype(a._data, weight._data)
        self.half = is_half(found.numpy)
        if found.kind < dtypes.FLOATING:
            kind = "tensor" if isinstance(weight, Tensor) else "scalar"
            raise NotImplementedError(
                f"\"lerp_kernel_{kind}\" not implemented for '{found.short}'"
            )
        if isinstance(weight, complex) and not a.dtype.is_complex:
            raise overflow_error(compute_dtype(a.dtype))
        if not isinstance(weight, Tensor):
            checked_number(weight, compute_dtype(a.dtype))

    def forward(self, a: Any, b: Any, weight: Any) -> Any:
        if isinstance(weight, float) and a.dtype.kind == "f":
            weight = a.dtype.type(weight)  # 1 - weight is of the rounded weight
        # From the nearer end, so that both ends are exact.
        if self.half:
            far = np.abs(weight) >= 0.5
            start, share = np.where(far, b, a), np.where(far, weight - 1, weight)
            return multiply_add(share.astype(a.dtype), b - a, start)
        far = np.abs(weight) >= 0.5
        if not np.ndim(far):
            share = 1 - weight if far else weight
            y = b - (b - a) * share if far else a + share * (b - a)
            return match_strides(y.astype(a.dtype, copy=False), a, b)
        near = a + weight * (b - a)
        y = np.where(far, b - (b - a) * (1 - weight), near).astype(a.dtype)
        return match_strides(y, a, b, weight)

    def backward(self, g: Any) -> Any:
        a, b, weight = self.inputs
        return (
            g * conj(1 - weight) if self.needs[0] else None,
            g * conj(weight) if self.needs[1] else None,
            g * conj(b - a) if self.needs[2] else None,
        )


@public("lerp", inplace="lerp_")
def lerp(
    input: Tensor, end: Tensor, weight: Any, *, out: Tensor | None = None
) -> Tensor:
    """Linear interpolation from `input` to `end`.

    Math: y = a + w · (b - a)
          ∂L/∂a = g · (1 - w)      ∂L/∂b = g · w      ∂L/∂w = g · (b - a)
    Shape: (*), (*), (*) -> (*), broadcast

    Args:
        weight: a number or a tensor; 0 gives `input`, 1 gives `end`.

    Raises:
        RuntimeError: for different dtypes.

    Example:
        >>> import edutorch as torch
        >>> torch.lerp(torch.zeros(2), torch.ones(2), 0.25)
        tensor([0.2500, 0.2500])
    """
    refuse_numbers("lerp", input=input, end=end)
    op, share = Lerp(), weight
    if isinstance(weight, Tensor):
        op.overload = 1
        op.complex32_kernel = "lerp_kernel_tensor"
    else:
        share = number_of(weight, "weight", "lerp")
    result = apply(op, input, end, share)
    if out is None:
        return result
    variant = "tensor" * isinstance(weight, Tensor)
    return copyto(out, result, "lerp", (input, end, weight), variant=variant)
