"""Saving the inputs and results that backward reads in a node, with versions."""

from __future__ import annotations

from typing import Any

from .. import events, op_events
from ..tensor.tensor import Tensor, bare_tensor
from . import modes as _m
from .modes import modes
from .node import Op
from .op_errors import refuse_inference

__all__ = [
    "result_number",
    "save_factors",
    "save_inputs",
    "save_result_versions",
    "save_version",
]


# Note [Versions of saved outputs]
# A tensor's storage, which counts its versions, is created on first use: by a view,
# `detach`, or an in-place change. Until then the version is 0. So a node that saves
# its output stores only the array, and receives the storage when it is created.
def save_inputs(op: Op, operands: tuple[Any, ...]) -> None:
    """Save inputs, with the versions that they must still have in backward."""
    if op.saves is not None and not op.saves_for:
        operands = tuple([t if i in op.saves else None for i, t in enumerate(operands)])
    elif op.saves_for and not all(op.needs):
        needs, only_for, kept = op.needs, op.saves_for, op.saves or range(len(operands))
        operands = tuple(
            [
                t if i in kept and (i not in only_for or needs[only_for[i]]) else None
                for i, t in enumerate(operands)
            ]
        )
    elif op.saves is not None and op.saves[0] != 0:
        operands = tuple([t if i in op.saves else None for i, t in enumerate(operands)])
    elif op.saves is not None:  # the first ones
        operands = operands[: len(op.saves)] + (None,) * (len(operands) - len(op.saves))
    op.inputs, op.versions = operands, None
    for t in operands:
        if isinstance(t, Tensor) and t._storage is not None and t._storage.version:
            op.versions = _versions(operands)
            break
    if _m.special_modes:
        refuse_inference(operands)


def _versions(operands: tuple[Any, ...]) -> tuple[int, ...]:
    """The version of each operand's storage; 0 without a storage."""
    versions = []
    for t in operands:
        storage = t._storage if isinstance(t, Tensor) else None
        versions.append(0 if storage is None else storage.version)
    return tuple(versions)


def save_factors(op: Op, a: Tensor | None, b: Tensor | None) -> None:
    """`save_inputs` for the factors of a product."""
    op.inputs = (a, b)
    first = 0 if a is None or a._storage is None else a._storage.version
    second = 0 if b is None or b._storage is None else b._storage.version
    op.versions = (first, second) if first or second else None


# Note [Saved versions]
# Some tensors are saved only for their version: backward does not read them, but
# refuses to run if they have changed. They follow the inputs in `inputs`, where the
# engine compares and releases them with the others; a separate attribute would slow
# down every node. A node that saves no input has None in the places of its inputs.


def save_version(result: Tensor, tensor: Tensor, read: bool = True) -> None:
    """Let backward detect that indices or labels have changed since a node read them.

    Nodes store the numbers as attributes; the tensor that they come from is saved only
    for its version.

    Args:
        result: the node's result.
        tensor: the tensor that must not change.
        read: whether the node read it, as opposed to creating it.
    """
    if read and events.active:
        op_events.announce_read(result, tensor)
    node = result._grad_fn
    if node is None or (_m.special_modes and modes.saved_hooks):
        return
    saved = node.inputs
    inputs = node.inputs = (*(saved or (None,) * len(node.edges)), tensor)
    storage = tensor._storage
    if (saved and node.versions) or (storage is not None and storage.version):
        node.versions = _versions(inputs)
    else:
        node.versions = None


def save_result_versions(op: Op, outs: tuple[Tensor, ...]) -> None:
    """Save the versions of those of several results that backward uses.

    A result with a gradient refers to its node, which therefore saves an alias without
    history.
    """
    if not op.saves_extra:
        return
    if not op.saves_results:
        if outs[-1]._data.dtype.kind == "i":
            save_version(outs[0], outs[-1], read=False)
        return
    if _m.special_modes and modes.saved_hooks:
        return
    saved = op.inputs
    inputs = [*(saved or (None,) * len(op.edges))]
    for nr in op.saves_results:
        out = outs[nr]
        alias: Tensor = bare_tensor(Tensor, out._data, out._device)
        alias._storage = out._storage or out.untyped_storage()
        inputs.append(alias)
    op.inputs = tuple(inputs)
    op.versions = _versions(op.inputs) if saved and op.versions else None


def result_number(op: Op, tensor: Tensor) -> int | None:
    """The number of the result whose alias in `save_result_versions` a tensor is."""
    aliases = (op.inputs or ())[len(op.edges) :]
    for nr, alias in zip(op.saves_results, aliases, strict=False):
        if alias is tensor:
            return nr
    return None
