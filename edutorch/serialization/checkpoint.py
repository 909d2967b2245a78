"""`save` and `load`.

A checkpoint is an archive: `data.pkl` holds the objects, `data/0`, `data/1` ... the
memory of their tensors. Saving replaces the old file in one step; loading runs no code.
Files in PyTorch's older formats are read, too (`legacy.py`, `legacy_tar.py`).
"""

from __future__ import annotations

import io
import os
import pickle
import sys
import warnings
from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from . import allowed_globals, legacy
from .archive import LOCAL_MARK as ZIP
from .archive import ArchiveReader, ArchiveWriter
from .archive_records import ArchiveRecords, is_swapped
from .atomic import replacing
from .default_globals import NAMES
from .environment import weights_only_mode
from .errors import NotAllowedError, weights_only_error
from .legacy_tar import TarFile
from .options import get_crc32_options, skips_data
from .pickle_scan import Named, Window, scan_pickle
from .pickler import Pickler
from .rebuild import CLASSES
from .storages import LoadedStorages
from .tar import is_tar
from .unrestricted_unpickler import load_unrestricted
from .weights_only_unpickler import Unpickler

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
        AttributeError: if `f` is neither a path nor a file object.

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
    if skips_data() and not _use_new_zipfile_serialization:
        raise RuntimeError(
            "Cannot use skip_data=True with _use_new_zipfile_serialization=False"
        )
    pickled = Pickler(obj, stream=not _use_new_zipfile_serialization)
    write = _write if _use_new_zipfile_serialization else _write_stream
    order = not _disable_byteorder_record
    if hasattr(f, "write"):
        write(f, pickled, "archive", order)
        if hasattr(f, "flush"):
            f.flush()
        return
    with replacing(f) as file:
        write(file, pickled, Path(f).stem or "archive", order)


def _write(file: Any, pickled: Pickler, root: str, order: bool) -> None:
    archive = ArchiveWriter(file, root, get_crc32_options())
    archive.add("data.pkl", pickled.program)
    archive.add(".format_version", b"1")
    archive.add(".storage_alignment", b"64")
    if order:
        archive.add("byteorder", sys.byteorder.encode())
    for key, memory in pickled.storages.records().items():
        archive.add(f"data/{key}", memory, skips_data())
    archive.add("version", b"3\n")
    archive.add(".data/serialization_id", archive.serialization_id().encode())
    archive.close()


def _write_stream(file: Any, pickled: Pickler, root: str, order: bool) -> None:
    legacy.write(file, pickled.program, pickled.storages)


