"""The workloads of `make bench`, in both libraries."""

from __future__ import annotations

import pytest

import edutorch
from benchmarks.speed.rounds import TOLERANCE, difference
from benchmarks.speed.worker import CHECKED, numbers_in
from benchmarks.speed.workloads import WORKLOADS
from tests.oracle import torch

LONG = {"resnet-18 step"}  # a second each


@pytest.mark.parametrize("name", sorted(set(WORKLOADS) - LONG))
def test_workload_computes_the_same_in_both_libraries(name):
    steps = [WORKLOADS[name](library) for library in (edutorch, torch)]
    for _ in range(CHECKED):
        ours, theirs = (numbers_in(step()) for step in steps)
        assert difference([ours], [theirs]) < TOLERANCE
