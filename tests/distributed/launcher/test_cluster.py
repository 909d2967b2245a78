"""Ranks for a notebook."""

from __future__ import annotations

import sys
import warnings

import pytest

from edutorch.distributed import cluster
from tests.distributed.launching import needs_mpi

PROGRAM = """
import edutorch as torch, edutorch.distributed as dist
dist.init_process_group("gloo")
x = torch.ones(2) * dist.get_rank()
dist.all_reduce(x)
total = x.tolist()
"""


def test_cluster_without_ipyparallel_tells_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ipyparallel", None)
    with pytest.raises(
        ModuleNotFoundError, match="pip install mpi4py mpich ipyparallel"
    ):
        cluster(n=2).start()


@needs_mpi
@pytest.mark.slow
def test_cluster_is_one_world_of_ranks(monkeypatch):
    pytest.importorskip("ipyparallel")
    from tests.house.source_tree import ROOT

    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what ipyparallel warns of outside notebooks
        with cluster(n=2, progress=False) as ranks:
            ranks.view.execute(PROGRAM)
            assert ranks.view["total"] == [[1.0, 1.0], [1.0, 1.0]]
    assert ranks.view is None
