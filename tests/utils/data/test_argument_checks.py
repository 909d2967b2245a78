"""Arguments of DataLoader that contradict each other."""

from __future__ import annotations

import multiprocessing

import pytest

from edutorch.utils.data import DataLoader, argument_checks
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def arguments_about_workers_are_checked(torch):
    data = torch.utils.data.DataLoader
    return [
        attempt(lambda: data([1], multiprocessing_context="fork")),
        attempt(lambda: data([1], num_workers=1, multiprocessing_context="foot")),
        attempt(lambda: data([1], num_workers=1, multiprocessing_context=3)),
        attempt(lambda: data([1], num_workers=1, prefetch_factor=-1)),
        attempt(lambda: next(iter(data([1], timeout=1)))),
        data([1], num_workers=1).prefetch_factor,
    ]


test_arguments = programs.test()


def test_context_by_name_becomes_a_context():
    loader = DataLoader([1], num_workers=1, multiprocessing_context="spawn")
    assert loader.multiprocessing_context is multiprocessing.get_context("spawn")


def test_more_workers_than_processors_are_warned_of(monkeypatch):
    monkeypatch.setattr(argument_checks, "processor_count", lambda: 2)
    with pytest.warns(UserWarning, match="will create 3 worker processes in total"):
        DataLoader([1], num_workers=3)
