"""MPI's world of ranks: initialization, finalization, and detection of failures.

- `mpi_world.py`: `World`, MPI_COMM_WORLD. `comm_self.py`: a world of one rank, without
  MPI.
- `coordinator.py`: a process that serves PMI to the ranks and detects their deaths.
- `coordinator_client.py`: the connection of a rank to it.
"""

from .mpi_world import World, init_world

__all__ = ["World", "init_world"]
