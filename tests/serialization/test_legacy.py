"""PyTorch's format before 1.6: read, written, exchanged; lies about it refused."""

from __future__ import annotations

import io
import struct
from pickle import UnpicklingError

import numpy as np
import pytest

import edutorch as torch
from tests.serialization.forge import call, legacy_tensor, name, persistent, stream

NUMBERS = np.arange(1, 7, dtype="<f4").tobytes()


def load(value, records=(("0", 6, NUMBERS),), **options):
    return torch.load(stream(value, records, **options))


def round_trip(value, **options):
    file = io.BytesIO()
    torch.save(value, file, _use_new_zipfile_serialization=False)
    file.seek(0)
    return torch.load(file, **options)


def test_forged_file_that_is_right_is_loaded():
    found = load({"w": legacy_tensor(), "n": 3})
    assert found["w"].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert found["n"] == 3
    transposed = load(legacy_tensor(size=(3, 2), stride=(1, 3)))
    assert transposed.tolist() == [[1, 4], [2, 5], [3, 6]]


def test_tensors_that_share_memory_share_it_again():
    x = torch.arange(6.0).reshape(2, 3)
    found = round_trip([x, x.t(), x[1]])
    found[0].fill_(7)
    assert found[1].stride() == (1, 3)
    assert found[2].tolist() == [7, 7, 7]


def test_part_of_a_storage_that_counts_as_one_shares_its_memory():
    part = legacy_tensor(about=("1", 2, 3), size=(3,), stride=(1,))
    found = load({"all": legacy_tensor(), "part": part})
    assert found["part"].tolist() == [3, 4, 5]
    found["all"].fill_(0)
    assert found["part"].tolist() == [0, 0, 0]


def test_tensors_without_gradients_of_old_versions_are_loaded():
    place = persistent("storage", name("torch", "FloatStorage"), "0", "cpu", 6, None)
    old = call(name("torch._utils", "_rebuild_tensor"), place, 1, (2,), (2,))
    assert load(old).tolist() == [2, 4]


def test_text_of_python_2_is_loaded():
    file = stream({}, ())
    data = file.getvalue().replace(b"\x80\x02}(u.", b"\x80\x02}(U\x01aK\x01u.")
    assert torch.load(io.BytesIO(data)) == {"a": 1}


def test_files_in_one_stream_are_loaded_one_after_the_other():
    file = io.BytesIO()
    for value in (torch.ones(2), "two", [torch.zeros(1)]):
        torch.save(value, file, _use_new_zipfile_serialization=False)
    file.seek(0)
    assert torch.load(file).tolist() == [1, 1]
    assert torch.load(file) == "two"
    assert torch.load(file)[0].tolist() == [0]


LIES = {
    "more elements than stored": (legacy_tensor(numel=7), ()),
    "fewer elements than stored": (legacy_tensor(numel=5), ()),
    "elements beyond 64 bits": (legacy_tensor(numel=2**70), ()),
    "elements below zero": (legacy_tensor(numel=-6), ()),
    "wider type": (legacy_tensor(kind="DoubleStorage"), ()),
    "unknown type": (legacy_tensor(kind="MartianStorage"), ()),
    "unknown device": (legacy_tensor(device="mars:0"), ()),
    "storage not there": (legacy_tensor(key="1"), ()),
    "shape too large": (legacy_tensor(size=(7,), stride=(1,)), ()),
    "stride below zero": (legacy_tensor(stride=(-3, 1)), ()),
    "part beyond the storage": (legacy_tensor(about=("1", 4, 3)), ()),
    "part that is none": (legacy_tensor(about=(1, 2)), ()),
    "claimed elements": (legacy_tensor(), (("0", 2**40, NUMBERS),)),
    "claimed elements below zero": (legacy_tensor(), (("0", -1, NUMBERS),)),
    "bytes missing": (legacy_tensor(), (("0", 6, NUMBERS[:-1]),)),
    "nobody refers to it": ({}, (("0", 6, NUMBERS),)),
    "terabytes": (legacy_tensor(numel=2**40), (("0", 2**40, NUMBERS),)),
    "another reference": (persistent("tensor", "0"), ()),
    "reference by number": (persistent(5), ()),
}


