"""Programs shared by several tests run once; a group of one rank."""

from __future__ import annotations

from pathlib import Path

import pytest

from edutorch import distributed
from tests.distributed.launching import by_hand, left_over, results, run

PROGRAM = Path(__file__).with_name("collectives_program.py")


@pytest.fixture(scope="session", params=[2, 4], ids=lambda size: f"{size} ranks")
def collected(request, tmp_path_factory):
    """What each of some ranks got from every collective."""
    folder = tmp_path_factory.mktemp("collectives")
    done = run("--nproc-per-node", request.param, PROGRAM, "edutorch", folder)
    assert done.returncode == 0, done.stderr
    return results(folder, "edutorch", request.param)


@pytest.fixture(scope="session")
def two(tmp_path_factory):
    """What each of two ranks got, and what PyTorch's get from the same program."""
    pytest.importorskip("torch", reason="needs PyTorch (torch)")
    folder = tmp_path_factory.mktemp("two")
    done = run("--nproc-per-node", 2, PROGRAM, "edutorch", folder)
    assert done.returncode == 0, done.stderr
    by_hand(2, PROGRAM, "torch", folder)
    return results(folder, "edutorch", 2), results(folder, "torch", 2)


@pytest.fixture(autouse=True, scope="session")
def nothing_stays():
    """No process of the tests in this folder is there after them."""
    yield
    assert left_over(of_all=True) == []


@pytest.fixture
def alone():
    """This process as the only rank."""
    distributed.init_process_group(store=distributed.HashStore(), rank=0, world_size=1)
    yield
    distributed.destroy_process_group()
