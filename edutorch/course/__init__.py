"""The course: checks of exercises, hints and progress.

`check("02.3", backward)` calls the learner's function, in the learner's kernel, and
either returns a `Result` or raises `CheckFailed`, whose message reports the call, where
the answer differs and what was expected, and from the second try on the rule. The same
functions run in notebooks, in pytest and in nbgrader's graded cells.

- `grader.py`: `check` and `hint`. Begin here.
- `catalogue.py`: all exercises by id. `exercise.py`: what an exercise is.
- `checks/`: the check of each exercise, in files named after chapters (`ch02_*`)
  or topics: the source of truth.
  The statement of an exercise is in its chapter, a notebook.
- `compare_functions.py`: compares the learner's function with the right one, on the
  cases of the statement and on random ones, which `random_cases.py` draws.
  `argument_checks.py`: the arguments must stay as they are. `time_limits.py`:
  interrupts what runs for too long. `answer_calls.py`: records which functions an
  answer calls, and names the line that took too long.
  `endless_loops.py`: which loop of it does not end, and why. `output_limit.py`: shows
  only the first lines that it prints.
  `unset_memory.py`: fills uninitialised memory with nan. `global_state.py`: restores
  what an answer switches on or off.
- `compare.py`: compares one value with the right one. `common_mistakes.py`: names
  mistakes that can be made in every exercise; those of an exercise are in its check.
- `failure.py`: the message of a failed check. `exception_causes.py`: common causes of
  exceptions in answers. `lint.py`: suspicious lines of an answer. `provenance.py`: the
  learner's line that made a wrong tensor.
- `progress_file.py`: `progress()`: attempted and passed exercises. `progress_map.py`:
  its picture.
- `style.py`: plots in one style, with text alternatives. `figure.py`: their type.
- `gpu_counters.py`: counts copies and launches on GPUs. `thread_blocks.py`: a toy
  model of a GPU's thread blocks, which detects races (both for chapter 17).
- `interactions/`: interactive parts of the chapters.
- `solution.py`: shows the official answer. `course_files.py`: finds it.
- `handout.py`: copies the notebooks to a learner's folder; `__main__.py`:
  `python -m edutorch.course` does that, and creates the folder of a class.
- `release.py`: removes the solutions from a chapter, or inserts them, for teachers.
- `classroom/`: for teachers: the folder of a class, and protected grading.

The official solutions are in `tests/course/solutions/`; `solution("02.3")` shows one
after an honest attempt.
"""

from __future__ import annotations

from .catalogue import exercises, register
from .compare_functions import Case, compare_functions
from .exercise import Exercise
from .failure import CheckFailed
from .grader import Hint, Result, check, hint
from .progress_file import Progress, progress
from .solution import NotYet, Solution, solution

__all__ = [
    "Case",
    "CheckFailed",
    "Exercise",
    "Hint",
    "NotYet",
    "Progress",
    "Result",
    "Solution",
    "compare_functions",
    "check",
    "exercises",
    "hint",
    "progress",
    "register",
    "solution",
]
