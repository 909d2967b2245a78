"""Sparse tensors: making them, converting them, products, sums, softmax."""

from . import create, products
from . import properties as properties  # attaches methods
from . import to_dense as to_dense
from . import to_sparse as to_sparse
from .create import *  # noqa: F403
from .products import *  # noqa: F403

__all__ = create.__all__ + products.__all__
