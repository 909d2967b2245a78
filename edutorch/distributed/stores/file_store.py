"""`FileStore`: a store in a file that all processes can reach."""

from __future__ import annotations

import base64
import fcntl
import json
from pathlib import Path
from typing import Any

from .store import Store, apply_command

__all__ = ["FileStore"]


class FileStore(Store):
    """A store in a file, locked while it is read or written.

    Args:
        file_name: the file; it need not exist, its folder must.
        world_size: the number of processes; the last one to end removes the file.

    Example:
        >>> import edutorch as torch, os, tempfile
        >>> name = os.path.join(tempfile.mkdtemp(), "store")
        >>> one = torch.distributed.FileStore(name, 2)
        >>> two = torch.distributed.FileStore(name, 2)
        >>> one.set("a", "1")
        >>> two.get("a")
        b'1'
    """

    def __init__(self, file_name: str, world_size: int = -1) -> None:
        super().__init__()
        self._path = Path(file_name)
        self._world_size = world_size

    @property
    def path(self) -> str:
        """The file's name."""
        return str(self._path)

    def _execute(self, command: str, *args: Any) -> Any:
        with self._path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # until the file is closed
            file.seek(0)
            text = file.read()
            kept = json.loads(text) if text else {}
            values = {key: base64.b64decode(value) for key, value in kept.items()}
            answer = apply_command(values, command, *args)
            if command not in {"get", "check", "count", "keys"}:
                kept = {k: base64.b64encode(v).decode() for k, v in values.items()}
                file.truncate(0)
                file.write(json.dumps(kept).encode())
        return answer
