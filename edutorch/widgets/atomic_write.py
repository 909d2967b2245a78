"""Writing a view to a file, whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

__all__ = ["write_atomically"]


def write_atomically(path: str | os.PathLike[str], content: bytes) -> Path:
    """Write a file so that a reader sees the old one or the new one, whole.

    The content goes to a temporary name beside it, reaches the disk, and is
    then renamed. If anything fails, the old file stays and the temporary one
    is removed.
    """
    target = Path(path)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    written = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        written.chmod(0o666 & ~_umask())
        written.replace(target)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
    return target


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
