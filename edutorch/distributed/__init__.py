"""Several processes that compute together: PyTorch's `torch.distributed`, on MPI.

    mpiexec -n 4 python train.py
    python -m edutorch run --nproc-per-node 4 train.py

Each process runs the same program; `init_process_group` joins them, and collectives
such as `all_reduce` move tensors between them. MPI (mpi4py and MPICH, in the extra
`distributed`) moves the bytes, out of and into the tensors' own memory.

How processes meet:

- `rendezvous.py`: `init_process_group`. `store.py`, `file_store.py`, `tcp_store.py`:
  dictionaries that processes share.
- `mpi_world.py`: this process as a rank of MPI. `lone_world.py`: as the only one. `coordinator.py`: the small process
  that introduces ranks and tells who has gone; `peers.py`: the connection to it.
- `groups.py`: process groups, and what a timeout says of each rank. `cluster.py`: ranks
  for a notebook.
- `run.py`: `python -m edutorch run`; `run_options.py`: its options, `workers.py`: the
  processes that it starts.

What they do:

- `collectives.py`: broadcast, all_gather, scatter, all_to_all, barrier ...
- `reduce_collectives.py`: all_reduce, reduce, reduce_scatter, reduce_scatter_tensor.
- `collective_call.py`: what every collective does to begin.
- `point_to_point.py`: send, recv, isend, irecv, batch_isend_irecv.
- `objects.py`: collectives of Python objects. `monitored_barrier.py`: a barrier that
  names who is late.
- `algorithms/`: processes with different numbers of inputs; hooks that compress
  gradients.
- `optim/`: the name of `ZeroRedundancyOptimizer`.
- `nn/`: collectives with gradients. `device_mesh.py`: ranks in a grid.
- `fingerprints.py`: whether all ranks call the same.
- `work.py`: a collective under way, and how it fails. `errors.py`: exceptions.
- `reduce_op.py`, `reductions.py`: sums of every dtype. `buffers.py`: tensors as memory.
"""

from . import algorithms, nn, optim
from .algorithms.grad_bucket import GradBucket
from .cluster import cluster
from .collectives import (
    all_gather,
    all_gather_into_tensor,
    all_to_all,
    all_to_all_single,
    barrier,
    broadcast,
    gather,
    scatter,
)
from .device_mesh import DeviceMesh, init_device_mesh
from .errors import (
    DistBackendError,
    DistError,
    DistNetworkError,
    DistQueueEmptyError,
    DistStoreError,
)
from .file_store import FileStore
from .groups import (
    GroupMember,
    ProcessGroup,
    destroy_process_group,
    get_backend,
    get_global_rank,
    get_group_rank,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    group,
    is_initialized,
    new_group,
    new_subgroups,
    new_subgroups_by_enumeration,
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
from .reduce_collectives import (
    all_reduce,
    reduce,
    reduce_scatter,
    reduce_scatter_tensor,
)
from .reduce_op import ReduceOp, reduce_op
from .rendezvous import (
    Backend,
    default_pg_timeout,
    get_default_backend_for_device,
    get_node_local_rank,
    init_process_group,
    is_available,
    is_backend_available,
    is_gloo_available,
    is_mpi_available,
    is_nccl_available,
    is_torchelastic_launched,
    is_ucc_available,
    is_xccl_available,
)
from .store import HashStore, PrefixStore, Store
from .tcp_store import TCPStore
from .work import Work

__all__ = [
    "Backend", "DeviceMesh", "DistBackendError", "DistError", "DistNetworkError",
    "DistQueueEmptyError", "DistStoreError", "FileStore", "GradBucket", "GroupMember",
    "HashStore", "P2POp", "PrefixStore", "ProcessGroup", "ReduceOp", "Store",
    "TCPStore", "Work", "algorithms",
    "all_gather", "all_gather_into_tensor", "all_gather_object", "all_reduce",
    "all_to_all", "all_to_all_single", "barrier", "batch_isend_irecv", "broadcast",
    "broadcast_object_list", "cluster", "default_pg_timeout", "destroy_process_group",
    "gather", "gather_object", "get_backend",
    "get_default_backend_for_device", "get_global_rank", "get_group_rank",
    "get_node_local_rank", "get_process_group_ranks", "get_rank", "get_world_size",
    "group",
    "init_device_mesh", "init_process_group", "irecv", "is_available",
    "is_backend_available", "is_gloo_available", "is_initialized", "is_mpi_available",
    "is_nccl_available", "is_torchelastic_launched", "is_ucc_available",
    "is_xccl_available", "isend",
    "monitored_barrier", "new_group", "new_subgroups", "new_subgroups_by_enumeration",
    "nn", "optim", "recv", "recv_object_list", "reduce", "reduce_op", "reduce_scatter",
    "reduce_scatter_tensor", "scatter", "scatter_object_list", "send",
    "send_object_list",
]  # fmt: skip
