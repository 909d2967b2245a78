"""save and load: round trips, damage, and files that PyTorch reads and writes."""

from __future__ import annotations

import errno
import io
import re
from collections import OrderedDict
from pickle import UnpicklingError

import ml_dtypes
import numpy as np
import pytest

import edutorch as torch
from edutorch import dtypes

ARRAYS = {
    d.name: np.arange(1, 7).reshape(2, 3).astype(d.numpy) for d in dtypes.ALL
}  # fmt: skip


def round_trip(obj, **options):
    file = io.BytesIO()
    torch.save(obj, file)
    file.seek(0)
    return torch.load(file, **options)


@pytest.mark.parametrize("name", ARRAYS)
def test_tensor_of_any_dtype_survives_a_round_trip(name):
    x = torch.from_numpy(ARRAYS[name].copy())
    for y in (x, x.t(), x[1, 2], x[:0]):
        found = round_trip(y)
        assert found.dtype is y.dtype
        assert found.stride() == y.stride()
        assert found.tolist() == y.tolist()


def test_views_share_memory_after_loading():
    x = torch.zeros(4)
    found = round_trip({"x": x, "tail": x[2:], "other": torch.zeros(4)})
    found["x"].fill_(3)
    assert found["tail"].tolist() == [3, 3]
    assert found["other"].tolist() == [0, 0, 0, 0]


def test_parameter_and_requires_grad_are_kept():
    found = round_trip(
        [torch.nn.Parameter(torch.ones(2)), torch.ones(1).requires_grad_()]
    )
    assert isinstance(found[0], torch.nn.Parameter)
    assert found[1].requires_grad
    assert type(found[1]) is torch.Tensor


def test_state_dictionary_with_metadata_is_kept():
    state = OrderedDict(w=torch.ones(2))
    state._metadata = OrderedDict({"": {"version": 1}})
    found = round_trip(state)
    assert list(found) == ["w"]
    assert found._metadata == {"": {"version": 1}}


def test_paths_of_all_kinds_are_taken(tmp_path, monkeypatch):
    torch.save({"a": 1}, tmp_path / "a.pt")
    assert torch.load(str(tmp_path / "a.pt")) == {"a": 1}
    monkeypatch.chdir(tmp_path)
    torch.save({"a": 2}, "a.pt")
    assert torch.load("a.pt") == {"a": 2}
    assert [p.name for p in tmp_path.iterdir()] == ["a.pt"]


def test_file_without_seek_is_read():
    file = io.BytesIO()
    torch.save([1, 2], file)

    class Stream:
        read = io.BytesIO(file.getvalue()).read

    assert torch.load(Stream()) == [1, 2]


def test_things_that_are_no_files_are_refused():
    with pytest.raises(AttributeError, match="file-like object with a 'write'"):
        torch.save(1, 5)
    with pytest.raises(
        AttributeError, match="You can only torch.load from a file that is seekable"
    ):
        torch.load(5)


class Tape:
    """A file object that fails after some bytes."""

    def __init__(self, space, error):
        self.space, self.error = space, error

    def write(self, block):
        self.space -= len(block)
        if self.space < 0:
            raise self.error
        return len(block)


@pytest.mark.parametrize("space", [0, 40, 3000])
@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()]
)
def test_error_of_a_file_object_arrives_as_it_is(space, error):
    with pytest.raises(type(error)) as caught:
        torch.save(torch.zeros(1000), Tape(space, error))
    assert caught.value is error


