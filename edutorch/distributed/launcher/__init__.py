"""Starting ranks: what `python -m edutorch run` needs, and ranks for a notebook.

- `options.py`: the command's options. `workers.py`: the processes that it starts.
- `cluster.py`: ranks for a notebook, started by ipyparallel.
"""

from .cluster import cluster

__all__ = ["cluster"]
