"""Checks of the arguments of collectives: tensors, lists, sizes, the root rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...tensor.tensor import Tensor
from ..groups.process_group import ProcessGroup

__all__ = [
    "check_concatenated_size", "check_one_tensor_per_rank", "check_tensor",
    "check_tensor_list", "root_in_group",
]  # fmt: skip


def check_tensor(tensor: Any, name: str) -> None:
    """Refuse values that are not tensors.

    Raises:
        TypeError: for another type.
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type "
            f"torch.Tensor\n             but got {type(tensor)} instead."
        )


def check_tensor_list(tensors: Any, name: str) -> None:
    """Refuse values that are not lists of tensors.

    Raises:
        TypeError: for another type, or elements of one.
    """
    if not isinstance(tensors, list | tuple) or not all(
        isinstance(tensor, Tensor) for tensor in tensors
    ):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type "
            f"List[torch.Tensor]\n             but got {type(tensors)} instead."
        )


def check_one_tensor_per_rank(
    tensors: Sequence[Tensor], tensor: Tensor, members: ProcessGroup, what: str
) -> None:
    """One tensor of the list for each rank, all of one dtype.

    Args:
        what: the function and the list: "allgather: output".
    """
    if len(tensors) != members.size():
        function, _, which = what.partition(": ")
        raise RuntimeError(
            f"ProcessGroupGloo::{function}: invalid {which} tensor list at index 0 "
            f"(expected length "
            f"{members.size()}, got {len(tensors)})"
        )
    for i, other in enumerate(tensors):
        if other.dtype != tensor.dtype:
            raise ValueError(
                "Invalid usage of tensors with different dtypes: "
                f"number {i} of the list has {other.dtype}, not {tensor.dtype}"
            )


def check_concatenated_size(
    large: Tensor, small: Tensor, ranks: int, large_name: str, small_name: str
) -> None:
    """One tensor has room for those of all ranks."""
    if large.dtype != small.dtype:
        raise ValueError(
            f"{large_name} tensor must have the same type as {small_name} tensor: "
            f"got {large.dtype} and {small.dtype}"
        )
    if large.numel() != small.numel() * ranks:
        raise ValueError(
            f"{large_name} tensor size must be equal to world_size times "
            f"{small_name} tensor size: got {tuple(large.shape)} and "
            f"{tuple(small.shape)} for {ranks} ranks"
        )


def root_in_group(group: ProcessGroup, root: int | None, group_root: int | None) -> int:
    """The number in the group of a source or destination.

    Raises:
        ValueError: if it is named in both ways, or not in the group.
    """
    if root is not None and group_root is not None:
        raise ValueError("Can't specify both a global rank and a group rank")
    if group_root is not None:
        return group_root
    return group.group_rank(0 if root is None else root)