def test_object_that_cannot_be_saved_leaves_the_old_file(tmp_path):
    torch.save({"a": 1}, tmp_path / "a.pt")
    with pytest.raises(TypeError, match="cannot pickle"):
        torch.save({"a": 2, "g": (i for i in [])}, tmp_path / "a.pt")
    assert torch.load(tmp_path / "a.pt") == {"a": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["a.pt"]


def test_every_changed_byte_is_refused_or_without_effect():
    file = io.BytesIO()
    torch.save({"w": torch.arange(8.0), "n": 3}, file)
    blob = file.getvalue()
    for at in range(0, len(blob), 3):
        damaged = bytearray(blob)
        damaged[at] ^= 32
        try:
            found = torch.load(io.BytesIO(damaged))
        except (RuntimeError, UnpicklingError):
            continue
        assert found["w"].tolist() == list(range(8)), at
        assert found["n"] == 3


@pytest.mark.parametrize(
    ("blob", "error", "message"),
    [
        (b"", EOFError, "Ran out of input"),
        (b"\x80\x02N.", RuntimeError, "Invalid magic number; corrupt file?"),
        (b"hello", UnpicklingError, "Weights only load failed"),
        (bytes(5000), UnpicklingError, "Weights only load failed"),
        (b"PK\x03\x04", RuntimeError, "failed reading zip archive"),
    ],
)
def test_file_that_is_not_a_checkpoint_is_refused(blob, error, message):
    with pytest.raises(error, match=re.escape(message)):
        torch.load(io.BytesIO(blob))


def test_missing_file_and_folder_are_the_systems_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        torch.load(tmp_path / "nothing")
    with pytest.raises(IsADirectoryError):
        torch.load(tmp_path)


class Note:
    def __init__(self, text):
        self.text = text


def test_objects_of_any_class_load_only_when_trusted():
    file = io.BytesIO()
    torch.save({"note": Note("hi"), "w": torch.ones(2)}, file)
    file.seek(0)
    with pytest.raises(UnpicklingError, match="Unsupported global"):
        torch.load(file)
    file.seek(0)
    found = torch.load(file, weights_only=False)
    assert found["note"].text == "hi"
    assert found["w"].tolist() == [1, 1]


# ---- PyTorch reads ours, we read PyTorch's


@pytest.fixture
def oracle():
    from tests.oracle import torch as oracle

    return oracle


def same(mine, theirs):
    """Equal in values, types and strides."""
    if hasattr(theirs, "stride"):
        assert repr(mine) == repr(theirs)
        assert mine.stride() == theirs.stride()
        assert mine.requires_grad == theirs.requires_grad
    elif isinstance(theirs, dict):
        assert list(mine) == list(theirs)
        for key in theirs:
            same(mine[key], theirs[key])
    elif isinstance(theirs, (list, tuple)):
        assert len(mine) == len(theirs)
        for a, b in zip(mine, theirs, strict=True):
            same(a, b)
    else:
        assert str(mine) == str(theirs)


def contents(t):
    """The same objects made with either library."""
    x = t.arange(6.0).reshape(2, 3)
    half = t.tensor([0.5, -1.0])
    return OrderedDict(
        x=x, transposed=x.t(), row=x[1], wide=x[:1].expand(4, 3), empty=t.zeros(0, 4),
        number=t.tensor(3), parameter=t.nn.Parameter(t.ones(2)), half=half.half(),
        short=half.bfloat16(), flags=t.tensor([True, False]),
        complex=t.tensor([1 + 2j]), grad=t.ones(1, requires_grad=True),
        plain=[1, -(2**40), 2.5, None, True, "text", (1, (2, 3)), {"a": {1: "b"}}],
        other=[t.float32, t.device("cpu"), t.Size([1, 2]), b"bytes", 2j],
    )  # fmt: skip


def test_pytorch_reads_what_we_save(oracle, tmp_path):
    torch.save(contents(torch), tmp_path / "ours.pt")
    theirs = oracle.load(tmp_path / "ours.pt")
    same(contents(torch), theirs)
    theirs["x"][0, 1] = 99
    assert theirs["transposed"][1, 0] == 99
    same(torch.load(tmp_path / "ours.pt"), contents(oracle))
    mapped = oracle.load(tmp_path / "ours.pt", mmap=True)
    assert mapped["x"].tolist() == [[0, 1, 2], [3, 4, 5]]


def test_we_read_what_pytorch_saves(oracle, tmp_path):
    oracle.save(contents(oracle), tmp_path / "theirs.pt")
    same(torch.load(tmp_path / "theirs.pt"), contents(oracle))


def test_states_of_modules_and_optimizers_are_exchanged(oracle):
    model = oracle.nn.Sequential(oracle.nn.Linear(3, 4), oracle.nn.BatchNorm1d(4))
    optimizer = oracle.optim.Adam(model.parameters())
    model(oracle.ones(5, 3)).sum().backward()
    optimizer.step()
    scheduler = oracle.optim.lr_scheduler.MultiStepLR(optimizer, [2, 4])
    states = [model.state_dict(), optimizer.state_dict(), scheduler.state_dict()]
    file, back = io.BytesIO(), io.BytesIO()
    oracle.save(states, file)
    file.seek(0)
    mine = torch.load(file)
    same(mine, states)
    assert mine[0]._metadata == states[0]._metadata
    torch.save(mine, back)
    back.seek(0)
    same(mine, oracle.load(back))


def test_unsigned_and_conjugated_tensors_of_pytorch_are_read(oracle):
    file = io.BytesIO()
    oracle.save([oracle.ones(2).to(oracle.uint16), oracle.tensor([1j]).conj()], file)
    file.seek(0)
    wide, transposed = torch.load(file)
    assert wide.dtype is torch.uint16
    assert transposed.tolist() == [-1j]


def test_bfloat16_bits_are_kept():
    x = torch.from_numpy(np.array([1.5, 3e38], ml_dtypes.bfloat16))
    assert round_trip(x).view(torch.int16).tolist() == x.view(torch.int16).tolist()
