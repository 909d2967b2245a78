"""What ops and copies cost simulated GPUs, told by whoever runs them.

Ops come from dispatch, backward formulas from the engine, updates from optimizers, and
copies from transfers and whatever reads a tensor on the host. Constants made on a GPU
(`zeros`, `ones`, `full`) are free. Nothing here is called for the CPU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..devices import device
from . import cuda, gpus
from .cost_model import FLOPS
from .pinned import is_pinned

__all__ = [
    "charge_copy", "charge_kernel", "charge_op", "charge_update",
]  # fmt: skip

# What the engine calls after each node, so that it costs programs without a simulated
# GPU nothing; None until an op has run on one.
of_backward: Callable[[Any, Any], None] | None = None


def charge_op(op: Any, where: device, operands: Any, out: Any) -> None:
    """An op ran on a GPU; remember the time of its kernel for its backward."""
    global of_backward
    found = gpus.simulated_now()
    if found is None:
        return
    of_backward = _charge_backward
    name = type(op).__name__
    arrays = [x for x in operands if hasattr(x, "nbytes")]
    seconds = found.run_op(name, where, arrays, out, _rate(name, out.dtype.name))
    op.kernel_seconds = seconds


def charge_kernel(name: str, where: device, nbytes: int) -> None:
    """A GPU ran a kernel that moves so many bytes, and is no op."""
    found = gpus.simulated_now()
    if found is not None and where.type == "cuda":
        seconds = found.model.kernel_seconds(0, nbytes, "float32")
        found.run_kernel(name, where, seconds)


def charge_update(parameters: Any, states: Any) -> None:
    """An optimizer has updated parameters: one kernel on each simulated GPU.

    It reads gradients, and reads and writes parameters and what is known of them.
    """
    if gpus.simulated_now() is None:
        return
    moved: dict[device, int] = {}
    for p in parameters:
        if p.grad is not None and p.device.type == "cuda":
            state = states.get(p, {}).values()
            known = [v.nbytes for v in state if hasattr(v, "nbytes")]
            nbytes = 3 * p.nbytes + 2 * sum(known)
            moved[p.device] = moved.get(p.device, 0) + nbytes
    for where, nbytes in moved.items():
        charge_kernel("optimizer.step", where, nbytes)


def _rate(name: str, dtype: str) -> str:
    """The name of the rate at which an op computes: products may use TF32."""
    tf32 = dtype == "float32" and name in FLOPS and cuda.matmul.allow_tf32
    return "tf32" if tf32 else dtype


def _charge_backward(task: Any, node: Any) -> None:
    """A node's formula ran: for each gradient a kernel like that of the op."""
    found = gpus.simulated_now()
    seconds = getattr(node, "kernel_seconds", 0.0)
    if found is not None and seconds and not task.create_graph:
        for needed in node.needs:
            if needed:
                found.run_kernel(node.name(), node.device, seconds)


def charge_copy(
    source: device, target: device, array: Any, behind: bool = False
) -> None:
    """An array goes from one device to another, at least one of them a GPU.

    Args:
        behind: whether the host goes on while page-locked memory is copied: what it
            sends must be such, and what it gets is.
    """
    found = gpus.simulated_now()
    if found is None:
        return
    pinned = behind if target.type == "cpu" else is_pinned(array)
    wait = not (behind and pinned)
    found.run_copy(source, target, int(array.nbytes), pinned=pinned, wait=wait)
