"""In-place operations: change a tensor's memory, and its history.

Every in-place op is the ordinary op followed by `update` (`inplace_variants.py` makes
them): the op reads the old value (through an alias of the tensor that has the old
history), and `update` writes the result into the tensor's memory, increments the
version, and makes the result's node the tensor's node. Changing a view changes its
base: the base's new node is `CopySlices`, and views compute their new history when it
is next read.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from .. import devices, events, op_events
from ..backends import to_device_of
from ..kernels.casts import copy_into
from ..tensor.conj_neg_view import ConjNegView, in_memory
from ..tensor.tensor import Tensor, bare_tensor
from . import batched_tensor as vmapped
from . import modes as _m
from .batched_tensor import any_batched
from .device_placement import common_device
from .dispatch import CPU, Op, apply, record
from .hooks import hooks_of
from .memory_overlap import refuse_partial_overlap, refuse_repeated
from .modes import modes
from .op_errors import check_fits, operation_error, refuse_view
from .view_history import CopySlices, direct_history
from .views import refresh_view

__all__ = [
    "INFERENCE", "alias_with_history", "check_memory", "check_writable",
    "is_untracked", "overwrite", "rebase_history", "update", "update_overlapping",
    "write",
]  # fmt: skip


INFERENCE = (
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can "
    "make a clone to get a normal tensor before doing inplace update.See "
    "https://github.com/pytorch/rfcs/pull/17 for more details."
)


def alias_with_history(self: Tensor, *, direct: bool = True) -> Tensor:
    """A tensor with the same memory and the old history, as the op's input.

    Args:
        direct: whether the history of a view must include what `as_strided` reaches
            outside of what it was applied to.
    """
    seen = self
    if self._base is not None:
        refresh_view(self)
        seen = direct_history(self) if direct else self
    old: Tensor = bare_tensor(Tensor, self._data, self._device)
    old._requires_grad, old._output_nr = seen._requires_grad, seen._output_nr
    old._grad_fn = seen._grad_fn
    old._tensor_id = self._tensor_id
    # The same memory is announced once: as the tensor's storage.
    old._storage = self.untyped_storage() if events.active else self._storage
    if type(self) is ConjNegView:
        old._storage = None  # what was read from it is a copy
    return old


def check_writable(
    self: Tensor, *, overlapping: bool = False, memory: bool = True
) -> None:
    """Refuse tensors that must not be changed in place.

    Args:
        overlapping: whether elements may share memory; the last write wins, as in
            PyTorch.
        memory: whether the memory is checked now.

    Raises:
        RuntimeError: for leaves that require grad and views of them, for views of
            unknown history, for expanded memory and read-only arrays.
    """
    if (
        _m.special_modes and self._inference
        and not (modes.inference or self._counts_changes)
    ):  # fmt: skip
        check_memory(self, overlapping=overlapping)
        raise RuntimeError(INFERENCE)
    if modes.grad:
        base = self._base
        if base is not None and (base._requires_grad or self._requires_grad):
            refuse_view(self, "is being")
            if base.is_leaf or base._grad_fn.begins_graph:
                raise RuntimeError(
                    "a view of a leaf Variable that requires grad is being used in an "
                    "in-place operation."
                )
        if self._requires_grad:
            node = self.grad_fn
            if node is None or node.begins_graph:
                what = "a leaf" if base is None else "a view of a leaf"
                raise RuntimeError(
                    f"{what} Variable that requires grad is being used in an in-place "
                    "operation."
                )
    if memory:
        check_memory(self, overlapping=overlapping)


def check_memory(self: Tensor, *, overlapping: bool = False) -> None:
    """Refuse memory that must not be written to, whatever its history.

    Raises:
        RuntimeError: for expanded memory and read-only arrays.
    """
    array = self._data
    flags = array.flags
    if not overlapping and not flags.c_contiguous and not self.is_meta:
        refuse_repeated(array.shape, array.strides)
    if not getattr(flags, "writeable", True) and not self.is_meta:
        raise RuntimeError("cannot write to a tensor over a read-only array")


def update(self: Tensor, old: Tensor, new: Any) -> Tensor:
    """Give `self` the value and history of `new`, which was computed from `old`.

    Raises:
        RuntimeError: if the result has another shape or a higher kind of dtype, or
            `self` is a view that cannot have a history.
    """
    if events.hears_spans:
        events.span("", "inplace", events.clock())
    if new is old:  # the function returned its argument
        self.untyped_storage().version += 1
        return self
    if new._device is not self._device:
        _refuse_meta(new._device)
    target, source = self._data, new._data
    if (recorded := new._requires_grad) and self._base is not None:
        refuse_view(self, "is being")
    if source.shape != target.shape or source.dtype is not target.dtype:
        check_fits(source.shape, new.dtype, self)
    if recorded and (not target.size or np.may_share_memory(old._data, target)):
        _keep_value(old)
    write(self, source)
    if recorded or (self._requires_grad and modes.grad):
        rebase_history(self, new)
    if new._tensor_id:
        _take_event_id(self, new)
    return self


def _keep_value(old: Tensor) -> None:
    """Copy what backward may need as it was before the change.

    A node that has saved it expects its version, whoever asks for the copy's storage.
    """
    version = 0 if old._storage is None else old._storage.version
    old._data, old._storage = old._data.copy(), None
    if version:
        old.untyped_storage().version = version


def _refuse_meta(device: devices.device) -> None:
    """Raise for values from the meta device, which has none."""
    if device.type == "meta":
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")


def update_overlapping(self: Tensor, old: Tensor, new: Any) -> Tensor:
    """`update` where elements overlap: changed ones win over unchanged ones.

    Example:
        >>> import edutorch as torch
        >>> x = torch.zeros(1).expand(2)
        >>> update_overlapping(x, x.detach(), torch.tensor([5.0, 0.0]))
        tensor([5., 5.])
    """
    before, after = old._data.copy(), new._data
    same = (before == after) | ((before != before) & (after != after))
    update(self, old, new)
    self._data[~same] = after[~same]
    return self


def _take_event_id(self: Tensor, new: Tensor) -> None:
    """For listeners, a changed tensor is the result of the op that changed it.

    A leaf that requires grad keeps its id: an optimizer changes it.
    """
    if self._grad_fn is not None or not self._requires_grad:
        self._tensor_id = new._tensor_id


def overwrite(self: Tensor, op: Op, *operands: Any) -> Tensor:
    """Run an op whose `forward` writes into its first operand, and rebase the history.

    For ops whose backward does not need the old values (fill, copy, index_put): the
    same as in-place variants, without their copies.
    """
    if _m.special_modes and any_batched((self, *operands)):
        return vmapped.run_overwrite(self, op, operands)
    view = self._base is not None and not self._inference
    if view and modes.grad and _any_recorded(operands):
        refuse_view(self, "is being")
    check_writable(self, overlapping=getattr(op, "writes_over_itself", False))
    _refuse_shared(op, self, operands)
    if type(self) is ConjNegView:
        old = alias_with_history(self)
        return update(self, old, overwrite(old.clone(), op, *operands))
    if is_untracked(self, operands):
        _run_forward(op, (self, *operands), 0)
        self.untyped_storage().version += 1
        return self
    started = events.clock() if events.active else 0
    old = alias_with_history(self)
    given = (old, *operands)
    _run_forward(op, given, started)
    new: Tensor = bare_tensor(Tensor, self._data, self._device)
    new._storage = self.untyped_storage()
    integers = self._data.dtype.kind not in "fcVW"
    if not integers or getattr(op, "records_integers", False):
        record(op, given, (new,), False)
    new._storage.version += 1  # after the operands' histories were read
    if started:
        op_events.announce_op(op, given, (new,), started)
        events.span("", "inplace", started)
    if new._requires_grad or (self._requires_grad and modes.grad):
        rebase_history(self, new)
    if new._tensor_id:
        _take_event_id(self, new)
    return self


def _refuse_shared(op: Op, self: Tensor, operands: tuple[Any, ...]) -> None:
    """Refuse memory shared with operands, by the op's own rule if it has one."""
    rule = getattr(op, "refuse_shared", None)
    if rule is not None:
        rule(self, *operands)
    elif self._storage is not None:
        lazily = getattr(op, "reads_lazily", False)
        refuse_partial_overlap(self, operands, lazily=lazily)


