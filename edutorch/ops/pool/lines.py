"""Lines pooled as images of height 1, as PyTorch does where it records nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...autograd.dispatch import Op, apply1
from ...autograd.modes import modes
from ...tensor.tensor import Tensor
from ..shape.squeezing import Squeeze, Unsqueeze

__all__ = ["pool_line"]


def pool_line(run: Callable[..., Any], op: Op, image_op: Op, x: Any) -> Any:
    """Run `op` on lines, or `image_op` on images of height 1 if a gradient is needed.

    Args:
        run: `apply1`, or `apply` for several results.
        op: pools lines, and makes the checks.
        image_op: pools images, with windows of height 1.
        x: (N, C, L) or (C, L).
    """
    if not (isinstance(x, Tensor) and x._requires_grad and modes.grad):
        return run(op, x)
    op.check(x)
    y = run(image_op, apply1(Unsqueeze(x.ndim - 1), x))
    return tuple(map(_line, y)) if isinstance(y, tuple) else _line(y)


def _line(image: Tensor) -> Tensor:
    return apply1(Squeeze((image.ndim - 2,), 1), image)
