"""The container of a checkpoint: a zip archive of uncompressed records.

All names begin with one root ("archive/data.pkl", "archive/data/0" ...). Each record
begins at a multiple of 64 bytes and has its CRC-32 in the directory at the end.

Nothing in a file is trusted: sizes and offsets are checked against the file before
anything is read or allocated, names and places against each other, and every record
that is read against its checksum.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["ArchiveReader", "ArchiveWriter", "Entry"]

ALIGNMENT: Final = 64
UTF8: Final = 0x800  # flag: the name is UTF-8
DESCRIPTOR: Final = 0x8  # flag: sizes follow the data (and are in the directory)
EPOCH: Final = 0x21  # 1 January 1980, the first day there is in a zip file
MAX32: Final = 0xFFFFFFFF
MAX16: Final = 0xFFFF

LOCAL: Final = struct.Struct("<4s5H3I2H")
CENTRAL: Final = struct.Struct("<4s6H3I5H2I")
END: Final = struct.Struct("<4s4H2IH")
END64: Final = struct.Struct("<4sQ2H2I4Q")
LOCATOR: Final = struct.Struct("<4sIQI")
LOCAL_MARK, CENTRAL_MARK, END_MARK = b"PK\3\4", b"PK\1\2", b"PK\5\6"
END64_MARK, LOCATOR_MARK = b"PK\6\6", b"PK\6\7"


@dataclass
class Entry:
    """One record: its name, checksum, size in bytes and the place of its header."""

    name: str
    crc: int
    size: int
    offset: int


# ---- writing


class ArchiveWriter:
    """Writes an archive to a file object, front to back; the object needs only `write`.

    Args:
        file: where to write.
        root: the folder that all names are put into.
        checksums: whether to write them; zeros mean no checksum.
    """

    def __init__(self, file: Any, root: str, checksums: bool = True) -> None:
        self._file, self._root, self._checksums = file, root, checksums
        self._entries: list[Entry] = []
        self._position = 0

    def add(self, name: str, data: Any, empty: bool = False) -> None:
        """Write a record: bytes, or any contiguous buffer.

        Args:
            empty: write zeros and no checksum, for somebody to fill it.
        """
        view = memoryview(data).cast("B")
        view = memoryview(bytes(view.nbytes)) if empty else view
        full = f"{self._root}/{name}"
        crc = zlib.crc32(view) if self._checksums and not empty else 0
        entry = Entry(full, crc, view.nbytes, self._position)
        large = _size64(entry.size, entry.size) if entry.size >= MAX32 else b""
        size = MAX32 if large else entry.size
        begin = self._position + LOCAL.size + len(full.encode()) + len(large) + 4
        extra = large + _padding(-begin % ALIGNMENT)
        self._write(
            LOCAL.pack(
                LOCAL_MARK, 45 if large else 20, UTF8, 0, 0, EPOCH, entry.crc, size,
                size, len(full.encode()), len(extra),
            )
            + full.encode()
            + extra
        )  # fmt: skip
        self._write(view)
        self._entries.append(entry)

    def serialization_id(self) -> str:
        """40 digits that depend on the names and the contents of all records so far."""
        names = zlib.crc32("".join(e.name for e in self._entries).encode())
        contents = zlib.crc32(b"".join(struct.pack("<I", e.crc) for e in self._entries))
        return f"{names:020d}{contents:020d}"

    def close(self) -> None:
        """Write the directory, which ends the archive."""
        start = self._position
        for entry in self._entries:
            self._write(_central(entry))
        size, count = self._position - start, len(self._entries)
        end64 = self._position
        fields = (0, 0, count, count, size, start)
        self._write(END64.pack(END64_MARK, END64.size - 12, 45, 45, *fields))
        self._write(LOCATOR.pack(LOCATOR_MARK, 0, end64, 1))
        short = (min(count, MAX16), min(count, MAX16), min(size, MAX32))
        self._write(END.pack(END_MARK, 0, 0, *short, min(start, MAX32), 0))

    def _write(self, data: Any) -> None:
        """Write everything: a raw file may take less than it is given."""
        view = memoryview(data)
        self._position += view.nbytes
        while view.nbytes:
            written = self._file.write(view)
            if not isinstance(written, int) or written >= view.nbytes:
                return
            if written <= 0:
                raise OSError("could not write: the file object takes no more bytes")
            view = view[written:]


def _padding(n: int) -> bytes:
    """An extra field that takes 4 + n bytes."""
    return struct.pack("<2sH", b"FB", n) + b"Z" * n


def _size64(*values: int) -> bytes:
    """The extra field for numbers that do not fit into 32 bits."""
    return struct.pack(f"<HH{len(values)}Q", 1, 8 * len(values), *values)


def _central(entry: Entry) -> bytes:
    large = [v for v in (entry.size, entry.size, entry.offset) if v >= MAX32]
    extra = _size64(*large) if large else b""
    size, name = min(entry.size, MAX32), entry.name.encode()
    version = 45 if large else 20
    head = CENTRAL.pack(
        CENTRAL_MARK, version, version, UTF8, 0, 0, EPOCH, entry.crc, size, size,
        len(name), len(extra), 0, 0, 0, 0, min(entry.offset, MAX32),
    )  # fmt: skip
    return head + name + extra


# ---- reading


def _refuse(why: str) -> RuntimeError:
    return RuntimeError(f"PytorchStreamReader failed reading zip archive: {why}")


class ArchiveReader:
    """Reads an archive from a file object with `seek`, `tell` and `read`.

    The archive goes from the object's position to its end.

    Raises:
        RuntimeError: if anything about the archive is not as it should be.
    """

    def __init__(self, file: Any) -> None:
        self._file = file
        self._base = file.tell()
        self._length = file.seek(0, 2) - self._base
        self._limit = 0  # where the directory begins and records must have ended
        self._entries = {entry.name: entry for entry in self._directory()}
        # A zero may be a checksum by chance, but not in all records of a file.
        self._checksums = any(entry.crc for entry in self._entries.values())
        first = next(iter(self._entries), "")
        self.root = first.partition("/")[0]

    def __contains__(self, name: str) -> bool:
        return f"{self.root}/{name}" in self._entries

    def size(self, name: str) -> int:
        """The number of bytes of a record."""
        return self._find(name).size

    def read(self, name: str) -> bytes:
        """A record whose checksum is right."""
        entry = self._find(name)
        data = self._read(self._begin(entry), entry.size)
        self._check(entry, data)
        return data

    def read_into(self, name: str, target: memoryview) -> None:
        """Read a record into memory of exactly its size."""
        entry = self._find(name)
        begin = self._begin(entry)
        if not hasattr(self._file, "readinto"):
            target[:] = self._read(begin, entry.size)
        else:
            self._file.seek(self._base + begin)
            rest = target
            while rest.nbytes:
                n = self._file.readinto(rest)
                if not n:
                    raise _refuse(f"record {entry.name} ends too early")
                rest = rest[n:]
        self._check(entry, target)

    def _find(self, name: str) -> Entry:
        entry = self._entries.get(f"{self.root}/{name}")
        if entry is None:
            raise _refuse(f"there is no record {self.root}/{name}")
        return entry

    def _read(self, offset: int, size: int) -> bytes:
        if not 0 <= offset <= offset + size <= self._length:
            raise _refuse(f"{size} bytes at {offset} are beyond the end of the file")
        self._file.seek(self._base + offset)
        parts: list[bytes] = []
        while size > 0:
            part = self._file.read(size)
            if not part:
                raise _refuse("the file ends too early")
            parts.append(part)
            size -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _begin(self, entry: Entry) -> int:
        """The start of a record's bytes, after its header, which is checked."""
        fields = LOCAL.unpack(self._read(entry.offset, LOCAL.size))
        mark, _, flags, method, *_, name_size, extra_size = fields
        begin: int = entry.offset + LOCAL.size + name_size + extra_size
        if mark != LOCAL_MARK or flags & ~(UTF8 | DESCRIPTOR) or method:
            raise _refuse(f"the header of record {entry.name} is damaged")
        if self._read(entry.offset + LOCAL.size, name_size) != entry.name.encode():
            raise _refuse(f"record {entry.name} has another name in its header")
        if begin + entry.size > self._limit:
            raise _refuse(f"record {entry.name} reaches into the directory")
        return begin

    def place(self, name: str) -> int:
        """The position in the file of the first byte of a record."""
        return self._base + self._begin(self._find(name))

    def check(self, name: str, data: Any) -> None:
        """Compare the bytes of a record, got in another way, with its checksum."""
        self._check(self._find(name), data)

    def _check(self, entry: Entry, data: Any) -> None:
        """Compare a record with its checksum; one that was left empty has none."""
        if not self._checksums or (entry.crc == 0 and not any(memoryview(data))):
            return
        if zlib.crc32(data) != entry.crc:
            raise _refuse(
                f"record {entry.name} is damaged: its checksum is "
                f"{zlib.crc32(data):#010x}, not {entry.crc:#010x}"
            )

    def _directory(self) -> list[Entry]:
        count, size, start, end = self._end()
        if start + size != end:
            raise _refuse("the directory is not where its end says")
        self._limit = start
        data = self._read(start, size)
        entries, at = [], 0
        while at < size:
            entry, at = self._entry(data, at)
            entries.append(entry)
        if len(entries) != count or len({e.name for e in entries}) != count:
            raise _refuse("the directory names a record twice, or too many or too few")
        _check_apart(entries, start)
        return entries

    def _end(self) -> tuple[int, int, int, int]:
        """Number of entries, size and start of the directory, and where it must end."""
        at = self._length - END.size
        if at < 0:
            raise _refuse("failed finding central directory: the file is too short")
        mark, *numbers, count, size, start, comment = END.unpack(
            self._read(at, END.size)
        )
        if mark != END_MARK or comment:
            raise _refuse("failed finding central directory")
        if any(numbers[:2]) or numbers[2] != count:
            raise _refuse("archives in several parts are not supported")
        locator = at - LOCATOR.size
        if locator < 0 or self._read(locator, 4) != LOCATOR_MARK:
            return count, size, start, at
        end64 = LOCATOR.unpack(self._read(locator, LOCATOR.size))[2]
        if end64 + END64.size != locator:
            raise _refuse("the end of the directory is not where its locator says")
        fields = END64.unpack(self._read(end64, END64.size))
        wide = fields[7], fields[8], fields[9]
        if fields[0] != END64_MARK or fields[6] != wide[0]:
            raise _refuse("the end of the directory is damaged")
        for narrow, value, limit in zip(
            (count, size, start), wide, (MAX16, MAX32, MAX32), strict=True
        ):
            if narrow not in (min(value, limit), limit):
                raise _refuse("the two ends of the directory disagree")
        return (*wide, end64)

    @staticmethod
    def _entry(data: bytes, at: int) -> tuple[Entry, int]:
        """The directory's entry at a position, and the position after it."""
        if at + CENTRAL.size > len(data):
            raise _refuse("the directory ends within an entry")
        fields = CENTRAL.unpack_from(data, at)
        mark, _, _, flags, method, _, _, crc, packed, size = fields[:10]
        name_size, extra_size, comment_size, *_, offset = fields[10:]
        name_at = at + CENTRAL.size
        extra_at = name_at + name_size
        end = extra_at + extra_size + comment_size
        if mark != CENTRAL_MARK or end > len(data):
            raise _refuse("the directory is damaged")
        try:
            name = data[name_at:extra_at].decode()
        except UnicodeDecodeError:
            raise _refuse("a record's name is not UTF-8") from None
        if flags & ~(UTF8 | DESCRIPTOR) or method or packed != size:
            raise _refuse(
                f"record {name} is compressed or encrypted; checkpoints never are"
            )
        extra = data[extra_at : extra_at + extra_size]
        size, offset = _wide(extra, size, offset)
        return Entry(name, crc, size, offset), end