def is_untracked(self: Tensor, operands: tuple[Any, ...]) -> bool:
    """Whether a change needs neither history nor events."""
    if events.active or (_m.special_modes and any_batched((self, *operands))):
        return False
    if not modes.grad:
        return True
    if self._base is not None:
        refresh_view(self)
    if self._requires_grad:
        return False
    return not _any_recorded(operands)


def _any_recorded(operands: tuple[Any, ...]) -> bool:
    return any(getattr(t, "_requires_grad", False) for t in operands)


def _run_forward(op: Op, given: tuple[Any, ...], started: int) -> None:
    try:
        if op.checks:
            op.check(*given)
        device = common_device(op, given)
        if device is not given[0]._device:
            _refuse_meta(device)
        op.forward(*[t._data if isinstance(t, Tensor) else t for t in given])
    except Exception as error:
        raise operation_error(op, given, error, started) from None


def write(self: Tensor, source: Any) -> None:
    """Copy an array into a tensor's memory and increment its version."""
    if type(self) is ConjNegView:
        array = in_memory(self)
        refuse_repeated(array.shape, array.strides)  # the checks used a copy
        array[...] = self.resolved(source.astype(array.dtype, copy=False))
        self.untyped_storage().version += 1
        return
    array = self._data
    same_dtype = type(array) is np.ndarray and source.dtype is array.dtype
    if same_dtype or self._device is not CPU:
        array[...] = to_device_of(source, array)
    else:
        with np.errstate(all="ignore"):  # numbers out of range become infinite
            copy_into(array, source)
    self.untyped_storage().version += 1


