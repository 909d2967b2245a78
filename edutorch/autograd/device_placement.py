"""Where results belong that were not computed on the CPU."""

from __future__ import annotations

from typing import Any

from ..backends.meta import META, MetaArray, NoDataError
from ..devices import device as Device
from ..tensor.storage import make_storage
from ..tensor.tensor import Tensor
from .op_errors import translated

__all__ = ["place"]

# Operations whose results' shapes depend on values, which the meta device refuses.
DATA_DEPENDENT = frozenset((
    "nonzero", "unique", "unique_consecutive", "bincount", "masked_select",
    "where_indices",
))  # fmt: skip


def place(op: Any, out: Tensor, device: Device) -> None:
    """Put a result on the books of the GPU that it was computed on.

    What was computed for the meta device keeps its shape alone.

    Raises:
        NotImplementedError: if the shape would depend on values that are not there.
    """
    out._device = device
    if device.type == "meta":
        if op.public in DATA_DEPENDENT:
            raise translated(op, (), NoDataError())
        if type(out._data) is not MetaArray:
            out._data = (META.view if op.is_view else META.keep)(out._data)
    if not op.is_view:
        out._storage = make_storage(out._data, device)
