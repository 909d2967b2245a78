"""A composed function with a single node, which knows its derivative."""

from __future__ import annotations

from collections.abc import Callable

from ..tensor.tensor import Tensor
from .batched_tensor import Batched
from .dispatch import Op, record
from .modes import no_grad

__all__ = ["as_one_node"]


def as_one_node(node: Op, function: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """The result of `function(x)` with `node` in place of those of its ops.

    Inside `vmap` the ops keep their own nodes, which have batching rules.
    """
    if type(x) is Batched:
        return function(x)
    with no_grad():
        result = function(x)
    record(node, (x,), (result,), False)
    return result
