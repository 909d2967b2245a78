"""Linear algebra; `edutorch.linalg` gives it its public names."""

from .determinants import det, logdet, slogdet
from .exponential import matrix_exp
from .factorings import cholesky, cholesky_inverse, cholesky_solve, qr
from .inverses import inverse, matrix_power
from .lobpcg import lobpcg
from .lowrank import pca_lowrank, svd_lowrank
from .lu_factors import lu_unpack
from .lu_factors import old_lu as lu
from .lu_factors import old_lu_solve as lu_solve
from .norms import frobenius_norm, norm, nuclear_norm
from .pseudo import pinverse
from .reflections import geqrf, orgqr, ormqr
from .singular import old_svd as svd
from .triangular import triangular_solve
from .vectors import old_vander as vander

__all__ = [
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
