"""DataLoader: batches and their random order."""

from __future__ import annotations

import numpy as np

import edutorch
from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


def numbers(torch, n=10):
    return torch.utils.data.TensorDataset(torch.arange(n), torch.arange(n) * 0.5)


def stream(torch, n):
    class Count(torch.utils.data.IterableDataset):
        def __iter__(self):
            return iter(range(n))

    return Count()


@programs.add
def batches_in_order(torch):
    loader = torch.utils.data.DataLoader(numbers(torch), batch_size=4)
    short = torch.utils.data.DataLoader(numbers(torch), 4, drop_last=True)
    return [list(loader), len(loader), list(short), len(short)]


@programs.add
def shuffling_draws_pytorchs_orders(torch):
    loader = torch.utils.data.DataLoader(numbers(torch), batch_size=3, shuffle=True)
    epochs = [[x for x, _ in loader] for _ in range(3)]
    return [epochs, torch.rand(2)]


@programs.add
def a_generator_of_ones_own(torch):
    g = torch.Generator().manual_seed(7)
    data = torch.utils.data.DataLoader
    loader = data(numbers(torch), batch_size=5, shuffle=True, generator=g)
    return [[x for x, _ in loader] for _ in range(2)] + [torch.rand(1)]


@programs.add
def the_default_generator_is_used_up_alike(torch):
    loader = torch.utils.data.DataLoader(numbers(torch), batch_size=5)
    found = [torch.rand(1) for _ in loader]
    next(iter(loader))
    return [found, torch.rand(1)]


@programs.add
def samplers_of_every_kind(torch):
    data = torch.utils.data
    x = numbers(torch)
    samplers = {
        "random": data.RandomSampler(x),
        "some": data.RandomSampler(x, num_samples=4),
        "more": data.RandomSampler(x, num_samples=25),
        "replacing": data.RandomSampler(x, replacement=True, num_samples=40),
        "subset": data.SubsetRandomSampler([3, 5, 8]),
        "weighted": data.WeightedRandomSampler([0.1, 0.5, 2.0], 8),
        "distinct": data.WeightedRandomSampler([0.1, 0.5, 2.0], 2, replacement=False),
    }
    found = {k: [int(i) for i in s] for k, s in samplers.items()}
    batches = data.DataLoader(x, sampler=data.SubsetRandomSampler([1, 2]))
    own = data.DataLoader(x, batch_sampler=[[0, 1], [9]])
    return [found, {k: len(s) for k, s in samplers.items()}, list(batches), list(own)]


@programs.add
def single_samples_without_batches(torch):
    loader = torch.utils.data.DataLoader(numbers(torch, 3), batch_size=None)
    return [list(loader), len(loader)]


@programs.add
def streams(torch):
    data = torch.utils.data.DataLoader
    return [
        list(data(stream(torch, 5), batch_size=2)),
        list(data(stream(torch, 5), batch_size=2, drop_last=True)),
        list(data(stream(torch, 2), batch_size=None)),
        attempt(lambda: data(stream(torch, 2), shuffle=True)),
        attempt(lambda: data(stream(torch, 2), sampler=[1])),
        attempt(lambda: data(stream(torch, 2), batch_sampler=[[1]])),
        attempt(lambda: len(data(stream(torch, 2))))[:2],
    ]


@programs.add
def contradicting_arguments_are_refused(torch):
    data, x = torch.utils.data.DataLoader, numbers(torch)
    return [
        attempt(lambda: data(x, shuffle=True, sampler=[1])),
        attempt(lambda: data(x, batch_size=2, batch_sampler=[[1]])),
        attempt(lambda: data(x, batch_size=None, drop_last=True)),
        attempt(lambda: data(x, num_workers=-1)),
        attempt(lambda: data(x, timeout=-1)),
        attempt(lambda: data(x, prefetch_factor=2)),
        attempt(lambda: data(x, persistent_workers=True)),
        attempt(lambda: data(x, batch_size=0)),
        attempt(lambda: data(x, batch_size=1.5)),
    ]


@programs.add
def collating_functions(torch):
    data = torch.utils.data.DataLoader
    loader = data([1, 2, 3], batch_size=2, collate_fn=lambda batch: batch)
    many = data(numbers(torch), batch_size=4, collate_fn=len)
    return [list(loader), list(many)]


@programs.add
def many_items_at_once(torch):
    class Many(torch.utils.data.Dataset):
        def __len__(self):
            return 4

        def __getitems__(self, indices):
            return [i * 10 for i in indices]

    return list(torch.utils.data.DataLoader(Many(), batch_size=3))


@programs.add
def attributes_tell_the_settings(torch):
    data = torch.utils.data.DataLoader
    loader = data(numbers(torch), batch_size=4, shuffle=True, drop_last=True)
    return [
        loader.batch_size, loader.drop_last, loader.num_workers, loader.pin_memory,
        type(loader.sampler).__name__, type(loader.batch_sampler).__name__,
        loader.collate_fn.__name__, loader.timeout, loader.batch_sampler.batch_size,
        len(loader.dataset), loader.generator,
        attempt(lambda: setattr(loader, "batch_size", 3)),
        attempt(lambda: setattr(loader, "dataset", 3)),
    ]  # fmt: skip


@programs.add
def an_item_that_fails_passes_its_error_on(torch):
    class Broken(torch.utils.data.Dataset):
        def __len__(self):
            return 2

        def __getitem__(self, i):
            raise KeyError("no item")

    return attempt(lambda: list(torch.utils.data.DataLoader(Broken())))


@programs.add
def streams_that_are_longer_than_they_say_are_warned_of(torch):
    class Wrong(torch.utils.data.IterableDataset):
        def __len__(self):
            return 1

        def __iter__(self):
            return iter(range(2))

    found = warned(lambda: list(torch.utils.data.DataLoader(Wrong())))
    return [found[0], [w[0] for w in found[1]]]


test_loader = programs.test()


def test_loader_of_arrays_shares_nothing_between_batches():
    array = np.arange(4.0)
    first, second = edutorch.utils.data.DataLoader(array, batch_size=2)
    first.zero_()
    assert second.tolist() == [2.0, 3.0]
    assert array[0] == 0.0
    assert array[1] == 1.0
