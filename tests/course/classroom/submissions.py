"""Submissions of all kinds to a small assignment, with their expected grades."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from edutorch.course import exercises
from edutorch.course.release import STUB
from tests.notebooks.chapters import solutions

__all__ = ["EXERCISES", "SUBMISSIONS", "Submission", "assignment", "notebook"]

EXERCISES = ("01.1", "01.2", "01.3")
NAMES = {"01.1": "strides_of", "01.2": "broadcast_shape", "01.3": "same_buffer"}
IMPORTS = "import edutorch as torch\nfrom edutorch.course import check, hint, solution"
SOLUTIONS = {number: solutions("01-tensors")[number] for number in EXERCISES}
POINTS = {e.id: e.points for e in exercises() if e.id in EXERCISES}


@dataclass(frozen=True)
class Submission:
    """What one person hands in.

    Attributes:
        answers: in the place of right ones, by exercise.
        first: a cell before the answers.
        last: a cell after the answers, before the checks.
        passed: the exercises that deserve their points.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    first: str = ""
    last: str = ""
    passed: tuple[str, ...] = EXERCISES

    @property
    def points(self) -> int:
        return sum(POINTS[number] for number in self.passed)


def body(number: str, lines: str) -> str:
    """The function of an exercise, doing something else."""
    arguments = {"01.1": "shape", "01.2": "a, b", "01.3": "a, b"}[number]
    indented = "".join(f"    {line}\n" for line in lines.splitlines())
    return f"def {NAMES[number]}({arguments}):\n{indented}"


def fails_first(lines: str) -> Submission:
    """The first answer does something; the others are right."""
    return Submission({"01.1": body("01.1", lines)}, passed=EXERCISES[1:])


def tampers(first: str) -> Submission:
    """All answers are wrong, and a cell before the checks would hide that."""
    wrong = {number: body(number, "return 7") for number in EXERCISES}
    return Submission(wrong, last=first, passed=())