def load(
    f: Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """Load a file written by `save` (or PyTorch's).

    No code in the file is run: it may hold tensors, containers, numbers and text, and
    anything else is refused. Every record's checksum is verified.

    Args:
        f: a path, or a file object with `read` (and `seek`, or all of it is read).
        map_location: a device for all tensors, a dictionary from device names to
            others, or a function of (storage, location).
        pickle_module: for `weights_only=False`: a module with an `Unpickler`, such as
            `pickle` or `dill`.
        weights_only: False also loads objects of any class, **running code that is in
            the file**: only for files that you trust. By default True, unless there is
            a `pickle_module`, or the environment has TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD;
            TORCH_FORCE_WEIGHTS_ONLY_LOAD makes it always True.
        mmap: map the file into memory instead of reading the tensors' numbers.
        pickle_load_args: further arguments of that `Unpickler`, such as `encoding`.

    Raises:
        UnpicklingError: if the file wants something that is not allowed, or is
            damaged.
        RuntimeError: if it is damaged or no checkpoint, or its device is not there.
        AttributeError: if `f` is neither a path nor a file object.

    Example:
        >>> import edutorch as torch, io
        >>> file = io.BytesIO()
        >>> torch.save(torch.arange(3), file)
        >>> _ = file.seek(0)
        >>> torch.load(file, map_location="cpu")
        tensor([0, 1, 2])
    """
    settings = _LoadSettings(
        map_location, pickle_module, weights_only, mmap, pickle_load_args
    )
    if isinstance(f, (str, os.PathLike)):
        with Path(f).open("rb") as file:
            return _read(file, settings, f)
    if not hasattr(f, "read"):
        raise AttributeError(
            f"{type(f).__name__!r} object has no attribute 'seek'. You can only "
            "torch.load from a file that is seekable. Please pre-load the data into a "
            "buffer like io.BytesIO and try to load from it instead."
        )
    is_file = all(hasattr(f, name) for name in ("seek", "tell", "readline"))
    return _read(f if is_file else io.BytesIO(f.read()), settings)


class _LoadSettings:
    """The arguments of `load` other than the file, checked."""

    def __init__(
        self, map_location: Any, pickle_module: Any, weights_only: bool | None,
        mmap: bool | None, options: dict[str, Any],
    ) -> None:  # fmt: skip
        self.weights_only = weights_only_mode(weights_only, pickle_module)
        if self.weights_only and pickle_module is not None:
            raise RuntimeError(
                "Can not safely load weights when explicit pickle_module is specified"
            )
        if self.weights_only and options:
            warnings.warn(
                "pickle_load_args only works if `weights_only=False`.",
                UserWarning,
                stacklevel=3,
            )
        self.map_location, self.mmap = map_location, bool(mmap)
        self.pickle_module = pickle_module or pickle
        self.options = {"encoding": "utf-8", **options}

    def load(self, program: bytes, find: Any) -> Any:
        """The objects of a pickle."""
        if not self.weights_only:
            return load_unrestricted(program, find, self.pickle_module, self.options)
        return Unpickler(program, NAMES, find, CLASSES).load()


def _read(file: Any, settings: _LoadSettings, path: Any = None) -> Any:
    try:
        if _starts_with(file, ZIP):
            return _read_archive(file, settings, path)
        if settings.mmap:
            raise RuntimeError(
                "mmap can only be used with files saved with `torch.save("
                f"{f'{path}, ' if isinstance(path, str) else ''}"
                "_use_new_zipfile_serialization=True), please torch.save your "
                "checkpoint with this option in order to use mmap."
            )
        if is_tar(file):
            if settings.weights_only:
                raise RuntimeError(
                    "Cannot use ``weights_only=True`` with files saved in the legacy "
                    ".tar format. Loading it with weights_only=False runs the code in "
                    "it: do so only if you trust where it comes from."
                )
            oldest = TarFile(file, NAMES, settings.map_location)
            return settings.load(oldest.program, oldest.find)
        program, records = legacy.read(file, NAMES)
        swap = sys.byteorder == "big"  # these files are little-endian
        storages = LoadedStorages(records, swap, settings.map_location)
        found = settings.load(program, storages.find)
        file.seek(records.end)  # where another one may begin
        return found
    except NotAllowedError as error:
        if settings.weights_only:
            raise weights_only_error(error) from None
        raise UnpicklingError(str(error)) from None


def _starts_with(file: Any, mark: bytes) -> bool:
    """Whether a file continues with some bytes."""
    start = file.tell()
    found = file.read(len(mark))
    file.seek(start)
    return bool(found == mark)


def _read_archive(file: Any, settings: _LoadSettings, path: Any) -> Any:
    reader = ArchiveReader(file)
    if "constants.pkl" in reader:
        raise RuntimeError(
            "This file is a TorchScript archive, which edutorch does not read. Hint: "
            "save the module's state_dict() instead"
        )
    if settings.mmap and path is None:
        raise ValueError("f must be a file path in order to use the mmap argument")
    if "version" in reader and not reader.read("version").strip().isdigit():
        raise RuntimeError(
            "PytorchStreamReader failed reading zip archive: its version is no number"
        )
    records = ArchiveRecords(reader, path if settings.mmap else None)
    storages = LoadedStorages(records, is_swapped(reader), settings.map_location)
    return settings.load(reader.read("data.pkl"), storages.find)


def get_unsafe_globals_in_checkpoint(f: Any) -> list[str]:
    """The names in a file that `load` rejects unless they are allowed.

    Raises:
        ValueError: for a file in an older format, or in none.
        RuntimeError: if the file is damaged.

    Example:
        >>> import edutorch as torch, io
        >>> file = io.BytesIO()
        >>> torch.save(torch.nn.ReLU(), file)
        >>> _ = file.seek(0)
        >>> torch.serialization.get_unsafe_globals_in_checkpoint(file)
        ['torch.nn.modules.activation.ReLU']
    """
    if isinstance(f, (str, os.PathLike)):
        with Path(f).open("rb") as file:
            return get_unsafe_globals_in_checkpoint(file)
    if not _starts_with(f, ZIP):
        raise ValueError("Expected input to be a checkpoint returned by torch.save")
    program = ArchiveReader(f).read("data.pkl")
    named = scan_pickle(Window(io.BytesIO(program))).names
    unsafe = [_renamed(n) for n in named if not _is_known(n.module, n.name)]
    return [f"{n.module}.{n.name}" for n in dict.fromkeys(unsafe)]


def _is_known(module: str, name: str) -> bool:
    try:
        return (module, name) in NAMES or bool(allowed_globals.find(module, name))
    except KeyError:
        return False


def _renamed(named: Named) -> Named:
    """The name that Python 3 has for one of Python 2, which pickles use."""
    full = named.module, named.name
    other = IMPORT_MAPPING.get(named.module, named.module), named.name
    return Named(*NAME_MAPPING.get(full, other))
