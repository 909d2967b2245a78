"""Sparse arrays: the data of sparse tensors, in place of NumPy arrays.

- `array.py`: the base class of all formats, which implements NumPy's functions.
- `coo.py`: COO: a list of positions, and a value for each.
- `compressed.py`: CSR and CSC. `blocks.py`: BSR and BSC.
- `arithmetic.py`: elementwise functions, over the positions of both operands.
  `products.py`: matrix products. `reductions.py`: sums over dimensions, softmax.
"""

from . import arithmetic, products, reductions
from .array import SparseArray, UnsupportedError
from .blocks import Blocks, compressed_array, gather_blocks
from .compressed import Compressed, compress
from .coo import Coo, empty_coo, from_dense, linear_indices

__all__ = [
    "Blocks", "Compressed", "Coo", "SparseArray", "UnsupportedError", "arithmetic",
    "compress", "compressed_array", "empty_coo", "from_dense", "gather_blocks",
    "linear_indices", "products", "reductions",
]  # fmt: skip
