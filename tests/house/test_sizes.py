"""Files and functions stay short enough to be read in one sitting."""

from __future__ import annotations

import ast

from tests.house.sizes import LARGE, length, measured, report


def test_sizes_stay_under_their_caps():
    over = [
        f"{what}: {lines} lines, cap {cap}"
        for what, lines, cap in measured()
        if lines > cap and what not in LARGE
    ]
    assert not over, "too long:\n" + "\n".join(over)


def test_sizes_exceptions_are_needed_and_few():
    large = {what for what, lines, cap in measured() if lines > cap}
    assert not set(LARGE) - large, "no longer large; take them off the list"
    assert len(LARGE) <= 8


def test_sizes_length_of_a_function_leaves_its_docstring_out():
    source = 'def f(x):\n    """One.\n\n    Two.\n    """\n    return x\n'
    assert length(ast.parse(source).body[0]) == 2


def test_sizes_report_has_a_row_for_each_kind():
    words = [line.split()[0] for line in report().splitlines()[1:4]]
    assert words == ["files", "functions", "classes"]
