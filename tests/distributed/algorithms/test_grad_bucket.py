"""Gradients in one flat tensor, as communication hooks see them."""

from __future__ import annotations

import edutorch as torch
from edutorch.distributed.algorithms.grad_bucket import StepCounter


def test_gradients_are_views_of_the_buffer_in_the_shapes_of_the_parameters():
    parameters = [torch.nn.Parameter(torch.zeros(*s)) for s in ((2, 2), (3,))]
    bucket = torch.distributed.GradBucket(1, torch.arange(7.0), parameters, False)
    first, second = bucket.gradients()
    assert (first.tolist(), second.tolist()) == ([[0, 1], [2, 3]], [4, 5, 6])
    bucket.buffer().mul_(2)
    assert second.tolist() == [8, 10, 12]
    bucket.set_buffer(torch.zeros(7))
    assert bucket.gradients()[1].tolist() == [0, 0, 0]
    assert (bucket.index(), bucket.is_last()) == (1, False)
    assert bucket.parameters() == parameters


def test_states_of_hooks_count_a_step_at_its_last_bucket():
    counter = StepCounter()
    for last in (False, False, True, False):
        bucket = torch.distributed.GradBucket(0, torch.zeros(1), [], last)
        counter.maybe_increase_iter(bucket)
    assert counter.iter == 1
