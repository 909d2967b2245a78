"""Checks of the arguments of collectives: tensors, lists, sizes, roots, reductions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from ...tensor.tensor import Tensor
from ..groups.group_registry import REGISTRY
from ..groups.process_group import ProcessGroup
from .reduce_op import ReduceOp

__all__ = [
    "check_concatenated_size", "check_one_tensor_per_rank", "check_reduce_op",
    "check_root", "check_same_dtype", "check_tensor", "check_tensor_list",
    "root_in_group",
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
    tensors: Sequence[Tensor],
    tensor: Tensor,
    members: ProcessGroup,
    what: str,
    *,
    equal_shapes: bool = True,
) -> None:
    """One tensor of the list for each rank, all of one dtype and shape.

    Args:
        what: the function and the list: "allgather: output".
        equal_shapes: False if only this rank's own must have the tensor's shape.
    """
    function, _, which = what.partition(": ")
    if len(tensors) != members.size():
        raise RuntimeError(
            f"ProcessGroupGloo::{function}: invalid {which} tensor list at index 0 "
            f"(expected length "
            f"{members.size()}, got {len(tensors)})"
        )
    check_same_dtype(tensors, tensor)
    for i, other in enumerate(tensors):
        if other.shape != tensor.shape and (equal_shapes or i == members.rank()):
            raise RuntimeError(
                f"ProcessGroupGloo::{function}: invalid tensor size at index {i} "
                f"(expected {_sizes(tensor)}, got {_sizes(other)})"
            )


def check_same_dtype(tensors: Sequence[Tensor], tensor: Tensor) -> None:
    """All tensors of a list have the dtype of the other one: they are sent as bytes."""
    for i, other in enumerate(tensors):
        if other.dtype != tensor.dtype:
            raise ValueError(
                "Invalid usage of tensors with different dtypes: "
                f"number {i} of the list has {other.dtype}, not {tensor.dtype}"
            )


def _sizes(tensor: Tensor) -> str:
    return f"({', '.join(map(str, tensor.shape))})"


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


def check_reduce_op(options: str) -> Callable[[Any, str], None]:
    """A check that refuses operations that are not a `ReduceOp`, such as "sum".

    Args:
        options: the class of PyTorch that its message names: "AllreduceOptions".
    """

    def check(op: Any, name: str) -> None:
        if isinstance(op, ReduceOp):
            return
        known = isinstance(op, str) and op.upper() in ReduceOp.__members__
        hint = f"; did you mean ReduceOp.{op.upper()}?" if known else ""
        raise TypeError(
            "(): incompatible function arguments. The following argument types are "
            f"supported:\n    1. (self: torch._C._distributed_c10d.{options}, arg0: "
            "torch._C._distributed_c10d.ReduceOp) -> None\n\n"
            f"Invoked with: {op!r}{hint}"
        )

    return check


def check_root(group: ProcessGroup, root: int, function: str) -> None:
    """Refuse a number that no rank of the group has.

    Raises:
        RuntimeError: for such a number.
    """
    if not 0 <= root < group.size():
        raise RuntimeError(f"ProcessGroupGloo::{function}: invalid root rank: {root}")


def root_in_group(
    group: ProcessGroup,
    root: int | None,
    group_root: int | None,
    default: int | None = 0,
) -> int:
    """The rank in the group of a source or destination, which `check_root` checks.

    Args:
        default: what `root` is if neither is given; None if one must be.

    Raises:
        TypeError: if it is not an integer.
        ValueError: if both ways of naming it are used, or none, or if a group other
            than the default one does not contain it.
    """
    if root is not None and group_root is not None:
        raise ValueError("Can't specify both group_rank and global_rank")
    if group_root is not None:
        return _integer(group_root)
    root = default if root is None else root
    if root is None:
        raise ValueError("Must specify global_rank or group_rank")
    root = _integer(root)
    return root if group is REGISTRY.default else group.group_rank(root)


def _integer(rank: Any) -> int:
    try:
        return operator.index(rank)
    except TypeError:
        message = f"a rank must be an integer, got {rank!r}"
        raise TypeError(message) from None
