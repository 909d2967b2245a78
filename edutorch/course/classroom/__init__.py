"""Teach a class: folders for nbgrader, and grading that no submission disturbs.

- `new_class.py`: makes a class's folder, ready for nbgrader. Begin here.
- `run.py`: runs a submission, cell by cell, whatever its cells do.
  `limits.py`: what it may use. `confined_kernel.py`: the process in which it runs.
  `confine.py`: takes files, network and memory from it. `processes.py`: ends it all.
- `kernel.py`: the kernel of that process: graded cells run with the course's own
  check. `originals.py`: puts back what a learner's cell has replaced.
- `nbgrader_execute.py`: the step by which nbgrader does this.

What it does not stop is somebody who reads the grader's memory from inside the process:
grades that differ much from a person's other work are worth a look.
"""

from __future__ import annotations

__all__: list[str] = []
