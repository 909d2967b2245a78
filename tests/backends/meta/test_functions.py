"""Shapes and dtypes of NumPy's functions on arrays without values."""

from __future__ import annotations

import numpy as np
import pytest

from edutorch.backends.meta.array import meta_like

A = np.ones((3, 4), np.float32)
S = np.eye(3, dtype=np.float32)[None].repeat(2, 0)
CASES = {
    "concatenate": lambda a: np.concatenate([a, a.astype(np.float64)], 1),
    "concatenate flat": lambda a: np.concatenate([a, a], None),
    "where": lambda a: np.where(a > 0, a.T.T, 0.0),
    "dot": lambda a: np.dot(a, a.T),
    "matmul": lambda a: np.matmul(a[None], a.T),
    "inner": lambda a: np.inner(a, a),
    "einsum": lambda a: np.einsum("ij,kj->ik", a, a),
    "einsum implicit": lambda a: np.einsum("...i,ij", a, np.ones((4, 2))),
    "take": lambda a: np.take(a, [0, 0, 1], 1),
    "take flat": lambda a: np.take(a, [[0], [1]]),
    "take along": lambda a: np.take_along_axis(a, np.zeros((3, 1), int), 1),
    "repeat": lambda a: np.repeat(a, 3, 0),
    "repeat each": lambda a: a.repeat([1, 2, 3], 0),
    "pad": lambda a: np.pad(a, ((1, 2), (0, 3))),
    "sort": lambda a: np.sort(a, 0),
    "argsort": lambda a: a.argsort(0),
    "argmax": lambda a: a.argmax(1, keepdims=True),
    "sum": lambda a: a.sum((0, 1), keepdims=True),
    "any": lambda a: np.any(a, 0),
    "mean": lambda a: a.mean(0),
    "var": lambda a: a.var(1, ddof=1),
    "max": lambda a: np.max(a, 1),
    "cumsum": lambda a: np.cumsum(a, 1),
    "cumsum bool": lambda a: (a > 0).cumsum(),
    "divmod": lambda a: np.divmod(a, 2)[1],
    "ldexp": lambda a: np.ldexp(a, np.int32(2)),
    "outer": lambda a: np.add.outer(a, a),
    "searchsorted": lambda a: np.searchsorted(a[0], a, "right"),
    "bincount": lambda a: np.bincount(a.reshape(-1).astype(int), minlength=9),
    "histogram": lambda a: np.histogram(a, 5)[1],
    "broadcast_to": lambda a: np.broadcast_to(a, (2, 3, 4)),
    "flip": lambda a: np.flip(a, 0).copy(),
    "roll": lambda a: np.roll(a, 1, 0),
    "tile": lambda a: np.tile(a, (2, 2)),
    "stack": lambda a: np.stack([a, a], 1),
    "median": lambda a: np.median(a.astype(float), 0),
    "isclose": lambda a: np.isclose(a, a),
    "svd": lambda a: np.linalg.svd(a, full_matrices=False)[2],
    "svd values": lambda a: np.linalg.svd(a, compute_uv=False),
    "qr": lambda a: np.linalg.qr(a)[0],
    "eigh": lambda a: np.linalg.eigh(a @ a.T)[0],
    "inv": lambda a: np.linalg.inv(meta_like(S) if type(a) is not np.ndarray else S),
    "det": lambda a: np.linalg.det(meta_like(S) if type(a) is not np.ndarray else S),
    "slogdet": lambda a: np.linalg.slogdet(meta_like(S) if type(a) is not np.ndarray else S)[1],
    "solve": lambda a: np.linalg.solve(S if type(a) is np.ndarray else meta_like(S), a[:, :2]),
    "fft": lambda a: np.fft.rfft(a, axis=1),
    "real": lambda a: a.astype(np.complex64).real,
    "zeros_like": lambda a: np.zeros_like(a.T, int),
    "full_like": lambda a: np.full_like(a, 3),
    "flatten": lambda a: a.T.flatten(),
    "reshape": lambda a: a.T.reshape(2, -1),
    "count": lambda a: np.count_nonzero(a, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_rules_give_numpys_shapes_and_dtypes(name):
    expected = CASES[name](A)
    found = CASES[name](meta_like(A))
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype


def test_plain_arrays_are_really_written_to():
    y = np.ones((3, 4), np.float32)
    np.copyto(y, meta_like(A))
    assert y.sum() == 0
    np.add(meta_like(A), 2, out=y)
    assert y.sum() == 24


def test_reductions_of_nothing_are_refused_as_by_numpy():
    with pytest.raises(ValueError, match="zero-size array"):
        meta_like(np.zeros((0, 3))).max(0)


def test_shapes_that_do_not_fit_are_refused_as_by_numpy():
    x, y = meta_like(np.zeros((2, 3))), meta_like(np.zeros((2, 4)))
    with pytest.raises(ValueError, match="must match exactly"):
        np.concatenate([x, y])
    with pytest.raises(ValueError, match="not aligned"):
        np.dot(x, y)
    assert np.concatenate([x, y], 1).shape == (2, 7)


def test_arrays_like_a_transposed_one_are_row_major_if_asked():
    x = meta_like(np.zeros((2, 3), np.float32).T)
    assert np.empty_like(x).strides == x.strides
    assert np.empty_like(x, order="C").strides == (8, 4)
