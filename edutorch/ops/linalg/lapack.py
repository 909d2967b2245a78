"""Calls LAPACK so that arbitrary signs agree with PyTorch's.

# Note [Signs of singular vectors]
The sign of a pair of singular vectors is free: which one LAPACK returns depends on
every rounding and every reflection before. NumPy computes in double; in
PyTorch's way single precision stays single. Matrices with half as many rows again as
columns PyTorch's LAPACK first brings to a square one by QR, others only from 11/6 on.
Wide matrices it never brings to a square one, others do; rows of zeros, which make the
matrix nearly square, lead the direct way, too.

# Note [Signs of conjugate pairs]
A complex eigenvector is multiplied by the phase that makes its largest element real.
Since version 3.10 of LAPACK that keeps the sign of its real part; before, and in
PyTorch's double precision, it became positive unless the real part was negative and
larger than the imaginary one. Its sign before that is seen in the basis of the Schur
form, where the vector's first element of the pair's block is real, with a sign that the
block determines.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ...kernels.lazy_modules import LazyModule

__all__: list[str] = []

scipy_linalg = LazyModule("scipy.linalg")

MAX_PADDED_SIZE = 1 << 14  # elements; beyond this, rows of zeros would cost too much
MAX_SCHUR_ROWS = 64  # rows; signs in larger matrices are not worth a Schur form


def routine(name: str, x: Any) -> Any:
    """The LAPACK routine with this name for the dtype of `x`."""
    return _routine(name, x.dtype.char)


@functools.cache
def _routine(name: str, kind: str) -> Any:
    (found,) = scipy_linalg.get_lapack_funcs((name,), dtype=kind)
    return found


def as_matrix_list(x: Any) -> Any:
    """The stack of matrices as one list of matrices: (*, n, m) -> (b, n, m)."""
    return x.reshape(-1, *x.shape[-2:])


def column_major(x: Any) -> Any:
    """Matrices in column-major order, in which LAPACK and PyTorch leave results."""
    return x.swapaxes(-2, -1).copy().swapaxes(-2, -1)


def svd(x: Any, full: bool) -> tuple[Any, Any, Any]:
    """Singular vectors and values: see Note [Signs of singular vectors]."""
    _need_finite(x)
    way = _svd_driver(x)
    if way is None or not x.size:
        u, s, vh = np.linalg.svd(x, full_matrices=full)
        return u, s, vh
    found = [way(a, full) for a in as_matrix_list(x)]
    batch = x.shape[:-2]
    stacked = (np.stack(y) for y in zip(*found, strict=True))
    u, s, vh = (y.reshape(*batch, *y.shape[1:]) for y in stacked)
    return u, s, vh


def _need_finite(x: Any) -> None:
    """Raise for infinities and nan, with which LAPACK may never converge.

    Raises:
        LinAlgError: for matrices that have some, and more than two rows and columns.
    """
    large = type(x) is np.ndarray and min(x.shape[-2:]) > 2
    if large and not np.isfinite(x).all():
        raise np.linalg.LinAlgError("SVD did not converge")


def _svd_driver(x: Any) -> Any:
    """The LAPACK driver for one matrix of `x`; None to use NumPy's."""
    n, m = x.shape[-2:]
    real = x.dtype.kind == "f"
    if not isinstance(x, np.ndarray):
        return None
    if real and n > 1 and int(n * 11 / 6) <= m:
        return _svd_of_wide
    if real and m > 1 and int(m * 1.5) <= n < int(m * 11 / 6):
        return _svd_of_tall
    return _svd if x.dtype.itemsize == (4 if real else 8) else None


def _svd(a: Any, full: bool) -> Any:
    u, s, vh, info = routine("gesdd", a)(a, full_matrices=full)
    if info:
        raise np.linalg.LinAlgError("SVD did not converge")
    return u, s, vh


def _svd_of_tall(a: Any, full: bool) -> Any:
    m = a.shape[1]
    q, r = np.linalg.qr(a, "complete" if full else "reduced")
    u, s, vh = _svd(r[:m], full=False)
    return np.concatenate([q[:, :m] @ u, q[:, m:]], 1), s, vh


