"""DistributedDataParallel: a replica per process, and averaged gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any

from ...autograd.modes import is_grad_enabled
from ...devices import device as Device
from ...devices import to_device
from ...distributed.algorithms.join import Join, Joinable
from ...distributed.collectives.objects import all_gather_object
from ...distributed.groups.group_registry import default_group
from ...distributed.groups.process_group import ProcessGroup
from ...tensor.tensor import Tensor
from ..modules.module import Module
from ..parameter import is_lazy
from .buckets import MB, broadcast_coalesced
from .ddp_join import DDPJoinHook, any_rank_syncs_gradients, highest_rank
from .reducer import Reducer

__all__ = ["DistributedDataParallel"]


class DistributedDataParallel(Module, Joinable):
    """A replica of a module in each process, kept equal by averaging gradients.

    All processes begin with the parameters and buffers of process 0. Each computes
    with its own part of the batch; while `backward` runs, gradients are averaged over
    the processes, several at a time (buckets), so that every optimizer takes the same
    step. Batch statistics are those of each part: see `SyncBatchNorm`.

    Math: g = 1/n Σ g_r over n processes; equal to the gradient of the whole batch, if
          the loss is a mean and all parts have the same size
    Shape: as the module has it

    Args:
        module: the module to train; its parameters are named `module.…`.
        device_ids: the device, or None for a module that stays where it is.
        broadcast_buffers: copy the buffers of process 0 before each forward.
        init_sync: whether all processes begin with the values of process 0.
        process_group: which processes; all by default.
        bucket_cap_mb: the size of a bucket in megabytes, 25 by default.
        find_unused_parameters: find before each backward the parameters that it will
            not reach; without it, each must get a gradient in each backward.
        gradient_as_bucket_view: make gradients views of the buckets, to save a copy.
        static_graph: every backward reaches the same parameters as the first one.
        device_mesh: the processes as a mesh of one dimension.

    Raises:
        RuntimeError: for a module without parameters that need gradients; if a
            parameter got no gradient in the last backward.
        ValueError: for several devices, or before `init_process_group`.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(1, 1))
        ... except ValueError as error:
        ...     print(str(error).split(",")[0])
        Default process group has not been initialized
    """

    reducer: Any
    process_group: Any

    def __init__(
        self,
        module: Module,
        device_ids: Sequence[Any] | None = None,
        output_device: Any = None,
        dim: int = 0,
        broadcast_buffers: bool = True,
        init_sync: bool = True,
        process_group: ProcessGroup | None = None,
        bucket_cap_mb: float | None = None,
        find_unused_parameters: bool = False,
        check_reduction: bool = False,
        gradient_as_bucket_view: bool = False,
        static_graph: bool = False,
        device_mesh: Any = None,
    ) -> None:
        super().__init__()
        Joinable.__init__(self)
        if process_group is not None and device_mesh is not None:
            raise RuntimeError(
                "Cannot specify both process_group and device_mesh arguments."
            )
        if device_mesh is not None:
            process_group = device_mesh.get_group(mesh_dim=0)
        self.process_group = process_group or default_group()
        self.module, self.dim = module, dim
        self.broadcast_buffers = broadcast_buffers
        self.bucket_cap_mb = 25 if bucket_cap_mb is None else bucket_cap_mb
        self.find_unused_parameters = find_unused_parameters
        self.gradient_as_bucket_view = gradient_as_bucket_view
        self.static_graph = static_graph
        self.require_backward_grad_sync = self.require_forward_param_sync = True
        self._divide_by_initial_world_size = True
        self.parameters_to_ignore = set(
            getattr(module, "_ddp_params_and_buffers_to_ignore", ())
        )
        self._check_parameters()
        self._set_devices(device_ids, output_device)
        self._check_equal_shapes()
        if init_sync:
            broadcast_coalesced(self.synchronized_tensors(), 0, self.process_group)
        self._make_reducer()

    def _parameters_to_reduce(self) -> dict[str, Tensor]:
        """The parameters that need gradients, by name."""
        return {
            name: p
            for name, p in self.module.named_parameters()
            if p.requires_grad and name not in self.parameters_to_ignore
        }

    def _buffers_to_sync(self) -> list[Tensor]:
        ignored = self.parameters_to_ignore
        return [b for n, b in self.module.named_buffers() if n not in ignored]

    def synchronized_tensors(self) -> list[Tensor]:
        """The parameters and buffers that are the same in all processes."""
        ignored = self.parameters_to_ignore
        named = self.module.named_parameters()
        return [p for n, p in named if n not in ignored] + self._buffers_to_sync()

    def _make_reducer(self) -> None:
        trained = self._parameters_to_reduce()
        self.reducer = Reducer(
            list(trained.values()), list(trained), self.process_group,
            int(self.bucket_cap_mb * MB), self.find_unused_parameters,
            self.static_graph, self.gradient_as_bucket_view,
        )  # fmt: skip

    # ---- checks

    def _check_parameters(self) -> None:
        parameters = list(self.module.parameters())
        if any(is_lazy(p) for p in parameters):
            raise RuntimeError(
                "Modules with uninitialized parameters can't be used with "
                "`DistributedDataParallel`. Run a dummy forward pass to correctly "
                "initialize the modules"
            )
        if not self._parameters_to_reduce():
            raise RuntimeError(
                "DistributedDataParallel is not needed when a module doesn't have any "
                "parameter that requires a gradient."
            )

    def _set_devices(self, device_ids: Sequence[Any] | None, output: Any) -> None:
        if device_ids is not None and len(device_ids) > 1:
            raise ValueError("device_ids can only be None or contain a single element.")
        devices = {p.device for p in self.module.parameters()}
        types = {device.type for device in devices}
        if len(types) != 1:
            raise ValueError(
                "DistributedDataParallel's input module must be on the same type of "
                f"devices, but input module parameters locate in {types}."
            )
        single = bool(device_ids)
        if (single or output is not None) and (len(devices) > 1 or types == {"cpu"}):
            raise ValueError(
                "DistributedDataParallel device_ids and output_device arguments only "
                "work with single-device/multiple-device GPU modules or CPU modules, "
                f"but got device_ids {device_ids}, output_device {output}, and module "
                f"parameters {devices}."
            )
        self.device_ids = [_device(d) for d in device_ids] if device_ids else None
        self.device = next(iter(devices))
        self.output_device = output
        if output is None and self.device_ids:
            self.output_device = self.device_ids[0]

    def _check_equal_shapes(self) -> None:
        """Raise if the models of the processes differ."""
        mine = [tuple(p.shape) for p in self._parameters_to_reduce().values()]
        all_shapes: list[Any] = [None] * self.process_group.size()
        all_gather_object(all_shapes, mine, self.process_group)
        rank, own_first = self.process_group.rank(), all_shapes[0]
        for other, shapes in enumerate(all_shapes):
            if len(shapes) != len(mine):
                raise RuntimeError(
                    f"DDP expects same model across all ranks, but Rank {rank} has "
                    f"{len(mine)} params, while rank {other} has inconsistent "
                    f"{len(shapes)} params."
                )
        for i, (shape, first) in enumerate(zip(mine, own_first, strict=True)):
            if shape != first or any(s[i] != first for s in all_shapes):
                raise RuntimeError(
                    f"[{rank}]: params[{i}] in this process with sizes {list(shape)} "
                    "appears not to match sizes of the same param in process 0."
                    f" The ranks have {[list(s[i]) for s in all_shapes]}."
                )

    # ---- forward

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """The module's output; backward from it averages gradients."""
        if is_grad_enabled() and self.require_backward_grad_sync:
            self.reducer.check_reduction_finished()
        count = Join.notify_join_context(self)
        if count is not None:
            self.reducer.set_divisor(count, self._divide_by_initial_world_size)
        if self.will_sync_module_buffers():
            joins = self._join_config.enable
            self.sync_buffers(highest_rank(self, True) if joins else 0)
        if self._join_config.enable:
            any_rank_syncs_gradients(self, False)
        if self.device_ids:
            inputs, kwargs = _to_device((inputs, kwargs), self.device_ids[0])
        output = self.module(*inputs, **kwargs)
        if is_grad_enabled() and self.require_backward_grad_sync:
            self.require_forward_param_sync = True
            self.reducer.prepare_for_backward(list(_tensors_in(output)))
        else:
            self.require_forward_param_sync = False
            self.reducer.expects_backward = False
        return output

    def will_sync_module_buffers(self) -> bool:
        """Whether the next forward copies the buffers of rank 0."""
        return (
            self.require_forward_param_sync
            and self.broadcast_buffers
            and bool(self._buffers_to_sync())
        )

    def sync_buffers(self, source: int) -> None:
        """Copy the buffers of one process to all others."""
        broadcast_coalesced(self._buffers_to_sync(), source, self.process_group)

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """A context in which gradients accumulate in this process only.

        The first backward after it averages all that was added up.
        """
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    # ---- uneven inputs

    def join(
        self,
        divide_by_initial_world_size: bool = True,
        enable: bool = True,
        throw_on_early_termination: bool = False,
    ) -> Join:
        """A context in which processes may have different numbers of inputs.

        Args:
            divide_by_initial_world_size: divide gradients by the number of all
                processes, or else by the number of those that still have inputs.
            enable: False if all processes are known to have equally many inputs.
            throw_on_early_termination: raise in all processes once one has no inputs.
        """
        return Join(
            [self], enable, throw_on_early_termination,
            divide_by_initial_world_size=divide_by_initial_world_size,
        )  # fmt: skip

    def join_hook(self, **kwargs: Any) -> DDPJoinHook:
        """Shadow collectives for the others once this process has no more inputs."""
        return DDPJoinHook(self, kwargs.get("divide_by_initial_world_size", True))

    @property
    def join_device(self) -> Any:
        """The device of the parameters."""
        return self.device

    @property
    def join_process_group(self) -> Any:
        """The processes that average gradients."""
        return self.process_group

    # ---- other public attributes

    def register_comm_hook(self, state: Any, hook: Callable[..., Any]) -> None:
        """Let `hook(state, bucket)` average a bucket; it returns a future.

        Raises:
            TypeError: if the hook cannot be called.
            RuntimeError: for a second hook.
        """
        if not callable(hook):
            raise TypeError("Communication hook must be callable.")
        if self.reducer.hook is not None:
            raise RuntimeError(
                "register_comm_hook or register_builtin_comm_hook can only be called "
                "once."
            )
        self.reducer.hook, self.reducer.hook_state = hook, state

    def _set_static_graph(self) -> None:
        self.static_graph = self.reducer.static = True

    @staticmethod
    def _set_params_and_buffers_to_ignore_for_model(
        module: Module, params_and_buffers_to_ignore: Any
    ) -> None:
        ignored = list(params_and_buffers_to_ignore)
        module._ddp_params_and_buffers_to_ignore = ignored

    def __getstate__(self) -> dict[str, Any]:
        if self.process_group is not default_group():
            raise RuntimeError(
                "DDP Pickling/Unpickling are only supported when using DDP with the "
                "default process group. That is, when you have called "
                "init_process_group and have not passed process_group argument to DDP "
                "constructor"
            )
        state = dict(self.__dict__)
        del state["process_group"], state["reducer"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self.process_group = default_group()
        self._make_reducer()


def _device(name: Any) -> Device:
    return Device("cuda", name) if isinstance(name, int) else to_device(name)


def _to_device(value: Any, device: Device) -> Any:
    """Copies of all tensors in nested containers on a device."""
    if isinstance(value, Tensor):
        return value.to(device)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_to_device(v, device) for v in value))
    if isinstance(value, list | tuple):
        return type(value)(_to_device(v, device) for v in value)
    if isinstance(value, dict):
        return type(value)((k, _to_device(v, device)) for k, v in value.items())
    return value


def _tensors_in(value: Any) -> Iterator[Tensor]:
    """All tensors in an output: in nested lists, tuples, dictionaries, data classes."""
    if isinstance(value, Tensor):
        yield value
        return
    parts: Any = ()
    if isinstance(value, list | tuple):
        parts = value
    elif isinstance(value, dict):
        parts = value.values()
    elif is_dataclass(value):
        parts = [getattr(value, field.name) for field in fields(value)]
    for part in parts:
        yield from _tensors_in(part)
