"""Collective and point-to-point operations between the ranks of a group.

MPI (or NCCL) chooses the algorithm of a collective; chapter 18 builds the ring.

- `data_movement.py`: broadcast, all_gather, scatter, all_to_all, barrier ...
- `reductions.py`: all_reduce, reduce, reduce_scatter, reduce_scatter_tensor.
- `coalescing.py`: several collectives started together.
- `point_to_point.py`: send, recv, isend, irecv, batch_isend_irecv.
- `objects.py`: collectives of pickled Python objects.
- `monitored_barrier.py`: a barrier that names the ranks that are late.

Implementation:

- `nonblocking.py`: the decorator of collectives: starts MPI's nonblocking call, and
  waits unless `async_op=True`. `argument_checks.py`: checks arguments and the root.
- `work.py`: `Work`, a pending operation; completion, timeouts and failures.
- `fingerprints.py`: detects ranks that call different collectives.
- `buffers.py`: send and receive buffers. `reduce_op.py`: `ReduceOp`.
  `mpi_ops.py`: the same as `MPI_Op`, with the dtypes that MPI reduces.
- `nccl.py`: NCCL in MPI's place for tensors on real GPUs. `nccl_request.py`: its work.
"""

from .coalescing import (
    _coalescing_manager,
    all_gather_coalesced,
    all_reduce_coalesced,
)
from .data_movement import (
    all_gather,
    all_gather_into_tensor,
    all_gather_single,
    all_to_all,
    all_to_all_single,
    barrier,
    broadcast,
    gather,
    scatter,
)
from .monitored_barrier import monitored_barrier
from .objects import (
    all_gather_object,
    broadcast_object_list,
    gather_object,
    recv_object_list,
    scatter_object_list,
    send_object_list,
)
from .point_to_point import P2POp, batch_isend_irecv, irecv, isend, recv, send
from .reduce_op import ReduceOp, reduce_op, supports_complex
from .reductions import (
    all_reduce,
    reduce,
    reduce_scatter,
    reduce_scatter_single,
    reduce_scatter_tensor,
)
from .work import Work

__all__ = [
    "P2POp", "ReduceOp", "Work", "_coalescing_manager", "all_gather",
    "all_gather_coalesced", "all_gather_into_tensor", "all_gather_object",
    "all_gather_single", "all_reduce", "all_reduce_coalesced", "all_to_all",
    "all_to_all_single", "barrier", "batch_isend_irecv", "broadcast",
    "broadcast_object_list", "gather", "gather_object", "irecv", "isend",
    "monitored_barrier", "recv", "recv_object_list", "reduce", "reduce_op",
    "reduce_scatter", "reduce_scatter_single", "reduce_scatter_tensor", "scatter",
    "scatter_object_list", "send", "send_object_list", "supports_complex",
]  # fmt: skip
