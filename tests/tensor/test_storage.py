"""Storage: one identity for a tensor, its views and what is detached from it."""

from __future__ import annotations

import gc
import random
import warnings
from pickle import PickleBuffer

import numpy as np
import pytest
from numpy.lib.array_utils import byte_bounds

import edutorch as torch
from edutorch.tensor.storage import byte_range, memory_owner, strided_view
from edutorch.tensor.tensor import in_memory
from tests.fuzz.families import views


def test_views_and_detached_tensors_share_storage_and_version():
    x = torch.arange(6.0).reshape(2, 3).clone()
    view, detached = x[0], x.detach()
    assert view.untyped_storage() is x.untyped_storage() is detached.untyped_storage()
    view.add_(1)
    assert x._version == view._version == detached._version == 1


def test_storage_is_the_whole_memory_whatever_the_view():
    x = torch.zeros(10)
    assert x[3:].untyped_storage().nbytes == 40
    assert x[3:].storage_offset() == 3
    assert x[3:].untyped_storage().data_ptr() == x.data_ptr()


def test_different_memory_has_different_storage():
    x = torch.ones(2)
    assert x.clone().untyped_storage() is not x.untyped_storage()


def test_device_storage_is_on_the_books_until_it_dies():
    with torch.cuda.simulate(devices=1, memory="8MB"):
        x = torch.ones(1000, device="cuda")
        view = x[:10]
        assert torch.cuda.memory_allocated() == x.untyped_storage().rounded == 4096
        del x
        gc.collect()
        assert torch.cuda.memory_allocated() == 4096  # the view still needs it
        del view
        gc.collect()
        assert torch.cuda.memory_allocated() == 0


def test_place_is_where_an_array_begins_in_all_memory_it_looks_at():
    x = np.arange(6.0).reshape(2, 3)
    assert byte_range(x[1:, ::2]) == (24, 48)
    assert np.shares_memory(memory_owner(x[1:, ::2]), x)
    windows = np.lib.stride_tricks.sliding_window_view(x, (2, 2))[:, 1:]
    assert byte_range(windows) == (8, 48)  # NumPy hides the owner of these


def test_strided_view_leaves_no_memory_and_keeps_its_owner():
    x = np.arange(6.0)[1:4]
    found = strided_view(x, (2,), (16,))
    assert found.tolist() == [1, 3] and byte_range(found) == (8, 48)
    assert strided_view(x, (6,), (8,), 0).tolist() == [0, 1, 2, 3, 4, 5]
    for shape, strides, begin in (((7,), (8,), 0), ((2,), (-8,), 0), ((2,), (48,), 0)):
        with pytest.raises(ValueError, match="incompatible"):
            strided_view(x, shape, strides, begin)


class Interface:
    """Memory with gaps that only `__array_interface__` tells of."""

    def __init__(self):
        self.values = np.arange(12.0).reshape(3, 4)[:, 1:3]
        self.__array_interface__ = self.values.__array_interface__


@pytest.mark.parametrize(
    ("made", "offsets", "count"),
    [
        (lambda: np.arange(10.0)[2:8:2], [0, 2, 4], 5),
        (lambda: np.asarray(memoryview(np.arange(10.0))[::3]), [0, 3, 6, 9], 10),
        (lambda: np.arange(6.0).reshape(2, 3).T, [0, 3, 1, 4, 2, 5], 6),
        (lambda: np.asarray(Interface()), [0, 1, 4, 5, 8, 9], 10),
        (lambda: np.arange(4.0).view(np.matrix)[:, 1:], [0, 1, 2], 3),
        (lambda: np.lib.stride_tricks.as_strided(np.arange(4.0), (2,), (24,)),
         [0, 3], 4),
        (lambda: np.broadcast_to(np.arange(2.0), (2, 2)).copy()[:, :0], [], 0),
    ],
)  # fmt: skip
def test_arrays_of_numpy_lend_what_they_show_and_no_more(made, offsets, count):
    array = made()
    x = torch.from_numpy(array)
    assert x.storage_offset() == 0 and x.untyped_storage().nbytes() == 8 * count
    steps = x.stride()
    places = [
        sum(i * s for i, s in zip(index, steps, strict=True))
        for index in np.ndindex(*x.shape)
    ]
    assert places == offsets
    x.add_(1)
    assert x.tolist() == array.tolist() and np.shares_memory(x.numpy(), array) == (
        count > 0
    )
    assert torch.as_strided(x, (count,), (1,)).numel() == count
    with pytest.raises(RuntimeError, match="setStorage: sizes"):
        torch.as_strided(x, (count + 1,), (1,), 0)
    with pytest.raises(RuntimeError, match="not resizable"):
        x.resize_(count + 1)


