"""Storages in checkpoints: shared once, checked against their records."""

from __future__ import annotations

import io
from pickle import UnpicklingError

import numpy as np
import pytest

import edutorch as torch
from edutorch.serialization.storages import SavedStorages
from edutorch.tensor import wrap
from tests.serialization.forge import archive, name, persistent, program, tensor

NUMBERS = np.arange(1, 7, dtype=np.float32)


def load(**lie):
    records = {"0": NUMBERS.tobytes()}
    return torch.load(archive(program({"w": tensor(**lie)}), records))["w"]


def test_forged_tensor_that_is_right_is_loaded():
    assert load().tolist() == [[1, 2, 3], [4, 5, 6]]
    assert load(size=(3, 2), stride=(1, 3)).tolist() == [[1, 4], [2, 5], [3, 6]]
    assert load(size=(), stride=(), offset=5).item() == 6
    assert load(size=(0, 9), stride=(9, 1), offset=70).shape == (0, 9)


LIES = {
    "more numbers than stored": {"numel": 600},
    "fewer numbers than stored": {"numel": 5},
    "numel below zero": {"numel": -6},
    "numel as text": {"numel": "6"},
    "numel beyond 64 bits": {"numel": 2**70},
    "numel true": {"numel": True},
    "shape too large": {"size": (7,), "stride": (1,)},
    "shape overflows": {"size": (2**33, 2**33), "stride": (0, 0)},
    "shape below zero": {"size": (-2, 3)},
    "shape of fractions": {"size": (2.0, 3.0)},
    "shape is None": {"size": None},
    "stride too large": {"stride": (3000, 1)},
    "stride below zero": {"stride": (-3, 1)},
    "stride overflows": {"stride": (2**62, 2**62)},
    "stride too short": {"stride": (1,)},
    "offset too large": {"offset": 1},
    "offset below zero": {"offset": -1},
    "wider type": {"kind": "DoubleStorage"},
    "unknown type": {"kind": "MartianStorage"},
    "unknown device": {"device": "mars:0"},
    "device is a number": {"device": 7},
    "no such record": {"key": "9"},
    "record outside": {"key": "../data.pkl"},
    "record is a number": {"key": 0},
    "storage is a number": {"storage": 5},
    "storage is a bad reference": {"storage": persistent("storage")},
    "storage of a dtype": {
        "storage": persistent("storage", name("torch", "float32"), "0", "cpu", 6)
    },
    "requires_grad is a number": {"grad": 1},
    "hooks are a number": {"hooks": 7},
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_lie_about_a_tensor_is_refused(lie):
    with pytest.raises((UnpicklingError, RuntimeError)):
        load(**lie)


def test_record_with_two_types_is_refused():
    lies = {"a": tensor(), "b": tensor(kind="IntStorage")}
    with pytest.raises(UnpicklingError, match="two types"):
        torch.load(archive(program(lies), {"0": NUMBERS.tobytes()}))


def test_numbers_of_the_other_byte_order_are_turned():
    records = {"0": NUMBERS.astype(">f4").tobytes()}
    file = archive(program(tensor()), records, byteorder="big")
    assert torch.load(file).tolist() == [[1, 2, 3], [4, 5, 6]]


def test_unknown_byte_order_is_refused():
    file = archive(program({}), byteorder="middle")
    with pytest.raises(ValueError, match="Unknown endianness type: middle"):
        torch.load(file)


def test_place_of_views_names_one_record():
    x = torch.arange(12.0).reshape(3, 4)
    saved = SavedStorages()
    whole, transposed, row = map(saved.place_of, (x, x.t(), x[1]))
    assert whole.key == transposed.key == row.key
    assert (transposed.offset, transposed.stride) == (0, (1, 4))
    assert (row.offset, row.stride) == (4, (1,))
    assert len(saved.records()["0"]) == 48


def test_place_of_memory_with_gaps_at_its_root_is_a_copy():
    x = wrap(np.arange(10.0)[::-2])
    place = SavedStorages().place_of(x)
    assert (place.offset, place.stride, place.numel) == (0, (1,), 5)


def test_memory_seen_as_two_types_is_refused():
    x = torch.zeros(4)
    y = torch.from_numpy(x.numpy().view(np.int32))
    with pytest.raises(RuntimeError, match="view the same data as different types"):
        torch.save([x, y], io.BytesIO())
