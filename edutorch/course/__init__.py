"""The course's checks: grade the learner's own object, give hints, keep progress.

`check("02.3", backward)` calls what the learner wrote, in the learner's kernel, and
either returns a `Result` or raises `CheckFailed`, whose message says what was called,
where the answer differs, what was expected and which rule was broken. The same
functions run in notebooks, in pytest and in nbgrader's graded cells.

- `grader.py`: `check` and `hint`. Begin here.
- `catalogue.py`: all exercises by id. `exercise.py`: what an exercise is.
- `checks/`: the check of each exercise, one file per chapter: the source of truth.
- `against.py`: compares a function with the right one, on shown and on drawn cases.
  `trial.py`: draws them. `running.py`: runs it within a time limit, and records what
  it calls.
  `unset_memory.py`: what it never sets is nan.
- `compare.py`: calls an answer, compares it, and names known mistakes.
- `failure.py`: what a failed check says. `causes.py`: what most often causes an
  exception in an answer. `provenance.py`: which of the learner's lines made a wrong
  tensor.
- `progress_file.py`: what was tried and passed: `progress()`. `progress_map.py`: the
  picture of it.
- `style.py`: pictures in one style, each with words. `figure.py`: what they return.
- `ledger.py`: counts copies and launches on GPUs. `thread_blocks.py`: a toy of how a
  GPU runs a kernel, which finds races (both chapter 17).
- `interactions/`: things to play with in the page.
- `solution.py`: shows the official answer. `course_files.py`: where it is.
- `handout.py`: copies the notebooks into a learner's folder; `__main__.py`:
  `python -m edutorch.course` does that, and makes a class's folder.
- `release.py`: takes the solutions out of a chapter, or puts them in, for teachers.
- `classroom/`: teaching a class: its folder, and grading that nobody disturbs.

The official solutions are written in `tests/course/solutions/`; `solution("02.3")`
shows one after an honest attempt.
"""

from __future__ import annotations

from .against import Case, against
from .catalogue import exercises, register
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
    "against",
    "check",
    "exercises",
    "hint",
    "progress",
    "register",
    "solution",
]
