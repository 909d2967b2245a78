"""PNG files from arrays of colours (W3C, Portable Network Graphics, third edition)."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np

__all__ = ["data_uri", "encode", "encode_indexed"]

TABLE = 256  # colours that a file can list
MANY = 4096  # colours; pictures with more get no table
TRUE_COLOUR, INDEXED, WITH_OPACITY = 2, 3, 6  # PNG's colour types


def encode(pixels: np.ndarray) -> bytes:
    """A PNG file of an (h, w, 3) array of uint8 colours, or (h, w, 4) with opacity.

    Example:
        >>> encode(np.zeros((2, 3, 3), np.uint8))[:4]
        b'\\x89PNG'
    """
    h, w, channels = pixels.shape
    kind = TRUE_COLOUR if channels == 3 else WITH_OPACITY
    return _file(w, pixels.reshape(h, channels * w), kind)


def encode_indexed(pixels: np.ndarray) -> bytes:
    """Like `encode`, with a table of 256 colours, in a third of the bytes.

    Drawings have few colours, and many that lie between two of them at edges: rare ones
    become the nearest in the table. Of thousands of colours no table is made.

    Example:
        >>> b"PLTE" in encode_indexed(np.zeros((2, 3, 3), np.uint8))
        True
    """
    codes = _codes(pixels)  # (h, w)
    first = np.ones(codes.shape, bool)  # of a run of equal pixels: drawings have few
    np.not_equal(codes[:, 1:], codes[:, :-1], out=first[:, 1:])
    starts = np.flatnonzero(first)
    lengths = np.diff(starts, append=codes.size)
    codes = codes.ravel()[starts]  # (runs,)
    there = np.zeros(1 << 24, bool)
    there[codes] = True
    found = np.flatnonzero(there)
    if len(found) > MANY:
        return encode(pixels[..., :3])
    place = np.zeros(1 << 24, np.uint16)
    place[found] = np.arange(len(found))
    indices = place[codes]  # (runs,), into `found`
    colours = np.stack([found >> 16, found >> 8 & 255, found & 255], axis=1)
    counts = np.bincount(indices, weights=lengths, minlength=len(found))
    table, nearest = _table(colours, counts)
    rows = np.repeat(nearest[indices], lengths).reshape(first.shape)
    return _file(pixels.shape[1], rows, INDEXED, table)


def _codes(pixels: np.ndarray) -> np.ndarray:
    """Each pixel as one number: red, green, blue."""
    codes = pixels[..., 0].astype(np.uint32)
    for i in (1, 2):
        codes <<= 8
        codes |= pixels[..., i]
    return codes


def _table(colours: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Up to 256 of the colours, and the nearest of them for each colour.

    Each time, the colour with the largest sum of squared distances of its pixels from
    the table is added.
    """
    chosen: list[int] = []
    apart = np.full(len(colours), np.iinfo(np.int32).max, np.int64)  # squared
    nearest = np.zeros(len(colours), np.uint8)
    while apart.any() and len(chosen) < TABLE:
        new = int(np.argmax(counts * apart))
        distance = ((colours - colours[new]) ** 2).sum(1)
        closer = distance < apart
        nearest[closer] = len(chosen)
        apart[closer] = distance[closer]
        chosen.append(new)
    return colours[chosen].astype(np.uint8), nearest


def _file(
    width: int, rows: np.ndarray, kind: int, table: np.ndarray | None = None
) -> bytes:
    """A file from rows of bytes: colours, or indices into a colour table."""
    filtered = np.zeros((len(rows), 1 + rows.shape[1]), np.uint8)  # 0: not filtered
    filtered[:, 1:] = rows
    header = struct.pack(">IIBBBBB", width, len(rows), 8, kind, 0, 0, 0)
    listed = b"" if table is None else _chunk(b"PLTE", table.tobytes())
    data = zlib.compress(filtered.tobytes(), 6)
    chunks = listed + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + chunks


def data_uri(pixels: np.ndarray) -> str:
    """The file of `encode` as a data URI.

    Example:
        >>> data_uri(np.zeros((1, 1, 3), np.uint8))[:22]
        'data:image/png;base64,'
    """
    return "data:image/png;base64," + base64.b64encode(encode(pixels)).decode("ascii")


def _chunk(name: bytes, data: bytes) -> bytes:
    crc = zlib.crc32(name + data)
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", crc)
