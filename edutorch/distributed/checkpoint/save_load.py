"""`save` and `load`: the state of a program of one or several ranks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import chain
from typing import Any

from ...ops.create.filled import empty
from ...tensor.tensor import Tensor
from .collective_steps import Ranks
from .file_system import FileSystemReader, FileSystemWriter
from .flat_shard import FlatShard
from .flattening import expand_stateful, flatten
from .planning import plan_writes, tensor_metadata

__all__ = ["load", "read_tensor", "save"]

# A name, its path, the file that contains it, and the result of `tensor_metadata`.
Written = tuple[str, Any, str, dict[str, Any] | None]


def save(
    state_dict: Mapping[str, Any],
    *,
    checkpoint_id: str | os.PathLike[str] | None = None,
    storage_writer: FileSystemWriter | None = None,
    process_group: Any = None,
    no_dist: bool = False,
) -> dict[str, Any]:
    """Write a checkpoint; all ranks call this.

    A value that several ranks have under one name is written by one of them; a
    `FlatShard`, by the rank that has it. Without a process group, this process writes
    all.

    Args:
        state_dict: tensors, numbers, texts, in dictionaries and lists; objects with a
            `state_dict` at the top.
        checkpoint_id: the folder.
        storage_writer: replaces `checkpoint_id`.
        no_dist: write from this process alone.

    Returns:
        What was written, by name.

    Raises:
        CheckpointException: on all ranks, if it fails on one; nothing is left then.

    Example:
        >>> import tempfile
        >>> import edutorch as torch
        >>> import edutorch.distributed.checkpoint as dcp
        >>> state = {"w": torch.arange(3.0), "step": 7}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = dcp.save(state, checkpoint_id=folder)
        ...     again = {"w": torch.zeros(3), "step": 0}
        ...     dcp.load(again, checkpoint_id=folder)
        >>> again
        {'w': tensor([0., 1., 2.]), 'step': 7}
    """
    ranks = Ranks(process_group, no_dist)
    writer = storage_writer or FileSystemWriter(_require_checkpoint_id(checkpoint_id))
    values: dict[str, Any] = {}
    paths: dict[str, Any] = {}

    def describe() -> dict[str, Any]:
        found = flatten(expand_stateful(state_dict))
        values.update((entry.name, entry.value) for entry in found)
        paths.update((entry.name, entry.path) for entry in found)
        return {name: tensor_metadata(value) for name, value in values.items()}

    everything = ranks.run_on_all("planning the checkpoint", describe)
    part = ranks.run_on_rank_zero("making the checkpoint's folder", writer.begin)

    def write() -> list[Written]:
        mine = plan_writes(ranks.rank, everything)
        flat = {name: _to_stored(values[name]) for name in mine}
        file = writer.write(part, ranks.rank, flat)
        return [(name, paths[name], file, about) for name, about in mine.items()]

    try:
        written = ranks.run_on_all("writing the checkpoint", write)
        entries = _merge_metadata(written)
        ranks.run_on_rank_zero(
            "naming the checkpoint", lambda: writer.finish(part, entries)
        )
    except BaseException:
        if ranks.rank == 0:
            writer.abort(part)
        raise
    return entries


def _require_checkpoint_id(
    checkpoint_id: str | os.PathLike[str] | None,
) -> str | os.PathLike[str]:
    if checkpoint_id is None:
        raise ValueError("a checkpoint needs a folder: give checkpoint_id")
    return checkpoint_id


def _to_stored(value: Any) -> Any:
    """The value as it is stored in the file of a rank."""
    if isinstance(value, FlatShard):
        return value.local.detach().cpu().clone()
    if isinstance(value, Tensor):
        return value.detach().cpu().contiguous().reshape(-1).clone()
    return value


def _merge_metadata(written: list[list[Written]]) -> dict[str, Any]:
    """The contents of all files, by name."""
    entries: dict[str, Any] = {}
    for name, path, file, about in chain.from_iterable(written):
        if about is None:
            entries[name] = {"path": path, "file": file}
            continue
        entry = entries.setdefault(
            name,
            {
                "path": path,
                "dtype": about["dtype"],
                "shape": about["shape"],
                "parts": [],
            },
        )
        place = {key: about[key] for key in ("start", "length")}
        entry["parts"].append({"file": file, **place})
    return entries


def load(
    state_dict: dict[str, Any],
    *,
    checkpoint_id: str | os.PathLike[str] | None = None,
    storage_reader: FileSystemReader | None = None,
    process_group: Any = None,
    no_dist: bool = False,
) -> None:
    """Read a checkpoint into a state dict; all ranks call this.

    Tensors are filled, other values replaced. Another number of ranks may have written
    the checkpoint, and tensors written in parts may be read whole, or in other parts.
    Only the entries of the state dict are read, and no code in the files is run.

    Args:
        state_dict: the entries to read, which are filled in; top-level objects that
            have a `state_dict` receive it through their `load_state_dict`.
        checkpoint_id: the folder.
        storage_reader: replaces `checkpoint_id`.
        no_dist: read in this process alone.

    Raises:
        CheckpointException: on all ranks, if something is missing, has another shape,
            or cannot be read on one.

    Example:
        >>> import tempfile
        >>> import edutorch as torch
        >>> import edutorch.distributed.checkpoint as dcp
        >>> model = torch.nn.Linear(2, 2)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = dcp.save({"model": model}, checkpoint_id=folder)
        ...     _ = torch.nn.init.zeros_(model.weight)
        ...     dcp.load({"model": model}, checkpoint_id=folder)
        >>> bool((model.weight != 0).all())
        True
    """
    reader = storage_reader or FileSystemReader(_require_checkpoint_id(checkpoint_id))
    ranks = Ranks(process_group, no_dist)
    ranks.run_on_all("reading the checkpoint", lambda: _read(state_dict, reader))


def _read(state_dict: dict[str, Any], reader: FileSystemReader) -> None:
    entries = reader.read_metadata()
    states = expand_stateful(state_dict)
    wanted = flatten(states)
    for entry in wanted:  # before anything is changed
        _check(entry.name, entry.value, entries)
    for entry in wanted:
        about = entries[entry.name]
        if isinstance(entry.value, Tensor):
            entry.value.detach().copy_(
                read_tensor(entry.name, entry.value, about, reader)
            )
        elif isinstance(entry.value, FlatShard):
            read_into_shard(entry.name, entry.value, about, reader)
        else:
            entry.put(reader.read(about["file"], entry.name))
    for key, value in state_dict.items():
        if hasattr(value, "load_state_dict"):
            value.load_state_dict(states[key])
        else:
            state_dict[key] = states[key]


def _check(name: str, value: Any, entries: dict[str, Any]) -> None:
    if name not in entries:
        raise RuntimeError(f"Missing key in checkpoint state_dict: {name}.")
    is_tensor = isinstance(value, Tensor | FlatShard)
    if is_tensor is not ("shape" in entries[name]):
        was, now = ("no tensor", "one") if is_tensor else ("a tensor", "none")
        raise ValueError(f"{name} was saved as {was}, and is {now} now")
    if is_tensor and entries[name]["shape"] != list(value.shape):
        raise ValueError(
            f"Size mismatch between saved torch.Size({entries[name]['shape']}) and "
            f"current: torch.Size({list(value.shape)}) for {name}"
        )


def read_tensor(
    name: str, like: Tensor, about: dict[str, Any], reader: FileSystemReader
) -> Tensor:
    """A tensor of a checkpoint, put together from its parts."""
    shard = FlatShard(empty(like.numel(), dtype=like.dtype), 0, like.shape)
    read_into_shard(name, shard, about, reader)
    return shard.local.reshape(like.shape)


def read_into_shard(
    name: str, shard: FlatShard, about: dict[str, Any], reader: FileSystemReader
) -> None:
    """Fill a part of a tensor from the parts of a checkpoint.

    Raises:
        ValueError: if elements are missing.
    """
    filled = 0
    for part in about["parts"]:
        start, length = part["start"], part["length"]
        if start < shard.end and start + length > shard.start:
            filled += shard.fill(start, reader.read(part["file"], name, length))
    if filled < shard.local.numel():
        raise ValueError(f"the checkpoint has only {filled} elements of {name}")
