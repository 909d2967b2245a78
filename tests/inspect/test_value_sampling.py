"""Which steps are summarised."""

from __future__ import annotations

from itertools import pairwise

from edutorch.inspect.value_sampling import ValueSampler


def run(sampler, steps, ordinary=1.0, sampled=2.0, shape=lambda _: 0):
    chosen = []
    for i in range(steps):
        if sampler.sampled:
            chosen.append(i)
        sampler.step_ended(sampled if sampler.sampled else ordinary, shape(i))
    return chosen


def test_sampler_when_new_takes_the_first_step():
    assert ValueSampler().sampled


def test_sampler_of_a_short_training_takes_every_step_and_then_keeps_the_budget():
    sampler = ValueSampler(budget=0.02)
    chosen = run(sampler, 1000, ordinary=0.0078125, sampled=0.015625)
    assert chosen[:33] == list(range(33))  # 32 of them take FREE, the first is free
    assert len(chosen) <= 33 + 22
    sampler.cell_began()
    later = run(sampler, 40, ordinary=0.0078125, sampled=0.015625)
    assert len(later) >= 32


def test_sampler_when_the_first_step_is_slow_takes_those_after_it():
    sampler = ValueSampler()
    sampler.step_ended(20.0)
    assert run(sampler, 10, sampled=0.03125) == list(range(10))


def test_sampler_when_summaries_double_a_step_keeps_the_budget():
    chosen = run(ValueSampler(budget=0.02), 1000)
    assert 10 <= len(chosen) <= 23
    assert max(b - a for a, b in pairwise(chosen[2:])) >= 50


def test_sampler_when_summaries_are_free_takes_every_other_step():
    assert len(run(ValueSampler(), 100, sampled=1.0)) >= 45


def test_sampler_when_the_shape_changes_takes_the_next_step():
    chosen = run(ValueSampler(), 100, shape=lambda i: int(i >= 50))
    assert 51 in chosen


def test_sampler_when_two_shapes_alternate_does_not_take_every_step():
    assert len(run(ValueSampler(), 400, shape=lambda i: i % 2)) < 20


def test_sampler_when_a_step_is_paused_forgets_it_soon():
    sampler = ValueSampler(budget=0.02)
    run(sampler, 100)
    sampler.step_ended(1000.0)
    run(sampler, 200)
    assert sampler.every <= 100


def test_sampler_when_paused_while_it_looks_forgets_that_soon():
    sampler = ValueSampler(budget=0.02)
    run(sampler, 200)
    while not sampler.sampled:
        sampler.step_ended(1.0)
    sampler.step_ended(1000.0)
    assert len(run(sampler, 1000)) >= 8
