"""Ops used in gradients run on a whole batch of gradients."""

from __future__ import annotations

import pytest

import edutorch
from edutorch import func
from edutorch.func import batched_dispatch

F = edutorch.nn.functional
W = edutorch.linspace(-1, 1, 12, dtype=edutorch.float64).reshape(3, 4)
INDEX = edutorch.tensor([[0, 2, 1, 0], [1, 1, 0, 2]])

CASES = [
    (lambda x: x[1:, ::2] ** 2, (3, 4)), (lambda x: x[:, 1] ** 2, (3, 4)),
    (lambda x: F.leaky_relu(x - 0.5) ** 2, (3, 4)), (lambda x: x.softmax(0) ** 2, (3, 4)),
    (lambda x: x.log_softmax(-1) ** 2, (3, 4)), (lambda x: x.cumsum(1) ** 2, (3, 4)),
    (lambda x: x.max(0)[0] ** 2, (3, 4)), (lambda x: x.diagonal(1) ** 2, (3, 4)),
    (lambda x: x.unbind(0)[1] ** 2, (3, 4)), (lambda x: x.split(2, 1)[1] ** 2, (3, 4)),
    (lambda x: _selected(x), (3, 4)), (lambda x: x.gather(0, INDEX) ** 2, (3, 4)),
    (lambda x: F.pad(x, (1, 2), "reflect") ** 2, (3, 4)),
    (lambda x: F.pad(x, (1, 2), "circular") ** 2, (3, 4)),
    (lambda x: x.repeat(2, 1, 2) ** 2, (3, 4)), (lambda x: x.diag_embed() ** 2, (3,)),
    (lambda x: F.hardtanh(x, 0.2, 0.7) ** 2, (3, 4)), (lambda x: (W @ x) ** 2, (4,)),
    (lambda x: (x @ W) ** 2, (3,)), (lambda x: (W @ x) ** 2, (4, 2)),
    (lambda x: (W[:, None] @ x) ** 2, (3, 4, 2)), (lambda x: W.mv(x) ** 2, (4,)),
    (lambda x: (x @ W[:, :, None]) ** 2, (3, 1, 4)),
    (lambda x: x.T.mv(W[:, 0]) ** 2, (3, 2)),
]  # fmt: skip


def _selected(x):
    return x.index_select(1, INDEX[0]) ** 2


@pytest.mark.parametrize(("f", "shape"), CASES)
def test_derivatives_run_on_the_batch_and_agree(f, shape, monkeypatch):
    edutorch.manual_seed(0)
    x = edutorch.rand(2, *shape, dtype=edutorch.float64)

    def loss(x):
        return f(x).sum()

    rows = edutorch.stack([func.jacfwd(func.grad(loss))(v) for v in x])

    def refuse(call, levels):
        raise AssertionError(f"{call.op.describe()} went sample by sample")

    monkeypatch.setattr(batched_dispatch, "_run_sample_by_sample", refuse)
    for outer in (func.jacfwd, func.jacrev):
        assert edutorch.allclose(outer(func.grad(loss))(x[0]), rows[0])
        assert edutorch.allclose(edutorch.vmap(outer(func.grad(loss)))(x), rows)
        assert edutorch.allclose(outer(f)(x[0]), func.jacfwd(f)(x[0]))
