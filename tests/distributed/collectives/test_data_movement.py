"""Collectives that move values, compared with NumPy and PyTorch's gloo."""

from __future__ import annotations

import numpy as np

from tests.distributed.launching import needs_mpi

pytestmark = needs_mpi


def own(rank, *shape, add=0):
    """What `collectives_program.py` gives to each rank."""
    count = int(np.prod(shape))
    return (np.arange(count) % 5 + rank + 1 + add).reshape(shape).astype(float)


def values(results, name):
    return [rank[name][1] for rank in results]


def test_results_of_the_whole_program_are_those_of_gloo(two):
    ours, theirs = two
    for rank, (mine, reference) in enumerate(zip(ours, theirs, strict=True)):
        assert mine.keys() == reference.keys()
        differ = [name for name in mine if mine[name] != reference[name]]
        assert not differ, [(rank, n, mine[n], reference[n]) for n in differ]


def test_broadcast_gives_all_the_values_of_the_source(collected):
    for got in values(collected, "broadcast"):
        assert np.array_equal(got, own(1, 2, 3))
    for got in values(collected, "broadcast strided"):
        assert np.array_equal(got, own(0, 2, 4).T)


def test_all_gather_gives_all_the_values_of_all(collected):
    size = len(collected)
    every = [own(rank, 2).tolist() for rank in range(size)]
    for rank in collected:
        assert [part[1] for part in rank["all_gather float32"]] == every
        assert [part[0] for part in rank["all_gather bfloat16"]] == [
            "torch.bfloat16"
        ] * size
        assert rank["all_gather_into_tensor"][1] == np.concatenate(every).tolist()


def test_gather_gives_the_destination_the_values_of_all(collected):
    size = len(collected)
    assert [part[1] for part in collected[1]["gather"]] == [
        own(rank, 2).tolist() for rank in range(size)
    ]
    assert collected[0]["gather"] is None


def test_scatter_gives_each_rank_its_part(collected):
    for rank, got in enumerate(values(collected, "scatter")):
        assert np.array_equal(got, own(0, 2, add=10 * rank))


def test_all_to_all_sends_each_rank_its_part(collected):
    size = len(collected)
    sent = [
        own(rank, 2 * size, add=100 * rank).reshape(size, 2) for rank in range(size)
    ]
    for rank, got in enumerate(values(collected, "all_to_all_single")):
        assert np.array_equal(got, np.concatenate([part[rank] for part in sent]))


def test_uneven_all_to_all_sends_parts_of_different_sizes(collected):
    size = len(collected)
    sent = [own(r, (r + 1) * size, 2, add=100 * r) for r in range(size)]
    for rank, got in enumerate(values(collected, "all_to_all_single uneven")):
        parts = [x[rank * (r + 1) : (rank + 1) * (r + 1)] for r, x in enumerate(sent)]
        assert np.array_equal(got, np.concatenate(parts))
