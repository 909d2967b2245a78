"""Generators whose states are tensors, in PyTorch's format."""

from __future__ import annotations

import pytest

import edutorch as torch


def test_state_is_a_tensor_of_bytes_and_can_be_set():
    g = torch.Generator().manual_seed(3)
    state = g.get_state()
    assert (state.dtype, state.shape) == (torch.uint8, (5056,))
    first = torch.rand(3, generator=g)
    g.set_state(state)
    assert torch.rand(3, generator=g).tolist() == first.tolist()


def test_rng_state_of_the_default_generator_can_be_set():
    state = torch.get_rng_state()
    first = torch.randn(3)
    torch.set_rng_state(state)
    assert torch.randn(3).tolist() == first.tolist()
    assert torch.random.get_rng_state().shape == state.shape


@pytest.mark.parametrize(
    ("state", "error", "text"),
    [
        (3, TypeError, "expected a torch.ByteTensor, but got int"),
        (torch.zeros(5056), TypeError, "RNG state must be a torch.ByteTensor"),
        (torch.zeros(5, dtype=torch.uint8), RuntimeError, "Expected a CPUGenerator"),
        (torch.zeros(5056, dtype=torch.uint8), RuntimeError, "Invalid mt19937 state"),
    ],
)
def test_state_that_is_none_is_refused(state, error, text):
    with pytest.raises(error) as caught:
        torch.Generator().set_state(state)
    assert str(caught.value).startswith(text)


def test_manual_seed_returns_the_default_generator():
    assert torch.manual_seed(5) is torch.default_generator
    assert torch.initial_seed() == 5
    assert torch.seed() == torch.initial_seed()


def test_state_exchanged_with_pytorch_goes_on_equally():
    from tests.oracle import torch as oracle

    ours, theirs = torch.Generator().manual_seed(8), oracle.Generator()
    torch.randn(5, generator=ours)
    theirs.set_state(oracle.from_numpy(ours.get_state().numpy()))
    expected = oracle.randn(4, generator=theirs).numpy()
    assert torch.randn(4, generator=ours).numpy() == pytest.approx(expected, rel=1e-6)
    ours.set_state(torch.from_numpy(theirs.get_state().numpy()))
    expected = oracle.rand(4, generator=theirs).tolist()
    assert torch.rand(4, generator=ours).tolist() == expected
