"""For teachers: the folder of a class for nbgrader, and grading in a sandbox.

- `new_class.py`: creates the folder of a class, ready for nbgrader. Begin here.
- `run.py`: runs a submission cell by cell, even if a cell crashes or hangs.
  `limits.py`: its resource limits. `sandboxed_kernel.py`: the process in which it runs.
  `sandbox.py`: restricts its files, network and memory. `processes.py`: ends all its
  processes.
- `kernel.py`: the kernel of that process: graded cells run with the course's own
  check. `originals.py`: restores functions that a learner's cell has replaced.
- `nbgrader_execute.py`: nbgrader's execution step, which uses these.

The sandbox cannot stop a submission that reads the grader's memory within the same
process. Check grades that differ greatly from a student's other work.
"""

from __future__ import annotations

__all__: list[str] = []
