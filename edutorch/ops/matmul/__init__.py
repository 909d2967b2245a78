"""Products of matrices and vectors.

- `matrix_products.py`: matmul, mm. `batched_products.py`: bmm.
  `vector_products.py`: mv, dot, outer.
- `linear.py`: the affine map of a layer. `addmm_family.py`: addmm, addmv, baddbmm ...
  `addr.py`: a matrix plus an outer product. `inplace.py`: what is required of a tensor
  that such a sum replaces.
- `einsum.py`. `bilinear.py`. `contractions.py`: tensordot, kron, cdist, and
  `torch.cross`; `torch.linalg.cross` is in `edutorch/ops/linalg/vector_products.py`.
- `euclidean.py`: the distances of cdist. `covariance.py`: cov, corrcoef.
- `array_products.py`: products of arrays. `checks.py`: argument checks.
"""

from . import addmm_family, contractions, covariance, matrix_products, vector_products
from .addmm_family import *
from .addr import addr
from .batched_products import bmm
from .bilinear import bilinear
from .contractions import *
from .covariance import *
from .einsum import einsum
from .linear import linear as linear  # public in `nn.functional` only
from .matrix_products import *
from .vector_products import *

__all__ = (
    contractions.__all__
    + covariance.__all__
    + matrix_products.__all__
    + addmm_family.__all__
    + vector_products.__all__
    + ["addr", "bilinear", "bmm", "einsum"]
)
