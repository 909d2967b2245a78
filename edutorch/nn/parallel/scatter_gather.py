"""Distributes nested inputs to devices, and gathers nested outputs on one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...tensor.tensor import Tensor
from .autograd_functions import Gather, Scatter

__all__ = ["gather", "scatter", "scatter_kwargs"]


def _is_namedtuple(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def scatter(inputs: Any, target_gpus: Sequence[Any], dim: int = 0) -> Any:
    """Split tensors into parts, one per GPU; other values go to every GPU.

    Tensors may be nested in tuples, named tuples, lists and dictionaries.

    Shape: (N, *) -> about (N / n, *) for each of n GPUs

    Args:
        inputs: what to distribute.
        target_gpus: the devices.
        dim: the dimension of the batch.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     parts = torch.nn.parallel.scatter({"x": torch.ones(3)}, [0, 1])
        ...     [part["x"].shape[0] for part in parts]
        [2, 1]
    """
    if isinstance(inputs, Tensor):
        return Scatter.apply(target_gpus, None, dim, inputs)
    if _is_namedtuple(inputs):
        kind = type(inputs)
        return [kind(*p) for p in _scatter_all(inputs, target_gpus, dim)]
    if isinstance(inputs, tuple) and inputs:
        return list(_scatter_all(inputs, target_gpus, dim))
    if isinstance(inputs, list) and inputs:
        return [list(p) for p in _scatter_all(inputs, target_gpus, dim)]
    if isinstance(inputs, dict) and inputs:
        pairs = _scatter_all(inputs.values(), target_gpus, dim)
        return [type(inputs)(zip(inputs, p, strict=True)) for p in pairs]
    return [inputs for _ in target_gpus]


def _scatter_all(values: Any, target_gpus: Sequence[Any], dim: int) -> Any:
    """The parts of several values by GPU, as many as the value with the fewest has."""
    return zip(*(scatter(v, target_gpus, dim) for v in values), strict=False)


def scatter_kwargs(
    inputs: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    target_gpus: Sequence[Any],
    dim: int = 0,
) -> tuple[tuple[Any, ...], tuple[dict[str, Any], ...]]:
    """Positional and keyword arguments for each GPU.

    Args:
        inputs, kwargs: the arguments of a module.
        target_gpus: the devices.
        dim: the dimension of the batch.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     torch.nn.parallel.scatter_kwargs((), {"k": 1}, [0, 1])
        (((), ()), ({'k': 1}, {'k': 1}))
    """
    parts = list(scatter(inputs, target_gpus, dim)) if inputs else []
    named = list(scatter(kwargs, target_gpus, dim)) if kwargs else []
    parts += [()] * (len(named) - len(parts))
    named += [{}] * (len(parts) - len(named))
    return tuple(parts), tuple(named)


def gather(outputs: Sequence[Any], target_device: Any, dim: int = 0) -> Any:
    """The outputs of the GPUs, concatenated on one device.

    Args:
        outputs: for each GPU a tensor, or tensors nested in the same way.
        target_device: a GPU, or "cpu".
        dim: the dimension of the batch.

    Raises:
        ValueError: for dictionaries with other keys.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     parts = torch.nn.parallel.scatter(torch.arange(3.0), [0, 1])
        ...     torch.nn.parallel.gather(parts, "cpu")
        tensor([0., 1., 2.])
    """
    first = outputs[0]
    if isinstance(first, Tensor):
        return Gather.apply(target_device, dim, *outputs)
    if first is None:
        return None
    if isinstance(first, dict):
        if not all(len(first) == len(d) for d in outputs):
            raise ValueError("All dicts must have the same number of keys")
        return type(first)(
            (k, gather([d[k] for d in outputs], target_device, dim)) for k in first
        )
    joined = (gather(v, target_device, dim) for v in zip(*outputs, strict=True))
    return type(first)(*joined) if _is_namedtuple(first) else type(first)(joined)