SUBMISSIONS: dict[str, Submission] = {
    "right": Submission(),
    "empty": Submission(
        {number: body(number, STUB) for number in EXERCISES}, passed=()
    ),
    "one is wrong": fails_first("return tuple(shape)"),
    "NumPy inside": Submission(
        {
            "01.1": body(
                "01.1",
                "import numpy as np\n"
                "sizes = np.maximum([*shape[1:], 1], 1)\n"
                "right_to_left = np.cumprod(sizes[::-1])\n"
                "return tuple(right_to_left[::-1].tolist()) if shape else ()",
            )
        }
    ),
    "does not parse": Submission(
        {"01.1": "def strides_of(shape:\n    return"}, passed=EXERCISES[1:]
    ),
    "module that is not there": Submission(
        {"01.1": "import no_such_module\n" + SOLUTIONS["01.1"]}, passed=EXERCISES[1:]
    ),
    "prints to stderr": Submission(
        last="import sys, warnings\nprint('note', file=sys.stderr)\n"
        "warnings.warn('note')\n"
        "def strides_of(shape, right=strides_of):\n"
        "    print('called', file=sys.stderr)\n    return right(shape)"
    ),
    "prints for ever": fails_first("while True:\n    print('a' * 1000)"),
    "raises": fails_first("raise ValueError('no')"),
    # ---- does not end
    "hangs": fails_first("while True:\n    pass"),
    "hangs in a cell of its own": Submission(first="while True:\n    pass"),
    "hangs and goes on": fails_first(
        "while True:\n    try:\n        while True:\n            pass\n"
        "    except BaseException:\n        pass"
    ),
    "sleeps": fails_first("import time\ntime.sleep(1000)"),
    "recursion": fails_first("return strides_of(shape)"),
    "waits for an answer": fails_first("return input('strides? ')"),
    # ---- leaves the process
    "leaves at once": Submission(first="import os\nos._exit(0)"),
    "leaves in an answer": fails_first("import os\nos._exit(0)"),
    "sys.exit in an answer": fails_first("import sys\nsys.exit(0)"),
    "kills itself": fails_first("import os\nos.kill(os.getpid(), 9)"),
    "segmentation fault": fails_first("import ctypes\nctypes.string_at(0)"),
    "kills its parent": Submission(first="import os\nos.kill(os.getppid(), 9)"),
    # ---- takes too much
    "all memory": fails_first("x = []\nwhile True:\n    x.append(bytearray(10**8))"),
    "all memory at once": Submission(first="x = bytearray(10**13)"),
    "all processes": Submission(
        first="import os, time\nfor _ in range(60):\n"
        "    if os.fork() == 0:\n        time.sleep(1000)"
    ),
    "a process that stays": Submission(
        first="import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', "
        "'import time; time.sleep(1000)'], start_new_session=True)"
    ),
    "a large file": Submission(
        first="with open('large', 'wb') as f:\n"
        "    for _ in range(100):\n        f.write(bytes(10**7))"
    ),
    "the network": Submission(
        first="import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9')"
    ),
    # ---- tampers with the checks
    "check is rebound": tampers("check = lambda *given: 'right'"),
    "check is replaced in its module": tampers(
        "import edutorch.course, edutorch.course.grader\n"
        "edutorch.course.check = edutorch.course.grader.check = lambda *given: 'right'"
    ),
    "catalogue without grades": tampers(
        "import dataclasses\nfrom edutorch.course import catalogue\n"
        "for id, e in list(catalogue._EXERCISES.items()):\n"
        "    catalogue._EXERCISES[id] = dataclasses.replace(e, grade=lambda a: None)"
    ),
    "exercise without a grade": tampers(
        "from edutorch.course.catalogue import find\n"
        "for number in ('01.1', '01.2', '01.3'):\n"
        "    object.__setattr__(find(number), 'grade', lambda answer: None)"
    ),
    "comparison that finds nothing": tampers(
        "from edutorch.course import compare_functions, compare\nfrom edutorch.course.checks "
        "import ch01\nfor module in (compare_functions, compare, ch01):\n"
        "    for name in dir(module):\n"
        "        if name.startswith(('compare', 'expect', 'need')):\n"
        "            setattr(module, name, lambda *given, **named: given[0])"
    ),
    "code of the comparison": tampers(
        "from edutorch.course import compare\n"
        "compare.compare.__code__ = (lambda *given, **named: None).__code__\n"
        "compare.same_numbers.__code__ = (lambda *given, **named: True).__code__"
    ),
    "failure that is no exception": tampers(
        "import edutorch.course.failure as f\n"
        "f.CheckFailed.__init__ = lambda self, *given, **named: print('right')\n"
        "import builtins\nbuiltins.AssertionError = Warning"
    ),
    "functions of Python": tampers(
        "import builtins\nbuiltins.all = lambda *given: True\n"
        "builtins.any = lambda *given: False\nbuiltins.len = lambda x: 1\n"
        "builtins.repr = lambda x: 'right'"
    ),
    "functions of NumPy": tampers(
        "import numpy as np\nnp.allclose = np.array_equal = lambda *g, **k: True"
    ),
    "other modules": tampers(
        "import sys, types\nfake = types.ModuleType('grader')\n"
        "fake.check = lambda *given: 'right'\n"
        "for name in list(sys.modules):\n    if name.startswith('edutorch.course'):\n"
        "        sys.modules[name] = fake"
    ),
    "cells are transformed": tampers(
        "get_ipython().input_transformers_post.append("
        "lambda lines: [line.replace('check(', 'print(') for line in lines])"
    ),
    "errors are hidden": tampers(
        "shell = get_ipython()\nshell.showtraceback = lambda *given, **named: None\n"
        "shell.run_cell = lambda *given, **named: None"
    ),
    "answer equal to everything": Submission(
        {
            "01.1": "class Everything(tuple):\n"
            "    def __eq__(self, other):\n        return True\n"
            "    def __ne__(self, other):\n        return False\n"
            "    __hash__ = None\n"
            "def strides_of(shape):\n    return Everything(shape)"
        },
        passed=EXERCISES[1:],
    ),
    "trace that answers": tampers(
        "import sys\ndef answer(frame, event, argument):\n    return None\n"
        "sys.setprofile(answer)\nsys.settrace(answer)"
    ),
    "stdout is closed": Submission(last="import sys\nsys.stdout.close()"),
    "file that shadows a module": tampers(
        "open('numpy.py', 'w').write('allclose = None')\n"
        "open('copy.py', 'w').write('deepcopy = None')"
    ),
}


def assignment(answers: Mapping[str, str] = SOLUTIONS) -> dict[str, Any]:
    """The assignment as a teacher writes it, or with other answers."""
    cells = [_code("imports", IMPORTS, {})]
    for number in EXERCISES:
        name, points = number.replace(".", "-"), POINTS[number]
        cells.append(_code(f"answer-{name}", answers[number], _marks(f"answer-{name}")))
        cells.append(
            _code(
                f"check-{name}",
                f'check("{number}", {NAMES[number]})',
                _marks(f"check-{name}", points),
            )
        )
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def notebook(submission: Submission) -> dict[str, Any]:
    """What is handed in."""
    made = assignment({**SOLUTIONS, **submission.answers})
    imports, *cells = made["cells"]
    answers, checks = cells[::2], cells[1::2]
    before = [_code("first", submission.first, {})] if submission.first else []
    after = [_code("last", submission.last, {})] if submission.last else []
    made["cells"] = [imports, *before, *answers, *after, *checks]
    return made


def _code(id: str, source: str, metadata: dict[str, Any]) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "id": id,
        "metadata": metadata,
        "source": source,
        "outputs": [],
        "execution_count": None,
    }


def _marks(grade_id: str, points: int = 0) -> dict[str, Any]:
    graded = points > 0
    marks = {
        "grade": graded,
        "grade_id": grade_id,
        "locked": graded,
        "schema_version": 3,
        "solution": not graded,
        "task": False,
    }
    return {"nbgrader": {**marks, "points": points} if graded else marks}
