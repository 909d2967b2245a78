"""Batching rules give the same results as a loop over the samples."""

from __future__ import annotations

import pytest

import edutorch
from edutorch.func import batched_dispatch, vmap_transform
from tests.func.cases import CASES


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """No function may fall back to running sample by sample."""

    def refuse(batch, error, state):
        raise AssertionError("the function went sample by sample") from error

    monkeypatch.setattr(vmap_transform._Batch, "_run_sample_by_sample", refuse)


@pytest.mark.parametrize("size", [1, 3])
def test_a_map_equals_a_loop(size):
    edutorch.manual_seed(0)
    for f, shape in CASES:
        x = edutorch.rand(size, *shape, dtype=edutorch.float64) + 0.1
        _compare(edutorch.vmap(f)(x), [f(v) for v in x])


def test_a_map_of_a_map_equals_two_loops():
    edutorch.manual_seed(0)
    for f, shape in CASES:
        x = edutorch.rand(2, 3, *shape, dtype=edutorch.float64) + 0.1
        found = edutorch.vmap(edutorch.vmap(f))(x)
        first = found[0] if isinstance(found, tuple) else found
        rows = [[f(v) for v in row] for row in x]
        several = isinstance(found, tuple)
        expected = [[v[0] if several else v for v in row] for row in rows]
        stacked = edutorch.stack([edutorch.stack(row) for row in expected])
        assert edutorch.allclose(first, stacked)


def _compare(found, rows):
    several = isinstance(found, tuple)
    for i, part in enumerate(found if several else (found,)):
        expected = [row[i] if several else row for row in rows]
        assert part.dtype is expected[0].dtype
        assert edutorch.allclose(part, edutorch.stack(expected))


def test_common_operations_have_rules(monkeypatch):
    def refuse(call, levels):
        raise AssertionError(f"{call.op.describe()} went sample by sample")

    monkeypatch.setattr(batched_dispatch, "_run_sample_by_sample", refuse)
    w = edutorch.ones(3, 3)

    def network(x):
        h = edutorch.nn.functional.linear(x, w).relu()
        h = (h - h.mean(-1, keepdim=True)) / (h.var() + 1).sqrt()
        h = edutorch.cat([h, x[None, 0].expand(3)])
        return h.reshape(2, 3).t().softmax(0).sum()

    edutorch.vmap(network)(edutorch.rand(4, 3))
    gradient = edutorch.func.grad(lambda w, x: (w @ x).tanh().sum())
    edutorch.vmap(gradient, (None, 0))(w, edutorch.rand(4, 3))


def test_places_by_strides_are_those_of_each_sample():
    x = edutorch.arange(12.0).reshape(3, 4)
    found = edutorch.vmap(lambda x: x.as_strided((2,), (2,), 1))(x)
    assert found.tolist() == [[1.0, 3.0], [5.0, 7.0], [9.0, 11.0]]
    crosswise = edutorch.vmap(lambda x: x.as_strided((2,), (3,)), in_dims=1)
    assert crosswise(edutorch.arange(8.0).reshape(4, 2)).shape == (2, 2)
    gradient = edutorch.func.grad(lambda x: (x.as_strided((2,), (2,), 1) ** 2).sum())
    assert edutorch.vmap(gradient)(x)[2].tolist() == [0.0, 18.0, 0.0, 22.0]


@pytest.mark.parametrize("offset", [None, 0, 3])
def test_places_outside_of_a_sample_are_refused(offset):
    x = edutorch.arange(12.0).reshape(3, 4)
    words = "can access memory outside of `tensor`"
    with pytest.raises(RuntimeError, match=words):
        edutorch.vmap(lambda x: x[1:].as_strided((4,), (1,), offset))(x)


def test_sums_of_products_have_the_shape_of_one_sample():
    x, a, b = (
        edutorch.rand(*shape) for shape in ((3, 2, 2), (3, 4, 2, 5), (3, 4, 5, 2))
    )
    found = edutorch.vmap(lambda *v: edutorch.addbmm(*v, beta=2, alpha=0.5))(x, a, b)
    rows = [edutorch.addbmm(*v, beta=2, alpha=0.5) for v in zip(x, a, b, strict=True)]
    assert edutorch.allclose(found, edutorch.stack(rows))


def test_one_running_mean_cannot_follow_many_batches():
    mean, var = edutorch.zeros(2), edutorch.ones(2)
    with pytest.raises(RuntimeError, match="were not batched"):
        edutorch.vmap(
            lambda x: edutorch.nn.functional.batch_norm(x, mean, var, training=True)
        )(edutorch.rand(3, 4, 2))
    assert mean.tolist() == [0.0, 0.0]
