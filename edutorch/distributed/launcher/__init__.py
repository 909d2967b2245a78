"""Launching ranks, for `python -m edutorch run` and for notebooks.

- `options.py`: the command's options. `workers.py`: the worker processes of one node.
- `cluster.py`: ranks for a notebook, started by ipyparallel.
"""

from .cluster import cluster

__all__ = ["cluster"]
