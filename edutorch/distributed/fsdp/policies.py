"""Dtypes and devices of sharded parameters, their gradients and computations.

`MixedPrecisionPolicy` and `CPUOffloadPolicy` are for `fully_shard`; `MixedPrecision`
and `CPUOffload` for `FullyShardedDataParallel`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import Any

from ... import dtypes
from ...nn.modules.batchnorm import _BatchNorm
from ...nn.modules.module import Module
from ...tensor.pytree import tensors_of, tree_map
from ...tensor.tensor import Tensor

__all__ = [
    "BackwardPrefetch", "CPUOffload", "CPUOffloadPolicy", "MixedPrecision",
    "MixedPrecisionPolicy", "OffloadPolicy", "cast_floats", "compute_in_float32",
]  # fmt: skip


@dataclass(frozen=True)
class MixedPrecisionPolicy:
    """The dtypes of a module that `fully_shard` shards.

    This rank's parts keep their dtype: optimizers see full precision. None means the
    parameters' own dtype.

    Attributes:
        param_dtype: of unsharded parameters, in which forward and backward compute.
        reduce_dtype: in which gradients are summed; by default `param_dtype`.
        output_dtype: to which floating-point outputs are cast.
        cast_forward_inputs: whether floating-point inputs are cast to `param_dtype`.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> half = MixedPrecisionPolicy(torch.bfloat16, reduce_dtype=torch.float32)
        >>> layer = fully_shard(torch.nn.Linear(3, 2), mp_policy=half)
        >>> layer(torch.ones(1, 3)).dtype, layer.weight.dtype
        (torch.bfloat16, torch.float32)
        >>> dist.destroy_process_group()
    """

    param_dtype: dtypes.dtype | None = None
    reduce_dtype: dtypes.dtype | None = None
    output_dtype: dtypes.dtype | None = None
    cast_forward_inputs: bool = True


class OffloadPolicy:
    """Shards stay on the device that computes.

    Example:
        >>> from edutorch.distributed.fsdp import OffloadPolicy
        >>> OffloadPolicy()
        OffloadPolicy()
    """

    def __repr__(self) -> str:
        return "OffloadPolicy()"


@dataclass(frozen=True)
class CPUOffloadPolicy(OffloadPolicy):
    """Shards, their gradients and the optimizer's state are on the CPU.

    They are copied to the device to be gathered; optimizers compute on the CPU.

    Attributes:
        pin_memory: keep shards in page-locked memory, from which copies are faster.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.fsdp import CPUOffloadPolicy, fully_shard
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> with torch.cuda.simulate():
        ...     layer = torch.nn.Linear(3, 2, device="cuda")
        ...     _ = fully_shard(layer, offload_policy=CPUOffloadPolicy())
        ...     y = layer(torch.ones(1, 3, device="cuda"))
        ...     y.sum().backward()
        ...     print(y.device, layer.weight.device, layer.weight.grad.device)
        cuda:0 cpu cpu
        >>> dist.destroy_process_group()
    """

    pin_memory: bool = True


@dataclass
class MixedPrecision:
    """The dtypes of a module in `FullyShardedDataParallel`.

    Attributes:
        param_dtype, reduce_dtype: as `MixedPrecisionPolicy`.
        buffer_dtype: of floating-point buffers, from the first forward on; state dicts
            have them in their own dtype.
        keep_low_precision_grads: only False; gradients have the parameters' dtype.
        cast_forward_inputs: whether each wrapper casts its floating-point inputs.
        cast_root_forward_inputs: whether the outermost one does.
        _module_classes_to_ignore: with an `auto_wrap_policy`, classes of modules that
            are units of their own, in float32.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.fsdp import (
        ...     FullyShardedDataParallel, MixedPrecision,
        ... )
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> half = MixedPrecision(param_dtype=torch.bfloat16)
        >>> layer = torch.nn.Linear(3, 2)
        >>> model = FullyShardedDataParallel(layer, mixed_precision=half)
        >>> model(torch.ones(1, 3)).dtype
        torch.bfloat16
        >>> dist.destroy_process_group()
    """

    param_dtype: dtypes.dtype | None = None
    reduce_dtype: dtypes.dtype | None = None
    buffer_dtype: dtypes.dtype | None = None
    keep_low_precision_grads: bool = False
    cast_forward_inputs: bool = False
    cast_root_forward_inputs: bool = True
    _module_classes_to_ignore: Sequence[type[Module]] = (_BatchNorm,)

    def policy(self) -> MixedPrecisionPolicy:
        """The equivalent `MixedPrecisionPolicy` of one unit.

        Raises:
            NotImplementedError: for `keep_low_precision_grads`.
        """
        if self.keep_low_precision_grads:
            raise NotImplementedError(
                "MixedPrecision(keep_low_precision_grads=True) is not supported: a "
                "gradient has the dtype of its parameter. Leave it out"
            )
        return MixedPrecisionPolicy(
            self.param_dtype,
            self.reduce_dtype,
            cast_forward_inputs=self.cast_forward_inputs,
        )


@dataclass
class CPUOffload:
    """Whether `FullyShardedDataParallel` keeps its shards on the CPU between uses.

    Attributes:
        offload_params: on the CPU, with gradients and the optimizer's state.

    Example:
        >>> from edutorch.distributed.fsdp import CPUOffload
        >>> CPUOffload()
        CPUOffload(offload_params=False)
    """

    offload_params: bool = False


class BackwardPrefetch(Enum):
    """When parameters are gathered ahead in backward; without effect here.

    Example:
        >>> from edutorch.distributed.fsdp import BackwardPrefetch
        >>> BackwardPrefetch.BACKWARD_PRE.name
        'BACKWARD_PRE'
    """

    BACKWARD_PRE = auto()
    BACKWARD_POST = auto()


def cast_floats(values: Any, dtype: dtypes.dtype | None) -> Any:
    """Cast floating-point tensors inside containers to a dtype; None casts nothing.

    Example:
        >>> import edutorch as torch
        >>> cast_floats([torch.ones(1), torch.ones(1, dtype=int), "x"], torch.half)
        [tensor([1.], dtype=torch.float16), tensor([1]), 'x']
    """
    return values if dtype is None else tree_map(partial(_cast, dtype), values)


def _cast(dtype: dtypes.dtype, value: Any) -> Any:
    if isinstance(value, Tensor) and value.is_floating_point():
        return value.to(dtype)
    return value


def compute_in_float32(module: Module) -> None:
    """Make a module compute in float32 and return results in the dtype of its input.

    Example:
        >>> import edutorch as torch
        >>> norm = torch.nn.BatchNorm1d(2)
        >>> compute_in_float32(norm)
        >>> norm(torch.ones(3, 2, dtype=torch.bfloat16)).dtype
        torch.bfloat16
    """
    given: list[dtypes.dtype] = []

    def before(module: Module, args: Any) -> Any:
        given[:] = [x.dtype for x in tensors_of(args) if x.is_floating_point()]
        return cast_floats(args, dtypes.float32)

    def after(module: Module, args: Any, found: Any) -> Any:
        return cast_floats(found, given[-1] if given else None)

    module.register_forward_pre_hook(before)
    module.register_forward_hook(after)
    object.__setattr__(module, "_buffer_dtypes", {})  # so its buffers are not cast
