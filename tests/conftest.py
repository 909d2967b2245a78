"""Fixtures and rules for every test."""

from __future__ import annotations

import os
import sys
import zlib
from importlib import import_module
from importlib.util import find_spec

import pytest

from tests import heap
from tests.overriding import restore_functions
from tests.require import missing

# Two cores are shared by the tests, their kernels and their browsers.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
# With Numba, compiled kernels are tested from the first call on.
if find_spec("numba"):
    os.environ.setdefault("EDUTORCH_KERNELS", "fast")


def pytest_configure(config):
    """Here, not as hooks of this file: examples in docstrings count as well."""
    config.pluginmanager.register(heap, "heap")


@pytest.fixture(autouse=True)
def _listeners_end_with_their_test():
    """Close what a test left listening, so that one failure stays one failure."""
    events = sys.modules.get("edutorch.events")
    before = set(events._subscriptions.values()) if events else set()
    yield
    events = sys.modules.get("edutorch.events")
    if events and len(events._subscriptions) > len(before):
        for subscription in set(events._subscriptions.values()) - before:
            subscription.close()


@pytest.fixture
def seen():
    """The records of what happens during the test."""
    records = []
    subscription = import_module("edutorch.events").listen("test", records.append)
    yield records
    subscription.close()


@pytest.fixture(autouse=True)
def _warnings_come_again():
    """Let each test see the warnings that a process shows once."""
    flags = sys.modules.get("edutorch.backends.flags")
    if flags:
        flags._warned.clear()


@pytest.fixture(autouse=True, scope="session")
def _runs_are_kept_apart(tmp_path_factory):
    """Keep training runs of tests out of the user's file of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EDUTORCH_RUNS", str(tmp_path_factory.mktemp("runs") / "runs.db"))
        yield


@pytest.fixture(autouse=True, scope="module")
def _functions_are_restored():
    """Take the public functions out of the hands of a file's subclasses of Tensor."""
    yield
    if "edutorch" in sys.modules:
        restore_functions()


def pytest_collection_finish():
    """Some files define a subclass when they are imported."""
    if "edutorch" in sys.modules:
        restore_functions()


def pytest_ignore_collect(collection_path):
    """Only test files are searched for tests; helpers hold no examples to run.

    Collecting `tests/oracle.py` would also leave it half imported where PyTorch is
    not installed, and every later import of it would fail.
    """
    helper = collection_path.suffix == ".py"
    return True if helper and not collection_path.name.startswith("test_") else None


def pytest_collection_modifyitems(config, items):
    """EDUTORCH_PART=2/3 runs the second third of the tests, chosen by their names."""
    part, _, parts = os.environ.get("EDUTORCH_PART", "1/1").partition("/")
    own = [zlib.crc32(i.nodeid.encode()) % int(parts) == int(part) - 1 for i in items]
    left_out = [item for item, kept in zip(items, own, strict=True) if not kept]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item, kept in zip(items, own, strict=True) if kept]


def _fail_if_required(report) -> None:
    """Make a skip a failure where EDUTORCH_REQUIRE names what was missing."""
    if not report.skipped or hasattr(report, "wasxfail"):
        return
    # A skip's longrepr is (file, line, reason).
    reason = report.longrepr[-1] if isinstance(report.longrepr, tuple) else ""
    thing = missing(str(reason))
    if thing:
        report.outcome = "failed"
        report.longrepr = f"EDUTORCH_REQUIRE has {thing!r}, but: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    _fail_if_required(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    _fail_if_required(report)
    return report
