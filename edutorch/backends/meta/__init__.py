"""The meta device: tensors with shapes, dtypes and strides, and without values."""

from .array import MetaArray, NoDataError, empty, like, no_data, no_item
from .backend import META, Meta

from . import functions, ufuncs  # noqa: F401  # isort: skip  # fill the tables

__all__ = [
    "META", "Meta", "MetaArray", "NoDataError", "empty", "like", "no_data", "no_item",
]  # fmt: skip
