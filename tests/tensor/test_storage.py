"""Storage: one identity for a tensor, its views and what is detached from it."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import edutorch as torch
from edutorch.tensor.storage import memory


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


def test_memory_is_all_that_a_view_looks_at_and_where_it_begins():
    x = np.arange(6.0).reshape(2, 3)
    flat, start = memory(x[1:, ::2])
    assert flat.tolist() == [0, 1, 2, 3, 4, 5] and start == 3
    assert np.shares_memory(flat, x)


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
