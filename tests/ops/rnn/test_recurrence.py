"""The fused layers against the unrolled ones, and their second derivatives."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.autograd import gradcheck, gradgradcheck
from edutorch.ops.rnn import recurrence
from tests.ops.rnn.networks import KINDS, operands, results


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("few", [0, 100])  # with the weight copied, or as it is
def test_layers_equal_the_unrolled_ones(monkeypatch, kind, packed, few):
    monkeypatch.setattr(recurrence, "MIN_COPY_STEPS", few)
    given = operands(kind, both=True, packed=packed)
    fused = results(torch, kind, given, both=True, packed=packed)
    with torch.config.kernels("plain"):
        plain = results(torch, kind, given, both=True, packed=packed)
    for a, b in zip(fused, plain, strict=True):
        assert torch.allclose(a, b, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_layers_have_two_derivatives(kind):
    x, states, weights = operands(kind, batch=2)
    given = [torch.from_numpy(a).requires_grad_() for a in (x[:2], *states, *weights)]

    def run(x, *rest):
        hx = rest[:2] if kind == "lstm" else rest[0]
        w = list(rest[len(states) :])
        return getattr(torch, kind)(x, hx, w, True, 1, 0.0, True, False, False)

    assert gradcheck(run, given) and gradgradcheck(run, given)


def test_a_layer_is_one_node_and_its_outputs_may_change_in_place():
    m = torch.nn.RNN(2, 3)
    with torch.config.kernels("fast"):  # plain kernels run a loop, not a layer
        y, h = m(torch.ones(4, 1, 2))
    assert len(y.grad_fn.next_functions) == 3  # sums of the input, h, weight
    before = y.detach().clone()
    y.detach().mul_(0)
    (h.sum() + 1).backward()
    again, _ = m(torch.ones(4, 1, 2))
    assert torch.equal(before, again) and m.weight_hh_l0.grad.abs().sum() > 0


def test_backward_twice_is_refused_and_may_be_retained():
    y, _ = torch.nn.LSTM(2, 3)(torch.ones(4, 1, 2))
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        y.sum().backward()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("layer", ["LSTM", "GRU", "RNN"])
def test_half_precision_is_summed_in_single(layer, dtype):
    torch.manual_seed(0)
    m = getattr(torch.nn, layer)(2, 3)
    x = torch.randn(5, 2, 2)
    wide = m(x)[0].detach().numpy()
    half = m.to(getattr(torch, dtype))(x.to(getattr(torch, dtype)))[0]
    half.sum().backward()
    assert str(half.dtype) == f"torch.{dtype}"
    assert np.allclose(half.detach().float().numpy(), wide, atol=0.03)


@pytest.mark.parametrize("kernels", ["plain", "fast"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("layer", ["LSTM", "GRU", "RNN", "projected"])
def test_values_and_gradients_of_16_bit_floats_are_rounded_once(layer, dtype, kernels):
    torch.manual_seed(0)
    dtype, options = getattr(torch, dtype), {}
    if layer == "projected":
        layer, options = "LSTM", {"proj_size": 2}
    m = getattr(torch.nn, layer)(2, 3, **options).to(dtype)
    x = torch.randn(9, 2, 2).to(dtype)
    found = []
    with torch.config.kernels(kernels):
        for kind in (dtype, torch.float32):
            y = m.to(kind)(x.to(kind))[0]
            weights = (torch.arange(y.numel()) % 4 - 1.5).reshape(y.shape)
            grads = torch.autograd.grad((y.float() * weights).sum(), m.parameters())
            found.append([t.to(dtype) for t in (y, *grads)])
    assert all(map(torch.equal, *found))
