"""The first lines printed by an answer are shown, and the check's message."""

from __future__ import annotations

import sys

import pytest

from edutorch.course import CheckFailed, check
from edutorch.course.output_limit import LINES, WIDE, limit_output, suppress_output
from tests.course.solutions import ch01


def test_few_lines_pass_as_they_are(capsys):
    before = sys.stdout
    with limit_output():
        print("one")
        print("two", end="")
        print(" and more", flush=True)
    assert sys.stdout is before
    assert capsys.readouterr().out == "one\ntwo and more\n"


def test_many_lines_are_counted(capsys):
    with limit_output(2):
        sys.stdout.writelines(f"{i}\n" for i in range(4))
        print("no end", end="")
    shown = capsys.readouterr().out
    assert shown == "0\n1\n... and 3 more lines that the answer printed\n"


def test_long_lines_are_cut(capsys):
    with limit_output():
        print("x" * WIDE, end="")
        print("y" * 10_000)
        print("next")
    assert capsys.readouterr().out == "x" * WIDE + "\nnext\n"


def test_lines_are_counted_when_the_block_raises(capsys):
    with pytest.raises(ValueError, match="over"), limit_output(1):
        print("one\ntwo")
        raise ValueError("over")
    assert capsys.readouterr().out.endswith(
        "... and 1 more line that the answer printed\n"
    )


def test_nothing_of_a_silenced_block_is_shown_or_counted(capsys):
    with limit_output(), suppress_output():
        print("a\n" * 100)
    assert capsys.readouterr().out == ""


def test_answer_that_prints_and_returns_none_shows_few_lines_and_the_reason(capsys):
    def strides_of(shape):
        print(ch01.strides_of(shape))

    with pytest.raises(CheckFailed, match="is a return missing"):
        check("01.1", strides_of)
    assert capsys.readouterr().out == "(12, 4, 1)\n"


def test_right_answer_that_prints_shows_few_lines(capsys):
    def strides_of(shape):
        print(shape)
        return ch01.strides_of(shape)

    check("01.1", strides_of)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == LINES + 1
    assert "more lines that the answer printed" in lines[-1]
