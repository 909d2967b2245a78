"""Records of an archive as memory: their sizes, and their byte order."""

from __future__ import annotations

import numpy as np
import pytest

from edutorch.serialization.archive import ArchiveReader
from edutorch.serialization.archive_records import ArchiveRecords, is_swapped
from tests.serialization.forge import archive, program


def test_records_are_found_by_their_keys_and_can_be_written_to():
    records = ArchiveRecords(ArchiveReader(archive(program(None), {"0": b"abc"})))
    assert records.size("0") == 3
    assert records.size("../data.pkl") is None
    memory = records.read("0")
    memory[:] = 1
    assert memory.dtype == np.uint8


def test_byte_order_is_told_by_the_file():
    def order(name):
        return is_swapped(ArchiveReader(archive(program(None), byteorder=name)))

    assert order("big") != order("little")
    with pytest.raises(ValueError, match="Unknown endianness type: middle"):
        order("middle")
