"""Sparse arrays: what stands in a sparse tensor where a dense one has a NumPy array."""

from . import arithmetic, products, reductions
from .array import SparseArray, UnsupportedError
from .compressed import Compressed, compress
from .coo import Coo, empty_coo, from_dense, numbered

__all__ = [
    "Compressed", "Coo", "SparseArray", "UnsupportedError", "arithmetic", "compress",
    "empty_coo", "from_dense", "numbered", "products", "reductions",
]  # fmt: skip
