"""Collating samples."""

from __future__ import annotations

from collections import OrderedDict, namedtuple

import numpy as np
import pytest

import edutorch
from tests.programs import Programs, attempt

programs = Programs(__file__)
Point = namedtuple("Point", "x y")  # noqa: PYI024 (users have such)


@programs.add
def samples_of_every_kind(torch):
    collate = torch.utils.data.default_collate
    return [
        collate([1, 2]), collate([1.5, 2]), collate([True, False]), collate(["a", "b"]),
        collate([b"a", b"b"]), collate([torch.ones(2), torch.zeros(2)]),
        collate([np.ones(2, np.float32), np.zeros(2, np.float32)]),
        collate([np.float32(1), np.float32(2)]), collate([np.array(1), np.array(2)]),
        collate([(1, 2.0), (3, 4.0)]), collate([[1, "a"], [2, "b"]]),
        collate([{"a": 1, "b": [1, 2]}, {"a": 2, "b": [3, 4]}]),
    ]  # fmt: skip


@programs.add
def containers_keep_their_form(torch):
    collate = torch.utils.data.default_collate
    point = collate([Point(1, 2.0), Point(3, 4.0)])
    ordered = collate([OrderedDict(b=1, a=2), OrderedDict(b=3, a=4)])
    return [
        type(point).__name__,
        point,
        type(ordered).__name__,
        ordered,
        type(collate([(1,), (2,)])).__name__,
        type(collate([[1], [2]])).__name__,
    ]


@programs.add
def samples_that_do_not_fit_are_refused(torch):
    collate = torch.utils.data.default_collate
    return [
        attempt(lambda: collate([(1, 2), (1,)])),
        attempt(lambda: collate([[1], [1, 2]])),
        attempt(lambda: collate([object()]))[:2],
        attempt(lambda: collate([None, None])),
        attempt(lambda: collate([np.array(["a"]), np.array(["b"])])),
        attempt(lambda: collate([torch.ones(2), torch.ones(3)])),
        attempt(lambda: collate([{"a": 1}, {"b": 1}]))[:2],
    ]


@programs.add
def converting_without_batches(torch):
    convert = torch.utils.data.default_convert
    return [
        convert(np.array([1, 2])), convert(np.float32(3)), convert(3), convert("a"),
        convert([np.ones(1), (np.zeros(1), 2)]), convert({"a": np.ones(1)}),
        type(convert((1, 2))).__name__, type(convert(Point(1, 2))).__name__,
        convert(np.array(["a"])).tolist(),
    ]  # fmt: skip


@programs.add
def arrays_that_differ_are_collated_or_refused(torch):
    collate = torch.utils.data.default_collate
    grid = np.arange(12.0).reshape(3, 4)
    return [
        collate([grid, np.asfortranarray(grid)]), collate([grid[:, 1:], grid[:, :3]]),
        collate([grid.T, grid.T]), collate([grid, grid.astype(np.float32)]),
        collate([np.zeros((0, 2)), np.zeros((0, 2))]),
        attempt(lambda: collate([grid, grid[:2]])),
        attempt(lambda: collate([grid, grid[::-1]]))[0],
        attempt(lambda: collate([grid[::-1], grid[::-1]]))[0],
    ]  # fmt: skip


@programs.add
def batches_share_no_memory_with_their_samples(torch):
    collate = torch.utils.data.default_collate
    array, tensor = np.zeros((1, 2)), torch.zeros(1, 2)
    batches = [collate([array]), collate([tensor]), collate([tensor, tensor])]
    for batch in batches:
        batch += 1
    return [array.tolist(), tensor, [b.untyped_storage().nbytes() for b in batches]]


@programs.add
def batches_of_tensors_keep_what_these_are(torch):
    collate = torch.utils.data.default_collate
    w = torch.ones(2, requires_grad=True)
    base = torch.zeros(2, 2)
    rows = [base[0], base[1]]
    base.mul_(w)
    mixed = collate([torch.zeros(2), torch.zeros(2, dtype=torch.float64)])
    image = (
        torch.arange(24.0)
        .reshape(1, 2, 3, 4)
        .contiguous(memory_format=torch.channels_last)[0]
    )
    parameter = torch.nn.Parameter(torch.ones(2))
    return [
        collate([w, w]).requires_grad, collate(rows).requires_grad, mixed,
        collate([image, image]).stride(), collate([parameter]).requires_grad,
        collate([torch.tensor(1), torch.tensor(2)]),
    ]  # fmt: skip


test_collate = programs.test()


def test_large_batches_hold_the_same_numbers_for_any_number_of_threads():
    samples = [np.random.default_rng(i).random((301, 97)) for i in range(13)]
    before = edutorch.get_num_threads()
    try:
        for threads in (1, 2, 3):
            edutorch.set_num_threads(threads)
            batch = edutorch.utils.data.default_collate(samples)
            assert np.array_equal(batch.numpy(), np.stack(samples))
    finally:
        edutorch.set_num_threads(before)


def test_samples_that_may_not_be_written_to_are_copied_with_a_warning():
    sample = np.zeros(2)
    sample.flags.writeable = False
    with pytest.warns(UserWarning, match="not writable"):
        batch = edutorch.utils.data.default_collate([sample, sample])
    batch += 1
    assert sample.sum() == 0


def test_collating_is_seen_as_an_operation_by_those_who_watch():
    with edutorch.inspect.record() as recording:
        edutorch.utils.data.default_collate([np.zeros(2), np.ones(2)])
    assert "stack" in recording.counts.ops