def rebase_history(self: Tensor, new: Tensor) -> None:
    """Make the node of `new` the node of `self` (and of the base it is a view of)."""
    base, node = self._base, new._grad_fn
    storage = self.untyped_storage()
    if node is not None and node.output is not None and node.output is new._data:
        node.output, node.output_storage = self._data, storage
        node.output_version = storage.version
    if base is None:
        _replace_node(self, new)
    elif (base._base is None and base._requires_grad) or new._requires_grad:
        retained = _take_retained_grad(self)
        _replace_node(base, apply(CopySlices(self), alias_with_history(base), new))
        refresh_view(self)
        _restore_retained_grad(self, retained)
        if node is not None and node.output is self._data and self._grad_fn is not None:
            node.changed_view = weakref.ref(self), weakref.ref(self._grad_fn)


def _replace_node(self: Tensor, new: Tensor) -> None:
    """Put a tensor at the place of `new` in the graph."""
    retained = _take_retained_grad(self)
    self._requires_grad, self._grad_fn = new._requires_grad, new._grad_fn
    self._output_nr = new._output_nr
    _restore_retained_grad(self, retained)


def _take_retained_grad(self: Tensor) -> Any:
    """Remove and return what `retain_grad` stored at a tensor's node."""
    if not (self._retain and self._grad_fn is not None):
        return None
    return hooks_of(self._grad_fn).retained.pop(self._output_nr, None)


def _restore_retained_grad(self: Tensor, retained: Any) -> None:
    """Retain the gradient of the values as they are now."""
    if retained is not None and self._grad_fn is not None:
        hooks_of(self._grad_fn).retained[self._output_nr] = retained