@pytest.mark.parametrize(("value", "records"), LIES.values(), ids=LIES)
def test_inconsistent_file_is_refused(value, records):
    with pytest.raises((UnpicklingError, RuntimeError)):
        load(value, records or (("0", 6, NUMBERS),))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"magic": 5}, "Invalid magic number; corrupt file?"),
        ({"version": 1002}, "Invalid protocol version: 1002"),
    ],
)
def test_other_formats_are_refused_with_pytorchs_message(options, message):
    with pytest.raises(RuntimeError, match=message.replace("?", r"\?")):
        load(legacy_tensor(), **options)


@pytest.mark.parametrize("keys", [["0", "0"], [0], "0", {"0": 1}, ["0", "1"], []])
def test_wrong_list_of_storages_is_refused(keys):
    with pytest.raises(UnpicklingError):
        load(legacy_tensor(), keys=keys)


def test_truncated_anywhere_is_refused():
    whole = stream({"w": legacy_tensor()}, [("0", 6, NUMBERS)]).getvalue()
    for n in range(len(whole)):
        with pytest.raises((UnpicklingError, RuntimeError, EOFError)):
            torch.load(io.BytesIO(whole[:n]))


def test_code_does_not_run(tmp_path):
    mark = tmp_path / "mark"
    run = call(name("os", "system"), f"touch {mark}")
    for value, records in ((run, ()), (legacy_tensor(hooks=run), (("0", 6, NUMBERS),))):
        with pytest.raises(UnpicklingError, match="Weights only load failed"):
            load(value, records)
    assert not mark.exists()


def test_mapping_into_memory_is_refused(tmp_path):
    torch.save(torch.ones(2), tmp_path / "x.pt", _use_new_zipfile_serialization=False)
    with pytest.raises(RuntimeError, match="mmap can only be used with files saved"):
        torch.load(tmp_path / "x.pt", mmap=True)


# ---- PyTorch reads ours, we read PyTorch's


@pytest.fixture
def oracle():
    from tests.oracle import torch as oracle

    return oracle


DTYPES = (
    "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16",
    "float32", "float64", "complex64", "complex128",
)  # fmt: skip


def contents(t):
    x = t.arange(6.0).reshape(2, 3)
    return {
        **{name: t.tensor([[0, 1], [2, 3]]).to(getattr(t, name)) for name in DTYPES},
        "views": [x, x.t(), x[1], x[:, 1], x[:1].expand(4, 3)],
        "parameter": t.nn.Parameter(t.ones(2), requires_grad=False),
        "grad": t.ones(1, requires_grad=True), "sparse": t.eye(2).to_sparse(),
        "empty": t.zeros(0, 3), "number": t.tensor(5),
    }  # fmt: skip


def equal(mine, theirs):
    for a, b in zip(mine.values(), theirs.values(), strict=True):
        assert repr(a) == repr(b)
        for x, y in zip(a, b, strict=True) if isinstance(a, list) else ():
            assert x.stride() == y.stride()


def test_files_are_exchanged_both_ways(oracle):
    ours, theirs = io.BytesIO(), io.BytesIO()
    torch.save(contents(torch), ours, _use_new_zipfile_serialization=False)
    oracle.save(contents(oracle), theirs, _use_new_zipfile_serialization=False)
    for file in (ours, theirs):
        for library in (torch, oracle):
            file.seek(0)
            found = library.load(file)
            equal(found, contents(oracle))
            found["views"][0].fill_(9)
            assert found["views"][2].tolist() == [9, 9, 9]


def test_forged_file_means_the_same_to_pytorch(oracle):
    file = stream({"w": legacy_tensor()}, [("0", 6, NUMBERS)])
    assert oracle.load(file)["w"].tolist() == [[1, 2, 3], [4, 5, 6]]


def test_elements_are_counted_before_the_memory():
    file = io.BytesIO()
    torch.save(torch.ones(3), file, _use_new_zipfile_serialization=False)
    assert file.getvalue().endswith(struct.pack("<q3f", 3, 1, 1, 1))


def test_file_that_ends_in_a_storage_tells_how_much_is_missing():
    file = io.BytesIO()
    torch.save(torch.ones(3), file, _use_new_zipfile_serialization=False)
    for cut, missing in ((1, 1), (12, 12), (15, 3)):
        with pytest.raises(RuntimeError, match=f"expected {missing} more bytes"):
            torch.load(io.BytesIO(file.getvalue()[:-cut]))
