from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course.checks.ch08_padded_batch import (
    PADDING_MISTAKES,
    PADDING_SHOWN,
    fresh_samples,
    padded,
)
from edutorch.course.random_cases import draws
from edutorch.nn.utils.rnn import pad_sequence

CASES = [*PADDING_SHOWN, *(fresh_samples(draw) for draw in draws(8, ("float32",)))]


def listed(parts):
    return [part.tolist() for part in parts]


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_padded_is_pad_sequence_with_lengths_and_labels(case):
    (samples,) = case
    rows, lengths, labels = padded(samples)
    assert rows.equal(pad_sequence([s for s, _ in samples], batch_first=True))
    assert lengths.tolist() == [len(s) for s, _ in samples]
    assert labels.tolist() == [label for _, label in samples]
    assert {part.dtype for part in (rows, lengths, labels)} == {torch.int64}


@pytest.mark.parametrize("words", PADDING_MISTAKES)
def test_mistake_differs_from_the_rule_in_two_cases(words):
    def outcome(made, samples):
        try:
            return listed(made(samples))
        except ValueError:  # rows that do not fit
            return None

    made = PADDING_MISTAKES[words]
    different = [outcome(made, *case) != listed(padded(*case)) for case in CASES]
    assert sum(different) >= 2
