"""Ranks in a grid."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from edutorch.distributed import device_mesh, get_process_group_ranks, init_device_mesh
from edutorch.distributed.groups.process_group import ProcessGroup
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


@pytest.fixture(params=[0, 5], ids="rank {}".format)
def cube(request, monkeypatch):
    """A mesh of eight ranks as one of them sees it, with groups that cannot talk."""
    world = SimpleNamespace(rank=request.param, size=8)

    def group(ranks):
        return ProcessGroup(world, None, ranks, "0", "gloo", None, None)

    monkeypatch.setattr(device_mesh, "is_initialized", lambda: True)
    monkeypatch.setattr(device_mesh, "default_group", lambda: group(range(8)))
    monkeypatch.setattr(device_mesh, "new_group", group)
    mesh = init_device_mesh("cpu", (2, 2, 2), mesh_dim_names=("dp", "cp", "tp"))
    return request.param, mesh


def test_mesh_is_sliced_by_several_names(cube):
    rank, mesh = cube
    part = mesh["dp", "tp"]
    assert repr(part) == "DeviceMesh((dp=2, tp=2), 'cpu', stride=(4, 1))"
    assert part.mesh.tolist() == [[0, 1], [4, 5]]
    assert part.get_coordinate() == {0: (0, 0), 5: (1, 1)}[rank]
    assert part["tp"].get_all_groups() == mesh["tp"].get_all_groups()
    assert mesh["dp", "cp", "tp"] is mesh
    with pytest.raises(KeyError, match="should be in ascending order"):
        mesh["tp", "dp"]
    with pytest.raises(RuntimeError, match="Slicing overlapping dim_names"):
        mesh["dp", "dp"]
    with pytest.raises(KeyError, match=r"Valid mesh_dim_names are \['dp', 'tp'\]"):
        part["cp"]


def test_flattened_mesh_has_one_group_of_all_its_ranks(cube):
    rank, mesh = cube
    flat = mesh["dp", "cp"]._flatten()
    expected = [0, 2, 4, 6] if rank == 0 else [1, 3, 5, 7]
    assert repr(flat) == "DeviceMesh((dp_cp=4), 'cpu', stride=(2,))"
    assert flat.mesh.tolist() == get_process_group_ranks(flat.get_group()) == expected
    assert flat.get_local_rank() == mesh.get_local_rank("dp_cp") == expected.index(rank)
    assert mesh["dp", "cp"]._flatten() is flat
    assert mesh["dp", "tp"]._flatten("dt").mesh.tolist() == [0, 1, 4, 5]
    assert repr(mesh["dp", "tp"]._flatten("dt")).endswith("stride=((4, 1),))")
    assert mesh._flatten("all").mesh.tolist() == list(range(8))
    assert mesh["dp"]._flatten() == mesh["dp"]


@pytest.mark.filterwarnings("ignore:Slicing a flattened dim")
def test_root_is_sliced_by_the_name_of_a_flattened_dimension(cube):
    _, mesh = cube
    flat = mesh["dp", "cp"]._flatten()
    assert mesh["dp_cp"] == flat
    both = mesh["dp_cp", "tp"]
    assert repr(both) == "DeviceMesh((dp_cp=4, tp=2), 'cpu', stride=(2, 1))"
    assert both.mesh.tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert both["dp_cp"].get_all_groups() == flat.get_all_groups()
    with pytest.raises(RuntimeError, match="Slicing overlapping"):
        mesh["dp_cp", "cp"]


def test_names_of_flattened_dimensions_are_taken_once(cube):
    _, mesh = cube
    mesh["dp", "cp"]._flatten("x")
    with pytest.raises(ValueError, match="x has been created before"):
        mesh["cp", "tp"]._flatten("x")
    with pytest.raises(ValueError, match="tp already exists for submesh"):
        mesh["dp", "cp"]._flatten("tp")
    unnamed = init_device_mesh("cpu", (2, 4))
    with pytest.raises(RuntimeError, match="Cannot flatten a DeviceMesh without"):
        unnamed._flatten()
    with pytest.raises(KeyError, match="No `mesh_dim_names` found"):
        unnamed.get_group("dp")


def test_mesh_is_for_a_type_of_device():
    with pytest.raises(RuntimeError, match="Device type with index is not supported"):
        init_device_mesh("cuda:0", (1,))
