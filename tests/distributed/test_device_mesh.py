"""Ranks in a grid."""

from __future__ import annotations

import pytest

from edutorch.distributed import init_device_mesh
from tests.distributed.launching import needs_mpi


@needs_mpi
def test_mesh_knows_places_and_groups(collected):
    size = len(collected)
    for rank, found in enumerate(collected):
        mesh, place, local, row, rows, ndim = found["mesh"]
        assert mesh[1] == [[r, r + 1] for r in range(0, size, 2)]
        assert place == [rank // 2, rank % 2]
        assert local == rank % 2
        assert row[1] == [rank // 2 * 2, rank // 2 * 2 + 1]
        assert (rows, ndim) == (size // 2, 2)
        assert found["all_reduce in mesh"][1] == [rank // 2 * 4 + 3]


def test_mesh_refuses_names_that_do_not_fit():
    with pytest.raises(RuntimeError, match="Each mesh_dim_name must be unique"):
        init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "dp"))
    with pytest.raises(RuntimeError, match="should have same length"):
        init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp",))
