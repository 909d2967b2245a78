"""The meta device: tensors with shapes, dtypes and strides, and without values.

- `array.py`: the array, which stands in a tensor where NumPy's would.
- `backend.py`: the backend: arrays are made there, none comes back.
- `ufuncs.py`, `functions.py`: what NumPy's functions give: elementwise ones, reductions
  and products; all others.
"""

from .array import MetaArray, NoDataError, empty, like, no_data_error, no_item_error
from .backend import META, Meta

from . import functions, ufuncs  # noqa: F401  # isort: skip  # fill the tables

__all__ = [
    "META", "Meta", "MetaArray", "NoDataError", "empty", "like", "no_data_error",
    "no_item_error",
]  # fmt: skip
