"""Shared by functions of nested tensors."""

from __future__ import annotations

from typing import Any

from .tensor import NestedTensor, nest

__all__ = ["CALLED", "map_components", "component_dim", "strided_refusal"]

# What PyTorch's messages call some functions.
CALLED = {
    "__rtruediv__": "reciprocal", "__rsub__": "rsub.Scalar", "pow": "pow.Tensor_Scalar",
    "log_softmax": "_log_softmax", "split": "split.Tensor",
}  # fmt: skip


def strided_refusal(name: str) -> NotImplementedError:
    """The refusal of a function that the strided layout does not know."""
    return NotImplementedError(
        f"Could not run 'aten::{name}' with arguments from the 'NestedTensorCPU' "
        "backend."
    )


def map_components(func: Any, x: NestedTensor, *others: Any) -> Any:
    """A function of every part, whose results are parts again."""
    parts = zip(x.unbind(), *others, strict=True)
    return nest(*x._structure.joined([func(*p) for p in parts]))


def component_dim(x: NestedTensor, dim: int, name: str) -> int:
    """A dimension of the parts."""
    found = dim % x.dim()
    if found == 0:
        raise RuntimeError(f"{name}(): not supported for NestedTensor on dim=0")
    if found == getattr(x._structure, "ragged", None):
        raise RuntimeError(f"{name}(): not supported for NestedTensor on ragged dim")
    return found - 1
