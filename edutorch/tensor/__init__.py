"""The tensor: data, storage, version, views and printing."""

from .size import Size
from .storage import Storage
from .tensor import Tensor, wrap

__all__ = ["Size", "Storage", "Tensor", "wrap"]
