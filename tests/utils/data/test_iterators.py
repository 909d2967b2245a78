"""Epochs with and without worker processes: the same batches in the same order."""

from __future__ import annotations

import itertools
import pickle
import random

import numpy as np
import pytest

import edutorch
from edutorch.utils._pytree import tree_leaves
from tests.programs import Programs, attempt

# Workers are forked: from Python 3.12 on that is warned of where threads run.
pytestmark = pytest.mark.filterwarnings(
    "ignore:This process:DeprecationWarning", "ignore:This DataLoader will create"
)
programs = Programs(__file__)


def augmented(torch, n=10):
    """Items with random numbers of three libraries."""

    class Augmented(torch.utils.data.Dataset):
        def __len__(self):
            return n

        def __getitem__(self, i):
            info = torch.utils.data.get_worker_info()
            drawn = torch.rand(2), random.random(), np.random.rand()
            return i, *drawn, info.id, info.seed % 1000, info.num_workers

    return Augmented()


def shards(torch, lengths):
    """A stream whose length differs between workers."""

    class Shards(torch.utils.data.IterableDataset):
        def __iter__(self):
            info = torch.utils.data.get_worker_info()
            return iter(range(info.id * 10, info.id * 10 + lengths[info.id]))

    return Shards()


def loader(torch, data, workers=2, **options):
    """A loader that cannot hang."""
    return torch.utils.data.DataLoader(data, num_workers=workers, timeout=60, **options)


@programs.add
def workers_draw_pytorchs_numbers(torch):
    def begin(number):
        torch.rand(number + 1)

    batches = loader(
        torch, augmented(torch), batch_size=3, shuffle=True, worker_init_fn=begin
    )
    return [list(batches), torch.rand(2)]


@programs.add
def kept_workers_go_on_drawing(torch):
    batches = loader(
        torch, augmented(torch, 6), batch_size=2, persistent_workers=True,
        generator=torch.Generator().manual_seed(5), prefetch_factor=1,
    )  # fmt: skip
    return [list(batches), list(batches), torch.rand(1)]


@programs.add
def streams_are_dealt_in_turn(torch):
    data = shards(torch, [5, 2])
    return [
        list(loader(torch, data, batch_size=2)),
        list(loader(torch, data, batch_size=2, drop_last=True)),
        [int(x) for x in loader(torch, data, batch_size=None)],
    ]


@programs.add
def exceptions_come_with_their_traceback(torch):
    class Broken(torch.utils.data.Dataset):
        def __len__(self):
            return 2

        def __getitem__(self, i):
            raise (KeyError if i else ValueError)("no item")

    def told(i):
        error = attempt(lambda: list(loader(torch, Broken(), 1, sampler=[i])))
        try:
            list(loader(torch, Broken(), 1, sampler=[i]))
        except Exception as caught:
            return [error, str(caught).splitlines()[1], str(caught)[-22:]]

    return [told(0), told(1)]


test_iteration = programs.test()


def test_iteration_out_of_order_gives_every_batch_once():
    data = edutorch.arange(20)
    batches = loader(edutorch, data, batch_size=3, in_order=False)
    found = sorted(itertools.chain(*(b.tolist() for b in batches)))
    assert found == list(range(20))


def test_iteration_after_a_failed_batch_goes_on():
    class Broken(edutorch.utils.data.Dataset):
        def __len__(self):
            return 5

        def __getitem__(self, i):
            return 1 // (i - 2)

    batches = iter(loader(edutorch, Broken(), batch_size=None))
    assert next(batches) == -1
    assert next(batches) == -1
    with pytest.raises(ZeroDivisionError, match="Original Traceback"):
        next(batches)
    assert list(batches) == [1, 0]


def test_iteration_begun_anew_drops_what_was_on_its_way():
    batches = loader(edutorch, range(12), batch_size=None, persistent_workers=True)
    assert next(iter(batches)) == 0
    assert list(batches) == list(range(12))


def test_iteration_in_spawned_workers_gives_the_same_batches():
    data = edutorch.utils.data.TensorDataset(edutorch.arange(4.0))
    batches = loader(edutorch, data, 1, batch_size=3, multiprocessing_context="spawn")
    assert [x.tolist() for (x,) in batches] == [[0.0, 1.0, 2.0], [3.0]]


def test_iteration_ends_once_and_stays_ended():
    batches = iter(loader(edutorch, range(2), batch_size=None))
    assert list(batches) == [0, 1]
    assert next(batches, "end") == "end"
    assert batches.ended


def test_iteration_cannot_be_pickled():
    with pytest.raises(NotImplementedError) as raised:
        pickle.dumps(iter(edutorch.utils.data.DataLoader([1])))
    template, name = raised.value.args  # PyTorch does not format them either
    assert template.format(name) == "_SingleProcessDataLoaderIter cannot be pickled"


@pytest.mark.parametrize(
    "make",
    [
        lambda samples: edutorch.stack(samples),
        lambda samples: (edutorch.stack(samples), "text"),
        lambda samples: {"x": [edutorch.stack(samples)], "n": 2},
    ],
)
def test_batches_are_pinned_inside_containers(make):
    with edutorch.cuda.simulate():
        data = [edutorch.ones(2), edutorch.zeros(2)]
        loader = edutorch.utils.data.DataLoader(
            data, batch_size=2, collate_fn=make, pin_memory=True
        )
        (batch,) = loader
        leaves = tree_leaves(batch)
        assert [x.is_pinned() for x in leaves if isinstance(x, edutorch.Tensor)] == [
            True
        ]
        assert not data[0].is_pinned()


def test_pinned_batches_without_gpu_are_warned_of():
    with pytest.warns(UserWarning, match="no accelerator is found"):
        iter(edutorch.utils.data.DataLoader([1], pin_memory=True))


def test_large_batches_of_indices_do_not_block():
    n = 60_000  # their message is longer than what a pipe holds
    batches = loader(edutorch, edutorch.arange(n), 1, batch_size=n // 2)
    assert [len(b) for b in batches] == [n // 2] * 2
