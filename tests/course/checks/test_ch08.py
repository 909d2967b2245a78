from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.course import CheckFailed, check
from edutorch.utils.data import DataLoader
from tests.course.solutions import ch08

SOLUTIONS = {
    "08.1": ch08.Part,
    "08.2": ch08.stratified,
    "08.3": ch08.pad_batch,
    "08.4": ch08.ByLength,
    "08.5": ch08.own_numbers,
}


@pytest.mark.parametrize("number", SOLUTIONS)
def test_check_of_the_solution_passes(number):
    assert check(number, SOLUTIONS[number]).points > 0


def test_example_of_a_part_holds():
    dataset = [(10, "a"), (20, "b"), (30, "c")]
    part = ch08.Part(dataset, [2, 0], lambda x: x + 1)
    assert (part[0], len(part)) == ((31, "c"), 2)


def test_example_of_the_split_holds():
    split = ch08.stratified([0, 0, 0, 0, 1, 1], [5, 3, 0, 4, 2, 1], 0.5)
    assert split == ([4, 2, 1], [5, 3, 0])


def test_example_of_the_padding_holds():
    samples = [(torch.tensor([5, 6]), 1), (torch.tensor([7, 8, 9]), 0)]
    padded, lengths, labels = ch08.pad_batch(samples)
    assert padded.tolist() == [[5, 6, 0], [7, 8, 9]]
    assert (lengths.tolist(), labels.tolist()) == ([2, 3], [1, 0])


def test_example_of_batches_by_length_holds():
    sampler = ch08.ByLength([3, 9, 1, 8, 2], 2, torch.Generator().manual_seed(0))
    assert sorted(sampler) == [[0, 3], [1], [2, 4]]


class Noisy(torch.utils.data.Dataset):
    def __init__(self):
        self.rng = np.random.default_rng(0)

    def __len__(self):
        return 4

    def __getitem__(self, i):
        return self.rng.normal(size=3)


def epoch(init, seed):
    torch.manual_seed(seed)
    loader = DataLoader(Noisy(), batch_size=2, num_workers=2, worker_init_fn=init)
    return [tuple(batch[0].tolist()) for batch in loader]


def test_solution_gives_real_workers_numbers_of_their_own():
    twins = epoch(None, 1)
    assert twins[0] == twins[1]
    mended = epoch(ch08.own_numbers, 1)
    assert mended[0] != mended[1]
    assert mended == epoch(ch08.own_numbers, 1)
    assert not set(mended) & set(epoch(ch08.own_numbers, 2))


@pytest.mark.parametrize(
    ("number", "made"),
    [
        ("08.1", ch08.Part([], [])),
        ("08.4", ch08.ByLength([1], 1, torch.Generator())),
        ("08.5", None),
    ],
)
def test_check_of_what_was_called_already_asks_for_its_name(number, made):
    with pytest.raises(CheckFailed, match="without"):
        check(number, made)
