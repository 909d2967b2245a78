"""Chapter 8: datasets, loaders and workers."""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.course.compare import need_function
from edutorch.course.exercise import Exercise
from edutorch.course.random_cases import draws

from .ch08_data_parts import grade_part
from .ch08_length_batches import grade_by_length
from .ch08_padded_batch import PADDING_MISTAKES, PADDING_SHOWN, fresh_samples, padded
from .ch08_stratified_split import SPLIT_MISTAKES, SPLIT_SHOWN, fresh_split, split
from .ch08_worker_numbers import grade_own_numbers
from .parts import against_parts

__all__ = ["EXERCISES"]

SPLIT_RULE = (
    "from every class, the first round(share · count) in this order go to the test"
)
PADDING_RULE = "a row per sample, as long as the longest, with zeros after the shorter"


def part(answer: Any) -> None:
    """08.1: a subset of a data set with its own transform."""
    grade_part(answer, _rng())


def stratified(answer: Any) -> None:
    """08.2: a split with equal class proportions."""
    against_parts(
        answer,
        "stratified",
        ("training", "test"),
        right=split,
        shown=SPLIT_SHOWN,
        fresh=fresh_split,
        rule=SPLIT_RULE,
        mistakes=SPLIT_MISTAKES,
    )


def pad_batch(answer: Any) -> None:
    """08.3: collating sequences of different lengths."""
    against_parts(
        answer,
        "pad_batch",
        ("padded", "lengths", "labels"),
        right=padded,
        shown=PADDING_SHOWN,
        fresh=fresh_samples,
        rule=PADDING_RULE,
        mistakes=PADDING_MISTAKES,
        forbidden=("pad_sequence",),
        returns="tensor",
    )


def by_length(answer: Any) -> None:
    """08.4: batches of similar length."""
    grade_by_length(answer, _rng())


def own_numbers(answer: Any) -> None:
    """08.5: different random numbers in each worker."""
    grade_own_numbers(need_function(answer, "own_numbers"), _rng())


def _rng() -> np.random.Generator:
    """A random generator for this attempt."""
    (draw,) = draws(1, ("float32",))
    return np.random.default_rng(draw.size(0, 2**31 - 1))


EXERCISES = (
    Exercise(
        "08.1",
        "a part of a data set",
        1,
        (
            "Keep all three in __init__, and do the work when a sample is accessed.",
            "Sample i of the part is self.dataset[self.indices[i]], a pair.",
            (
                "x, y = self.dataset[self.indices[i]]; then x = self.transform(x), "
                "unless self.transform is None; return x, y."
            ),
        ),
        part,
    ),
    Exercise(
        "08.2",
        "a stratified split",
        2,
        (
            "First collect, for every class, its indices as they come in `order`.",
            (
                "members.setdefault(labels[i], []).append(i) collects. Of each list "
                "the first round(share * len(list)) are for the test."
            ),
            (
                "Put all test indices into a set; then go through `order` twice: "
                "[i for i in order if i not in test], [i for i in order if i in test]."
            ),
        ),
        stratified,
    ),
    Exercise(
        "08.3",
        "a batch of different lengths",
        2,
        (
            "How wide must the batch be? The lengths tell you, so compute them first.",
            (
                "Begin with zeros of shape (count, longest) and dtype torch.int64, "
                "and copy every sequence into the beginning of its row."
            ),
            (
                "padded[row, : len(sequence)] = sequence for every row; then "
                "torch.tensor of the lengths, and of the labels."
            ),
        ),
        pad_batch,
    ),
    Exercise(
        "08.4",
        "batches of similar length",
        2,
        (
            "What stays the same in all epochs, and what is newly drawn in each?",
            (
                "__init__: sorted(range(len(lengths)), key=lambda i: lengths[i]), cut "
                "into lists. __iter__: a random order of these lists."
            ),
            (
                "for i in torch.randperm(len(self.batches), "
                "generator=self.generator).tolist(): yield self.batches[i]"
            ),
        ),
        by_length,
    ),
    Exercise(
        "08.5",
        "random numbers for each worker",
        1,
        (
            (
                "The function runs inside the worker. Which copy of the data set can "
                "it reach?"
            ),
            (
                "get_worker_info() has the worker's copy as .dataset, and a .seed "
                "that differs from worker to worker and from epoch to epoch."
            ),
            (
                "info = get_worker_info(); then set info.dataset.rng to "
                "np.random.default_rng(info.seed)."
            ),
        ),
        own_numbers,
    ),
)
