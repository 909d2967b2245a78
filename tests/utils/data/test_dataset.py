"""Data sets."""

from __future__ import annotations

from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


@programs.add
def rows_of_tensors(torch):
    data = torch.utils.data
    d = data.TensorDataset(torch.arange(3), torch.zeros(3, 2))
    return [
        len(d),
        d[1],
        d[-1],
        d[[0, 2]],
        d[0:2],
        attempt(lambda: data.TensorDataset(torch.zeros(2), torch.zeros(3))),
    ]


@programs.add
def data_sets_one_after_the_other(torch):
    data = torch.utils.data
    a = data.TensorDataset(torch.arange(3))
    b = data.TensorDataset(torch.arange(10, 12))
    both = a + b
    return [
        type(both).__name__,
        len(both),
        both.cumulative_sizes,
        [both[i][0].item() for i in (0, 2, 3, 4, -1, -5)],
        attempt(lambda: both[-6]),
        attempt(lambda: both[5])[:2],
        attempt(lambda: data.ConcatDataset([])),
        attempt(lambda: data.ConcatDataset([_stream(torch)])),
    ]


def _stream(torch, n=2):
    class Stream(torch.utils.data.IterableDataset):
        def __iter__(self):
            return iter(range(n))

    return Stream()


@programs.add
def streams_one_after_the_other(torch):
    both = _stream(torch) + _stream(torch, 3)
    return [
        type(both).__name__,
        list(both),
        attempt(lambda: list(torch.utils.data.ChainDataset([[1]]))),
    ]


@programs.add
def data_sets_side_by_side(torch):
    stack = torch.utils.data.StackDataset
    pairs, named = stack([1, 2], [3, 4]), stack(a=[1, 2], b=[3, 4])
    return [
        pairs[1],
        len(pairs),
        named[0],
        pairs.__getitems__([0, 1]),
        attempt(lambda: stack()),
        attempt(lambda: stack([1], a=[1])),
        attempt(lambda: stack([1], [1, 2])),
        attempt(lambda: stack(a=[1], b=[])),
    ]


@programs.add
def parts_of_data_sets(torch):
    part = torch.utils.data.Subset([10, 20, 30, 40], [3, 1])
    return [
        part[0],
        part[1],
        len(part),
        part.__getitems__([1, 0]),
        attempt(lambda: part[2])[:2],
    ]


@programs.add
def splits_at_random(torch):
    split = torch.utils.data.random_split
    g = torch.Generator().manual_seed(3)
    return [
        [p.indices for p in split(range(10), [3, 7], generator=g)],
        [p.indices for p in split(range(10), [0.25, 0.25, 0.5])],
        [list(p) for p in split("abcd", [1, 3])],
        attempt(lambda: split(range(10), [3, 3])),
        attempt(lambda: split(range(10), [-0.5, 1.5])),
        warned(lambda: [len(p) for p in split(range(2), [0.1, 0.9])]),
    ]


@programs.add
def what_a_data_set_must_define(torch):
    return [
        attempt(lambda: torch.utils.data.Dataset()[0]),
        attempt(lambda: iter(torch.utils.data.IterableDataset()))[:2],
        attempt(lambda: len(torch.utils.data.Dataset()))[:2],
        torch.utils.data.get_worker_info(),
    ]


test_dataset = programs.test()
