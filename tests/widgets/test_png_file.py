"""PNG files, read back without the code that wrote them."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np

from edutorch.widgets.png_file import data_uri, encode

PIXELS = np.random.default_rng(0).integers(0, 256, (5, 7, 3), np.uint8)


def chunks(file):
    at = 8
    while at < len(file):
        (length,) = struct.unpack_from(">I", file, at)
        name, data = file[at + 4 : at + 8], file[at + 8 : at + 8 + length]
        (crc,) = struct.unpack_from(">I", file, at + 8 + length)
        assert crc == zlib.crc32(name + data)
        yield name, data
        at += 12 + length


def test_file_has_the_pixels_and_right_checksums():
    found = dict(chunks(encode(PIXELS)))
    assert list(found) == [b"IHDR", b"IDAT", b"IEND"]
    assert struct.unpack(">IIBBBBB", found[b"IHDR"]) == (7, 5, 8, 2, 0, 0, 0)
    rows = np.frombuffer(zlib.decompress(found[b"IDAT"]), np.uint8).reshape(5, 22)
    assert np.array_equal(rows[:, 1:].reshape(5, 7, 3), PIXELS)


def test_data_uri_holds_the_same_file():
    kind, _, text = data_uri(PIXELS).partition(",")
    assert kind == "data:image/png;base64"
    assert base64.b64decode(text) == encode(PIXELS)
