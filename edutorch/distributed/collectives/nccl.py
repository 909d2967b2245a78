"""Collectives of tensors on real GPUs by NCCL, through CuPy.

A group with the backend "nccl" makes a communicator at its first collective of tensors
on a GPU. MPI takes its place, through the CPU, where a rank has no NCCL or two ranks
share a GPU, which NCCL refuses, and for dtypes and operations that NCCL lacks.

The work runs in its own stream, behind what the current stream has begun; `Work`
asks its event as it asks MPI's requests, and so notices ranks that have died.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...autograd.modes import no_grad
from ...backends.cupy_streams import real_gpu
from ...devices import device as Device
from ...layouts import contiguous_format
from ...tensor.tensor import Tensor
from ..groups.process_group import ProcessGroup
from ..world.mpi_world import node_id
from .nccl_request import NcclRequest
from .nonblocking import describe_tensor, start_nonblocking, type_signature
from .reduce_op import ReduceOp
from .work import Work

__all__ = ["NcclCommunicator", "nccl_communicator"]

OPS = {
    ReduceOp.SUM: "NCCL_SUM", ReduceOp.PRODUCT: "NCCL_PROD", ReduceOp.MIN: "NCCL_MIN",
    ReduceOp.MAX: "NCCL_MAX", ReduceOp.AVG: "NCCL_AVG",
}  # fmt: skip
# NCCL's name of a dtype, and the number of NCCL's elements per element.
DTYPES = {
    "int8": ("NCCL_INT8", 1), "uint8": ("NCCL_UINT8", 1), "int32": ("NCCL_INT32", 1),
    "int64": ("NCCL_INT64", 1), "float16": ("NCCL_FLOAT16", 1),
    "float32": ("NCCL_FLOAT32", 1), "float64": ("NCCL_FLOAT64", 1),
    "bfloat16": ("NCCL_BFLOAT16", 1), "complex64": ("NCCL_FLOAT32", 2),
    "complex128": ("NCCL_FLOAT64", 2),
}  # fmt: skip
Launch = Callable[[int], None]


class NcclCommunicator:
    """The ranks of a group, with a GPU each.

    Args:
        group: the ranks.
        found: the backend of the GPUs.
        device: this rank's GPU.
        native: CuPy's communicator.
    """

    def __init__(
        self, group: ProcessGroup, found: Any, device: Device, native: Any
    ) -> None:
        self.group, self.found, self.device, self.native = group, found, device, native
        with found.on(device):
            self.stream = found.xp.cuda.Stream(non_blocking=True)

    def reduces(self, tensor: Tensor, op: ReduceOp) -> bool:
        """Whether NCCL has an operation for the dtype of a tensor."""
        kind = tensor._data.dtype
        if kind.name not in DTYPES or op not in OPS:
            return False
        if kind.kind == "c":
            return op in {ReduceOp.SUM, ReduceOp.AVG}
        return op is not ReduceOp.AVG or kind.name not in {
            "int8", "uint8", "int32", "int64",
        }  # fmt: skip

    # ---- collectives

    def all_reduce(self, tensor: Tensor, op: ReduceOp) -> Work:
        """`all_reduce` in the memory of the tensor."""
        array, write_back = self._buffer(tensor)
        count, kind, number = self._reduction(array, op)
        address = array.data.ptr
        return self._start(
            f"all_reduce({describe_tensor(tensor)}, {op.name})",
            lambda s: self.native.allReduce(address, address, count, kind, number, s),
            lambda: write_back([tensor]),
            array,
            f"{type_signature(array)} {op.name}",
        )

    def reduce(self, tensor: Tensor, root: int, op: ReduceOp) -> Work:
        """`reduce`: only the root's tensor changes."""
        array, write_back = self._buffer(tensor)
        count, kind, number = self._reduction(array, op)
        mine = self.group.rank() == root
        got = array if mine else self._empty(array)
        sent, into = array.data.ptr, got.data.ptr
        return self._start(
            f"reduce({describe_tensor(tensor)}, dst={root}, {op.name})",
            lambda s: self.native.reduce(sent, into, count, kind, number, root, s),
            lambda: write_back([tensor]) if mine else [tensor],
            (array, got),
            f"{type_signature(array)} {op.name} {root}",
        )

    def broadcast(self, tensor: Tensor, root: int) -> Work:
        """`broadcast` of the bytes of the tensor."""
        array, write_back = self._buffer(tensor)
        kind = self._constant("NCCL_UINT8")
        address, nbytes = array.data.ptr, array.nbytes
        return self._start(
            f"broadcast({describe_tensor(tensor)}, src={root})",
            lambda s: self.native.broadcast(address, address, nbytes, kind, root, s),
            lambda: write_back([tensor]),
            array,
            f"{type_signature(array)} {root}",
        )

    def all_gather(self, output: Tensor, tensor: Tensor) -> Work:
        """`all_gather_into_tensor` of the bytes of the tensors."""
        array, _ = self._buffer(tensor)
        out, write_back = self._buffer(output)
        kind = self._constant("NCCL_UINT8")
        sent, into, nbytes = array.data.ptr, out.data.ptr, array.nbytes
        return self._start(
            f"all_gather_into_tensor({describe_tensor(tensor)})",
            lambda s: self.native.allGather(sent, into, nbytes, kind, s),
            lambda: write_back([output]),
            (array, out),
            type_signature(out),
        )

    def reduce_scatter(self, output: Tensor, tensor: Tensor, op: ReduceOp) -> Work:
        """`reduce_scatter_tensor`."""
        array, _ = self._buffer(tensor)
        out, write_back = self._buffer(output)
        count, kind, number = self._reduction(out, op)
        sent, into = array.data.ptr, out.data.ptr
        return self._start(
            f"reduce_scatter_tensor({describe_tensor(output)}, {op.name})",
            lambda s: self.native.reduceScatter(sent, into, count, kind, number, s),
            lambda: write_back([output]),
            (array, out),
            f"{type_signature(out)} {op.name}",
        )

    # ---- shared

    def _constant(self, name: str) -> int:
        return int(getattr(self.found.xp.cuda.nccl, name))

    def _reduction(self, array: Any, op: ReduceOp) -> tuple[int, int, int]:
        """NCCL's count, dtype and operation."""
        name, parts = DTYPES[array.dtype.name]
        return array.size * parts, self._constant(name), self._constant(OPS[op])

    def _empty(self, array: Any) -> Any:
        with self.found.on(self.device):
            return self.found.xp.empty_like(array)

    def _buffer(self, tensor: Tensor) -> tuple[Any, Callable[[Any], Any]]:
        """The elements in the memory that NCCL uses, and what to call at the end."""
        array = tensor._data
        plain = not (tensor._conjugated or tensor._negated)
        if plain and array.flags.c_contiguous:

            def increment_version(result: Any) -> Any:
                tensor.untyped_storage().version += 1
                return result

            return array, increment_version
        with no_grad():
            plain_values = tensor.detach().resolve_conj().resolve_neg()
            dense = plain_values.clone(memory_format=contiguous_format)

        def write_back(result: Any) -> Any:
            with no_grad():
                tensor.detach().copy_(dense)
            return result

        return dense._data, write_back

    def _start(
        self, name: str, launch: Launch, finish: Callable[[], Any], keep: Any, key: str
    ) -> Work:
        def start(_comm: Any) -> NcclRequest:
            cuda = self.found.xp.cuda
            with self.found.on(self.device):
                ready = cuda.Event(disable_timing=True)
                ready.record(cuda.get_current_stream())
                self.stream.wait_event(ready)
                launch(self.stream.ptr)
                done = cuda.Event(disable_timing=True)
                done.record(self.stream)
            return NcclRequest(self.native, done)

        return start_nonblocking(self.group, name, start, finish, keep, f"{key} nccl")


