"""The book's own script: what it executes, keeps and refuses."""

from __future__ import annotations

import importlib.util
import sys

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tests.house.source_tree import ROOT

VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(scope="module")
def build():
    sys.path.insert(0, str(ROOT / "book"))  # as for a script that is started there
    spec = importlib.util.spec_from_file_location("build", ROOT / "book" / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.path.remove(str(ROOT / "book"))
    return module


def test_waits_for_answer_of_exercises_and_their_checks(build):
    solution = {"nbgrader": {"solution": True, "grade": False}}
    check = {"nbgrader": {"solution": False, "grade": True}}
    statement = {"nbgrader": {"solution": False, "grade": False}}
    cells = [new_code_cell(metadata=m) for m in (solution, check, statement, {})]
    assert [build.waits_for_answer(c) for c in cells] == [True, True, False, False]


@pytest.mark.parametrize("picture", ["image/svg+xml", "image/png"])
def test_keep_pictures_takes_the_view_out_beside_a_picture(build, picture):
    cell = new_code_cell(outputs=[new_output("display_data", data={VIEW: {}})])
    cell.outputs[0].data[picture] = "a picture"
    chapter = new_notebook(cells=[cell], metadata={"widgets": {}})
    build.keep_pictures(chapter)
    assert list(cell.outputs[0].data) == [picture]
    assert "widgets" not in chapter.metadata


def test_keep_pictures_takes_out_a_view_whose_picture_comes_next(build):
    picture = {"image/svg+xml": '<svg class="edutorch-still"/>', "text/plain": "Graph"}
    data = [
        {VIEW: {}, "text/plain": "Graph"},
        picture,
        {VIEW: {}, "text/plain": "Live"},
    ]
    outputs = [new_output("display_data", data=d) for d in data]
    cell = new_code_cell(outputs=outputs)
    build.keep_pictures(new_notebook(cells=[cell]))
    assert [o.data for o in cell.outputs] == [picture, {"text/plain": "Live"}]


def test_keep_pictures_leaves_cells_without_outputs(build):
    cell = new_code_cell("x = 1")
    build.keep_pictures(new_notebook(cells=[cell]))
    assert cell.outputs == []


def test_keep_pictures_describes_them_by_their_first_line(build):
    data = {VIEW: {}, "image/png": "", "text/plain": "Graph of 3 operations\n  op0"}
    cell = new_code_cell(outputs=[new_output("display_data", data=data)])
    build.keep_pictures(new_notebook(cells=[cell]))
    assert cell.metadata["mystnb"] == {"image": {"alt": "Graph of 3 operations"}}


def test_keep_pictures_leaves_the_words_of_what_has_no_picture(build):
    data = {VIEW: {}, "text/plain": "Buttons"}
    cell = new_code_cell(outputs=[new_output("display_data", data=data)])
    build.keep_pictures(new_notebook(cells=[cell]))
    assert cell.outputs[0].data == {"text/plain": "Buttons"}


def test_keep_pictures_leaves_a_view_that_has_nothing_else(build):
    cell = new_code_cell(outputs=[new_output("display_data", data={VIEW: {}})])
    build.keep_pictures(new_notebook(cells=[cell]))
    assert list(cell.outputs[0].data) == [VIEW]


@pytest.mark.parametrize(
    ("tag", "foreign"),
    [
        ('<script src="https://example.com/a.js"></script>', True),
        ('<link href="//example.com/a.css" rel="stylesheet">', True),
        ('<img alt="" src="http://example.com/a.png">', True),
        ('<a href="https://example.com">a link is followed by people</a>', False),
        ('<script src="../_static/a.js"></script>', False),
    ],
)
def test_requests_elsewhere_finds_what_a_page_would_fetch(
    build, tmp_path, tag, foreign
):
    (tmp_path / "index.html").write_text(tag)
    assert bool(build.requests_elsewhere(tmp_path)) is foreign


@pytest.mark.parametrize(
    ("link", "dead"),
    [
        ("b.html", False),
        ("b.html#here", False),
        ("#top", False),
        ("https://example.com/x", False),
        ("c.html", True),
        ("b.html#there", True),
        ("#bottom", True),
    ],
)
def test_dead_links_are_those_to_no_page_and_to_no_place(build, tmp_path, link, dead):
    (tmp_path / "a.html").write_text(f'<h1 id="top"><a class="x" href="{link}">a</a>')
    (tmp_path / "b.html").write_text('<p id="here"></p>')
    assert build.dead_links(tmp_path) == ([f"a.html: {link}"] if dead else [])
