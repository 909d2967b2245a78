"""Writes a file such that either the old or the new one is complete at any moment.

The new file is written to the same folder under another name, forced onto the disk,
and then takes the old one's place in a single step. Whatever goes wrong before that
step leaves the old file as it was. What a killed process left behind is removed by
the next save to the same file.
"""

from __future__ import annotations

import itertools
import os
import platform
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["replacing"]

_number = itertools.count().__next__
_SUFFIX = ".saving"


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write, which replaces the one at `path` when the block ends well.

    Links are followed: what a link points to is replaced, not the link.

    Raises:
        RuntimeError: if the folder does not exist.
        OSError: if the file cannot be written.
    """
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise RuntimeError(f"Parent directory {Path(path).parent} does not exist.")
    if target.is_dir():
        raise IsADirectoryError(f"cannot save to {os.fspath(path)!r}: it is a folder")
    if target.exists() and not target.is_file():  # a device or a pipe
        with target.open("wb") as file:
            yield file
        return
    _remove_leftovers(target)
    temporary = target.with_name(f"{_prefix(target)}{os.getpid()}-{_number()}{_SUFFIX}")
    try:
        with temporary.open("xb") as file:
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _prefix(target: Path) -> str:
    """The prefix of temporary files for this target on this machine."""
    name = f"{zlib.crc32(os.fsencode(target.name)):08x}"
    return f".{target.name[:60]}.{name}.{zlib.crc32(platform.node().encode()):08x}-"


def _remove_leftovers(target: Path) -> None:
    """Remove what saves to this target left behind whose process has ended."""
    prefix = _prefix(target)
    for entry in os.scandir(target.parent):
        if entry.name.startswith(prefix) and entry.name.endswith(_SUFFIX):
            pid = entry.name.removeprefix(prefix).partition("-")[0]
            if pid.isdigit() and not _is_running(int(pid)):
                with suppress(OSError):  # another save may be sweeping too
                    Path(entry.path).unlink()


def _is_running(pid: int) -> bool:
    if os.name != "posix":
        return True  # there a signal 0 would end the process
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _sync_folder(folder: Path) -> None:
    """Force the new name onto the disk, where folders can be opened."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
