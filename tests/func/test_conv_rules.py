"""Convolutions and pools run on a whole batch, whichever operands are batched."""

from __future__ import annotations

import copy
import itertools

import pytest

import edutorch
from edutorch import func
from edutorch.func import batched_dispatch
from edutorch.ops.conv.convolution import ConvWeight

F = edutorch.nn.functional
SIZE = 3


@pytest.fixture(autouse=True)
def no_loops(monkeypatch):
    """No operation may run sample by sample."""

    def refuse(call, levels):
        raise AssertionError(f"{call.op.describe()} went sample by sample")

    monkeypatch.setattr(batched_dispatch, "_run_sample_by_sample", refuse)


def _random(*shape):
    return edutorch.rand(*shape, dtype=edutorch.float64)


def _compare(f, operands, dims):
    """`vmap` against a loop over the samples, for values of any structure."""
    found = edutorch.vmap(f, in_dims=dims)(*operands)
    rows = [
        f(*[v if d is None else v[i] for v, d in zip(operands, dims, strict=True)])
        for i in range(SIZE)
    ]
    assert edutorch.allclose(found, edutorch.stack(rows))


KINDS = [
    (F.conv1d, (2, 4, 7), (6, 4, 3), 6, {"padding": 1}),
    (F.conv2d, (2, 4, 5, 6), (6, 2, 3, 2), 6, {"groups": 2, "stride": 2}),
    (F.conv2d, (1, 3, 5, 5), (2, 3, 3, 3), 2, {"dilation": 2}),
    (F.conv3d, (1, 2, 3, 4, 4), (2, 2, 2, 2, 2), 2, {}),
    (F.conv_transpose1d, (2, 4, 5), (4, 3, 3), 3, {"stride": 2}),
    (F.conv_transpose2d, (2, 4, 3, 3), (4, 3, 2, 2), 6, {"groups": 2, "padding": 1}),
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[0].__name__)
@pytest.mark.parametrize(
    "batched",
    [b for b in itertools.product([0, None], repeat=3) if any(d == 0 for d in b)],
)
def test_convolutions_equal_loops(kind, batched):
    convolution, x, w, o, settings = kind
    shapes = (x, w, (o,))
    operands = [
        _random(*((SIZE,) if d == 0 else ()), *shape)
        for d, shape in zip(batched, shapes, strict=True)
    ]
    _compare(lambda x, w, b: convolution(x, w, b, **settings), operands, batched)

    def loss(x, w, b):
        return (convolution(x, w, b, **settings) ** 2).sum()

    for argument in range(3):
        _compare(func.grad(loss, argument), operands, batched)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[0].__name__)
def test_jacobians_of_convolutions_agree(kind):
    convolution, x, w, o, settings = kind
    operands = _random(*x), _random(*w), _random(o)

    def f(x, w, b):
        return convolution(x, w, b, **settings).sin().sum((0, 2))

    for argument in range(3):
        back = func.jacrev(f, argument)(*operands)
        ahead = func.jacfwd(f, argument)(*operands)
        assert edutorch.allclose(back, ahead)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("batched", [(0, 0), (0, None), (None, 0)])
def test_gradients_of_kernels_equal_loops(groups, batched):
    op = ConvWeight((1,), (0,), (1,), groups, kernel=(2,))
    shapes = (2, 4, 4), (2, 6, 5)
    operands = [
        _random(*((SIZE,) if d == 0 else ()), *shape)
        for d, shape in zip(batched, shapes, strict=True)
    ]
    _compare(
        lambda g, x: batched_dispatch.run_op(copy.copy(op), g, x), operands, batched
    )


POOLS = [
    (lambda x: F.max_pool2d(x, 2), (2, 3, 4, 4)),
    (lambda x: F.max_pool2d(x, 2), (3, 4, 4)),
    (lambda x: F.max_pool1d(x, 2, 1), (2, 3, 5)),
    (lambda x: F.avg_pool2d(x, 2), (2, 3, 4, 4)),
    (lambda x: F.avg_pool1d(x, 2), (3, 4)),
    (lambda x: F.adaptive_avg_pool2d(x, (2, 3)), (2, 3, 4, 4)),
    (lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), (1, 2, 3, 3)),
    (lambda x: F.interpolate(x, size=2), (1, 2, 3)),
]  # fmt: skip


@pytest.mark.parametrize(("pool", "shape"), POOLS)
def test_pools_and_their_derivatives_equal_loops(pool, shape):
    edutorch.manual_seed(0)
    x = _random(SIZE, *shape)

    def loss(x):
        return (pool(x) ** 3).sum()

    _compare(pool, [x], [0])
    _compare(func.grad(loss), [x], [0])
    columns = edutorch.stack([func.jacfwd(loss)(v) for v in x])
    assert edutorch.allclose(columns, edutorch.vmap(func.jacrev(loss))(x))
    ahead, back = (f(func.grad(loss))(x[0]) for f in (func.jacfwd, func.jacrev))
    assert edutorch.allclose(ahead, back)


def test_places_of_winners_come_from_planes():
    x = _random(SIZE, 2, 4, 4)
    y, places = edutorch.vmap(lambda x: F.max_pool2d(x, 2, return_indices=True))(x)
    wanted = F.max_pool2d(x, 2, return_indices=True)
    assert edutorch.equal(y, wanted[0])
    assert edutorch.equal(places, wanted[1])
