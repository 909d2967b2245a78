"""A confined kernel runs cells, and reports a cell that ended it."""

from __future__ import annotations

import time

import pytest

pytest.importorskip("jupyter_client")

from edutorch.course.classroom.limits import Limits
from edutorch.course.classroom.sandbox import available_restrictions
from edutorch.course.classroom.sandboxed_kernel import (
    KernelEnded,
    SandboxedKernel,
    error_output,
)

pytestmark = [
    pytest.mark.notebook,
    pytest.mark.skipif(
        "files" not in available_restrictions(), reason="needs Landlock"
    ),
]
LIMITS = Limits(memory=3 * 2**30, output=2000)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    place = tmp_path_factory.mktemp("place")
    (place / "work").mkdir()
    made = SandboxedKernel(place, place / "work", LIMITS)
    yield made
    assert made.close()


def soon(seconds=30):
    return time.monotonic() + seconds


def test_cell_gives_its_outputs(kernel):
    printed, value = kernel.execute("x = 2\nprint(x)\nx + 1", soon())
    assert printed["text"] == "2\n"
    assert value["data"]["text/plain"] == "3"


def test_text_that_comes_in_pieces_is_one_output(kernel):
    pieces = "for i in range(3):\n    print(i, flush=True)\n    time.sleep(0.2)"
    (printed,) = kernel.execute(f"import time\n{pieces}", soon())
    assert printed["text"] == "0\n1\n2\n"


def test_graded_cell_gives_streams_and_its_verdict_alone(kernel):
    cell = "print('seen')\ndisplay(100)\n1 / 0"
    kernel.execute("from IPython.display import display", soon())
    printed, error = kernel.execute(cell, soon(), "secret")
    assert printed["text"] == "seen\n"
    assert (error["ename"], error["traceback"]) == (
        "ZeroDivisionError",
        ["ZeroDivisionError: division by zero"],
    )


def test_long_output_is_cut_and_said_to_be(kernel):
    *_, last = kernel.execute("for i in range(99):\n    print('a' * 99)", soon())
    assert "more than 2000 characters" in last["text"]


def test_cell_is_interrupted_when_its_time_is_over(kernel):
    (error,) = kernel.execute("while True:\n    pass", soon(1))
    assert error["ename"] == "KeyboardInterrupt"
    assert kernel.execute("x", soon())[0]["data"]["text/plain"] == "2"


def test_cell_that_ends_the_process_is_told(tmp_path):
    (tmp_path / "work").mkdir()
    kernel = SandboxedKernel(tmp_path, tmp_path / "work", LIMITS)
    with pytest.raises(
        KernelEnded, match=r"the process ended \(exit status 3\): a func"
    ):
        kernel.execute("import os\nos._exit(3)", soon())
    assert kernel.close()


def test_error_without_words_is_its_kind():
    assert error_output("MemoryError", "")["traceback"] == ["MemoryError"]
