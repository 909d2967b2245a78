"""The members of a tar file, for files of PyTorch 0.1.

Only what those files have is read: regular files with short names. Nothing is ever
written to the disk, and links, devices and sparse members do not exist here.
"""

from __future__ import annotations

import io
from typing import Any

from .errors import corrupted

__all__ = ["is_tar", "members"]

BLOCK = 512
REGULAR, ABOUT = (
    (b"0", b"\0"),
    (b"x", b"g"),
)  # a file; attributes of the next, or of all


def is_tar(file: Any) -> bool:
    """Whether a tar file begins at a file object's position."""
    start = file.tell()
    header = file.read(BLOCK)
    file.seek(start)
    return len(header) == BLOCK and header[257:262] == b"ustar"


def members(file: Any) -> dict[str, io.BytesIO]:
    """The contents of all members by their names.

    Raises:
        UnpicklingError: if the file is damaged, or has members of other kinds.
    """
    found: dict[str, io.BytesIO] = {}
    while header := _header(file):
        name, kind, size = header
        data = file.read(size) if size <= _bytes_left(file) else b""
        if len(data) != size:
            raise corrupted(f"member {name} ends too early")
        file.seek(min(-size % BLOCK, _bytes_left(file)), 1)
        if kind in ABOUT:
            continue
        if kind not in REGULAR or name in found:
            raise corrupted(f"member {name} is no regular file, or there twice")
        found[name] = io.BytesIO(data)
    return found


def _header(file: Any) -> tuple[str, bytes, int] | None:
    """Name, kind and size of the next member; None at the end."""
    block = file.read(BLOCK)
    if not block.strip(b"\0"):
        return None
    if len(block) != BLOCK or _octal(block[148:156]) != _checksum(block):
        raise corrupted("the header of a member")
    name = block[:100].partition(b"\0")[0].decode("ascii", "replace")
    return name, block[156:157], _octal(block[124:136])


def _checksum(block: bytes) -> int:
    return sum(block) - sum(block[148:156]) + 8 * ord(" ")


def _octal(digits: bytes) -> int:
    text = digits.strip(b" \0")
    if not text or any(d not in b"01234567" for d in text):
        raise corrupted("a number in the header of a member")
    return int(text, 8)


def _bytes_left(file: Any) -> int:
    at = file.tell()
    end: int = file.seek(0, 2)
    file.seek(at)
    return end - at
