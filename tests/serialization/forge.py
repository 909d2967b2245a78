"""Forged checkpoints: pickles put together by hand, in archives of any kind."""

from __future__ import annotations

import io
import struct
import zipfile

__all__ = ["ORDERED", "Ops", "archive", "call", "encode", "name", "persistent",
           "program", "tensor"]  # fmt: skip


class Ops(bytes):
    """Opcodes that leave one value on the stack."""


def name(module, attribute):
    return Ops(f"c{module}\n{attribute}\n".encode())


def encode(value):
    match value:
        case Ops():
            return value
        case bool():
            return Ops(b"\x88" if value else b"\x89")
        case None:
            return Ops(b"N")
        case tuple():
            return Ops(b"(" + b"".join(map(encode, value)) + b"t")
        case dict():
            pairs = (encode(part) for pair in value.items() for part in pair)
            return Ops(b"}(" + b"".join(pairs) + b"u")
        case str():
            data = value.encode()
            return Ops(b"X" + struct.pack("<I", len(data)) + data)
        case float():
            return Ops(b"G" + struct.pack(">d", value))
        case int():
            data = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
            return Ops(b"\x8a" + bytes([len(data)]) + data)
    raise TypeError(value)


def call(function, *args):
    return Ops(encode(function) + encode(args) + b"R")


def persistent(*key):
    return Ops(encode(key) + b"Q")


def program(value):
    return b"\x80\x02" + encode(value) + b"."


ORDERED = call(name("collections", "OrderedDict"))


def tensor(
    kind="FloatStorage", key="0", device="cpu", numel=6, offset=0, size=(2, 3),
    stride=(3, 1), grad=False, hooks=ORDERED, storage=None,
):  # fmt: skip
    if storage is None:
        storage = persistent("storage", name("torch", kind), key, device, numel)
    rebuild = name("torch._utils", "_rebuild_tensor_v2")
    return call(rebuild, storage, offset, size, stride, grad, hooks)


def archive(pickled, records=None, extra=(), byteorder="little"):
    """A checkpoint as a file object, with records by their keys."""
    parts = {"data.pkl": pickled, "byteorder": byteorder, "version": "3\n"}
    parts |= {f"data/{key}": data for key, data in (records or {}).items()}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as z:
        for path, data in [*((f"archive/{n}", d) for n, d in parts.items()), *extra]:
            z.writestr(path, data)
    file.seek(0)
    return file
