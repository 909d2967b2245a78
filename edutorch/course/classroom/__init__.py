"""Teach a class: folders for nbgrader, and grading in confined processes.

- `new_class.py`: creates the folder of a class, ready for nbgrader. Begin here.
- `run.py`: runs a submission, cell by cell, whatever its cells do. `limits.py`: its
  resource limits. `confined_kernel.py`: the process in which it runs. `confine.py`:
  restricts its files, network and memory. `processes.py`: ends all its processes.
- `kernel.py`: the kernel of that process: graded cells run with the course's own
  check. `originals.py`: restores what a learner's cell has replaced.
- `nbgrader_execute.py`: nbgrader's execution step, which uses these.

This does not stop a student who reads the grader's memory from inside the process:
look into grades that differ much from a student's other work.
"""

from __future__ import annotations

__all__: list[str] = []
