"""In-place operations inside `vmap`: written into the memory of the batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd import batched_tensor as vmapped
from ..autograd.active_transforms import active
from ..autograd.batched_tensor import (
    Batched,
    NeedsSampleValues,
    batched,
    common_levels,
)
from ..autograd.dispatch import Op
from ..autograd.inplace import alias_with_history, check_writable, overwrite, update
from ..autograd.modes import is_grad_enabled
from ..ops.convert.copy_fill import Copy, Fill, Zero
from ..tensor.pytree import flatten
from ..tensor.tensor import Tensor
from .batched_dispatch import expand_to_levels

__all__: list[str] = []

# How PyTorch refuses to write a batch into one tensor: the arithmetic of its batching
# rules has no name, some functions have one, others compare shapes. It has no rule for
# those that are not listed here.
ARITHMETIC = {
    "clamp_max_", "clamp_min_", "copy_", "div_", "logical_and_", "logical_or_",
    "logical_xor_", "mul_", "sub_", "true_divide_",
}  # fmt: skip
NAMED = {
    "fill_", "index_add_", "index_fill_", "index_put_", "scatter_add_",
    "scatter_reduce_",
}  # fmt: skip
BROADCAST = {
    "add_", "atan2_", "bitwise_and_", "bitwise_left_shift_", "bitwise_or_",
    "bitwise_right_shift_", "bitwise_xor_", "copysign_", "gcd_", "lcm_",
}  # fmt: skip


def _in_place(self: Any, function: Any, name: str, args: Any, kwargs: Any) -> Tensor:
    """`x.mul_(y)` inside vmap: compute, then write into the batch's memory."""
    _check_levels(self, tuple(flatten((args, kwargs))[0]), name)
    _check_not_copied(self)
    value = self._value
    check_writable(value, memory=False)
    old = alias_with_history(value)
    if value._requires_grad and is_grad_enabled():  # formulas may need the old values
        old._data, old._storage = old._data.copy(), None
    new = function(batched(old, self._levels), *args, **kwargs)
    if new._data.shape != self._data.shape:
        raise NeedsSampleValues("vmap: an in-place operation that changes the shape")
    if getattr(new, "_levels", ()) != self._levels:
        _check_levels(self, (new,), name)
        new = _at_levels(new, self._levels)
    update(value, old, new._value)
    self._requires_grad = value._requires_grad
    return self


def _overwrite(self: Any, op: Op, operands: tuple[Any, ...]) -> Tensor:
    """`x.copy_(y)`, `x.fill_(3)`, `x[0] = y` inside vmap: write into the batch."""
    _check_levels(self, operands, f"{op.public}_")
    if op.op_class not in (Copy, Fill, Zero):
        raise NeedsSampleValues(f"vmap: {op.public} in place")
    _check_not_copied(self)
    check_writable(self._value, memory=False)
    if any(isinstance(t, Tensor) for t in operands):
        op = Copy()  # a batch of numbers to fill with has a dimension
    overwrite(self._value, op, *[_align_dims(t, self) for t in operands])
    self._requires_grad = self._value._requires_grad
    return self


def _at_levels(new: Any, levels: tuple[int, ...]) -> Tensor:
    """A result at these levels only; others have one sample."""
    own = getattr(new, "_levels", ())
    if set(own) - set(levels):
        kept = tuple(level for level in own if level in levels)
        sizes = [vmapped.active_vmaps.sizes[level] for level in kept]
        new = batched(new._value.reshape(*sizes, *new.shape), kept)
    return batched(expand_to_levels(new, levels), levels)


def _check_not_copied(self: Batched) -> None:
    if self._apart:
        raise NeedsSampleValues(
            "vmap: a view of a batch that had to be copied is written to"
        )


def _check_levels(self: Any, operands: tuple[Any, ...], name: str) -> None:
    """Refuse to write what differs from sample to sample where the tensor does not.

    Raises:
        RuntimeError: for an operand that is batched at a level at which `self` is not.
    """
    own = getattr(self, "_levels", ())
    missing = [t for t in operands if set(getattr(t, "_levels", ())) - set(own)]
    if not missing:
        return
    if name in BROADCAST:
        shape, broadcast = _compared_shapes(self, missing[0])
        if shape == broadcast:  # batches of one sample at the levels that are missing
            return
        raise vmapped.forbid_fallback(
            RuntimeError(
                f"output with shape {shape} doesn't match the broadcast shape "
                f"{broadcast}"
            )
        )
    levels = {level for t in missing for level in t._levels}
    at = max(levels.difference(own))
    if name == "fill_" and max(levels) > at:
        name = "copy_"  # a batch of numbers is copied, at the levels further out, too
    # Counted as in PyTorch, whose other transforms have levels, too.
    level = active.stack.index(at) + 1 if at in active.stack else at
    shown, where = f"aten::{name}", f"at level {level}"
    number = name == "masked_fill_" and not isinstance(operands[-1], Tensor)
    if name in ARITHMETIC or name in NAMED or number:
        shown = name if name in NAMED else "inplace arithmetic"
        where = "in a vmap"
    raise vmapped.forbid_fallback(
        RuntimeError(
            f"vmap: {shown}(self, *extra_args) is not possible because there exists a "
            "Tensor `other` in extra_args that has more elements than `self`. This "
            "happened due to `other` being vmapped over but `self` not being vmapped "
            f"over {where}. Please try to use out-of-place operators instead of "
            f"{shown}. If said operator is being called inside the PyTorch framework, "
            "please file a bug report instead."
        )
    )


def _compared_shapes(self: Any, other: Any) -> tuple[list[int], list[int]]:
    """The shapes of a tensor and of the result with more batch dimensions, compared."""
    own = getattr(self, "_levels", ())
    levels = common_levels((self, other))
    shape = list((self._value if own else self).shape)
    outer = len([level for level in own if level < max(set(levels).difference(own))])
    if outer:  # these are batched where shapes are compared, and have equal ranks
        shape[outer:outer] = [1] * (len(levels) - len(own))
    batch = [vmapped.active_vmaps.sizes[level] for level in levels]
    both = np.broadcast_shapes(self.shape, other.shape)
    return shape, [*batch, *both]


def _align_dims(t: Any, self: Batched) -> Any:
    """An operand with as many dimensions in each sample as `self`."""
    if not isinstance(t, Tensor):
        return t
    missing = self._data.ndim - t._data.ndim
    if missing < 0:
        raise NeedsSampleValues("vmap: an operand with more dimensions is written")
    if type(t) is not Batched:
        return t
    value, n = expand_to_levels(t, self._levels), len(self._levels)
    shape = value._data.shape
    return value.reshape(*shape[:n], *(1,) * missing, *shape[n:])


vmapped.run_in_place, vmapped.run_overwrite = _in_place, _overwrite
