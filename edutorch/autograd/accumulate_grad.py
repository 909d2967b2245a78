"""The end of a backward pass: sets a leaf's `.grad`, or adds to it."""

from __future__ import annotations

from sys import getrefcount
from typing import Any

import numpy as np
from numpy import ndarray

from .. import events, memory_events
from ..backends import array_module
from ..backends.sparse import Coo
from ..devices import CPU
from ..tensor.conj_neg_view import ConjNegView
from ..tensor.tensor import Tensor, bare_tensor, wrap
from . import large_arrays
from .hook_calls import array_of
from .large_arrays import LARGE
from .modes import modes

__all__ = ["UNSHARED", "accumulate"]


def accumulate(leaf: Tensor, gradient: Any, unshared: bool = False) -> None:
    """leaf.grad += gradient, in place if there is an earlier gradient.

    Args:
        unshared: whether there are no other references to the array, so that it need
            not be copied.
    """
    before = leaf._grad
    if isinstance(gradient, Tensor):
        leaf._grad = gradient if before is None else before + gradient
    elif before is None:
        if not (
            unshared
            and type(gradient) is ndarray
            and gradient.base is None
            and gradient.flags.c_contiguous
            and (leaf._data.flags.c_contiguous or not modes.layouts)
        ):
            gradient = array_of(_copy_for_leaf(gradient, leaf._data))
        on_cpu = leaf._device is CPU
        made = bare_tensor(Tensor, gradient) if on_cpu else wrap(gradient, leaf._device)
        leaf._grad = made
    elif _needs_new_memory(before, gradient):
        leaf._grad = wrap(gradient + before._data, leaf._device)
    else:
        total = before._data
        if gradient.size < LARGE:
            np.add(total, gradient, total)
        else:
            large_arrays.add(total, gradient, total)
        before.untyped_storage().version += 1
    after = leaf._grad
    if events.hears_memory and after is not None and after is not before:
        _announce_gradient(leaf, after)


def _needs_new_memory(before: Tensor, gradient: Any) -> bool:
    """Whether the sum needs new memory: it becomes dense, or `.grad` is a lazy view."""
    if type(before) is ConjNegView:
        return True
    return type(before._data) is Coo and type(gradient) is not Coo


def _has_leaf_layout(leaf: Any) -> bool:
    """Whether a contiguous array has the memory layout of the leaf."""
    return type(leaf) is Coo or bool(leaf.flags.c_contiguous)


def _copy_for_leaf(gradient: Any, leaf: Any) -> Any:
    """A copy with the leaf's memory layout; contiguous if the leaf has gaps."""
    if (
        type(gradient) is not type(leaf)
        or _has_leaf_layout(leaf)
        or not _is_dense(leaf)
    ):
        return large_arrays.copied(gradient)
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
    memory_events.recategorise(gradient, "gradient", leaf, "grad")
    if leaf._storage is None or not leaf._storage.category:
        memory_events.recategorise(leaf, "parameter")  # since it collects gradients


# Note [Who else holds a gradient]
# A formula may return its argument (as add does), a view of it, or an array that the
# user passed. Such an array must be copied before it becomes a `.grad`. An array that
# owns its memory and is referenced only by the task's buffers is used without a copy;
# the engine drops its own references first. The result of `getrefcount` in this case
# depends on the interpreter, so it is measured here; if the count is not meaningful,
# all arrays are copied.


def _count_references(others: int) -> int:
    """The reference count of an array in a dictionary that has `others` references."""
    buffers = {0: np.empty(1)}
    held = [buffers[0] for _ in range(others)]
    return getrefcount(buffers[0]) if len(held) == others else 0


def _calibrate() -> int:
    """The reference count of an array without other references; 0 if unknown."""
    alone = _count_references(0)
    tells = all(_count_references(n) == alone + n for n in (1, 2))
    return alone if tells else 0


UNSHARED = _calibrate()
