"""Modules as functions of tuples of tensors."""

from __future__ import annotations

import pytest

import edutorch
from edutorch import functorch

nn = edutorch.nn


def test_a_module_is_a_function_of_its_parameters():
    edutorch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    f, params = functorch.make_functional(model)
    x = edutorch.rand(4, 2)
    assert edutorch.equal(f(params, x), model(x))
    assert all(
        p.requires_grad and p is not q
        for p, q in zip(params, model.parameters(), strict=True)
    )

    def loss(params, x):
        return f(params, x).square().sum()

    (loss(params, x)).backward()
    found = functorch.grad(loss)(params, x)
    assert isinstance(found, tuple)
    for g, p in zip(found, params, strict=True):
        assert edutorch.allclose(g, p.grad)
    each = functorch.vmap(functorch.grad(loss), (None, 0))(params, x)
    assert edutorch.allclose(each[0].sum(0), found[0], atol=1e-6)


def test_parameters_need_not_be_tracked():
    _, params = functorch.make_functional(nn.Linear(2, 2), True)
    assert not any(p.requires_grad for p in params)


def test_what_modules_share_stays_shared():
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    model[1].weight = model[0].weight
    f, params = functorch.make_functional(model)
    assert len(params) == 3
    zeros = [edutorch.zeros_like(p) for p in params]
    assert f(zeros, edutorch.ones(2)).tolist() == [0.0, 0.0]


def test_buffers_are_given_and_change_where_they_are():
    f, params, buffers = functorch.make_functional_with_buffers(nn.BatchNorm1d(2))
    f(params, buffers, edutorch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert buffers[0].tolist() == pytest.approx([0.2, 0.3])
    with pytest.raises(RuntimeError, match="`model` has buffers"):
        functorch.make_functional(nn.BatchNorm1d(2))


def test_an_ensemble_runs_as_its_members():
    models = [nn.Linear(2, 3) for _ in range(4)]
    f, params, buffers = functorch.combine_state_for_ensemble(models)
    x = edutorch.rand(5, 2)
    found = edutorch.vmap(f, (0, 0, None))(params, buffers, x)
    assert edutorch.allclose(found, edutorch.stack([m(x) for m in models]))
    assert not any(p.requires_grad for p in params)


@pytest.mark.parametrize(
    ("models", "words"),
    [
        ([], "Expected at least one model"),
        ([nn.Linear(1, 1), nn.Linear(1, 1).eval()], "training/eval"),
        ([nn.Linear(1, 1), nn.Identity()], "same class"),
    ],
)
def test_modules_that_do_not_go_together_are_refused(models, words):
    with pytest.raises(RuntimeError, match=words):
        functorch.combine_state_for_ensemble(models)
