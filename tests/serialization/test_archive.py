"""Archives: what was written is read, and what is damaged is refused."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest

from edutorch.serialization import archive
from edutorch.serialization.archive import ArchiveReader, ArchiveWriter

RECORDS = {
    "data.pkl": b"abc",
    "data/0": bytes(range(256)),
    "data/1": b"",
    "version": b"3",
}


def written(records=RECORDS):
    file = io.BytesIO()
    writer = ArchiveWriter(file, "root")
    for name, data in records.items():
        writer.add(name, data)
    writer.close()
    file.seek(0)
    return file


def test_records_come_back_as_they_were_written():
    reader = ArchiveReader(written())
    assert reader.root == "root"
    assert {name: reader.read(name) for name in RECORDS} == RECORDS
    assert "data/2" not in reader
    assert reader.size("data/0") == 256


def test_records_read_into_memory_are_equal():
    target = bytearray(256)
    ArchiveReader(written()).read_into("data/0", memoryview(target))
    assert bytes(target) == RECORDS["data/0"]


def test_archive_is_a_zip_file_for_everybody_else():
    with zipfile.ZipFile(written()) as z:
        assert z.testzip() is None
        assert [n.removeprefix("root/") for n in z.namelist()] == list(RECORDS)


def test_records_begin_at_multiples_of_64_bytes():
    blob = written().getvalue()
    for name, data in RECORDS.items():
        if data:
            header = blob.index(f"root/{name}".encode())
            extra = struct.unpack_from("<H", blob, header - 2)[0]
            begin = header + len(f"root/{name}") + extra
            assert begin % 64 == 0
            assert blob[begin : begin + len(data)] == data


def test_archive_after_other_bytes_is_read_from_the_position():
    file = io.BytesIO(b"before" + written().getvalue())
    file.seek(6)
    assert ArchiveReader(file).read("version") == b"3"


def test_large_numbers_go_into_the_wide_fields(monkeypatch):
    monkeypatch.setattr(archive, "MAX32", 200)  # as if 200 bytes were four gigabytes
    reader = ArchiveReader(written())
    assert {name: reader.read(name) for name in RECORDS} == RECORDS


def test_writer_with_file_that_takes_a_little_writes_all():
    class Slow(io.BytesIO):
        def write(self, data):
            return super().write(data[:7])

    file = Slow()
    writer = ArchiveWriter(file, "root")
    writer.add("data.pkl", b"x" * 100)
    writer.close()
    file.seek(0)
    assert ArchiveReader(file).read("data.pkl") == b"x" * 100


def test_every_changed_byte_is_refused_or_without_effect():
    blob = written().getvalue()
    for at in range(len(blob)):
        damaged = bytearray(blob)
        damaged[at] ^= 4
        try:
            reader = ArchiveReader(io.BytesIO(damaged))
            found = {name: reader.read(name) for name in RECORDS}
        except RuntimeError:
            continue
        assert found == RECORDS, at


def test_every_shorter_file_is_refused():
    blob = written().getvalue()
    for size in range(0, len(blob), 7):
        with pytest.raises(RuntimeError, match="failed reading zip archive"):
            ArchiveReader(io.BytesIO(blob[:size]))


def test_name_twice_is_refused():
    file = io.BytesIO()
    writer = ArchiveWriter(file, "root")
    writer.add("data/0", b"one")
    writer.add("data/0", b"two")
    writer.close()
    file.seek(0)
    with pytest.raises(RuntimeError, match="names a record twice"):
        ArchiveReader(file)


def test_compressed_record_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("root/data.pkl", b"x" * 1000)
    file.seek(0)
    with pytest.raises(RuntimeError, match="compressed or encrypted"):
        ArchiveReader(file)


def test_missing_record_is_refused():
    with pytest.raises(RuntimeError, match="there is no record root/nothing"):
        ArchiveReader(written()).read("nothing")
