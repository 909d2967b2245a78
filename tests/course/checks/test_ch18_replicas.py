from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch18_replicas import (
    batch_statistics,
    reduce_gradients,
    scatter,
)


def mean_of_means(parts):
    whole = torch.cat(parts)
    mean = sum(part.mean(dim=0) for part in parts) / len(parts)
    return mean, whole.var(dim=0, correction=0)


@pytest.mark.parametrize(
    ("grade", "answer", "words"),
    [
        (scatter, lambda x, count: [x] * count, "whole batch"),
        (scatter, lambda x, count: list(x.flip(0).chunk(count)), "wrong order"),
        (reduce_gradients, lambda gs, _rows: sum(gs) / len(gs), "weight each"),
        (batch_statistics, mean_of_means, "short parts too much"),
    ],
)
def test_mistake_is_called_by_its_name(grade, answer, words):
    with pytest.raises(CheckFailed) as failure:
        grade(answer)
    assert words in str(failure.value)