def _svd_of_wide(a: Any, full: bool) -> Any:
    plain = _svd(a, full)
    n, m = a.shape
    rows = -(-6 * (m + 1) // 11)  # the first number of which 11/6 exceed m
    s = plain[1]
    if rows * m > MAX_PADDED_SIZE or not s[-1] > s[0] * np.finfo(s.dtype).eps * 1e3:
        return plain
    padded = np.zeros((rows, m + (rows == m)), a.dtype)
    padded[:n, :m] = a
    u, s, vh = _svd(padded, full)
    if full:  # sorting by size, LAPACK has exchanged zeros with the values found
        zeros = rows - n
        order = [*range(n, zeros), *reversed(range(min(n, zeros)))]
        vh = np.concatenate([vh[:n], vh[n:rows][np.argsort(order)], vh[rows:]])
        vh = vh[np.abs(vh[:, m:]).sum(-1) < 0.5]  # the parts of this matrix
    return u[:n, :n], s[:n], vh[: m if full else n, :m]


def eig(x: Any) -> tuple[Any, Any]:
    """Eigenvalues and vectors: see Note [Signs of conjugate pairs]."""
    usual = x.dtype.kind == "c" or x.shape[-1] > MAX_SCHUR_ROWS or not x.size
    if usual or not isinstance(x, np.ndarray):
        kind = np.complex64 if x.dtype in (np.float32, np.complex64) else np.complex128
        w, v = np.linalg.eig(x)
        return w.astype(kind), column_major(v.astype(kind))
    found = [_eig(a) for a in as_matrix_list(x)]
    w, v = (np.stack(y) for y in zip(*found, strict=True))
    return w.reshape(x.shape[:-1]), v.reshape(x.shape)


def _eig(a: Any) -> Any:
    real, imaginary, _, packed, info = routine("geev", a)(a, compute_vl=0)
    if info:
        raise np.linalg.LinAlgError("Eigenvalues did not converge")
    v = packed + 0j
    pairs = np.flatnonzero(imaginary > 0)
    if pairs.size:
        # A conjugate pair of vectors lies in two columns: real part, imaginary part.
        v[:, pairs] += 1j * packed[:, pairs + 1]
        if a.dtype == np.float64:
            v[:, pairs] *= _pair_signs(a, v[:, pairs], pairs)
        v[:, pairs + 1] = v[:, pairs].conj()
    return real + 1j * imaginary, v


def _pair_signs(a: Any, v: Any, pairs: Any) -> Any:
    """1 for the first vector of each pair; -1 if it is to be negated."""
    balanced, _, _, scale, _ = routine("gebal", a)(a, permute=1, scale=1)
    t, _, _, _, basis, *_ = routine("gees", a)(lambda *_: None, balanced)
    signs = np.ones(len(pairs), v.real.dtype)
    for i, (j, x) in enumerate(zip(pairs, v.T, strict=True)):
        inner = np.vdot(x / scale, basis[:, j])  # conjugate of the block's element
        above, below = t[j, j + 1], t[j + 1, j]
        if abs(above) < abs(below) and below > 0:
            inner = -inner
        largest = np.argmax(np.abs(x))
        before = x[largest] * inner
        flips = before.real < 0 and abs(before.real) > abs(before.imag)
        signs[i] = np.sign(x[largest].real) * (-1 if flips else 1)
    return signs


def lu_factors(a: Any) -> tuple[Any, Any, int]:
    """L and U of one matrix in one array, the row swaps, and the first zero pivot."""
    if not a.size:
        return a, np.arange(0), 0
    packed, swaps, info = routine("getrf", a)(a)
    return packed, swaps, int(info)


def solve(a: Any, b: Any) -> tuple[Any, int]:
    """Solve linear equations; for a singular matrix, with inf and nan."""
    packed, swaps, info = lu_factors(a)
    y, _ = routine("getrs", packed)(packed, swaps, b)
    return y, info


def full_rank_least_squares(a: Any, b: Any) -> tuple[Any, int]:
    """The least squares solution by QR, and the first zero of R.

    LAPACK looks for an exact zero. Whether rounding leaves one depends on the order of
    a processor's additions, so elements as small as rounding errors count as zero.
    """
    n, m = a.shape
    rows = np.zeros((max(n, m), b.shape[1]), b.dtype)  # the solution overwrites b
    rows[:n] = b
    packed, y, info = routine("gels", a)(a, rows)
    sizes = np.abs(np.diagonal(packed))  # of R, or of L if there are more columns
    least = np.finfo(a.dtype).eps * max(n, m) * sizes.max(initial=0)
    zeros = np.flatnonzero(sizes <= least)
    return y[:m], int(zeros[0]) + 1 if zeros.size else int(info)


def least_squares(a: Any, b: Any, rcond: float | None, driver: str) -> Any:
    """The least squares solution of one matrix, with rank and singular values.

    Args:
        driver: "gelsy" (QR with exchanged columns, without singular values), "gelsd"
            or "gelss".
    """
    rcond = np.finfo(a.dtype).eps * max(a.shape) if rcond is None else rcond
    y, _, rank, s = scipy_linalg.lstsq(a, b, rcond, lapack_driver=driver)
    return y, rank, s


def cholesky(a: Any) -> tuple[Any, int]:
    """The lower triangle of one matrix, and the order of the minor that failed.

    A row with nan fails. Some of OpenBLAS's routines see it, others continue, and leave
    nan or zeros behind it: the remaining rows are restored, as LAPACK leaves them.
    """
    y, info = routine("potrf", a)(a, lower=1, clean=1)
    low = np.tril(a)
    unknown = np.flatnonzero(np.isnan(low).any(1) | np.isnan(np.diagonal(y)))
    if unknown.size and not 0 < info <= unknown[0]:
        order = int(unknown[0])
        low[:, :order] = y[:, :order]
        low[order, order] = np.nan
        return low, order + 1
    return y, int(info)
