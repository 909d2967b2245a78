"""Forged checkpoints: pickles put together by hand, in archives of any kind."""

from __future__ import annotations

import io
import pickle
import struct
import tarfile
import zipfile

__all__ = ["ORDERED", "Ops", "archive", "call", "encode", "legacy_tensor", "name",
           "number", "persistent", "program", "stream", "tape", "tensor"]  # fmt: skip


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


# ---- the older formats


def number(value):
    """A plain value as its own pickle."""
    return pickle.dumps(value, 2)


def legacy_tensor(numel=6, about=None, **lie):
    """A tensor as `tensor` forges it, with the older format's reference."""
    kind = name("torch", lie.pop("kind", "FloatStorage"))
    key = lie.pop("key", "0")
    reference = persistent("storage", kind, key, lie.pop("device", "cpu"), numel, about)
    return tensor(storage=reference, **lie)


def stream(
    value, records=(("0", 6, bytes(24)),), magic=0x1950A86A20F9469CFC6C, version=1001,
    keys=None,
):  # fmt: skip
    """A file of PyTorch before 1.6: records are (key, claimed elements, bytes)."""
    facts = {"protocol_version": 1001, "little_endian": True, "type_sizes": {}}
    head = number(magic) + number(version) + number(facts) + program(value)
    names = [key for key, _, _ in records] if keys is None else keys
    data = (struct.pack("<q", n) + data for _, n, data in records)
    return io.BytesIO(head + number(names) + b"".join(data))


def tape(
    value, storages=((7, "FloatStorage", 6, bytes(24)),), parts=(),
    tensors=((8, 7, (2, 3), (3, 1), 0),), counts=None,
):  # fmt: skip
    """A file of PyTorch 0.1: `value` refers to storages and tensors by their keys."""
    counts = counts or (len(storages), len(tensors))
    members = {
        "sys_info": number({}),
        "storages": number(counts[0])
        + b"".join(map(_tape_storage, storages))
        + number(list(parts)),
        "tensors": number(counts[1]) + b"".join(map(_tape_tensor, tensors)),
        "pickle": program(value),
    }
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:", format=tarfile.PAX_FORMAT) as tar:
        for path, data in members.items():
            about = tarfile.TarInfo(path)
            about.size, about.mtime = len(data), 0.5  # which needs an extended header
            tar.addfile(about, io.BytesIO(data))
    file.seek(0)
    return file


def _tape_storage(storage):
    key, kind, numel, data = storage
    about = program((key, "cpu", name("torch", kind)))
    return about + struct.pack("<q", numel) + data


def _tape_tensor(tensor):
    key, root, size, stride, offset = tensor
    about = program((key, root, name("torch", "FloatTensor")))
    numbers = struct.pack(f"<{2 * len(size) + 1}q", *size, *stride, offset)
    return about + struct.pack("<ii", len(size), 0) + numbers
