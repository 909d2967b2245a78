"""Where storages go: devices, names, dictionaries, functions, and packages."""

from __future__ import annotations

import io

import numpy as np
import pytest

import edutorch as torch
from edutorch.serialization import locations
from edutorch.serialization.locations import register_package, restorer
from edutorch.tensor.storage import Storage


def placed(location, map_location):
    return restorer(map_location)(Storage(np.zeros(8, np.uint8)), location).device


def test_restorer_follows_map_location():
    cpu = torch.device("cpu")
    assert placed("cpu", None) is cpu
    assert placed("cuda:3", "cpu") is cpu
    assert placed("cuda:3", b"cpu") is cpu
    assert placed("cuda:3", cpu) is cpu
    assert placed("cuda:3", {"cuda:3": "cpu"}) is cpu
    assert placed("cuda:3", lambda storage, _: storage) is cpu
    assert placed("cpu", lambda storage, _: None) is cpu


def test_function_gets_the_storage_and_its_location():
    seen = []
    file = io.BytesIO()
    torch.save(torch.ones(3), file)
    file.seek(0)
    torch.load(file, map_location=lambda s, at: seen.append((s.nbytes(), at)))
    assert seen == [(12, "cpu")]


def test_what_is_not_callable_is_refused_only_where_there_is_a_tensor():
    for saved in ([1], torch.ones(1)):
        file = io.BytesIO()
        torch.save(saved, file)
        file.seek(0)
        if isinstance(saved, list):
            assert torch.load(file, map_location=3) == [1]
        else:
            with pytest.raises(TypeError, match="'int' object is not callable"):
                torch.load(file, map_location=3)


def test_location_that_is_not_there_raises():
    with pytest.raises(RuntimeError, match="don't know how to restore data location"):
        placed("mars:0", None)
    with pytest.raises(RuntimeError, match="Attempting to deserialize object on a"):
        placed("mps", None)


@pytest.mark.parametrize("wrong", [5, lambda storage, location: "cpu"])
def test_map_location_of_another_kind_is_refused(wrong):
    with pytest.raises(TypeError):
        placed("cpu", wrong)


def test_package_saves_and_loads_places_of_its_own(monkeypatch):
    monkeypatch.setattr(locations, "_packages", list(locations._packages))
    moved = []

    def to_disk(storage, location):
        moved.append(location)
        return storage if location == "disk" else None

    register_package(5, lambda storage: "disk", to_disk)
    file = io.BytesIO()
    torch.save(torch.ones(2), file)
    file.seek(0)
    assert torch.load(file).tolist() == [1, 1]
    assert moved == ["disk"]
    monkeypatch.undo()
    file.seek(0)
    with pytest.raises(RuntimeError, match="tagged with disk"):
        torch.load(file)
