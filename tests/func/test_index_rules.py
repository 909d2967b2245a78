"""Indices inside vmap: on the whole batch, or refused."""

from __future__ import annotations

import pytest

import edutorch
from edutorch import func
from edutorch.func import batched_dispatch

X = edutorch.arange(24.0).reshape(2, 3, 4)
INDEX = edutorch.tensor([[0, 2, 1], [2, 2, 0]])


@pytest.fixture
def no_loops(monkeypatch):
    """No operation may run sample by sample."""

    def refuse(call, levels):
        raise AssertionError(f"{call.op.describe()} went sample by sample")

    monkeypatch.setattr(batched_dispatch, "_run_sample_by_sample", refuse)


CASES = [
    (lambda x, i: x[i], (0, 0)), (lambda x, i: x[i], (0, None)),
    (lambda x, i: x[:, i], (0, None)), (lambda x, i: x[i % 2], (None, 0)),
    (lambda x, i: x[i % 2, i], (None, 0)), (lambda x, i: x[i, i], (0, 0)),
    (lambda x, i: x[i[:, None], i], (0, 0)), (lambda x, i: x[i[None], i[:, None]], (0, None)),
    (lambda x, i: x.index_select(1, i), (0, None)),
]  # fmt: skip


@pytest.mark.parametrize(("f", "dims"), CASES)
def test_indices_and_their_gradients_equal_loops(f, dims, no_loops):
    rows = [
        (X if dims[0] is None else X[k], INDEX[0] if dims[1] is None else INDEX[k])
        for k in range(2)
    ]
    operands = X, INDEX[0] if dims[1] is None else INDEX

    def loss(x, i):
        return (f(x, i) ** 2).sum()

    for g in (f, func.grad(loss), func.jacrev(f)):
        found = edutorch.vmap(g, in_dims=dims)(*operands)
        wanted = edutorch.stack([g(x, i) for x, i in rows])
        assert edutorch.equal(found, wanted)


REFUSED = [
    (lambda x: x.nonzero(), "dynamic shape. Attempted to vmap over aten::nonzero"),
    (lambda x: x.unique(), "dynamic shape. Attempted to vmap over aten::_unique2"),
    (lambda x: x[x > 2], "indexing with a boolean mask"),
    (lambda x: X[x > 2], "indexing with a boolean mask"),
    (lambda x: x.masked_select(x > 2), "vmap over `mask` in torch.masked_select"),
]


@pytest.mark.parametrize(("f", "words"), REFUSED)
def test_results_of_any_length_are_refused(f, words):
    with pytest.raises(RuntimeError, match=words):
        edutorch.vmap(f)(X)


def test_a_mask_that_all_samples_share_selects():
    found = edutorch.vmap(lambda x: x.masked_select(X[0] > 5))(X)
    assert found.shape == (2, 6)


def test_rows_of_one_length_can_be_found():
    x = edutorch.tensor([[0.0, 2.0], [3.0, 0.0]])
    assert edutorch.vmap(edutorch.argwhere)(x).tolist() == [[[1]], [[0]]]
    found = edutorch.vmap(lambda x: edutorch.nonzero_static(x, size=2))(x)
    assert found.tolist() == [[[1], [-1]], [[0], [-1]]]


WRITERS = [
    lambda x, v: edutorch.select_scatter(x, v, 0, 1),
    lambda x, v: edutorch.slice_scatter(x, v[None], 0, 0, 1),
    lambda x, v: edutorch.diagonal_scatter(x, v[:3]),
    lambda x, v: edutorch.index_put(x, (edutorch.tensor([1]),), v),
    lambda x, v: x.put(edutorch.tensor([1, 5]), v[:2]),
]


@pytest.mark.parametrize("f", WRITERS)
def test_copies_with_a_part_replaced_may_differ_where_their_input_does_not(f):
    values = edutorch.arange(8.0).reshape(2, 4)
    found = edutorch.vmap(f, (None, 0))(X[0], values)
    assert edutorch.equal(found, edutorch.stack([f(X[0], v) for v in values]))
