"""Links from a node's panel open the file or show the cell in JupyterLab."""

from __future__ import annotations

import pytest

from tests.browser.lab import notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NETS = """\"\"\"A net in a file next to the notebook.\"\"\"


def double(x):
    y = x * 2
    return y
"""
USE = """
import edutorch as torch
import nets
from edutorch.widgets import GraphView

graph = GraphView()
x = torch.ones(3, requires_grad=True)
loss = nets.double(x).sum()
graph"""
CURSOR = """() => {
  const editor = window.jupyterapp.shell.currentWidget?.content.editor;
  return editor?.getCursorPosition?.().line;
}"""


@pytest.fixture(scope="module")
def graph(lab):
    (lab.folder / "nets.py").write_text(NETS)
    lab.write_and_open("places.ipynb", notebook_of(USE, *["0\n" * 40] * 3))
    lab.run(0)
    return lab.page.locator(".edutorch-graph")


def link_of(graph, node):
    graph.locator("g.node", has_text=node).first.click()
    return graph.get_by_test_id("source").locator("button")


def test_link_to_a_cell_shows_its_line(lab, graph, pictures):
    link_of(graph, "sum").click()
    line = lab.page.locator(".jp-CodeCell .cm-line", has_text="nets.double(x)").first
    assert line.evaluate("e => e.getAnimations().length") == 1
    box = line.bounding_box()
    assert 0 < box["y"] < 900
    lab.page.screenshot(path=pictures / "places-cell.png")


def test_link_into_the_library_copies_and_says_so(graph):
    link_of(graph, "sum")
    link = graph.get_by_test_id("lib").locator("button").first
    link.click()
    assert link.inner_text().endswith("✓ copied")


def test_link_to_a_file_of_the_server_opens_it_at_the_line(lab, graph, pictures):
    link_of(graph, "mul").click()
    lab.page.locator(".jp-FileEditor .cm-line", has_text="y = x * 2").wait_for()
    lab.page.wait_for_function(f"() => ({CURSOR})() === 4")
    lab.page.screenshot(path=pictures / "places-file.png")


def test_page_reports_no_error(lab, graph):
    assert lab.problems == []
