"""All ranks of a program: how a process becomes one, and who is still there.

- `mpi_world.py`: this process as a rank of MPI. `lone_world.py`: as the only one.
- `coordinator.py`: the small process that introduces ranks and tells who has gone.
- `peers.py`: the connection of a rank to it.
"""

from .mpi_world import World, enter_world

__all__ = ["World", "enter_world"]
