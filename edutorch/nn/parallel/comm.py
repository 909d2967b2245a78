"""Copies between GPUs (broadcast, scatter, gather) that autograd does not record."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from ... import ops
from ...autograd.modes import no_grad
from ...devices import CPU, current_cuda, to_device
from ...devices import device as Device
from ...tensor.tensor import Tensor

__all__ = [
    "broadcast", "broadcast_coalesced", "gather", "gpu", "reduce_add",
    "reduce_add_coalesced", "scatter",
]  # fmt: skip


def gpu(where: Any) -> Device:
    """A GPU by number or name; None for the current one.

    Raises:
        RuntimeError: for another kind of device.

    Example:
        >>> gpu(1)
        device(type='cuda', index=1)
    """
    if where is None or isinstance(where, int):
        return Device("cuda", current_cuda() if where is None else where)
    found = to_device(where)
    if found.type != "cuda":
        raise RuntimeError(f"expected a CUDA device, but got {found}")
    return found if found.index is not None else Device("cuda", current_cuda())


@no_grad()
def broadcast(
    tensor: Tensor,
    devices: Iterable[Any] | None = None,
    *,
    out: Sequence[Tensor] | None = None,
) -> tuple[Tensor, ...]:
    """Copies of a tensor on several GPUs; on its own GPU, the tensor itself.

    Args:
        tensor: what to copy, on the CPU or a GPU.
        devices: the devices of the copies.
        out: tensors to copy into, in place of `devices`.

    Raises:
        RuntimeError: for both or none of `devices` and `out`, or other shapes.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     torch.cuda.comm.broadcast(torch.ones(1), (0, 1))
        (tensor([1.], device='cuda:0'), tensor([1.], device='cuda:1'))
    """
    if (devices is None) == (out is None):
        raise RuntimeError(
            f"Exactly one of 'devices' and 'out' must be specified, but got "
            f"devices={devices} and out={out}"
        )
    if devices is not None:
        return tuple(tensor.to(gpu(d)) for d in devices)
    outs = tuple(out or ())
    for i, target in enumerate(outs):
        if target.shape != tensor.shape:
            raise RuntimeError(
                f"Expected all output tensors to have same shape as input, but output "
                f"tensor at index {i} has shape {list(target.shape)}"
            )
        target.copy_(tensor)
    return outs


def broadcast_coalesced(
    tensors: Sequence[Tensor], devices: Iterable[Any], buffer_size: int = 10485760
) -> list[tuple[Tensor, ...]]:
    """Copies of several tensors on several GPUs, a tuple for each GPU.

    Args:
        tensors: what to copy.
        devices: where to; the tensors lie on the first one.
        buffer_size: accepted; tensors are copied one by one.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     pair = [torch.ones(n, device="cuda:0") for n in (1, 2)]
        ...     copies = torch.cuda.comm.broadcast_coalesced(pair, (0, 1))
        >>> [len(of_one_gpu) for of_one_gpu in copies]
        [2, 2]
    """
    where = list(devices)
    copies = [broadcast(t, where) for t in tensors]
    return [tuple(c[i] for c in copies) for i in range(len(where))]


@no_grad()
def reduce_add(inputs: Sequence[Tensor], destination: Any = None) -> Tensor:
    """The sum of tensors on different GPUs, computed on one of them.

    Math: y = Σ_i x_i
    Shape: n times (*) -> (*)

    Raises:
        RuntimeError: if none is on the destination.
        AssertionError: for tensors on the CPU.
        ValueError: for other shapes.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     parts = [torch.ones(2, device=f"cuda:{i}") for i in (0, 1)]
        ...     torch.cuda.comm.reduce_add(parts, 0)
        tensor([2., 2.], device='cuda:0')
    """
    where = gpu(destination)
    root = None
    for i, x in enumerate(inputs):
        if x.device.type == "cpu":
            raise AssertionError("reduce_add expects all inputs to be on GPUs")
        if x.device == where:
            root = i
        if x.shape != inputs[0].shape:
            got, expected = list(x.shape), list(inputs[0].shape)
            raise ValueError(
                f"input {i} has invalid size: got {got}, but expected {expected}"
            )
    if root is None:
        raise RuntimeError(
            "reduce_add expects destination to be on the same GPU with one of the "
            "tensors"
        )
    if len(inputs) == 1:
        return inputs[0]
    total = inputs[root].clone()
    for i, x in enumerate(inputs):
        if i != root:
            total += x.to(where)
    return total


def reduce_add_coalesced(
    inputs: Sequence[Sequence[Tensor]],
    destination: Any = None,
    buffer_size: int = 10485760,
) -> tuple[Tensor, ...]:
    """Sums of several tensors over GPUs.

    Args:
        inputs: for each GPU its tensors.
        destination: the GPU of the sums.
        buffer_size: accepted; tensors are added one by one.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     parts = [[torch.ones(1, device=f"cuda:{i}")] for i in (0, 1)]
        ...     torch.cuda.comm.reduce_add_coalesced(parts, 0)
        (tensor([2.], device='cuda:0'),)
    """
    together = zip(*inputs, strict=True)
    return tuple(reduce_add(list(group), destination) for group in together)


@no_grad()
def scatter(
    tensor: Tensor,
    devices: Sequence[Any] | None = None,
    chunk_sizes: Sequence[int] | None = None,
    dim: int = 0,
    streams: Any = None,
    *,
    out: Sequence[Tensor] | None = None,
) -> tuple[Tensor, ...]:
    """Parts of a tensor along a dimension, each on a GPU.

    Args:
        tensor: what to divide.
        devices: where to; there may be fewer parts than devices.
        chunk_sizes: the size of each part; None for parts of equal size.
        dim: the dimension that is divided.
        streams: accepted.
        out: tensors to copy the parts into, in place of `devices`.

    Raises:
        RuntimeError: for both or none of `devices` and `out`, or sizes that do not
            fit.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     torch.cuda.comm.scatter(torch.arange(3), (0, 1))
        (tensor([0, 1], device='cuda:0'), tensor([2], device='cuda:1'))
    """
    if (devices is None) == (out is None):
        raise RuntimeError(
            "Exactly one of 'devices' and 'out' must be specified, but got "
            f"devices={devices} and out={out}"
        )
    if out is not None:
        sizes = [t.shape[dim] for t in out]
        for target, part in zip(out, tensor.split(sizes, dim), strict=True):
            target.copy_(part)
        return tuple(out)
    where = [gpu(d) for d in devices or ()]
    if chunk_sizes is None:
        parts = tensor.chunk(len(where), dim)
    else:
        _check_sizes(tensor, where, chunk_sizes, dim)
        parts = tensor.split(list(chunk_sizes), dim)
    return tuple(part.to(d) for part, d in zip(parts, where, strict=False))


def _check_sizes(
    tensor: Tensor, where: list[Device], sizes: Sequence[int], dim: int
) -> None:
    if len(sizes) != len(where):
        raise RuntimeError(
            "Expected devices and chunk_sizes to be of same length, but got "
            f"len(devices) = {len(where)} and len(chunk_sizes) = {len(sizes)}"
        )
    if sum(sizes) != tensor.shape[dim]:
        raise RuntimeError(
            f"given chunk sizes don't sum up to the tensor's size (sum(chunk_sizes) == "
            f"{sum(sizes)}, but expected {tensor.shape[dim]})"
        )


@no_grad()
def gather(
    tensors: Sequence[Tensor],
    dim: int = 0,
    destination: Any = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Tensors from several GPUs, concatenated on one device.

    Args:
        tensors: what to join.
        dim: the dimension.
        destination: a GPU, or the CPU: "cpu", or -1, which is deprecated.
        out: a tensor to write to, in place of `destination`.

    Raises:
        RuntimeError: if both are given.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     parts = torch.cuda.comm.scatter(torch.arange(3), (0, 1))
        ...     torch.cuda.comm.gather(parts, destination="cpu")
        tensor([0, 1, 2])
    """
    if out is not None:
        if destination is not None:
            raise RuntimeError(
                "'destination' must not be specified when 'out' is specified, but got "
                f"destination={destination}"
            )
        out.copy_(ops.cat([t.to(out.device) for t in tensors], dim))
        return out
    if isinstance(destination, int) and destination == -1:
        warnings.warn(
            "Using -1 to represent CPU tensor is deprecated. Please use a device "
            'object or string instead, e.g., "cpu".',
            FutureWarning,
            stacklevel=2,
        )
        destination = CPU
    cpu = destination is not None and str(destination) == "cpu"
    where = CPU if cpu else gpu(destination)
    joined: Tensor = ops.cat([t.to(where) for t in tensors], dim)
    return joined
