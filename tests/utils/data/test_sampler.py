"""Samplers: what they refuse; their numbers are tested with the loader."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def wrong_settings_are_refused(torch):
    data = torch.utils.data
    return [
        attempt(lambda: data.RandomSampler([1], replacement=1)),
        attempt(lambda: data.RandomSampler([1], num_samples=-1)),
        attempt(lambda: data.RandomSampler([1], num_samples=1.5)),
        attempt(lambda: data.RandomSampler([])),
        attempt(lambda: data.WeightedRandomSampler([1.0], 0)),
        attempt(lambda: data.WeightedRandomSampler([1.0], True)),
        attempt(lambda: data.WeightedRandomSampler([1.0], 1, replacement=1)),
        attempt(lambda: data.WeightedRandomSampler([[1.0], [2.0]], 1)),
        attempt(lambda: data.BatchSampler([1], 0, False)),
        attempt(lambda: data.BatchSampler([1], True, False)),
        attempt(lambda: data.BatchSampler([1], 2, 1)),
    ]


@programs.add
def batches_of_indices(torch):
    batch = torch.utils.data.BatchSampler
    order = torch.utils.data.SequentialSampler(range(7))
    full, short = batch(order, 3, False), batch(order, 3, True)
    return [list(full), len(full), list(short), len(short), list(order), len(order)]


@programs.add
def empty_sources(torch):
    data = torch.utils.data
    return [list(data.SequentialSampler([])),
            attempt(lambda: list(data.RandomSampler([], num_samples=0))),
            list(data.BatchSampler(range(0), 2, False))]  # fmt: skip


test_sampler = programs.test()
