"""Repetitions in a computation; `test_fold` compares with the results of TypeScript."""

from __future__ import annotations

import random

from edutorch.widgets.loops import find_loops


def test_find_loops_when_there_are_several_finds_each():
    marks = [*"xy", *"abcd" * 5, "z", *"add " * 4, "end"]
    assert find_loops(marks) == [(2, 4, 5), (23, 4, 4)]


def test_find_loops_when_one_lies_inside_another_takes_the_longer():
    assert find_loops("aaab" * 9)[0] == (0, 4, 9)


def test_find_loops_when_few_repeat_finds_none():
    assert find_loops("aaa") == []
    assert find_loops("abcdefgh" * 2) == []
    assert find_loops([]) == []


def test_find_loops_when_long_is_quick_and_complete():
    marks = [random.Random(0).choice("abcd") for _ in range(3000)]
    covered = [range(s, s + p * n) for s, p, n in find_loops(marks * 4)]
    ends = [-1, *(r.stop for r in covered)]
    assert all(r.start >= end for r, end in zip(covered, ends, strict=False))
