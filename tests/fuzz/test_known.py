"""Accepted differences: one table of all files, with reasons."""

import importlib
import pkgutil

from tests.fuzz import known as package
from tests.fuzz.known import KNOWN, known


def test_every_file_of_entries_is_in_the_table():
    names = {m.name for m in pkgutil.iter_modules(package.__path__)} - {"entry"}
    files = [importlib.import_module(f"tests.fuzz.known.{name}") for name in names]
    assert sorted(k.reason for f in files for k in f.KNOWN) == sorted(
        k.reason for k in KNOWN
    )


def test_centered_rmsprop_without_averaging_is_known():
    program = "o = torch.optim.RMSprop([p], lr=0.1, alpha={}, centered=True)"
    assert known(program.format("0"), "value", "") is not None
    assert known(program.format("0.5"), "value", "") is None
