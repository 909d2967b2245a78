"""The parts that run a checkpointed function again."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.utils.checkpoint import checkpoint
from edutorch.utils.recompute import (
    CheckpointFrame,
    GraphExecGroup,
    RngStates,
    get_device_states,
)


def test_draws_come_again_and_the_stream_goes_on():
    torch.manual_seed(1)
    draws = RngStates(())
    first = torch.rand(3)
    after = torch.random.get_rng_state()
    with draws.replay():
        assert torch.equal(torch.rand(3), first)
    assert torch.equal(torch.random.get_rng_state(), after)


def test_gpus_of_arguments_are_found_only_where_tensors_live_there():
    assert get_device_states(torch.ones(1), "text", 3) == ([], [])


def test_frame_forgets_its_inputs_after_the_first_run():
    x = torch.ones(2, requires_grad=True)
    frame = CheckpointFrame(torch.exp, (x,), {}, preserve=False, stop=True)
    y = frame.run(lambda: (torch.no_grad(), torch.enable_grad()))
    assert frame.first_inputs is None
    assert not y.requires_grad
    assert frame.placeholders == []


def two_ways(calls: list[int]) -> list[torch.Tensor]:
    def run(x):
        calls.append(1)
        return x.exp(), x.sin()

    x = torch.ones(2, requires_grad=True)
    return [y.sum() for y in checkpoint(run, x, use_reentrant=False)]


def test_backward_passes_of_a_group_compute_again_once():
    calls: list[int] = []
    a, b = two_ways(calls)
    with GraphExecGroup():
        a.backward()
        b.backward()
    assert len(calls) == 2


def test_backward_passes_outside_of_a_group_compute_again_each():
    calls: list[int] = []
    a, b = two_ways(calls)
    a.backward()
    b.backward()
    assert len(calls) == 3


def test_groups_do_not_nest():
    with GraphExecGroup(), pytest.raises(RuntimeError, match="cannot be nested"):
        GraphExecGroup().__enter__()
    GraphExecGroup().__enter__().__exit__()


@pytest.mark.parametrize("use_reentrant", [True, False])
def test_what_ran_in_autocast_is_computed_again_so(use_reentrant):
    x, w = (torch.ones(3, 3, requires_grad=True) for _ in range(2))
    with torch.autocast("cpu"):
        y = checkpoint(lambda x: (x @ w).exp(), x, use_reentrant=use_reentrant)
    assert y.dtype is torch.bfloat16
    y.float().sum().backward()
    assert w.grad.tolist() == x.grad.tolist() == [[60.5] * 3] * 3  # PyTorch's
    assert not torch.is_autocast_enabled("cpu")


def test_inference_tensors_are_no_inputs_where_they_would_be_kept_for_backward():
    with torch.inference_mode():
        x = torch.ones(2)
    with pytest.raises(RuntimeError, match="cannot be saved for backward"):
        checkpoint(torch.sin, x, use_reentrant=False)
    with torch.no_grad():
        assert not checkpoint(torch.sin, x, use_reentrant=False).requires_grad
