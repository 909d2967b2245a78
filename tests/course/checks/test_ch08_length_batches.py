from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch08_length_batches import _cut, _same, grade_by_length
from tests.course.solutions import ch08


def rng():
    return np.random.default_rng(8)


@pytest.mark.parametrize("seed", range(5))
def test_grade_of_the_solution_passes_for_every_seed(seed):
    grade_by_length(ch08.ByLength, np.random.default_rng(seed))


def test_cut_leaves_the_smaller_batch_at_the_end():
    assert _cut([1, 2, 3, 4, 5], 2) == [[1, 2], [3, 4], [5]]


def test_batches_are_the_same_in_any_order():
    assert _same([[1, 2], [3]], [[3], [2, 1]])
    assert not _same([[1, 2], [3]], [[1], [2, 3]])


def test_grading_leaves_the_seeds_of_the_program_as_they_were():
    torch.manual_seed(5)
    np.random.seed(5)
    before = torch.rand(1).item(), np.random.rand()
    torch.manual_seed(5)
    np.random.seed(5)
    grade_by_length(ch08.ByLength, rng())
    assert (torch.rand(1).item(), np.random.rand()) == before


def test_index_out_of_range_is_named():
    class Beyond(ch08.ByLength):
        def __iter__(self):
            for batch in super().__iter__():
                yield [i + 1 for i in batch]

    with pytest.raises(CheckFailed, match="there is no sample 5"):
        grade_by_length(Beyond, rng())