def test_storage_that_grows_takes_all_tensors_along():
    x = torch.arange(6.0)
    view, apart = x[2:4], x.data
    x.resize_(2, 4)
    assert view.tolist() == [2, 3] and x[0].tolist() == [0, 1, 2, 3]
    x[0, 2] = 9
    assert view.tolist() == [9, 3] and apart[2] == 9
    assert view.storage_offset() == 2 and view._base is x
    view.untyped_storage().resize_(64)
    x[0, 3] = 8
    assert view.tolist() == [9, 8] and view.untyped_storage().nbytes() == 64


def test_storage_made_smaller_leaves_tensors_their_memory():
    x = torch.arange(4.0)
    x.untyped_storage().resize_(0)
    assert x.untyped_storage().nbytes() == 0 and len(x.untyped_storage()) == 0
    assert x.tolist() == [0, 1, 2, 3]
    x.untyped_storage().resize_(16)
    assert x.untyped_storage().nbytes() == 16


def test_storages_are_read_and_written_as_bytes():
    x = torch.tensor([1, 2], dtype=torch.int16)
    storage = x.untyped_storage()
    assert storage.tolist() == [1, 0, 2, 0] and storage[2] == 2 and len(storage) == 4
    assert storage[1:3].tolist() == [0, 2]
    storage[0] = 7
    assert x.tolist() == [7, 2] and x._version == 1
    copy = storage.clone()
    copy.fill_(0)
    assert x.tolist() == [7, 2]
    assert storage.copy_(copy) is storage and x.tolist() == [0, 0]
    assert len(torch.UntypedStorage(8)) == 8 and not storage.is_shared()
    with pytest.raises(RuntimeError, match="self was 4 bytes but src was 8 bytes"):
        storage.copy_(torch.UntypedStorage(8))


def looked_at(array):
    """What an array looks at; NumPy's `as_strided` puts an object between."""
    base = array.base
    under = getattr(base, "base", None)
    return (
        under
        if isinstance(under, np.ndarray) and type(base) is not np.ndarray
        else base
    )


def ledger(tensors):
    """The first and the last byte of each allocation that tensors look at."""
    found = {}
    for t in tensors:
        owner = in_memory(t)
        while isinstance(below := looked_at(owner), np.ndarray):
            owner = below
        base = owner.base  # keeps memory that NumPy lent
        lent = isinstance(base, PickleBuffer)
        keeps = memoryview(base).obj if lent else getattr(base, "keeps", None)
        owner = owner if keeps is None else keeps
        assert owner.flags.owndata or isinstance(owner.base, np.ndarray)
        found[id(owner)] = byte_bounds(owner)
    return found.values()


def tensors_in(values):
    """The tensors among a program's values and in their containers, and their bases."""
    found = []
    while values:
        value = values.pop()
        if isinstance(value, (list, tuple)):
            values += value
        elif issubclass(type(value), torch.Tensor):
            values += [t for t in (value._base, value._grad) if t is not None]
            found.append(value)
    return [t for t in found if t.layout is torch.strided and t.is_cpu]


@pytest.mark.parametrize("seed", range(4))
def test_no_tensor_ever_leaves_its_allocation(seed):
    ended = 0
    for number in range(100):
        program = views.program(random.Random(f"{seed}/{number}"))
        names = {"torch": torch, "np": np}
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                exec(program, names)
            ended += 1
        except (RuntimeError, IndexError, TypeError, ValueError):
            pass
        tensors = tensors_in([*names.values()])
        spans = ledger(tensors)
        for t in tensors:
            if t.numel():
                low, high = byte_bounds(in_memory(t))
                assert any(a <= low and high <= b for a, b in spans), program
                first = t.untyped_storage().data_ptr()
                assert first <= low and high <= first + t.untyped_storage().array.nbytes
    assert ended > 20


def test_the_memory_of_broadcast_empty_tensors_can_grow():
    x = torch.tensor(np.arange(0).reshape(4, 0), dtype=torch.float32)
    wide = x.broadcast_to(2, 4, 0)
    x.untyped_storage().resize_(200)
    assert wide.shape == (2, 4, 0) and wide.untyped_storage().nbytes() == 200
