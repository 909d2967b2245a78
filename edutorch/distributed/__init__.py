"""Several processes that compute together: PyTorch's `torch.distributed`, on MPI.

    mpiexec -n 4 python train.py
    python -m edutorch run --nproc-per-node 4 train.py

Each process runs the same program; `init_process_group` joins them, and collectives
such as `all_reduce` move tensors between them. MPI (mpi4py and MPICH, in the extra
`distributed`) moves the bytes, out of and into the tensors' own memory.

Initialization:

- `rendezvous.py`: `init_process_group`. `stores/`: key-value stores of processes.
  `backends.py`: names of backends (gloo, nccl, mpi).
- `world/`: initializes MPI; detects ranks that have failed.
- `groups/`: process groups. `device_mesh.py`: ranks in a grid.
- `run.py`: `python -m edutorch run`, as torchrun: monitors the processes, and restarts
  them. `launcher/`: its options and worker processes, and ranks for a notebook.

Communication:

- `collectives/`: collective and point-to-point operations, waiting and timeouts.
- `nn/`: differentiable collectives.
- `fsdp/`: fully sharded data parallel.
- `checkpoint/`: distributed checkpoints.
- `algorithms/`: `Join`, for uneven inputs; DDP communication hooks; averages of models.
- `optim/`: the names of `ZeroRedundancyOptimizer` and `PostLocalSGDOptimizer`.
- `debug_level.py`: how much ranks check of each other. `errors.py`: exceptions.
"""

from . import algorithms, nn, optim
from .algorithms.grad_bucket import GradBucket
from .backends import (
    Backend,
    get_default_backend_for_device,
    is_available,
    is_backend_available,
    is_gloo_available,
    is_mpi_available,
    is_nccl_available,
    is_ucc_available,
    is_xccl_available,
)
from .collectives import (
    P2POp,
    ReduceOp,
    Work,
    all_gather,
    all_gather_coalesced,
    all_gather_into_tensor,
    all_gather_object,
    all_gather_single,
    all_reduce,
    all_reduce_coalesced,
    all_to_all,
    all_to_all_single,
    barrier,
    batch_isend_irecv,
    broadcast,
    broadcast_object_list,
    gather,
    gather_object,
    irecv,
    isend,
    monitored_barrier,
    recv,
    recv_object_list,
    reduce,
    reduce_op,
    reduce_scatter,
    reduce_scatter_single,
    reduce_scatter_tensor,
    scatter,
    scatter_object_list,
    send,
    send_object_list,
    supports_complex,
)
from .collectives import (
    _coalescing_manager as _coalescing_manager,
)
from .debug_level import (
    DebugLevel,
    get_debug_level,
    set_debug_level,
    set_debug_level_from_env,
)
from .device_mesh import DeviceMesh, init_device_mesh
from .errors import (
    DistBackendError,
    DistError,
    DistNetworkError,
    DistQueueEmptyError,
    DistStoreError,
)
from .groups import (
    GroupMember,
    ProcessGroup,
    destroy_process_group,
    get_backend,
    get_global_rank,
    get_group_rank,
    get_pg_count,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    group,
    is_initialized,
    new_group,
    new_subgroups,
    new_subgroups_by_enumeration,
    split_group,
)
from .launcher import cluster
from .rendezvous import (
    default_pg_timeout,
    get_node_local_rank,
    init_process_group,
    is_torchelastic_launched,
)
from .stores import FileStore, HashStore, PrefixStore, Store, TCPStore

__all__ = [
    "Backend", "DebugLevel", "DeviceMesh", "DistBackendError", "DistError",
    "DistNetworkError", "DistQueueEmptyError", "DistStoreError", "FileStore",
    "GradBucket", "GroupMember", "HashStore", "P2POp", "PrefixStore",
    "ProcessGroup", "ReduceOp", "Store", "TCPStore", "Work", "algorithms",
    "all_gather", "all_gather_coalesced", "all_gather_into_tensor",
    "all_gather_object", "all_gather_single", "all_reduce", "all_reduce_coalesced",
    "all_to_all", "all_to_all_single", "barrier", "batch_isend_irecv", "broadcast",
    "broadcast_object_list", "cluster", "default_pg_timeout",
    "destroy_process_group", "gather", "gather_object", "get_backend",
    "get_debug_level", "get_default_backend_for_device", "get_global_rank",
    "get_group_rank", "get_node_local_rank", "get_pg_count",
    "get_process_group_ranks", "get_rank", "get_world_size", "group",
    "init_device_mesh", "init_process_group", "irecv", "is_available",
    "is_backend_available", "is_gloo_available", "is_initialized",
    "is_mpi_available", "is_nccl_available", "is_torchelastic_launched",
    "is_ucc_available", "is_xccl_available", "isend", "monitored_barrier",
    "new_group", "new_subgroups", "new_subgroups_by_enumeration", "nn", "optim",
    "recv", "recv_object_list", "reduce", "reduce_op", "reduce_scatter",
    "reduce_scatter_single", "reduce_scatter_tensor", "scatter",
    "scatter_object_list", "send", "send_object_list", "set_debug_level",
    "set_debug_level_from_env", "split_group", "supports_complex",
]  # fmt: skip
