"""Linear algebra; `edutorch.linalg` gives it its public names."""

from .factorings import cholesky, cholesky_inverse, cholesky_solve, qr
from .inverses import det, inverse, logdet, matrix_power, slogdet, triangular_solve
from .lu_factors import lu_unpack
from .lu_factors import old_lu_solve as lu_solve
from .norms import norm
from .pseudo import pinv as pinverse
from .spectra import old_svd as svd

__all__ = [
    "cholesky",
    "cholesky_inverse",
    "cholesky_solve",
    "det",
    "inverse",
    "logdet",
    "lu_solve",
    "lu_unpack",
    "matrix_power",
    "norm",
    "pinverse",
    "qr",
    "slogdet",
    "svd",
    "triangular_solve",
]
