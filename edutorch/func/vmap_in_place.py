"""In-place operations inside `vmap`: written into the memory of the batch."""

from __future__ import annotations

from typing import Any

from ..autograd import batched_tensor as vmapped
from ..autograd.batched_tensor import Batched, NeedsSampleValues, batched
from ..autograd.dispatch import Op
from ..autograd.inplace import alias_with_history, overwrite, update
from ..autograd.modes import is_grad_enabled
from ..ops.convert.copy_fill import Copy, Fill, Zero
from ..tensor.tensor import Tensor
from .batched_dispatch import expand_to_levels

__all__: list[str] = []

# What PyTorch calls the function that cannot write a batch into one tensor, and where.
ARITHMETIC = {"mul", "div", "copy", "masked_fill"}
NAMED = {"fill", "index_add", "index_put"}
BROADCAST = {"add", "sub"}


def _in_place(self: Tensor, function: Any, args: Any, kwargs: Any) -> Tensor:
    """`x.mul_(y)` inside vmap: compute, then write into the batch's memory."""
    if type(self) is not Batched:
        raise _not_batched_error(self, function.__name__, (*args, *kwargs.values()))
    _check_not_copied(self)
    value = self._value
    old = alias_with_history(value)
    if value._requires_grad and is_grad_enabled():  # formulas may need the old values
        old._data, old._storage = old._data.copy(), None
    new = function(batched(old, self._levels), *args, **kwargs)
    if new._data.shape != self._data.shape:
        raise NeedsSampleValues("vmap: an in-place operation that changes the shape")
    if getattr(new, "_levels", ()) != self._levels:
        _check_levels(self, (new,), function.__name__)
        new = batched(expand_to_levels(new, self._levels), self._levels)
    update(value, old, new._value)
    self._requires_grad = value._requires_grad
    return self


def _overwrite(self: Tensor, op: Op, operands: tuple[Any, ...]) -> Tensor:
    """`x.copy_(y)`, `x.fill_(3)`, `x[0] = y` inside vmap: write into the batch."""
    if type(self) is not Batched:
        raise _not_batched_error(self, op.public, operands)
    if op.op_class not in (Copy, Fill, Zero):
        raise NeedsSampleValues(f"vmap: {op.public} in place")
    _check_not_copied(self)
    _check_levels(self, operands, op.public)
    if any(isinstance(t, Tensor) for t in operands):
        op = Copy()  # a batch of numbers to fill with has a dimension
    overwrite(self._value, op, *[_align_dims(t, self) for t in operands])
    self._requires_grad = self._value._requires_grad
    return self


def _not_batched_error(self: Tensor, name: str, operands: tuple[Any, ...]) -> Exception:
    """The error for writing batched values to an unbatched tensor."""
    name = name.rstrip("_")
    if name in BROADCAST:
        found = next(t for t in operands if type(t) is Batched)
        return vmapped.forbid_fallback(
            RuntimeError(
                f"output with shape {list(self.shape)} doesn't match the broadcast "
                f"shape {list(found._value.shape)}"
            )
        )
    shown, where = (
        f"aten::{name}_",
        f"at level {max(vmapped.active_vmaps.sizes, default=1)}",
    )
    if name in ARITHMETIC or name in NAMED:
        shown = f"{name}_" if name in NAMED else "inplace arithmetic"
        where = "in a vmap"
    return vmapped.forbid_fallback(
        RuntimeError(
            f"vmap: {shown}(self, *extra_args) is not possible because there exists a "
            "Tensor `other` in extra_args that has more elements than `self`. This "
            "happened due to `other` being vmapped over but `self` not being vmapped "
            f"over {where}. Please try to use out-of-place operators instead of "
            f"{shown}. If said operator is being called inside the PyTorch framework, "
            "please file a bug report instead."
        )
    )


def _check_not_copied(self: Batched) -> None:
    if self._apart:
        raise NeedsSampleValues(
            "vmap: a view of a batch that had to be copied is written to"
        )


def _check_levels(self: Batched, operands: tuple[Any, ...], name: str) -> None:
    for t in operands:
        if set(getattr(t, "_levels", ())) - set(self._levels):
            raise _not_batched_error(self, name, (t,))


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
