"""A checkpoint of several ranks as a single file of `torch.save`, and back."""

from __future__ import annotations

import os
from typing import Any

from ... import dtypes
from ...ops.create.filled import empty
from ...serialization.checkpoint import load as load_file
from ...serialization.checkpoint import save as save_file
from .file_system import FileSystemReader
from .flattening import unflatten
from .save_load import read_tensor, save

__all__ = ["dcp_to_torch_save", "torch_save_to_dcp"]


def dcp_to_torch_save(
    dcp_checkpoint_dir: str | os.PathLike[str],
    torch_save_path: str | os.PathLike[str],
) -> None:
    """Put all parts of a checkpoint together into one file.

    Raises:
        ValueError: if parts are missing.

    Example:
        >>> import tempfile
        >>> import edutorch as torch
        >>> import edutorch.distributed.checkpoint as dcp
        >>> from edutorch.distributed.checkpoint import format_utils
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     parts, file = folder + "/parts", folder + "/model.pt"
        ...     _ = dcp.save({"model": {"w": torch.ones(2)}}, checkpoint_id=parts)
        ...     format_utils.dcp_to_torch_save(parts, file)
        ...     torch.load(file)
        {'model': {'w': tensor([1., 1.])}}
    """
    reader = FileSystemReader(dcp_checkpoint_dir)
    values: list[tuple[Any, Any]] = []
    for name, about in reader.read_metadata().items():
        path = tuple((kind, key) for kind, key in about["path"])
        if "shape" in about:
            like = empty(about["shape"], dtype=getattr(dtypes, about["dtype"]))
            values.append((path, read_tensor(name, like, about, reader)))
        else:
            values.append((path, reader.read(about["file"], name)))
    save_file(unflatten(values), torch_save_path)


def torch_save_to_dcp(
    torch_save_path: str | os.PathLike[str],
    dcp_checkpoint_dir: str | os.PathLike[str],
) -> None:
    """Turn one file into a checkpoint that any number of ranks can read.

    Example:
        >>> import tempfile
        >>> import edutorch as torch
        >>> import edutorch.distributed.checkpoint as dcp
        >>> from edutorch.distributed.checkpoint import format_utils
        >>> state = {"w": torch.zeros(2)}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     torch.save({"w": torch.ones(2)}, folder + "/model.pt")
        ...     parts = folder + "/parts"
        ...     format_utils.torch_save_to_dcp(folder + "/model.pt", parts)
        ...     dcp.load(state, checkpoint_id=parts)
        >>> state
        {'w': tensor([1., 1.])}
    """
    state = load_file(torch_save_path, weights_only=True)
    save(state, checkpoint_id=dcp_checkpoint_dir, no_dist=True)
