"""The folder of a checkpoint: a file of each rank, and their contents."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

from ...serialization.atomic import replacing
from ...serialization.checkpoint import load as load_file
from ...serialization.checkpoint import save as save_file
from ...tensor.tensor import Tensor

__all__ = ["FileSystemReader", "FileSystemWriter"]

METADATA = "metadata.json"
FORMAT = "edutorch checkpoint, version 1"


class FileSystemWriter:
    """Writes a checkpoint into a folder, which gets its name once it is complete.

    Args:
        path: of the folder; an existing one is replaced.
        overwrite: False to refuse that.

    Example:
        >>> import tempfile
        >>> import edutorch as torch
        >>> import edutorch.distributed.checkpoint as dcp
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     writer = dcp.FileSystemWriter(folder + "/step7")
        ...     entries = dcp.save({"x": torch.ones(2)}, storage_writer=writer)
        >>> list(entries)
        ['x']
    """

    def __init__(self, path: str | os.PathLike[str], overwrite: bool = True) -> None:
        self.path, self.overwrite = Path(path), overwrite

    def begin(self) -> str:
        """Create a folder to write into, next to the final one.

        Raises:
            FileExistsError: for an existing checkpoint with `overwrite=False`, or
                another kind of folder or file.
        """
        if self.path.exists():
            empty = self.path.is_dir() and not any(self.path.iterdir())
            if not empty and not (self.path / METADATA).is_file():
                raise FileExistsError(f"{self.path} exists, and is not a checkpoint")
            if not self.overwrite:
                raise FileExistsError(f"{self.path} already exists")
        part = self.path.with_name(f"{self.path.name}.{os.getpid()}.part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        return str(part)

    def write(self, part: str, rank: int, values: dict[str, Any]) -> str:
        """Write the values of one rank; returns the name of its file."""
        name = f"rank{rank}.pt"
        save_file(values, Path(part, name))
        return name

    def finish(self, part: str, entries: dict[str, Any]) -> None:
        """Write the metadata, and give the folder its final name."""
        text = json.dumps({"format": FORMAT, "entries": entries}, indent=1)
        with replacing(Path(part, METADATA)) as file:
            file.write(text.encode())
        old = Path(f"{part}.old")
        if self.path.exists():
            self.path.rename(old)
        try:
            Path(part).rename(self.path)
        except OSError:
            if old.exists():  # keep the previous checkpoint
                old.rename(self.path)
            raise
        shutil.rmtree(old, ignore_errors=True)

    def abort(self, part: str) -> None:
        """Remove what was written."""
        shutil.rmtree(part, ignore_errors=True)


class FileSystemReader:
    """Reads a checkpoint from a folder.

    Args:
        path: of the folder.

    Example:
        >>> import tempfile
        >>> import edutorch as torch
        >>> import edutorch.distributed.checkpoint as dcp
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = dcp.save({"x": torch.ones(2)}, checkpoint_id=folder)
        ...     entries = dcp.FileSystemReader(folder).read_metadata()
        >>> entries["x"]["shape"]
        [2]
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._name, self._values = "", {}  # type: str, dict[str, Any]

    def read_metadata(self) -> dict[str, Any]:
        """The contents of the checkpoint, by name.

        Raises:
            FileNotFoundError: if there is no checkpoint.
            ValueError: for a folder of another kind.
        """
        found = json.loads((self.path / METADATA).read_text("utf-8"))
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise ValueError(f"{self.path / METADATA} is not of {FORMAT}")
        entries: dict[str, Any] = found["entries"]
        return entries

    def read(self, name: str, key: str, length: int | None = None) -> Any:
        """One value of a file; the last file stays open for the next.

        Args:
            length: of a tensor, of one dimension.

        Raises:
            ValueError: for another length, or a file outside the folder.
        """
        if Path(name).name != name:
            raise ValueError(f"{name!r} is not the name of a file of the checkpoint")
        if name != self._name:
            self._values = load_file(self.path / name, weights_only=True)
            self._name = name
        value = self._values[key]
        if length is not None and not (
            isinstance(value, Tensor) and tuple(value.shape) == (length,)
        ):
            raise ValueError(f"{name} does not have {length} elements of {key}")
        return value
