"""PNG files, read back without the code that wrote them."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np

from edutorch.widgets.png_file import data_uri, encode, encode_indexed

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


def test_file_of_four_channels_has_opacity():
    pixels = np.random.default_rng(1).integers(0, 256, (5, 7, 4), np.uint8)
    found = dict(chunks(encode(pixels)))
    assert struct.unpack(">IIBBBBB", found[b"IHDR"]) == (7, 5, 8, 6, 0, 0, 0)
    rows = np.frombuffer(zlib.decompress(found[b"IDAT"]), np.uint8).reshape(5, 29)
    assert np.array_equal(rows[:, 1:].reshape(5, 7, 4), pixels)


def decoded(file):
    found = dict(chunks(file))
    w, h, depth, kind, *_ = struct.unpack(">IIBBBBB", found[b"IHDR"])
    assert (depth, kind) == (8, 3)
    table = np.frombuffer(found[b"PLTE"], np.uint8).reshape(-1, 3)
    rows = np.frombuffer(zlib.decompress(found[b"IDAT"]), np.uint8).reshape(h, 1 + w)
    assert not rows[:, 0].any()
    return table[rows[:, 1:]]


def test_indexed_file_of_few_colours_has_the_same_pixels():
    assert np.array_equal(decoded(encode_indexed(PIXELS)), PIXELS)


def test_indexed_file_of_more_colours_keeps_frequent_ones_and_takes_near_ones():
    ramp = np.repeat(np.arange(1024)[:, None] // 4, 3, 1).astype(np.uint8)
    ramp[:, 0] = np.arange(1024) % 256
    picture = np.full((64, 64, 3), 255, np.uint8)
    picture[:16] = ramp.reshape(16, 64, 3)
    read = decoded(encode_indexed(picture))
    assert np.array_equal(read[16:], picture[16:])
    assert np.abs(read.astype(int) - picture).max() <= 32


def test_indexed_file_of_thousands_of_colours_is_a_plain_one():
    colours = np.random.default_rng(1).integers(0, 256, (80, 80, 3), np.uint8)
    assert encode_indexed(colours) == encode(colours)


def test_data_uri_holds_the_same_file():
    kind, _, text = data_uri(PIXELS).partition(",")
    assert kind == "data:image/png;base64"
    assert base64.b64decode(text) == encode(PIXELS)
