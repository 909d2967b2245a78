"""The meta device: tensors with shapes, dtypes and strides, but no values.

- `array.py`: the array type, used in place of NumPy's.
- `backend.py`: the backend; its arrays cannot be copied to the host.
- `ufuncs.py`: the shapes and dtypes of elementwise functions, reductions and products.
  `functions.py`: those of NumPy's other functions.
"""

from .array import MetaArray, NoDataError, empty, like, no_data_error, no_item_error
from .backend import META, Meta

from . import functions, ufuncs  # noqa: F401  # isort: skip  # fill the tables

__all__ = [
    "META", "Meta", "MetaArray", "NoDataError", "empty", "like", "no_data_error",
    "no_item_error",
]  # fmt: skip
