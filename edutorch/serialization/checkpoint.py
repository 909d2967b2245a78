"""`save` and `load`.

A checkpoint is an archive: `data.pkl` holds the objects, `data/0`, `data/1` ... the
memory of their tensors. Saving replaces the old file in one step; loading runs no code.
"""

from __future__ import annotations

import importlib
import io
import os
import pickle
import pickletools
import sys
from pathlib import Path
from typing import Any

from . import allowed
from .archive import ArchiveReader, ArchiveWriter
from .atomic import replacing
from .names import NAMES
from .pickler import Pickler
from .storages import LoadedStorages
from .unpickler import Unpickler

__all__ = ["get_unsafe_globals_in_checkpoint", "load", "save"]


def save(
    obj: Any,
    f: Any,
    pickle_module: Any = pickle,
    pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:
    """Save an object: tensors, parameters, state dictionaries, containers of them.

    A file at the same path is replaced in one step once the new one is complete; when
    saving fails or is interrupted, the old file stays as it was. Tensors that share
    memory share it after loading, too.

    Args:
        obj: what to save.
        f: a path, or an object with `write`.
        pickle_module: accepted; the pickle is always written by edutorch.
        pickle_protocol: accepted; protocol 2 is always written.

    Raises:
        RuntimeError: if the folder does not exist.
        OSError: if the file cannot be written; errors of a file object as they are.
        PicklingError: for objects that cannot be found by name when loaded.
        TypeError: for objects that cannot be saved at all.

    Example:
        >>> import edutorch as torch, io
        >>> file = io.BytesIO()
        >>> torch.save({"w": torch.ones(2)}, file)
        >>> _ = file.seek(0)
        >>> torch.load(file)
        {'w': tensor([1., 1.])}
    """
    if not hasattr(f, "write") and not isinstance(f, (str, os.PathLike)):
        raise AttributeError(
            "expected 'f' to be string, path, or a file-like object with a 'write' "
            "attribute"
        )
    pickled = Pickler(obj)
    if hasattr(f, "write"):
        _write(f, pickled, "archive")
        if hasattr(f, "flush"):
            f.flush()
        return
    with replacing(f) as file:
        _write(file, pickled, Path(f).stem or "archive")


def _write(file: Any, pickled: Pickler, root: str) -> None:
    archive = ArchiveWriter(file, root)
    archive.add("data.pkl", pickled.program)
    archive.add(".format_version", b"1")
    archive.add(".storage_alignment", b"64")
    archive.add("byteorder", sys.byteorder.encode())
    for key, memory in pickled.storages.records().items():
        archive.add(f"data/{key}", memory)
    archive.add("version", b"3\n")
    archive.add(".data/serialization_id", archive.serialization_id().encode())
    archive.close()


def load(
    f: Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """Load what `save` (or PyTorch's) wrote.

    No code in the file is run: it may hold tensors, containers, numbers and text, and
    anything else is refused. Every record's checksum is verified.

    Args:
        f: a path, or a file object with `read` (and `seek`, or all of it is read).
        map_location: a device for all tensors, a dictionary from device names to
            others, or a function of (storage, location).
        pickle_module: accepted; the pickle is always read by edutorch.
        weights_only: False also loads objects of any class, **running code that is in
            the file**: only for files that you trust.
        mmap: accepted; files are always read, for their checksums.

    Raises:
        UnpicklingError: if the file wants something that is not allowed, or is
            damaged.
        RuntimeError: if it is damaged or no checkpoint, or its device is not there.

    Example:
        >>> import edutorch as torch, io
        >>> file = io.BytesIO()
        >>> torch.save(torch.arange(3), file)
        >>> _ = file.seek(0)
        >>> torch.load(file, map_location="cpu")
        tensor([0, 1, 2])
    """
    if isinstance(f, (str, os.PathLike)):
        with Path(f).open("rb") as file:
            return _read(file, map_location, weights_only)
    if not hasattr(f, "read"):
        raise AttributeError(
            "expected 'f' to be string, path, or a file-like object with a 'read' "
            "attribute"
        )
    if not (hasattr(f, "seek") and hasattr(f, "tell")):
        f = io.BytesIO(f.read())
    return _read(f, map_location, weights_only)


def _read(file: Any, map_location: Any, weights_only: bool | None) -> Any:
    reader = ArchiveReader(file)
    if "version" in reader and not reader.read("version").strip().isdigit():
        raise RuntimeError("failed reading zip archive: its version is no number")
    program = reader.read("data.pkl")
    storages = LoadedStorages(reader, map_location)
    if weights_only is False:
        return _Trusting(program, storages).load()
    return Unpickler(program, NAMES, storages.find).load()


def get_unsafe_globals_in_checkpoint(f: Any) -> list[str]:
    """The names in a file that `load` refuses as long as nobody allows them.

    Example:
        >>> import edutorch as torch, io
        >>> file = io.BytesIO()
        >>> torch.save(torch.nn.ReLU(), file)
        >>> _ = file.seek(0)
        >>> torch.serialization.get_unsafe_globals_in_checkpoint(file)
        ['edutorch.nn.modules.activation.ReLU']
    """
    if isinstance(f, (str, os.PathLike)):
        with Path(f).open("rb") as file:
            return get_unsafe_globals_in_checkpoint(file)
    found: dict[str, None] = {}  # each once, in the order of the file
    texts: list[str] = []
    for code, value, _ in pickletools.genops(ArchiveReader(f).read("data.pkl")):
        if isinstance(value, str):
            texts.append(value)
        if code.name not in ("GLOBAL", "STACK_GLOBAL"):
            continue
        named = value.split(" ") if code.name == "GLOBAL" else texts[-2:]
        module, name = named
        if (module, name) not in NAMES and not _is_known(module, name):
            found[f"{module}.{name}"] = None
    return list(found)


def _is_known(module: str, name: str) -> bool:
    try:
        allowed.find(module, name)
    except KeyError:
        return False
    return True


class _Trusting(pickle.Unpickler):
    """Python's own unpickler, for files that the user trusts; it runs any code."""

    def __init__(self, program: bytes, storages: LoadedStorages) -> None:
        super().__init__(io.BytesIO(program))
        self._storages = storages

    def persistent_load(self, pid: Any) -> Any:
        """The storage that the pickle refers to."""
        return self._storages.find(pid)

    def find_class(self, module: str, name: str) -> Any:
        """A class or function by name; PyTorch's names mean edutorch's things."""
        if module.partition(".")[0] == "torch":
            if (module, name) in NAMES:
                return NAMES[module, name]
            own = __name__.partition(".")[0] + module.removeprefix("torch")
            return getattr(importlib.import_module(own), name)
        return super().find_class(module, name)
