"""Methods of Tensor that concern the graph: its node, hooks, detaching."""

from __future__ import annotations

import weakref
from typing import Any

from .. import events
from ..tensor.conj_neg_view import ConjNegView, conj_neg_tensor, in_memory
from ..tensor.tensor import Tensor, wrap
from .hooks import RemovableHandle, add_hook, hooks_of
from .modes import modes
from .node import with_torch_name
from .views import refresh_view

__all__ = ["detach", "detach_"]


def _grad_fn(self: Tensor) -> Any:
    """The op that made this tensor, or None for a leaf.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> (x * 2).grad_fn.name()
        'MulBackward0'
    """
    if self._base is not None:
        refresh_view(self, always=True)
    return with_torch_name(self._grad_fn)


def detach(self: Tensor) -> Tensor:
    """The same memory, without history; versions are shared, so changes are noticed.

    Math: y = x      ∂L/∂x = 0, nothing flows back
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> x.detach().requires_grad
        False
    """
    if events.hears_spans:
        events.span("aten::detach", "op", events.clock())
    lazily = type(self) is ConjNegView
    tensor = conj_neg_tensor(in_memory(self), self) if lazily else wrap(self._data)
    tensor._device = self._device
    tensor._storage = self.untyped_storage()
    if self._inference:
        tensor._storage = tensor._storage.sibling()
        tensor._inference, tensor._counts_changes = True, not modes.inference
    return tensor


def detach_(self: Tensor) -> Tensor:
    """Cut this tensor from its history, in place.

    Math: y = x      ∂L/∂x = 0, nothing flows back
    Shape: (*) -> (*)

    Raises:
        RuntimeError: for a view.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> (x * 2).detach_().requires_grad
        False
    """
    if self._base is not None and not modes.inference:
        raise RuntimeError(
            "Can't detach views in-place. Use detach() instead. If you are using "
            "DistributedDataParallel (DDP) for training, and gradient_as_bucket_view "
            "is set as True, gradients are views of DDP buckets, and hence detach_() "
            "cannot be called on these gradients. To fix this error, please refer to "
            "the Optimizer.zero_grad() function in torch/optim/optimizer.py as the "
            "solution."
        )
    self._grad_fn, self._requires_grad, self._output_nr = None, False, 0
    return self


def _register_hook(self: Tensor, hook: Any) -> RemovableHandle:
    """Call `hook(grad)` when this tensor's gradient is complete; it may return another.

    Raises:
        RuntimeError: for a tensor that doesn't require gradient.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(1, requires_grad=True)
        >>> handle = x.register_hook(lambda g: g * 10)
        >>> (x * 2).sum().backward()
        >>> x.grad
        tensor([20.])
    """
    reached = self._requires_grad  # else it is a view that was made without recording
    if not self.requires_grad:
        raise RuntimeError(
            "cannot register a hook on a tensor that doesn't require gradient"
        )
    node = self.grad_fn
    if node is not None:
        return hooks_of(node).add("tensor", hook, self._output_nr)
    if not reached:
        return add_hook({}, hook)
    if self._hooks is None:
        self._hooks = {}
    return add_hook(self._hooks, hook)


def _register_post_hook(self: Tensor, hook: Any) -> RemovableHandle:
    """Call `hook(tensor)` after a gradient was added to this leaf's `.grad`.

    Raises:
        RuntimeError: if this is not a leaf, or needs no gradient.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(1, requires_grad=True)
        >>> handle = x.register_post_accumulate_grad_hook(lambda t: print(t.grad))
        >>> (x * 3).sum().backward()
        tensor([3.])
    """
    if not self._requires_grad:
        raise RuntimeError(
            "cannot register a hook on a tensor that doesn't require gradient"
        )
    if self._grad_fn is not None:
        raise RuntimeError(
            "post accumulate grad hooks cannot be registered on non-leaf tensors"
        )
    if self._post_hooks is None:
        self._post_hooks = {}
    return add_hook(self._post_hooks, hook)


def _retain_grad(self: Tensor) -> None:
    """Keep this tensor's gradient in `.grad` though it is not a leaf.

    Raises:
        RuntimeError: for a tensor that needs no gradient.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(1, requires_grad=True)
        >>> y = x * 2
        >>> y.retain_grad()
        >>> (y * 3).sum().backward()
        >>> y.grad
        tensor([3.])
    """
    if not self.requires_grad:
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    node = self.grad_fn
    if node is None or self._retain:
        return
    self._retain = True
    hooks_of(node).retained[self._output_nr] = weakref.ref(self)


def _retains_grad(self: Tensor) -> bool:
    """Whether backward keeps the gradient of this tensor, which is not a leaf.

    Example:
        >>> import edutorch as torch
        >>> y = torch.ones(1, requires_grad=True) * 2
        >>> y.retain_grad()
        >>> y.retains_grad
        True
    """
    return self._retain


for _name, _function in {
    "detach": detach,
    "detach_": detach_,
    "register_hook": _register_hook,
    "register_post_accumulate_grad_hook": _register_post_hook,
    "retain_grad": _retain_grad,
    "grad_fn": property(_grad_fn),
    "retains_grad": property(_retains_grad),
}.items():
    setattr(Tensor, _name, _function)
