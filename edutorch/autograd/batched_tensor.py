"""Tensors inside `vmap`: the shape of one sample, the values of a whole batch.

A `Batched` tensor has the shape of one sample. Its values are another tensor,
`_value`, with one leading dimension for each enclosing `vmap` (its `_levels`).
Dispatch passes ops on such tensors to `run`, which applies the batching rules of
`edutorch/func`; that package sets `run` when it is imported.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NoReturn

import numpy as np

from ..tensor.tensor import Tensor, bare_tensor

__all__ = [
    "Batched",
    "SamplePlaceholder",
    "NeedsSampleValues",
    "any_batched",
    "expand_to_levels",
    "batched",
    "common_levels",
    "forbid_fallback",
    "level_sizes",
    "refuse_batched",
    "active_vmaps",
    "batched_like",
]


class NeedsSampleValues(RuntimeError):  # noqa: N818 (vmap finds another way)
    """The values of one sample were requested, but there is only a batch."""


def _refuse(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    """Raise, since there is a batch of values, not those of one sample."""
    raise NeedsSampleValues("vmap: this needs the values of each sample")


class SamplePlaceholder(np.ndarray[Any, Any]):
    """The shape and dtype of one sample; its values cannot be read.

    Attributes:
        batch: the values of all samples and the levels they lie at, as the tensor that
            it belongs to has them; None for arrays made from it.
    """

    stands_for_batch = True  # so that lower layers need not import this class
    batch: Any = None  # not the tensor, which has this: a cycle would keep the memory
    __array_ufunc__ = __array_function__ = _refuse
    __getitem__ = __setitem__ = __iter__ = __bool__ = _refuse
    __int__ = __float__ = __complex__ = __index__ = _refuse
    item = tolist = astype = copy = sum = max = min = any = all = _refuse


POISON = {"f": np.nan, "c": np.nan, "V": np.nan, "b": True}
LARGE = {"i": np.iinfo, "u": np.iinfo}
new_array = np.ndarray.__new__


def _placeholder(shape: tuple[int, ...], dtype: Any) -> SamplePlaceholder:
    """A placeholder for a shape and dtype, filled with conspicuous values."""
    placeholder: SamplePlaceholder = new_array(SamplePlaceholder, shape, dtype)
    placeholder.fill(_poison(dtype))
    return placeholder


@lru_cache(32)
def _poison(dtype: Any) -> Any:
    """The value of elements that must not be read."""
    kind = dtype.kind
    return LARGE[kind](dtype).max if kind in LARGE else POISON[kind]


class _ActiveVmaps(threading.local):
    """The vmaps running in this thread, outermost first."""

    def __init__(self) -> None:
        self.sizes: dict[int, int] = {}  # level -> size of its batch


active_vmaps = _ActiveVmaps()
run: Callable[..., Any]  # run(op, operands): set by edutorch.func
run_in_place: Callable[..., Any]  # run_in_place(tensor, function, name, args, kwargs)
run_overwrite: Callable[..., Any]  # run_overwrite(tensor, op, operands)
run_function: Callable[..., Any]  # run_function(cls, args, kwargs) for user Functions


class Batched(Tensor):
    """A tensor of which `vmap` shows one sample at a time.

    Example:
        >>> import edutorch as torch
        >>> torch.vmap(lambda x: x.sum())(torch.ones(2, 3))
        tensor([3., 3.])
    """

    __slots__ = ()
    _value: Tensor
    _levels: tuple[int, ...]
    _apart = False  # whether it is a copy of what should be a view

    @property  # type: ignore[misc]  # nobody sets it
    def requires_grad(self) -> bool:
        """Whether operations on the batch are recorded."""
        return self._value._requires_grad

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Tensors inside `vmap` get their history from the batch.

        Raises:
            RuntimeError: always.
        """
        raise forbid_fallback(
            RuntimeError(
                "You are attempting to call Tensor.requires_grad_() (or perhaps using "
                "torch.autograd.functional.* APIs) inside of a function being "
                "transformed by a functorch transform. This is unsupported, please "
                "attempt to use the functorch transforms (e.g. grad, vjp, jacrev, "
                "jacfwd, hessian) or call requires_grad_() outside of a function being "
                "transformed instead."
            )
        )

    def detach(self) -> Tensor:
        """The same values without history."""
        return batched(self._value.detach(), self._levels)

    @property
    def grad_fn(self) -> Any:
        """The node of the batch."""
        return self._value.grad_fn

    def item(self) -> NoReturn:
        """Always an error, since each sample has a different value.

        Raises:
            RuntimeError: always.
        """
        raise forbid_fallback(
            RuntimeError(
                "vmap: It looks like you're calling .item() on a Tensor. We don't "
                "support vmap over calling .item() on a Tensor, please try to rewrite "
                "what you're doing with other operations. If error is occurring "
                "somewhere inside PyTorch internals, please file a bug report."
            )
        )

    def __int__(self) -> NoReturn:
        self.item()

    __float__ = __complex__ = __index__ = __int__

    def __bool__(self) -> bool:
        raise forbid_fallback(
            RuntimeError(
                "vmap: It looks like you're attempting to use a Tensor in some "
                "data-dependent control flow. We don't support that yet, please file "
                "an issue at https://github.com/pytorch/pytorch/issues ."
            )
        )

    def storage_offset(self) -> int:
        """The position of the first sample's first element within the storage."""
        return self._value.storage_offset()

    def stride(self, dim: int | None = None) -> Any:
        """The strides of one sample, in elements."""
        steps = self._value.stride()[len(self._levels) :]
        return steps if dim is None else steps[self._dim(dim, "stride")]

    def data_ptr(self) -> NoReturn:
        """Always an error, since samples are at different addresses.

        Raises:
            RuntimeError: always.
        """
        raise forbid_fallback(
            RuntimeError(
                "Cannot access data pointer of Tensor that doesn't have storage"
            )
        )

    def numpy(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Always an error, as for `data_ptr`.

        Raises:
            RuntimeError: always.
        """
        self.data_ptr()

    tolist = __array__ = numpy
    untyped_storage = storage = _refuse

    @property  # type: ignore[override]  # it has no setter
    def data(self) -> NoReturn:
        """Always an error, as in PyTorch.

        Raises:
            RuntimeError: always.
        """
        raise forbid_fallback(
            RuntimeError("accessing `data` under vmap transform is not allowed")
        )

    @data.setter
    def data(self, value: Any) -> NoReturn:
        _refuse(value)


def forbid_fallback(error: Exception) -> Exception:
    """Mark an error that running sample by sample must not suppress."""
    error.in_vmap = True  # type: ignore[attr-defined]  # for `vmap`
    return error


def refuse_batched(message: str, *operands: Any) -> None:
    """Refuse tensors inside `vmap` in a function that gives one answer for all samples.

    Raises:
        RuntimeError: with PyTorch's message.
    """
    if any_batched(operands):
        raise forbid_fallback(RuntimeError(message))


def batched(value: Tensor, levels: tuple[int, ...]) -> Tensor:
    """A batched tensor over a value with one leading dimension per level."""
    if not levels:
        return value
    array = value._data
    hidden = _placeholder(array.shape[len(levels) :], array.dtype)
    tensor: Batched = bare_tensor(Batched, hidden, value._device)
    hidden.batch = value, levels
    tensor._value, tensor._levels = value, levels
    tensor._requires_grad = value._requires_grad
    return tensor


def any_batched(values: Any) -> bool:
    """Whether a tensor inside `vmap` is among the values."""
    return any(type(v) is Batched for v in values)


def expand_to_levels(t: Tensor, levels: tuple[int, ...]) -> Tensor:
    """The values of a tensor with a leading dimension for each of these levels."""
    value, own = (t._value, t._levels) if type(t) is Batched else (t, ())
    if own == levels:
        return value
    rest = value._data.shape[len(own) :]
    full = [active_vmaps.sizes[i] for i in levels]
    if own:  # the dimensions of other levels are inserted between
        level_sizes = [active_vmaps.sizes[i] if i in own else 1 for i in levels]
        value = value.reshape(*level_sizes, *rest)
    return value.expand(*full, *rest)


def common_levels(values: Iterable[Any]) -> tuple[int, ...]:
    """The levels at which any of the values differs from sample to sample.

    Example:
        >>> import edutorch as torch
        >>> common_levels([torch.ones(1), 2])
        ()
    """
    found = {v._levels for v in values if type(v) is Batched}
    if len(found) == 1:
        return found.pop()
    return tuple(sorted({level for levels in found for level in levels}))


def level_sizes(values: Iterable[Any]) -> tuple[int, ...]:
    """The sizes of the batches, outermost first, in which any of the values is."""
    return tuple(active_vmaps.sizes[level] for level in common_levels(values))


def batched_like(t: Tensor, others: Any) -> Tensor:
    """A tensor for each sample, if one of the others differs from sample to sample."""
    own, levels = getattr(t, "_levels", ()), common_levels((t, *others))
    return t if levels == own else batched(expand_to_levels(t, levels), levels)
