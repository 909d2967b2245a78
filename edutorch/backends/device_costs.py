"""Costs of ops and copies on simulated GPUs, charged by the code that runs them.

Dispatch charges for ops, the engine for backward formulas, optimizers for updates, and
transfers, as well as whatever reads a tensor on the host, for copies. Constants made on
a GPU (`zeros`, `ones`, `full`) are free. Nothing here is called for the CPU.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ..devices import device as Device
from . import cuda, gpus
from .cost_model import FLOPS
from .pinned import is_pinned

__all__ = [
    "charge_copy", "charge_kernel", "charge_op", "charge_update",
]  # fmt: skip

# What the engine calls after each node, so that it costs programs without a simulated
# GPU nothing; None until an op has run on one.
of_backward: Callable[[Any, Any], None] | None = None


def charge_op(op: Any, device: Device, operands: Any, out: Any) -> None:
    """Charge for an op on a GPU; its backward will take as long as its kernel."""
    global of_backward
    found = gpus.simulated_now()
    if found is None:
        return
    of_backward = _charge_backward
    name = op.op_class.__name__
    arrays = [x for x in operands if hasattr(x, "nbytes")]
    rate = _rate(name, _dtype_name(out.dtype))
    seconds = found.run_op(name, device, arrays, out, rate)
    op.kernel_seconds = seconds


def charge_kernel(name: str, device: Device, nbytes: int) -> None:
    """Charge for a kernel that is not an op and moves this many bytes."""
    found = gpus.simulated_now()
    if found is not None and device.type == "cuda":
        seconds = found.model.kernel_seconds(0, nbytes, "float32")
        found.run_kernel(name, device, seconds)


def charge_update(parameters: Any, states: Any) -> None:
    """Charge for an optimizer's update: one kernel on each simulated GPU.

    It reads gradients, and reads and writes parameters and their state.
    """
    if gpus.simulated_now() is None:
        return
    moved: dict[Device, int] = {}
    for p in parameters:
        if p.grad is not None and p.device.type == "cuda":
            state = states.get(p, {}).values()
            sizes = [v.nbytes for v in state if hasattr(v, "nbytes")]
            nbytes = 3 * p.nbytes + 2 * sum(sizes)
            moved[p.device] = moved.get(p.device, 0) + nbytes
    for device, nbytes in moved.items():
        charge_kernel("optimizer.step", device, nbytes)


@cache
def _dtype_name(dtype: Any) -> str:
    """The name of NumPy's dtype, cached since NumPy computes it on every access."""
    return str(dtype.name)


def _rate(name: str, dtype: str) -> str:
    """The name of the rate at which an op computes: products may use TF32."""
    tf32 = dtype == "float32" and name in FLOPS and cuda.matmul.allow_tf32
    return "tf32" if tf32 else dtype


def _charge_backward(task: Any, node: Any) -> None:
    """Charge for a node's formula: for each gradient a kernel like that of the op."""
    found = gpus.simulated_now()
    seconds = getattr(node, "kernel_seconds", 0.0)
    if found is not None and seconds and not task.create_graph:
        for needed in node.needs:
            if needed:
                found.run_kernel(node.name(), node.device, seconds)


def charge_copy(
    source: Device, target: Device, array: Any, non_blocking: bool = False
) -> None:
    """Charge for a copy from one device to another, at least one of them a GPU.

    Args:
        non_blocking: whether the host continues while page-locked memory is copied.
            The source of a copy from the host must be page-locked; the target of
            one to the host always is.
    """
    found = gpus.simulated_now()
    if found is None:
        return
    pinned = non_blocking if target.type == "cpu" else is_pinned(array)
    wait = not (non_blocking and pinned)
    found.run_copy(source, target, int(array.nbytes), pinned=pinned, wait=wait)
