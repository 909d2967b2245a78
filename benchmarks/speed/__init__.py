"""The table of `make bench`: the library beside PyTorch, workload by workload.

- `workloads.py`: what is timed. Each workload is a function of a library that returns
  a step. `models.py`: the larger networks among them.
- `worker.py`: a process that has one library and times steps when it is asked.
- `rounds.py`: asks two workers in turn, compares what their steps compute, and makes
  medians of ratios.
- `table.py`: prints and stores the table, and stands in for PyTorch where that is not
  installed.
- `__main__.py`: the command line.

`benchmarks/README.md` explains how to read the table.
"""

__all__: list[str] = []
