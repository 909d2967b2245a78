"""Gradients that are sent as products of thin matrices."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import edutorch as torch
from edutorch.distributed import GradBucket
from edutorch.distributed.algorithms.ddp_comm_hooks.powerSGD_hook import (
    PowerSGDState,
    batched_powerSGD_hook,
    powerSGD_hook,
)
from tests.distributed.launching import needs_mpi

pytestmark = needs_mpi
SETTINGS = (
    "rank 1", "rank 2", "rank 3", "cold", "without feedback", "together",
    "nothing to compress", "batched",
)  # fmt: skip


def bucket_of(*gradients):
    buffer = torch.cat([g.reshape(-1) for g in gradients])
    return GradBucket(0, buffer, [torch.zeros(g.shape) for g in gradients], True)


@pytest.mark.parametrize("settings", SETTINGS)
def test_compressed_training_is_that_of_pytorch(of_hooks, settings):
    for mine, theirs in zip(*of_hooks, strict=True):
        assert mine[settings][1:] == theirs[settings][1:]
        for a, b in zip(mine[settings][0], theirs[settings][0], strict=True):
            assert np.allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("hook", [powerSGD_hook, batched_powerSGD_hook])
def test_product_of_two_vectors_survives_compression(alone, hook):
    matrix = torch.arange(1.0, 7.0).outer(torch.arange(1.0, 7.0))
    state = PowerSGDState(None, 1, 0, use_error_feedback=False, warm_start=False)
    found = hook(state, bucket_of(matrix)).wait()
    assert torch.allclose(found.view(6, 6), matrix, rtol=1e-5)


def test_what_is_lost_is_added_to_the_next_gradient(alone):
    gradient = torch.randn(8, 8)
    state = PowerSGDState(None, 1, 2)
    sent = [powerSGD_hook(state, bucket_of(gradient)).wait() for _ in range(2)]
    assert all(torch.equal(x.view(8, 8), gradient) for x in sent)  # not compressed yet
    first = powerSGD_hook(state, bucket_of(gradient)).wait()
    lost = state.error_dict[0]
    assert torch.allclose(first + lost, gradient.reshape(-1), atol=1e-6)
    second = powerSGD_hook(state, bucket_of(gradient)).wait()
    whole = second + state.error_dict[0]
    assert torch.allclose(whole, gradient.reshape(-1) + lost, atol=1e-6)


def test_vectors_and_small_matrices_are_sent_as_they_are(alone):
    bias, small = torch.randn(7), torch.randn(3, 3)
    state = PowerSGDState(None, 1, 2)
    state.iter = 2
    found = powerSGD_hook(state, bucket_of(bias, small)).wait()
    assert torch.equal(found, torch.cat([bias, small.view(-1)]))
    assert state.compression_stats() == (1.0, 16, 16)


def test_random_numbers_of_the_program_stay(alone):
    torch.manual_seed(3)
    expected = torch.randn(3)
    torch.manual_seed(3)
    state = PowerSGDState(None, 1, 2)
    state.iter = 2
    powerSGD_hook(state, bucket_of(torch.ones(9, 9))).wait()
    assert torch.equal(torch.randn(3), expected)


def test_state_refuses_a_start_before_the_third_step():
    with pytest.raises(ValueError, match="Expect `start_powerSGD_iter` > 1"):
        PowerSGDState(None, start_powerSGD_iter=1)


def test_state_is_pickled_without_its_group(alone):
    state = PowerSGDState(torch.distributed.group.WORLD, 3)
    again = pickle.loads(pickle.dumps(state))
    assert again.matrix_approximation_rank == 3
    assert again.process_group is torch.distributed.group.WORLD
