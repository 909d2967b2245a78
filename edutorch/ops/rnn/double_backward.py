"""Second derivatives of the fused recurrent ops, through composed ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...autograd.api import grad
from ...autograd.dispatch import Op
from ...autograd.modes import enable_grad

__all__ = ["gradients_through", "upcast_half"]


def gradients_through(
    reference: Callable[..., Any], op: Op, gradients: tuple[Any, ...]
) -> tuple[Any, ...]:
    """The gradients of a fused op as tensors with history.

    The op's inputs go through `reference` again, operation by operation, and back:
    the recorded operations of both can be differentiated once more.

    Math: ∂L/∂x = Σ_k g_k · ∂y_k/∂x, y = reference(x)
    """
    with enable_grad():  # inside `vmap` gradients need not be recorded
        inputs = [t.view_as(t) for t in op.inputs]  # nodes that nothing else leads to
        outs = reference(*inputs)
    differentiated = [t for t, need in zip(inputs, op.needs, strict=True) if need]
    used = [(y, g) for y, g in zip(outs, gradients, strict=True) if y.requires_grad]
    found = iter(
        grad(
            [y for y, _ in used], differentiated, [g for _, g in used],
            create_graph=True, allow_unused=True,
        )
    )  # fmt: skip
    return tuple(next(found) if need else None for need in op.needs)


def upcast_half(*arrays: Any) -> tuple[Any, ...]:
    """Arrays for computation: half precision becomes single.

    Example:
        >>> import numpy as np
        >>> [x.dtype.name for x in upcast_half(np.ones(1, np.float16), np.ones(1))]
        ['float32', 'float64']
    """
    return tuple([x.astype("float32") if x.itemsize == 2 else x for x in arrays])
