"""Endless loops, and what keeps them from ending, are reported."""

from __future__ import annotations

import linecache

import pytest

from edutorch.course.answer_calls import endless_loop
from edutorch.course.endless_loops import why_endless
from edutorch.course.time_limits import TimeLimitExceeded, time_limit


def why(source, *args):
    """What is said of the function `f` of a cell, which does not end."""
    lines = source.splitlines(keepends=True)
    linecache.cache["<cell>"] = (len(source), None, lines, "<cell>")
    names = {}
    exec(compile(source, "<cell>", "exec"), names)
    with pytest.raises(TimeLimitExceeded) as error, time_limit(0.1):
        names["f"](*args)
    return endless_loop(error.value)


def test_condition_that_nothing_changes_is_shown_with_its_variables():
    said = why("def f(n, k):\n    s = 0\n    while s + k <= n:\n        k + 1\n", 9, 2)
    assert said.startswith("the loop of line 3: `while s + k <= n` stays true")
    assert "nothing in the loop changes k, n or s" in said


def test_condition_whose_variables_change_asks_what_makes_it_false():
    said = why("def f(n):\n    while n > 0:\n        n += 1\n", 9)
    assert said == "the loop of line 2: `while n > 0` stays true: what makes it false?"


@pytest.mark.parametrize("change", ["n.pop(), n.append(1)", "g(n)", "n[0] = 1"])
def test_value_that_a_turn_may_change_is_not_called_unchanged(change):
    said = why(
        f"def g(n): pass\ndef f(n):\n    while n != []:\n        {change}\n", [1]
    )
    assert "what makes it false?" in said


def test_loop_without_a_way_out_is_named():
    said = why("def f():\n    while True:\n        x = 1\n")
    assert said == "the loop of line 2: `while True` has no break and no return"


def test_break_that_is_not_reached_is_named():
    said = why("def f(n):\n    while 1:\n        if n < 0:\n            break\n", 1)
    assert said.startswith("the loop of line 2: `while 1` ends only with its break")


def test_while_around_a_for_is_what_does_not_end():
    said = why(
        "def f(n):\n    while n:\n        for i in range(9):\n            i + 1\n", 1
    )
    assert said.startswith("the loop of line 2: `while n` stays true, because nothing")


def test_list_that_grows_while_it_is_gone_through_is_named():
    said = why("def f(todo):\n    for x in todo:\n        todo.append(x)\n", [1])
    assert said.startswith(
        "the loop of line 2 goes through todo, which each turn makes"
    )


def test_function_that_calls_itself_without_limit_is_named():
    said = why("def f(n):\n    return 1 if n < 2 else f(n - 1) + f(n - 2)\n", 60)
    assert said.startswith("f calls itself again and again")


def test_many_turns_are_named_with_the_lines_of_their_loops():
    said = why(
        "def f():\n    for i in range(10**9):\n        for j in range(10**9):\n"
        "            i + j\n"
    )
    assert (
        said == "the loops of lines 2 and 3: too many turns, or too much work in each"
    )


def test_code_that_is_not_python_or_has_no_source_has_no_named_loop():
    assert why("def f():\n    [0 for i in range(10**9)]\n") == ""
    linecache.cache["<cell>"] = (3, None, ["%matplotlib\n", "x = 1\n"], "<cell>")
    with pytest.raises(ZeroDivisionError) as error:
        exec(compile("\n1 / 0\n", "<cell>", "exec"))
    assert why_endless(error.value, (__file__,)) == ""
