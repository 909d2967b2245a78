"""complex32: pairs of 16-bit floats, with few operations.

PyTorch's CPU has few kernels for this dtype. They compute in complex64 and round once,
like those of 16-bit floats; for all other ops, the error names the missing kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..tensor.complex_parts import COMPLEX32
from .float8 import refuse_dtype
from .node import Op

__all__ = ["forward_complex32"]

WIDE = np.dtype(np.complex64)
ROUNDED = {WIDE: COMPLEX32, np.dtype(np.float32): np.dtype(np.float16)}

COMPUTED = {
    "abs", "add", "add_scaled", "addcmul", "all", "any", "as_strided_scatter",
    "block_diag", "border_pad", "conj_physical", "constant_pad", "conv1d", "conv2d",
    "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d",
    "copy_slices", "count_nonzero", "diag_embed", "diagonal_copy", "dist", "distance",
    "eq", "index_add", "index_copy", "index_fill", "isclose", "isfinite", "isinf",
    "isnan", "isreal", "masked_fill", "masked_select", "mul", "ne", "neg", "nonzero",
    "outer", "rsub", "sgn", "std", "sub", "to_dense", "to_sparse", "tril", "triu",
    "unsafe_split", "var", "vector_norm", "widen",
}  # fmt: skip
STORED = {"normal", "uniform"}  # what draws pairs of halves
KERNELS = {  # PyTorch's, where they are not named as the function
    "addbmm": "addmm_impl_cpu_", "addcdiv": "addcdiv_cpu_out",
    "addmm": "addmm_impl_cpu_", "addmv": "addmv_impl_cpu", "baddbmm": "baddbmm",
    "bmm": "bmm", "channel_shuffle": "channel_shuffle", "cholesky_ex": "cholesky_cpu",
    "cross": "cross", "cumprod": "cumprod_out_cpu", "cumsum": "cumsum_out_cpu",
    "det": "lu_cpu", "dot": "dot", "eig": "linalg_eig_out_cpu",
    "eigh": "linalg_eigh_cpu", "eigvals": "linalg_eig_out_cpu",
    "eigvalsh": "linalg_eigh_cpu", "exp2": "exp2",
    "gather": "scatter_gather_tensor_cpu", "ldexp": "pow",
    "ldl_factor": "ldl_factor_kernel_cpu", "ldl_solve": "ldl_solve_kernel_cpu",
    "lerp": "lerp_kernel_scalar", "linear": "addmm_impl_cpu_",
    "logcumsumexp": "logcumsumexp_out_cpu", "logsumexp": "exp_vml_cpu",
    "lu_factor": "lu_cpu", "masked_scatter": "masked_scatter",
    "matmul": "addmm_impl_cpu_", "matrix_exp": "bmm", "mean": "sum_cpu",
    "pixel_shuffle": "pixel_shuffle", "pixel_unshuffle": "pixel_unshuffle",
    "pow": "pow", "prod": "prod_out_cpu", "qr": "geqrf_cpu", "rot90": "flip_cpu",
    "scatter": "scatter_gather_tensor_cpu", "scatter_add": "scatter_gather_tensor_cpu",
    "solve": "lu_cpu", "solve_ex": "lu_cpu",
    "solve_triangular": "triangular_solve_cpu", "square": "pow",
    "svd": "linalg_svd_cpu", "svdvals": "linalg_svd_cpu", "trace": "trace",
    "unfold": "im2col_out_cpu", "vdot": "vdot",
}  # fmt: skip


def forward_complex32(op: Op, arrays: Any) -> Any:
    """Run `op.forward`: on what is stored, or in single precision with one rounding.

    Raises:
        NotImplementedError: with PyTorch's name of the kernel that is missing.
    """
    if op.public not in COMPUTED:
        if op.takes_float8 or op.is_view or op.public in STORED:
            return op.forward(*arrays)
        refuse_dtype(op, dtypes.complex32, KERNELS)
    y = op.forward(*[_wide(x) for x in arrays])
    if isinstance(y, (tuple, list)):
        return tuple([_rounded(z) for z in y])
    return _rounded(y)


def _wide(x: Any) -> Any:
    return x.astype(WIDE) if getattr(x, "dtype", None) == COMPLEX32 else x


def _rounded(y: Any) -> Any:
    narrow = ROUNDED.get(y.dtype) if hasattr(y, "dtype") else None
    with np.errstate(all="ignore"):
        return y if narrow is None else y.astype(narrow)
