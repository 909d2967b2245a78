"""Exempts the objects of the test run from garbage collection.

Twenty thousand tests are millions of objects: the collector would look through them
in each test that calls it, and a search for what holds a tensor would walk them. What
tests are about is what they make, and where the library and the program keep it.
"""

from __future__ import annotations

import gc
import sys

import pytest

__all__ = [
    "pytest_collection", "pytest_collection_finish", "pytest_runtest_teardown",
]  # fmt: skip

# Where the types are defined whose objects hold all tests, or the text of all files as
# trees, which the house's rules read.
ASIDE = ("_pytest", "pluggy", "xdist", "execnet", "ast")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """While tests are found, nothing is to be collected: all of it stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    _set_aside()
    search = sys.modules.get("edutorch.inspect.reference_search")
    if search is not None:
        search._OURS += ASIDE


def pytest_runtest_teardown(item):
    """An example of `gc.freeze` ends with what undoes it."""
    example = getattr(item, "dtest", None)
    if example is not None and "gc.unfreeze()" in example.docstring:
        _set_aside()


def _set_aside() -> None:
    gc.collect()  # existing garbage would stay as well
    gc.freeze()
