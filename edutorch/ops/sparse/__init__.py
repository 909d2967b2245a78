"""Sparse tensors: creation, conversion, products, sums, softmax.

- `create.py`: from positions and values. `to_sparse.py`: conversion to a
  sparse layout. `to_dense.py`: to_dense, values, coalesce, sparse_mask.
- `properties.py`: indices, nnz, sparse_dim ...
- `validation.py`: checks of their invariants.
- `products.py`, `mm_reduce.py`, `reduce.py`: products, sums, softmax.
- `gradcheck.py`: `gradcheck` for functions of sparse tensors.

The arrays behind them are in `edutorch/backends/sparse`.
"""

from . import create, products
from . import properties as properties  # attaches methods
from . import to_dense as to_dense
from . import to_sparse as to_sparse
from .create import *
from .products import *

__all__ = create.__all__ + products.__all__
