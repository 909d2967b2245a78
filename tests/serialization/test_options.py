"""Byte order, checksums, mapping, and files without data."""

from __future__ import annotations

import io
import mmap

import pytest

import edutorch as torch
from edutorch.serialization import (
    LoadEndianness,
    set_crc32_options,
    set_default_load_endianness,
    set_default_mmap_options,
    skip_data,
)


def saved(value, **options):
    file = io.BytesIO()
    torch.save(value, file, **options)
    file.seek(0)
    return file


def test_byte_order_that_a_file_does_not_tell_is_the_default():
    file = saved(torch.tensor([1], dtype=torch.int16), _disable_byteorder_record=True)
    assert torch.load(file).item() == 1
    try:
        set_default_load_endianness(LoadEndianness.BIG)
        file.seek(0)
        assert torch.load(file).item() == 256
        set_default_load_endianness(LoadEndianness.NATIVE)
        file.seek(0)
        assert torch.load(file).item() == 1
    finally:
        set_default_load_endianness(None)
    with pytest.raises(TypeError, match="Invalid argument type"):
        set_default_load_endianness("big")


def test_files_without_checksums_are_loaded():
    try:
        set_crc32_options(False)
        file = saved({"w": torch.ones(2)})
    finally:
        set_crc32_options(True)
    assert torch.load(file)["w"].tolist() == [1, 1]


def test_one_checksum_of_zero_does_not_switch_checking_off():
    file = saved(torch.ones(2))
    data = bytearray(file.getvalue())
    central = data.index(b"archive/data/0", data.index(b"PK\1\2"))
    data[central - 30 : central - 26] = bytes(4)
    with pytest.raises(RuntimeError, match="checksum"):
        torch.load(io.BytesIO(data))


def test_skip_data_leaves_room_for_the_numbers(tmp_path):
    x = torch.arange(6.0)
    with skip_data():
        file = saved({"x": x})
        with pytest.raises(RuntimeError, match="Cannot use skip_data=True"):
            torch.save(x, io.BytesIO(), _use_new_zipfile_serialization=False)
    assert len(file.getvalue()) == len(saved({"x": x}).getvalue())
    assert torch.load(file)["x"].tolist() == [0] * 6
    with skip_data():
        assert torch.load(saved({"x": x}))["x"].tolist() == [0] * 6


def test_mapped_files_keep_their_numbers_unless_shared(tmp_path):
    path = tmp_path / "x.pt"
    torch.save(
        {"x": torch.ones(3), "view": torch.ones(4)[1:], "n": torch.ones(0)}, path
    )
    found = torch.load(path, mmap=True)
    assert found["view"].tolist() == [1, 1, 1]
    found["x"].fill_(5)
    assert torch.load(path)["x"].tolist() == [1, 1, 1]
    with set_default_mmap_options(mmap.MAP_SHARED):
        shared = torch.load(path, mmap=True)["x"]
    assert shared.tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match="expected mmap.MAP_PRIVATE"):
        set_default_mmap_options(77)
    with pytest.raises(ValueError, match="f must be a file path"):
        torch.load(saved(torch.ones(1)), mmap=True)


def test_damage_to_a_mapped_file_is_noticed(tmp_path):
    path = tmp_path / "x.pt"
    torch.save(torch.full((100,), 3.0), path)
    data = bytearray(path.read_bytes())
    data[data.index(b"\0\0@@" * 10) + 5] ^= 1
    path.write_bytes(data)
    with pytest.raises(RuntimeError, match="checksum"):
        torch.load(path, mmap=True)
