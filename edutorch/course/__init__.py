"""The course's checks: grade the learner's own object, give hints, keep progress.

`check("02.3", backward)` calls what the learner wrote, in the learner's kernel, and
either returns a `Result` or raises `CheckFailed`, whose message says what was called,
where the answer differs, what was expected and which rule was broken. The same
functions run in notebooks, in pytest and in nbgrader's graded cells.
"""

from __future__ import annotations

from .catalogue import exercises
from .failure import CheckFailed
from .grader import Hint, Result, check, hint
from .progress_file import Progress, progress

__all__ = [
    "CheckFailed",
    "Hint",
    "Progress",
    "Result",
    "check",
    "exercises",
    "hint",
    "progress",
]
