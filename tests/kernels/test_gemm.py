"""OpenBLAS's `gemm` adds the bias; arrays that it cannot read are left to NumPy."""

from __future__ import annotations

from importlib import import_module
from itertools import product

import numpy as np
import pytest

import edutorch as torch
from edutorch.backends.openblas import library
from edutorch.backends.threads import blas_threads
from edutorch.kernels import gemm
from edutorch.kernels.gemm import affine

RNG = np.random.default_rng(0)
needs_gemm = pytest.mark.skipif(
    not any(hasattr(library(), name.format("s")) for name in gemm.NAMES),
    reason="NumPy computes products with another library",
)


def operands(n=37, m=29, k=11, dtype=np.float64):
    return [RNG.standard_normal(s).astype(dtype) for s in ((n, k), (m, k), (m,))]


@needs_gemm
@pytest.mark.parametrize(
    ("n", "m", "k"), list(product((1, 37, 300), (1, 29), (1, 11, 700)))
)
def test_affine_is_the_product_plus_the_bias(n, m, k):
    for dtype, eps in ((np.float64, 1e-12), (np.float32, 1e-4)):
        x, w, b = operands(n, m, k, dtype)
        before = [a.copy() for a in (x, w, b)]
        y = affine(x, w, b)
        assert y.shape == (n, m)
        assert y.dtype == dtype
        np.testing.assert_allclose(y, x @ w.T + b, rtol=eps, atol=eps)
        assert all((a == c).all() for a, c in zip((x, w, b), before, strict=True))


@needs_gemm
def test_affine_of_special_values_is_that_of_numpy():
    x, w, b = operands()
    x[3, 2], w[5, 1], b[:4] = np.nan, np.inf, (np.nan, np.inf, -np.inf, 0)
    np.testing.assert_allclose(affine(x, w, b), x @ w.T + b, rtol=1e-12)


@needs_gemm
def test_number_of_threads_changes_no_bit():
    x, w, b = operands(301, 257, 133, np.float32)
    found = []
    for threads in (1, 2, 3):
        with blas_threads(threads):
            found.append(affine(x, w, b).tobytes())
    assert found[0] == found[1] == found[2]


def unaligned(a):
    bytes_ = np.zeros(a.nbytes + 1, np.uint8)[1:]
    bytes_[:] = a.reshape(-1).view(np.uint8)
    return bytes_.view(a.dtype).reshape(a.shape)


UNREADABLE = {
    "transposed rows": lambda x, w, b: (np.asfortranarray(x), w, b),
    "transposed weight": lambda x, w, b: (x, np.asfortranarray(w), b),
    "rows of every other": lambda x, w, b: (x[::2], w, b),
    "unaligned": lambda x, w, b: (unaligned(x), w, b),
    "other byte order": lambda *all_: [a.astype(">f8") for a in all_],
    "other dtype of bias": lambda x, w, b: (x, w, b.astype("f4")),
    "integers": lambda *all_: [a.astype(int) for a in all_],
    "complex": lambda *all_: [a.astype(complex) for a in all_],
    "columns": lambda x, w, b: (x, w, b[:, None]),
    "short bias": lambda x, w, b: (x, w, b[:-1]),
    "short weight": lambda x, w, b: (x, np.ascontiguousarray(w[:, 1:]), b),
    "no products": lambda x, w, b: (x[:, :0], w[:, :0], b),
    "no weight": lambda x, w, b: (x, None, b),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_affine_of_what_gemm_cannot_read_is_none(name):
    assert affine(*UNREADABLE[name](*operands())) is None


def test_affine_in_plain_mode_and_without_openblas_is_none(monkeypatch):
    with torch.config.kernels("plain"):
        assert affine(*operands()) is None
    monkeypatch.setattr(gemm, "library", object)
    gemm._gemm_function.cache_clear()
    assert affine(*operands()) is None
    gemm._gemm_function.cache_clear()


@needs_gemm
def test_linear_of_many_rows_has_its_bias_added_by_gemm(monkeypatch):
    calls = []
    monkeypatch.setattr(
        import_module("edutorch.ops.matmul.linear"),
        "affine",
        lambda *a: calls.append(a) or affine(*a),
    )
    x, w, b = map(torch.from_numpy, operands(gemm.MIN_SIZE // 64, 64, 8))
    y = torch.nn.functional.linear(x.reshape(4, -1, 8), w, b)
    torch.nn.functional.linear(x[:-1], w, b)  # too small
    torch.nn.functional.linear(x, w)
    assert len(calls) == 1
    with torch.config.kernels("plain"):
        expected = torch.nn.functional.linear(x, w, b).reshape(4, -1, 64)
    torch.testing.assert_close(y, expected)
