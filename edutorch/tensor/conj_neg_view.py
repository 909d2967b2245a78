"""Views whose elements are conjugated or negated when read."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels.memory_format import match_strides
from .geometry import Geometry
from .tensor import Tensor, bare_tensor, in_memory

__all__ = ["ConjNegView", "view_with_history", "in_memory", "conj_neg_tensor"]

_put: Any = Tensor.__dict__["_data"].__set__
SPARE = 8  # memory is copied with its gaps while those are not larger than this


class ConjNegView(Tensor):
    """A view of complex numbers that shows their conjugates, or of numbers negated.

    Its memory holds the numbers themselves; `in_memory(view)` is the array of them.
    Whoever reads `_data` gets a copy with what is left to be done, done. So all ops
    work on it; those that look at other elements of the memory, or write to it, ask
    for the kind.
    """

    __slots__ = ()

    @property  # a slot of Tensor's
    def _data(self) -> Any:
        return self.resolved(in_memory(self))

    @_data.setter
    def _data(self, array: Any) -> None:
        _put(self, array)

    def resolved(self, array: Any) -> Any:
        """Conjugated and negated as this view is: from memory, or back to it."""
        if not isinstance(array, np.ndarray):  # CuPy's functions know what to do
            array = array.conj() if self._conjugated else array
            return -array if self._negated else array
        made = _empty_like_with_gaps(array)
        if self._conjugated:
            array = np.conjugate(array, out=made)
        if self._negated:
            made[...] = -array  # see Note [Negatives with strides]
            return made
        return array

    def numpy(self, *, force: bool = False) -> Any:
        """The elements as an array, which is a copy: only by force.

        Raises:
            RuntimeError: without `force`.
        """
        if not force:
            name = "conj" if self._conjugated else "neg"
            bit = "conjugate" if self._conjugated else "negative"
            raise RuntimeError(
                f"Can't call numpy() on Tensor that has {bit} bit set. Use "
                f"tensor.resolve_{name}().numpy() instead."
            )
        return super().numpy(force=True)

    @property
    def data(self) -> Tensor:
        """The same memory without history; backward does not notice its changes."""
        made: Tensor = conj_neg_tensor(in_memory(self), self)
        made._storage = self.untyped_storage().sibling()
        return made

    @data.setter
    def data(self, value: Tensor) -> None:
        itself: Any = self
        itself.__class__ = Tensor  # nothing is left to be done
        itself.data = value


ConjNegView.__name__ = ConjNegView.__qualname__ = "Tensor"
ConjNegView.__module__ = Tensor.__module__


# Note [Negatives with strides]
# NumPy 2.4's `negative(x, out=y)` reads wrong elements where neither array is
# contiguous and those of `x` are 64 bytes apart (16 for single precision).


def _empty_like_with_gaps(x: Any) -> Any:
    """New memory for an array, with the same strides where they leave small gaps."""
    if 0 in x.strides:
        return np.empty_like(match_strides(x, x))
    cells = Geometry.of(x).at(0)
    if cells.dense() or not x.size or cells.reach > SPARE * x.size:
        return np.empty_like(x)
    return cells.view_of(np.empty(cells.reach, x.dtype))


def conj_neg_tensor(array: Any, like: Tensor, flipped: str = "") -> Any:
    """A tensor over memory that is read as `like` is, but for what is flipped.

    Args:
        flipped: "conj" or "neg".
    """
    conjugated = like._conjugated != (flipped == "conj")
    negated = like._negated != (flipped == "neg")
    kind = ConjNegView if conjugated or negated else Tensor
    made = bare_tensor(kind, array, like._device)
    if conjugated or negated:
        made._conjugated, made._negated = conjugated, negated
    return made


def view_with_history(view: ConjNegView, tensor: Tensor) -> ConjNegView:
    """A lazy view like `view`, with the place in the graph of another tensor."""
    made = conj_neg_tensor(in_memory(view), view)
    for name in ("_requires_grad", "_grad_fn", "_output_nr", "_storage", "_base"):
        setattr(made, name, getattr(tensor, name))
    made._views, made._seen = tensor._views, tensor._seen
    return made


def _define_without_reading(name: str) -> None:
    """An attribute that does not depend on the values, without reading them."""
    attribute: Any = getattr(Tensor, name)
    if isinstance(attribute, property):
        ask = attribute.fget

        def answer(self: ConjNegView) -> Any:
            return ask(_memory_tensor(self))  # type: ignore[misc]  # it has a getter

        made: Any = property(answer, doc=attribute.__doc__)
    else:

        def made(self: ConjNegView, *args: Any, **kwargs: Any) -> Any:
            return attribute(_memory_tensor(self), *args, **kwargs)

        made.__name__, made.__doc__ = name, attribute.__doc__
    setattr(ConjNegView, name, made)


def _memory_tensor(view: ConjNegView) -> Tensor:
    made: Tensor = bare_tensor(Tensor, in_memory(view), view._device)
    made._storage = view._storage
    return made


for _name in (
    "shape", "dtype", "ndim", "itemsize", "nbytes", "size", "dim", "ndimension",
    "numel", "nelement", "element_size", "stride", "storage_offset", "is_contiguous",
    "data_ptr", "is_floating_point", "is_complex", "is_signed",
):  # fmt: skip
    _define_without_reading(_name)
