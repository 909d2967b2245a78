"""Linear algebra, as `torch.linalg`."""

from __future__ import annotations

from .ops.linalg.checks import LinAlgError
from .ops.linalg.cholesky_qr import linalg_cholesky as cholesky
from .ops.linalg.cholesky_qr import linalg_qr as qr
from .ops.linalg.determinants import linalg_det as det
from .ops.linalg.determinants import linalg_slogdet as slogdet
from .ops.linalg.eigen import eig, eigh, eigvals, eigvalsh
from .ops.linalg.ex_variants import cholesky_ex, inv_ex, solve_ex
from .ops.linalg.householder import householder_product
from .ops.linalg.inverse_solve import inv, matrix_power, solve
from .ops.linalg.ldl import ldl_factor, ldl_factor_ex, ldl_solve
from .ops.linalg.lu import lu, lu_factor, lu_factor_ex, lu_solve
from .ops.linalg.matrix_exp import matrix_exp
from .ops.linalg.norms import cond, matrix_norm
from .ops.linalg.norms import linalg_norm as norm
from .ops.linalg.pinv_lstsq import lstsq, matrix_rank, pinv
from .ops.linalg.svd import svd, svdvals
from .ops.linalg.tensor_inverse import tensorinv, tensorsolve
from .ops.linalg.triangular_solve import solve_triangular
from .ops.linalg.vector_products import cross, diagonal, multi_dot, vander, vecdot
from .ops.matmul.matrix_products import matmul
from .ops.reduce.norms import vector_norm

__all__ = [
    "LinAlgError",
    "cholesky",
    "cholesky_ex",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "householder_product",
    "inv",
    "inv_ex",
    "ldl_factor",
    "ldl_factor_ex",
    "ldl_solve",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "lu_solve",
    "matmul",
    "matrix_exp",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "multi_dot",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_ex",
    "solve_triangular",
    "svd",
    "svdvals",
    "tensorinv",
    "tensorsolve",
    "vander",
    "vecdot",
    "vector_norm",
]