def nccl_communicator(group: ProcessGroup, tensor: Tensor) -> NcclCommunicator | None:
    """The communicator for a tensor, or None where MPI takes NCCL's place.

    All ranks of the group call this together when they first use a GPU.

    Raises:
        DistBackendError: some ranks do not come.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> nccl_communicator(dist.group.WORLD, torch.ones(2)) is None
        True
        >>> dist.destroy_process_group()
    """
    device = tensor._device
    if device.type != "cuda" or "nccl" not in group.backend or group.size() == 1:
        return None
    found = real_gpu(device)
    if found is None:
        return None
    index = device.index or 0
    if index not in group.nccl_communicators:
        native = _create(group, found, Device("cuda", index))
        group.nccl_communicators[index] = native and NcclCommunicator(
            group, found, Device("cuda", index), native
        )
    made: NcclCommunicator | None = group.nccl_communicators[index]
    return made


def _create(group: ProcessGroup, found: Any, device: Device) -> Any:
    """CuPy's communicator, if every rank has NCCL and its own GPU."""
    cuda = found.xp.cuda
    place, identity = None, b""
    if cuda.nccl.available:
        place = node_id(), cuda.runtime.deviceGetPCIBusId(device.index)
        identity = cuda.nccl.get_unique_id() if group.rank() == 0 else b""
    name = "making NCCL's communicator"
    told = group.world.call_with_timeout(
        lambda: group.comm.allgather((place, identity)), name, group.ranks,
        group.timeout,
    )  # fmt: skip
    places = [place for place, _ in told]
    if None in places or len(set(places)) < len(places):
        return None

    def join() -> Any:
        with cuda.Device(device.index):  # a setting of each thread
            return cuda.nccl.NcclCommunicator(group.size(), told[0][1], group.rank())

    return group.world.call_with_timeout(join, name, group.ranks, group.timeout)
