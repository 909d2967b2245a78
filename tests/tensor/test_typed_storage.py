"""Typed storages: memory as a flat row of elements."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.tensor.typed_storage import STORAGES, TypedStorage
from tests.ops.cases import alike

CASES = [
    "singles.storage().tolist()",
    "ints[1].storage().tolist()",
    "ints.storage()[2]",
    "len(singles.t().storage())",
    "(singles.storage().size(), singles.storage().nbytes(), singles.storage().element_size())",
    "list(torch.tensor([1.5], dtype=torch.bfloat16).storage())",
    "y = ints.clone(); y.storage()[1] = 9; y",
    "y = ints.clone(); y.storage().fill_(4); y",
    "y = ints.clone(); y.storage().copy_(ints2.storage()); y",
    "y = ints.clone(); y.storage().clone().fill_(4); y",
    "repr(torch.tensor([1, 2]).storage())",
    "singles.storage_type().__name__",
    "torch.is_storage(singles.storage())",
    "y = torch.zeros(2); y.set_(singles.storage(), 1, (2,)); y",
    "singles.storage().untyped().tolist()[:4]",
]


@pytest.mark.parametrize("case", CASES)
def test_typed_storages_equal_pytorchs(case):
    alike(__file__, case)


def test_classes_are_called_by_their_dtype():
    longs = STORAGES["LongStorage"]([1, 2])
    assert isinstance(longs, TypedStorage) and longs.dtype is torch.int64
    assert longs.tolist() == [1, 2] and len(STORAGES["FloatStorage"](3)) == 3
    assert len(STORAGES["HalfStorage"]()) == 0


def test_writing_counts_the_version_of_the_memory():
    x = torch.zeros(3)
    x.storage()[0] = 5
    assert x.tolist() == [5, 0, 0] and x._version == 1


def test_slices_are_of_untyped_storages_only():
    with pytest.raises(RuntimeError, match="slices are only supported in Untyped"):
        torch.zeros(3).storage()[1:]
