"""vmap against PyTorch."""

from __future__ import annotations

import re

import pytest

import edutorch
import edutorch as torch
from tests.programs import Programs, attempt

programs = Programs(__file__)


def rows(torch, n=4, m=3):
    return torch.linspace(-1, 2, n * m, dtype=torch.float64).reshape(n, m)


@programs.add
def nothing_is_mapped(torch):
    x, vmap = rows(torch), torch.vmap
    return attempt(lambda: vmap(torch.mul, in_dims=(None, None))(x, x))


@programs.add
def dimensions_in_and_out(torch):
    x, vmap = rows(torch), torch.vmap
    return [
        vmap(torch.dot)(x, x),
        vmap(torch.mul, in_dims=(1, None))(x, x[:, 0]),
        vmap(lambda v: v * 2, in_dims=1, out_dims=1)(x),
        vmap(lambda v: (v, v.sum()), out_dims=(1, 0))(x),
        vmap(lambda v: (v, v.sum()), out_dims=-1)(x[:, :, None])[0],
        vmap(lambda d: d["a"] + d["b"], in_dims=({"a": 0, "b": None},))(
            {"a": x, "b": x[0]}
        ),
        vmap(lambda v: torch.ones(2))(x),
        vmap(lambda v, k: v * k, in_dims=(0, None))(x, 3),
        vmap(lambda v, *, scale: v * scale)(x, scale=x[0]),
        vmap(lambda v: (v, torch.ones(2)), out_dims=(0, None))(x),
    ]


@programs.add
def maps_of_maps(torch):
    x, vmap = rows(torch), torch.vmap
    y = x.T.contiguous()
    return [
        vmap(vmap(torch.mul))(x, x),
        vmap(vmap(torch.dot, (None, 1)), (0, None))(x, y),
        vmap(vmap(lambda a, b: a * b, (0, None)), (None, 0))(x[:, 0], x[:, 1]),
        vmap(vmap(lambda v: v.sum(), in_dims=1))(torch.stack([x, x * 2])),
        vmap(vmap(torch.sub, out_dims=0), in_dims=(1, 1), out_dims=1)(x, x * 2),
    ]


@programs.add
def gradients_of_each_sample(torch):
    torch.manual_seed(1)
    net = torch.nn.Sequential(
        torch.nn.Conv2d(1, 2, 3), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.Flatten(), torch.nn.Linear(8, 3),
    )  # fmt: skip
    state = {k: v.detach() for k, v in net.named_parameters()}
    x, y = torch.randn(5, 1, 6, 6), torch.tensor([0, 1, 2, 1, 0])

    def loss(p, x, y):
        out = torch.func.functional_call(net, p, (x.unsqueeze(0),))
        return torch.nn.functional.cross_entropy(out, y.unsqueeze(0))

    per_sample = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0, 0))
    return per_sample(state, x, y)


@programs.add
def losses_of_each_sample(torch):
    scores = torch.linspace(-1, 1, 24).reshape(4, 2, 3)
    labels = torch.tensor([[0, 2], [1, 1], [2, -100], [0, 1]])
    weight, loss = torch.tensor([1.0, 2.0, 0.5]), torch.nn.functional.cross_entropy
    found = [torch.vmap(loss)(scores, labels)]
    for reduction in ("none", "sum", "mean"):
        f = lambda x, y, mode=reduction: loss(x, y, weight, reduction=mode)
        found.append(torch.vmap(f)(scores, labels))
    log = lambda x, y: torch.nn.functional.nll_loss(x.log_softmax(1), y)
    return found, torch.vmap(log)(scores, labels)


@programs.add
def an_ensemble_of_models(torch):
    torch.manual_seed(0)
    models = [torch.nn.Linear(3, 2) for _ in range(3)]
    parameters, buffers = torch.func.stack_module_state(models)
    x = torch.ones(4, 3)

    def run(p, b, x):
        return torch.func.functional_call(models[0], (p, b), (x,))

    one = torch.vmap(run, in_dims=(0, 0, None))(parameters, buffers, x)
    other = torch.vmap(run)(parameters, buffers, torch.ones(3, 4, 3))
    return one, other


@programs.add
def derivatives_through_a_map(torch):
    x = rows(torch).requires_grad_()
    w = rows(torch, 1, 3)[0].requires_grad_()
    y = torch.vmap(lambda v: (v * w).tanh().sum())(x)
    return torch.autograd.grad(y.sum(), (x, w))


