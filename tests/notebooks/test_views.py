"""The notebook of the twelve views: a section for each, and the tests that its table
names exist.
"""

from __future__ import annotations

import ast
import re

import pytest

from edutorch.widgets.watch import VIEWS
from tests.notebooks.chapters import ROOT, code_cells, released

ROW = re.compile(
    r"^\| (?P<what>[^|]+) \| (?P<where>[^|]+) \| `(?P<test>[^`]+)` \|$", re.MULTILINE
)


def rows():
    last = "".join(released("views")["cells"][-1]["source"])
    return [match.groupdict() for match in ROW.finditer(last)]


def test_table_has_a_row_for_each_feature():
    assert len(rows()) == 29
    assert len({row["what"] for row in rows()}) == 29


@pytest.mark.parametrize("test", [row["test"] for row in rows()])
def test_table_names_tests_that_exist(test):
    file, name = test.split("::")
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    assert name in {f.name for f in tree.body if isinstance(f, ast.FunctionDef)}


def test_notebook_has_a_section_for_each_view():
    sources = ["".join(cell["source"]) for cell in released("views")["cells"]]
    headings = [re.match(r"## \d+\. (\w+)\n\n\*.*\?\*", text) for text in sources]
    names = [found.group(1) for found in headings if found]
    assert len(names) == len(VIEWS) + 2 == 12  # and TensorCard, ErrorCard
    assert len(set(names)) == 12


def test_notebook_holds_no_output():
    for cell in code_cells(released("views")):
        assert (cell["outputs"], cell["execution_count"]) == ([], None)
