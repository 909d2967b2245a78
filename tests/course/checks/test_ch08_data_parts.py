from __future__ import annotations

import numpy as np
import pytest

from edutorch.course import CheckFailed
from edutorch.course.checks.ch08_data_parts import _Double, _Numbered, grade_part
from tests.course.solutions import ch08


def rng():
    return np.random.default_rng(8)


def test_grade_of_the_solution_passes():
    grade_part(ch08.Part, rng())


def test_data_set_of_the_check_notes_what_is_read():
    data = _Numbered(3)
    assert (data[2][0].tolist(), data[1][1], data.reads) == ([3.0, 20.0], 1, [2, 1])


def test_transform_of_the_check_notes_what_it_is_given():
    double = _Double()
    assert double(_Numbered(1)[0][0]).tolist() == [2.0, 0.0]
    assert len(double.given) == 1


def test_part_that_reads_too_early_is_refused():
    class Early(ch08.Part):
        def __init__(self, dataset, indices, transform=None):
            super().__init__(dataset, indices, transform)
            self.first = dataset[0]

    with pytest.raises(CheckFailed, match="read while the part is made"):
        grade_part(Early, rng())


def test_part_that_changes_the_data_set_is_refused():
    class Changing(ch08.Part):
        def __getitem__(self, i):
            x, y = super().__getitem__(i)
            self.dataset.samples[0][0][0] = -1.0
            return x, y

    with pytest.raises(CheckFailed):
        grade_part(Changing, rng())