@programs.add
def in_place_operations(torch):
    x = rows(torch)

    def f(v):
        y = v.clone()
        y.mul_(v)
        y.add_(1)
        return y

    ordinary = torch.zeros(3, dtype=torch.float64)
    refused = attempt(lambda: torch.vmap(lambda v: ordinary.mul_(v))(x))
    return torch.vmap(f)(x), refused[:2]


@programs.add
def chunks(torch):
    x = rows(torch, 5)
    f = lambda v: (v.sum(), v * 2)
    return torch.vmap(f, chunk_size=2)(x), torch.vmap(f, out_dims=(0, 1), chunk_size=3)(
        x
    )


@programs.add
def random_numbers(torch):
    x = rows(torch)
    f = lambda v: v + torch.rand(3, dtype=torch.float64)
    same = torch.vmap(f, randomness="same")(x) - x
    other = torch.vmap(f, randomness="different")(x) - x
    return (
        attempt(lambda: torch.vmap(f)(x)),
        bool((same[0] - same[1]).abs().max() < 1e-12),
        bool((other[0] - other[1]).abs().max() > 1e-3),
    )


@programs.add
def misuse_is_refused(torch):
    x, vmap = rows(torch), torch.vmap
    return [
        attempt(lambda: vmap(torch.sum, in_dims=None)(x)),
        attempt(lambda: vmap(torch.sum, in_dims=3)(x)),
        attempt(lambda: vmap(torch.sum, in_dims=(0, 0))(x)),
        attempt(lambda: vmap(torch.neg, out_dims=(0, 0))(x)),
        attempt(lambda: vmap(lambda x: x if x.sum() > 0 else -x)(x)),
        attempt(lambda: vmap(torch.add)(x, torch.ones(7, 3))),
        attempt(lambda: vmap(lambda x: x.item())(x[:, 0])),
        attempt(lambda: vmap(lambda x: x, randomness="z")(x)),
        attempt(lambda: vmap(lambda x: x, chunk_size=0)(x)),
        attempt(lambda: vmap(lambda x: x, out_dims=9)(x)),
        attempt(lambda: vmap(lambda x: x if x.sum() > 0 else -x)(x))[:2],
        [attempt(lambda: vmap(lambda: x)())[1:]],
    ]


test_mapping = programs.test()


def test_what_needs_values_runs_sample_by_sample():
    x = edutorch.tensor([[1.0, -1.0, 2.0], [-3.0, 4.0, -5.0]])
    found = edutorch.vmap(lambda v: edutorch.quantile(v, 0.5))(x)
    assert found.tolist() == [1.0, -3.0]
    norm = lambda v: edutorch.nn.functional.batch_norm(v, None, None, training=True)
    batch = edutorch.rand(2, 4, 3)
    assert edutorch.allclose(edutorch.vmap(norm)(batch)[1], norm(batch[1]))


@pytest.mark.parametrize(
    ("f", "words"),
    [
        (lambda v: v.numpy(), "Cannot access data pointer"),
        (lambda v: v.tolist(), "Cannot access data pointer"),
        (lambda v: float(v.sum()), "It looks like you're calling .item()"),
        (lambda v: [1, 2][v[0].int()], "It looks like you're calling .item()"),
        (lambda v: v.data, "accessing `data` under vmap"),
        (lambda v: v.requires_grad_(), "requires_grad_"),
        (lambda v: edutorch.equal(v, v), "aten::equal"),
        (lambda v: edutorch.equal(edutorch.ones(3), v), "aten::equal"),
        (lambda v: edutorch.allclose(v, v), "torch.allclose"),
    ],
)
def test_values_of_a_sample_cannot_be_read(f, words):
    with pytest.raises(RuntimeError, match=re.escape(words)):
        edutorch.vmap(f)(edutorch.ones(2, 2))


def test_linspace_and_logspace_between_ends_that_differ():
    ends = torch.tensor([1.0, 2.0])
    assert torch.vmap(lambda e: torch.linspace(0, e, 3))(ends).tolist() == [
        [0, 0.5, 1], [0, 1, 2],
    ]  # fmt: skip
    assert torch.vmap(lambda e: torch.linspace(e, 5, 3))(ends).tolist() == [
        [1, 3, 5], [2, 3.5, 5],
    ]  # fmt: skip
    assert torch.vmap(lambda a, b: torch.logspace(a, b, 2))(ends, ends + 1).tolist() == [
        [10, 100], [100, 1000],
    ]  # fmt: skip
    with pytest.raises(RuntimeError, match="calling .item"):
        torch.vmap(lambda e: torch.arange(e))(ends)
