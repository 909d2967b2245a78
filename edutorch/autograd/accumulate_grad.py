"""The end of a backward pass: a gradient becomes, or is added to, a leaf's `.grad`."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy import ndarray

from .. import events
from ..backends import array_module
from ..backends.sparse import Coo
from ..tensor.conj_neg_view import ConjNegView
from ..tensor.tensor import Tensor, wrap
from .hook_calls import array_of
from .modes import modes

__all__ = ["accumulate"]


def accumulate(leaf: Tensor, gradient: Any) -> None:
    """leaf.grad += gradient, in place where an earlier gradient is there."""
    before = leaf._grad
    if isinstance(gradient, Tensor):
        leaf._grad = gradient if before is None else before + gradient
    elif before is None:
        taken = _unshared(gradient) and (
            leaf._data.flags.c_contiguous or not modes.layouts
        )
        array = gradient if taken else array_of(_copied(gradient, leaf._data))
        fresh = leaf._grad = wrap(array, leaf._device)
        if events.active:
            _announce_gradient(leaf, fresh)
    elif _cannot_hold(before, gradient):
        leaf._grad = wrap(gradient + before._data, leaf._device)
    else:
        np.add(before._data, gradient, before._data)
        before.untyped_storage().version += 1


def _cannot_hold(before: Tensor, gradient: Any) -> bool:
    """Whether the sum needs new memory: it is dense, or comes to a lazy view."""
    if type(before) is ConjNegView:
        return True
    return type(before._data) is Coo and type(gradient) is not Coo


def _fits(leaf: Any) -> bool:
    """Whether a contiguous array lies in memory as the leaf's gradient should."""
    return type(leaf) is Coo or bool(leaf.flags.c_contiguous)


def _copied(gradient: Any, leaf: Any) -> Any:
    """A copy with the leaf's order in memory; of a leaf with gaps, contiguous."""
    if type(gradient) is not type(leaf) or _fits(leaf) or not _is_dense(leaf):
        return gradient.copy()
    array = array_module(leaf).empty_like(leaf, gradient.dtype)
    array[...] = gradient
    return array


def _is_dense(array: Any) -> bool:
    """Whether an array's elements fill its memory, in any order of dimensions."""
    size = array.itemsize
    for step, n in sorted(zip(array.strides, array.shape, strict=True)):
        if n != 1 and step != size:
            return False
        size *= n
    return True


def _announce_gradient(leaf: Tensor, gradient: Tensor) -> None:
    events.saw_gradient(gradient._data, gradient._device)
    if leaf._storage is None or not leaf._storage.category:
        events.recategorise(leaf, "parameter")  # since it collects gradients


# Note [Who else holds a gradient]
# A formula may return the very array it was given (add does), a view of it, or one the
# user passed in. Such an array must be copied before it becomes somebody's `.grad`. An
# array that owns its memory and that nobody else refers to can be taken as it is: the
# engine's own references are the loop's name and the argument of each call.
_OURS = 5


def _unshared(array: Any) -> bool:
    return (
        type(array) is ndarray
        and array.base is None
        and array.flags.c_contiguous
        and sys.getrefcount(array) <= _OURS
    )
