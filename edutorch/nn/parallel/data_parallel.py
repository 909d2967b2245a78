"""DataParallel: each device processes a part of the batch; gradients are summed."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import chain
from typing import Any

from ...backends import gpus
from ...devices import device as Device
from ...tensor.tensor import Tensor
from ..modules.module import Module
from .autograd_functions import phase
from .comm import gpu
from .parallel_apply import parallel_apply
from .replicate import replicate
from .scatter_gather import gather, scatter_kwargs

__all__ = ["DataParallel", "data_parallel"]

MIN_BALANCE = 0.75  # smallest ratio of two devices' memory without a warning


class DataParallel(Module):
    """Wraps a module: replicas on several GPUs process parts of the batch concurrently.

    Forward: the batch is cut along `dim` and each part sent to a device (scatter), the
    parameters are copied (replicate), the replicas compute, each in a thread, and their
    results are joined on `output_device` (gather). Backward goes the same way back, and
    adds the gradients of the replicas up on the first device (reduce). A sum over
    samples has the gradients that one device would have; batch norm does not, since
    each replica normalises its own part. Buffers of the first replica stay, as running
    statistics; those of the others are lost.

    Where there is no GPU, the whole batch goes through the module as it is.

    Math: y = module(x), and its gradients
    Shape: as the module has it, with the batch in `dim`

    Args:
        module: the module to replicate; its parameters are named `module.…`.
        device_ids: the GPUs, all of them by default; the module lies on the first.
        output_device: where the results are joined, by default on the first.
        dim: the dimension of the batch.

    Raises:
        RuntimeError: if a parameter or buffer lies on another device.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     net = torch.nn.DataParallel(torch.nn.Linear(2, 1).to("cuda:0"))
        ...     net(torch.zeros(3, 2)).shape, net.device_ids, list(net.state_dict())
        (torch.Size([3, 1]), [0, 1], ['module.weight', 'module.bias'])
    """

    def __init__(
        self,
        module: Module,
        device_ids: Sequence[Any] | None = None,
        output_device: Any = None,
        dim: int = 0,
    ) -> None:
        super().__init__()
        self.module = module
        self.dim = dim
        self.device_ids: list[int] = []
        found = gpus.gpus()
        if found is None:
            return
        if device_ids is None:
            device_ids = range(len(found.allocators))
        if not device_ids:
            raise RuntimeError("no available devices were found")
        self.device_ids = [_device_index(d) for d in device_ids]
        first = self.device_ids[0]
        self.output_device = (
            first if output_device is None else _device_index(output_device)
        )
        self.src_device_obj = Device("cuda", first)
        _warn_of_imbalance(found, self.device_ids)
        if len(self.device_ids) == 1:
            module.to(self.src_device_obj)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """The outputs of the replicas, joined."""
        if not self.device_ids:
            return self.module(*inputs, **kwargs)
        self._check_devices()
        with phase("scatter"):
            parts, named = self.scatter(inputs, kwargs, self.device_ids)
        if not parts and not named:
            parts, named = ((),), ({},)
        if len(self.device_ids) == 1:
            return self.module(*parts[0], **named[0])
        with phase("replicate"):
            replicas = self.replicate(self.module, self.device_ids[: len(parts)])
        with phase("parallel_apply"):
            outputs = self.parallel_apply(replicas, parts, named)
        with phase("gather"):
            return self.gather(outputs, self.output_device)

    def _check_devices(self) -> None:
        home = self.src_device_obj
        for t in chain(self.module.parameters(), self.module.buffers()):
            if t.device != home:
                raise RuntimeError(
                    "module must have its parameters and buffers on device "
                    f"{home} (device_ids[0]) but found one of them on device: "
                    f"{t.device}\n  Hint: move it with .to('{home}') before wrapping it"
                )

    def scatter(
        self, inputs: tuple[Any, ...], kwargs: dict[str, Any], device_ids: Sequence[Any]
    ) -> Any:
        """The arguments of each replica."""
        return scatter_kwargs(inputs, kwargs, device_ids, dim=self.dim)

    def replicate(self, module: Module, device_ids: Sequence[Any]) -> Any:
        """A replica on each device."""
        return replicate(module, device_ids)

    def parallel_apply(
        self, replicas: Sequence[Module], inputs: Sequence[Any], kwargs: Any
    ) -> list[Any]:
        """The output of each replica."""
        where = self.device_ids[: len(replicas)]
        return parallel_apply(replicas, inputs, kwargs, where)

    def gather(self, outputs: Sequence[Any], output_device: Any) -> Any:
        """The joined results."""
        return gather(outputs, output_device, dim=self.dim)


def data_parallel(
    module: Module,
    inputs: Any,
    device_ids: Sequence[Any] | None = None,
    output_device: Any = None,
    dim: int = 0,
    module_kwargs: dict[str, Any] | None = None,
) -> Tensor:
    """One call of `DataParallel`, as a function.

    Math: y = module(x), and its gradients
    Shape: as the module has it, with the batch in `dim`

    Args:
        module: the module to call; it is on the first device.
        inputs: a tensor, or a tuple of arguments.
        device_ids, output_device, dim: as for `DataParallel`.
        module_kwargs: keyword arguments.

    Raises:
        RuntimeError: if a parameter or buffer lies on another device.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2):
        ...     net = torch.nn.Linear(2, 1).to("cuda:0")
        ...     torch.nn.parallel.data_parallel(net, torch.zeros(3, 2)).shape
        torch.Size([3, 1])
    """
    arguments = inputs if isinstance(inputs, tuple) else (inputs,)
    wrapped = DataParallel(module, device_ids, output_device, dim)
    found: Tensor = wrapped(*arguments, **(module_kwargs or {}))
    return found


def _device_index(where: Any) -> int:
    found = gpu(where)
    return int(found.index or 0)


def _warn_of_imbalance(found: Any, numbers: list[int]) -> None:
    """Warn if a device has much less memory than another."""
    sizes = [int(found.allocators[i].capacity) for i in numbers]
    if len(sizes) < 2 or min(sizes) >= MIN_BALANCE * max(sizes):
        return
    least, most = sizes.index(min(sizes)), sizes.index(max(sizes))
    warnings.warn(
        f"\n    There is an imbalance between your GPUs. You may want to exclude GPU "
        f"{numbers[least]} which\n    has less than 75% of the memory or cores of GPU "
        f"{numbers[most]}. You can do so by setting\n    the device_ids argument to "
        "DataParallel, or by setting the CUDA_VISIBLE_DEVICES\n    environment "
        "variable.",
        stacklevel=3,
    )
