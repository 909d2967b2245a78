"""Settings of `save` and `load` that are not their arguments."""

from __future__ import annotations

import mmap
import threading
from enum import Enum

__all__ = [
    "LoadEndianness", "get_crc32_options", "get_default_load_endianness",
    "get_default_mmap_options", "set_crc32_options", "set_default_load_endianness",
    "set_default_mmap_options", "skip_data", "skips_data",
]  # fmt: skip


class LoadEndianness(Enum):
    """The byte order of files that do not specify it.

    Example:
        >>> import edutorch as torch
        >>> torch.serialization.LoadEndianness.BIG.name
        'BIG'
    """

    NATIVE = 1
    LITTLE = 2
    BIG = 3


class _Settings:
    endianness: LoadEndianness | None = None
    crc32 = True
    mmap_flags = getattr(mmap, "MAP_PRIVATE", 2)


_thread = threading.local()


def get_default_load_endianness() -> LoadEndianness | None:
    """The byte order of files that do not specify it; None means little-endian.

    Example:
        >>> import edutorch as torch
        >>> torch.serialization.get_default_load_endianness() is None
        True
    """
    return _Settings.endianness


def set_default_load_endianness(endianness: LoadEndianness | None) -> None:
    """Set the byte order of files that do not specify it.

    Raises:
        TypeError: for anything other than a `LoadEndianness`.

    Example:
        >>> import edutorch as torch
        >>> torch.serialization.set_default_load_endianness(None)
    """
    if endianness is not None and not isinstance(endianness, LoadEndianness):
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    _Settings.endianness = endianness


def get_crc32_options() -> bool:
    """Whether `save` writes checksums.

    Example:
        >>> import edutorch as torch
        >>> torch.serialization.get_crc32_options()
        True
    """
    return _Settings.crc32


def set_crc32_options(compute_crc32: bool) -> None:
    """Set whether `save` writes checksums, which detect damage.

    Example:
        >>> import edutorch as torch
        >>> torch.serialization.set_crc32_options(True)
    """
    _Settings.crc32 = compute_crc32


def get_default_mmap_options() -> int:
    """The mode in which `load(mmap=True)` maps files: MAP_PRIVATE or MAP_SHARED.

    Example:
        >>> import mmap
        >>> import edutorch as torch
        >>> torch.serialization.get_default_mmap_options() == mmap.MAP_PRIVATE
        True
    """
    return _Settings.mmap_flags


class set_default_mmap_options:  # noqa: N801 (used like a function)
    """Set how `load(mmap=True)` maps files, for good or for a `with` block.

    Args:
        flags: `mmap.MAP_PRIVATE`, where changes stay in the process, or
            `mmap.MAP_SHARED`, where they go to the file.

    Raises:
        ValueError: for other flags.

    Example:
        >>> import mmap
        >>> import edutorch as torch
        >>> with torch.serialization.set_default_mmap_options(mmap.MAP_SHARED):
        ...     torch.serialization.get_default_mmap_options() == mmap.MAP_SHARED
        True
    """

    def __init__(self, flags: int) -> None:
        if flags not in (mmap.MAP_PRIVATE, mmap.MAP_SHARED):
            raise ValueError(
                "Invalid argument in function set_default_mmap_options, expected "
                f"mmap.MAP_PRIVATE or mmap.MAP_SHARED, but got {flags}"
            )
        self.prev = _Settings.mmap_flags
        _Settings.mmap_flags = flags

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception: object) -> None:
        _Settings.mmap_flags = self.prev


class skip_data:  # noqa: N801 (used like a function)
    """In a `with` block, files are saved and loaded without the tensors' numbers.

    Saving leaves their place in the file empty, to be filled by something else; loading
    gives tensors of zeros.

    Example:
        >>> import edutorch as torch, io
        >>> file = io.BytesIO()
        >>> with torch.serialization.skip_data():
        ...     torch.save(torch.ones(2), file)
        >>> _ = file.seek(0)
        >>> torch.load(file)
        tensor([0., 0.])
    """

    def __init__(self, materialize_fake_tensors: bool = False) -> None:
        self.materialize_fake_tensors = materialize_fake_tensors

    def __enter__(self) -> None:
        self.before = skips_data()
        _thread.skips = True

    def __exit__(self, *exception: object) -> None:
        _thread.skips = self.before


def skips_data() -> bool:
    """Whether this thread is in a `skip_data` block."""
    return getattr(_thread, "skips", False)
