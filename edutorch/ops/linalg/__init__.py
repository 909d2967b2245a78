"""Linear algebra; `edutorch.linalg` has the public names.

- `cholesky_qr.py`, `lu.py`, `old_lu.py` (deprecated), `ldl.py`, `svd.py`, `eigen.py`,
  `householder.py`: factors.
- `inverse_solve.py` (and matrix powers), `triangular_solve.py`, `pinv_lstsq.py`,
  `tensor_inverse.py`: equations.
- `determinants.py`, `norms.py` (`norm`, matrix norms, `cond`), `matrix_exp.py`,
  `vector_products.py` (multi_dot, vecdot, cross, vander; others are in
  `edutorch/ops/matmul`).
- `lobpcg.py`, `lowrank.py`: a few eigenvalues or singular values.
- `ex_variants.py`: `inv_ex`, `cholesky_ex` ..., which report failures without raising.
- `lapack.py`: calls LAPACK. `triangular_parts.py`: triangles. `checks.py`: argument
  checks, and errors of singular or indefinite matrices. `replaced.py`: warnings of
  functions that newer ones have replaced.
"""

from .cholesky_qr import cholesky, cholesky_inverse, cholesky_solve, qr
from .determinants import det, logdet, slogdet
from .householder import geqrf, orgqr, ormqr
from .inverse_solve import inverse, matrix_power
from .lobpcg import lobpcg
from .lowrank import pca_lowrank, svd_lowrank
from .lu import lu_unpack
from .matrix_exp import matrix_exp
from .norms import frobenius_norm, norm, nuclear_norm
from .old_lu import old_lu as lu
from .old_lu import old_lu_solve as lu_solve
from .pinv_lstsq import pinverse
from .svd import old_svd as svd
from .triangular_solve import triangular_solve
from .vector_products import chain_matmul
from .vector_products import old_vander as vander

__all__ = [
    "chain_matmul",
    "cholesky",
    "cholesky_inverse",
    "cholesky_solve",
    "det",
    "frobenius_norm",
    "geqrf",
    "inverse",
    "lobpcg",
    "logdet",
    "lu",
    "lu_solve",
    "lu_unpack",
    "matrix_exp",
    "matrix_power",
    "norm",
    "nuclear_norm",
    "orgqr",
    "ormqr",
    "pca_lowrank",
    "pinverse",
    "qr",
    "slogdet",
    "svd",
    "svd_lowrank",
    "triangular_solve",
    "vander",
]
