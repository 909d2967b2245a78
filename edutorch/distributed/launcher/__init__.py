"""Launching ranks, for `python -m edutorch run` and for notebooks.

- `options.py`: the command's options. `workers.py`: the worker processes of one node.
  `worker_output.py`: what they print, on the console and in files.
- `cluster.py`: ranks for a notebook, started by ipyparallel.
"""

from .cluster import cluster

__all__ = ["cluster"]