def _wide(extra: bytes, size: int, offset: int) -> tuple[int, int]:
    """Size and offset, taken from the extra field where 32 bits are too few."""
    if size != MAX32 and offset != MAX32:
        return size, offset
    numbers = _numbers64(extra)
    expected = 2 * (size == MAX32) + (offset == MAX32)
    if len(numbers) < expected:
        raise _refuse("the directory lacks the size of a large record")
    if size == MAX32:
        size = numbers.pop(0)
        if numbers.pop(0) != size:
            raise _refuse("a large record is compressed; checkpoints never are")
    return size, numbers.pop(0) if offset == MAX32 else offset


def _numbers64(extra: bytes) -> list[int]:
    """The numbers in the extra field for what does not fit into 32 bits."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        values = extra[at + 4 : at + 4 + length // 8 * 8]
        at += 4 + length
        if kind == 1 and len(values) % 8 == 0:
            return list(struct.unpack(f"<{len(values) // 8}Q", values))
    return []


def _check_apart(entries: list[Entry], limit: int) -> None:
    """Records must not overlap: the same bytes belong to one name only."""
    free = 0
    for entry in sorted(entries, key=lambda e: e.offset):
        if entry.offset < free:
            raise _refuse(f"record {entry.name} overlaps another one")
        free = entry.offset + LOCAL.size + entry.size
    if free > limit:
        raise _refuse("a record reaches beyond the file")
