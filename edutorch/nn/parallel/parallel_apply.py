"""Calls each replica in a separate thread."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from ...amp import autocast
from ...amp.state import get_autocast_dtype, is_autocast_enabled
from ...autograd.modes import is_grad_enabled, set_grad_enabled
from ...backends.gpus import make_current
from ...devices import current_cuda
from ...exception_wrapper import WorkerException
from ...tensor.tensor import Tensor
from ..modules.module import Module
from .comm import gpu

__all__ = ["parallel_apply"]


def parallel_apply(
    modules: Sequence[Module],
    inputs: Sequence[Any],
    kwargs_tup: Sequence[dict[str, Any]] | None = None,
    devices: Sequence[Any] | None = None,
) -> list[Any]:
    """The output of each module for its input; the modules run concurrently.

    Each thread has the gradient mode and autocast of the caller, and its module's
    device as the current one.

    Args:
        modules: what to call.
        inputs: for each its arguments, a tuple or one value.
        kwargs_tup: for each its keyword arguments.
        devices: for each its device, by default that of its input.

    Raises:
        AssertionError: for numbers that are not the same.
        Exception: the exception of a module, with the name of the replica.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     nets = [torch.nn.Identity() for _ in range(2)]
        ...     xs = [torch.ones(1, device=f"cuda:{i}") for i in (0, 1)]
        ...     len(torch.nn.parallel.parallel_apply(nets, xs))
        2
    """
    if len(modules) != len(inputs):
        raise AssertionError(
            f"The number of modules {len(modules)} is not equal to the number of "
            f"inputs {len(inputs)}"
        )
    named = kwargs_tup or [{}] * len(modules)
    where = [None if d is None else gpu(d) for d in devices or [None] * len(modules)]
    results: list[Any] = [None] * len(modules)
    modes = is_grad_enabled(), is_autocast_enabled("cuda"), get_autocast_dtype("cuda")

    def run(i: int) -> None:
        try:
            results[i] = _call(modules[i], inputs[i], named[i], where[i], modes)
        except Exception as error:  # noqa: BLE001 (raised again by the caller)
            device = where[i] if where[i] is not None else _device_of(inputs[i])
            number = getattr(device, "index", None)
            at = f"in replica {i} on device {number}"
            results[i] = WorkerException(error, at)

    if len(modules) == 1:
        run(0)
    else:
        threads = [
            threading.Thread(target=run, args=(i,), name=f"replica {i}")
            for i in range(len(modules))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for found in results:
        if isinstance(found, WorkerException):
            found.reraise()
    return results


def _call(
    module: Module, given: Any, named: dict[str, Any], where: Any, modes: Any
) -> Any:
    """Call a module in the caller's modes, on its own device."""
    grad, cast, dtype = modes
    where = _device_of(given) if where is None else where
    before = current_cuda()
    arguments = given if isinstance(given, (list, tuple)) else (given,)
    try:
        if where is not None and where.index is not None:
            make_current(where.index)
        with set_grad_enabled(grad), autocast("cuda", dtype=dtype, enabled=cast):
            return module(*arguments, **named)
    finally:
        make_current(before)


def _device_of(value: Any) -> Any:
    """The device of the first tensor in nested values."""
    if isinstance(value, Tensor):
        return value.device
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return next((d for d in map(_device_of, value) if d is not None), None)
    return None
