"""PyTorch 0.1's format, a tar file: read, and lies about it refused."""

from __future__ import annotations

import io
import tarfile
from pickle import UnpicklingError

import numpy as np
import pytest

import edutorch as torch
from tests.serialization.forge import persistent, tape


def by_key(key):
    """A reference to a storage or tensor."""
    return type(persistent(0))(b"\x8a\x09" + key.to_bytes(9, "little") + b"Q")


NUMBERS = np.arange(1, 7, dtype="<f4").tobytes()
STORAGES = ((7, "FloatStorage", 6, NUMBERS),)


def load(value=None, **parts):
    value = by_key(8) if value is None else value
    file = tape({"w": value}, **{"storages": STORAGES, **parts})
    return torch.load(file, weights_only=False)["w"]


def test_tensors_are_loaded_and_share_memory():
    tensors = [(8, 7, (2, 3), (3, 1), 0), (9, 7, (3,), (2,), 1), (10, 7, (), (), 5)]
    value = {"w": by_key(8), "every other": by_key(9), "last": by_key(10)}
    found = torch.load(tape(value, STORAGES, tensors=tensors), weights_only=False)
    assert found["w"].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert found["every other"].tolist() == [2, 4, 6]
    assert found["last"].item() == 6
    found["w"].zero_()
    assert found["every other"].tolist() == [0, 0, 0]


def test_parts_of_storages_are_storages():
    found = load(parts=[(11, 7, 2, 3)], tensors=[(8, 11, (3,), (1,), 0)])
    assert found.tolist() == [3, 4, 5]


LIES = {
    "terabytes": {"storages": [(7, "FloatStorage", 2**40, NUMBERS)]},
    "elements below zero": {"storages": [(7, "FloatStorage", -1, NUMBERS)]},
    "elements missing": {"storages": [(7, "FloatStorage", 6, NUMBERS[:-4])]},
    "unknown type": {"storages": [(7, "MartianStorage", 6, NUMBERS)]},
    "key as text": {"storages": [("7", "FloatStorage", 6, NUMBERS)]},
    "key there twice": {"storages": STORAGES * 2},
    "more storages than there": {"counts": (2, 1)},
    "more tensors than there": {"counts": (1, 2)},
    "count as text": {"counts": ("1", 1)},
    "no such storage": {"tensors": [(8, 70, (2, 3), (3, 1), 0)]},
    "storage is a tensor": {"tensors": [(8, 7, (6,), (1,), 0), (9, 8, (1,), (1,), 0)]},
    "shape too large": {"tensors": [(8, 7, (7,), (1,), 0)]},
    "shape overflows": {"tensors": [(8, 7, (2**33, 2**33), (1, 1), 0)]},
    "stride below zero": {"tensors": [(8, 7, (6,), (-1,), 5)]},
    "offset below zero": {"tensors": [(8, 7, (1,), (1,), -1)]},
    "99 dimensions": {"tensors": [(8, 7, (1,) * 99, (1,) * 99, 0)]},
    "part beyond the storage": {"parts": [(11, 7, 4, 3)]},
    "part of nothing": {"parts": [(11, 70, 0, 1)]},
    "part that is none": {"parts": [5]},
    "no such tensor": {"value": by_key(99)},
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_inconsistent_file_is_refused(lie):
    with pytest.raises((UnpicklingError, RuntimeError, EOFError)):
        load(**lie)


def test_truncated_anywhere_is_refused():
    whole = tape({"w": by_key(8)}, STORAGES).getvalue()
    end = whole.rindex(b"ustar") + 260  # in the pickle, the last member
    for n in [*range(0, end, 7), *range(505, 520)]:
        with pytest.raises((UnpicklingError, RuntimeError, EOFError)):
            torch.load(io.BytesIO(whole[:n]), weights_only=False)


def test_file_that_is_not_trusted_is_refused():
    with pytest.raises(RuntimeError, match="Cannot use ``weights_only=True`` with fil"):
        torch.load(tape({"w": by_key(8)}, STORAGES))


def test_members_of_other_kinds_and_names_go_nowhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.REGTYPE):
        file = io.BytesIO()
        with tarfile.open(fileobj=file, mode="w:") as tar:
            about = tarfile.TarInfo("../../storages")
            about.type, about.linkname = kind, "/etc/passwd"
            tar.addfile(about)
        file.seek(0)
        with pytest.raises(UnpicklingError):
            torch.load(file, weights_only=False)
    assert not list(tmp_path.iterdir())


def test_forged_file_means_the_same_to_pytorch(tmp_path):
    from tests.oracle import torch as oracle

    path = tmp_path / "old.pt"
    path.write_bytes(tape({"w": by_key(8)}, STORAGES).getvalue())
    mine, theirs = (t.load(path, weights_only=False)["w"] for t in (torch, oracle))
    assert mine.tolist() == theirs.tolist()
