"""The book's own script: what it executes, keeps and refuses."""

from __future__ import annotations

import importlib.util
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tests.house.source_tree import ROOT, tracked

VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(scope="module")
def build():
    sys.path.insert(0, str(ROOT / "book"))  # as for a script that is started there
    spec = importlib.util.spec_from_file_location("build", ROOT / "book" / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.path.remove(str(ROOT / "book"))
    return module


def test_chapters_are_those_of_the_course_alone(build, tmp_path):
    own = ["00-start.ipynb", "02-autograd.ipynb", "views.ipynb"]
    theirs = ["02-autograd.new.ipynb", "02-autograd-Copy1.ipynb", "Untitled.ipynb"]
    for name in own + theirs:
        (tmp_path / name).touch()
    assert [path.name for path in build.chapters(tmp_path)] == own


def test_every_notebook_of_the_course_is_a_chapter_of_the_book(build):
    course = set(tracked("notebooks/*.ipynb"))
    assert course
    assert course <= set(build.chapters(ROOT / "notebooks"))


def used_chapter():
    """A chapter as a learner leaves it: an answer that fails, outputs, widgets."""
    stale = [new_output("stream", name="stdout", text="an earlier run")]
    source = "import os; print(os.path.exists(os.environ['EDUTORCH_PROGRESS']))"
    sources = (source, "answer = 3\nraise ValueError", "raise ValueError", "answer")
    cells = [new_code_cell(text) for text in sources]
    cells[1].metadata["nbgrader"] = {"solution": True, "grade": False}
    cells[2].metadata["nbgrader"] = {"solution": False, "grade": True}
    for cell in cells:
        cell.outputs, cell.execution_count = stale, 7
    return new_notebook(cells=cells, metadata={"widgets": {VIEW: {}}})


def test_used_chapter_is_shown_without_what_its_reader_did(
    build, tmp_path, monkeypatch
):
    (tmp_path / "progress.json").write_text("{}")
    monkeypatch.delenv("EDUTORCH_EXECUTED", raising=False)
    monkeypatch.setenv("EDUTORCH_PROGRESS", str(tmp_path / "progress.json"))
    nbformat.write(used_chapter(), tmp_path / "02-used.ipynb")
    before = sorted(tmp_path.iterdir())
    chapter = build.executed(tmp_path / "02-used.ipynb", tmp_path / "run" / "02-used")
    own, answer, check, last = chapter.cells
    assert [o.text for o in own.outputs] == ["False\n"]
    assert [o.data["text/plain"] for o in last.outputs] == ["3"]
    for cell in (answer, check):
        assert (cell.outputs, cell.execution_count) == ([], None)
    assert "widgets" not in chapter.metadata
    assert sorted(tmp_path.iterdir()) == [*before, tmp_path / "run"]


def test_executed_chapter_is_kept_for_the_tests_with_its_checks(
    build, tmp_path, monkeypatch
):
    kept = tmp_path / "executed"
    monkeypatch.setenv("EDUTORCH_EXECUTED", str(kept))
    used = used_chapter()
    used.cells[2].metadata["tags"] = ["raises-exception"]
    nbformat.write(used, tmp_path / "02-used.ipynb")
    chapter = build.executed(tmp_path / "02-used.ipynb", tmp_path / "run" / "02-used")
    assert chapter.cells[2].outputs == []
    _, answer, check, last = nbformat.read(kept / "02-used.ipynb", as_version=4).cells
    for cell in (answer, check):
        assert [output.ename for output in cell.outputs] == ["ValueError"]
    assert last.execution_count == 4


@pytest.mark.parametrize(
    "words",
    [
        "mpi4py is not installed here: two processes cannot meet",
        "the two processes did not end within ten minutes",
        "MPI did not start here: no slots",
    ],
)
def test_chapter_that_shows_why_it_has_no_result_fails_the_build(build, words):
    text = new_output("stream", name="stdout", text=f"rank 0\n{words}\n")
    cell = new_code_cell("run_in_two(SCRIPT)", outputs=[text], id="launched")
    with pytest.raises(RuntimeError, match=f"18.ipynb, cell launched: {words}"):
        build.refuse_excuses(new_notebook(cells=[cell]), "18.ipynb")


def test_words_of_a_chapter_for_what_is_missing_are_known_to_the_build(build):
    (path,) = (ROOT / "notebooks").glob("18-*.ipynb")
    returned = path.read_text(encoding="utf-8").split("return ")
    assert sum(bool(build.EXCUSES.search(text)) for text in returned) == 3


def test_chapter_that_shows_its_result_is_accepted(build):
    text = new_output("stream", name="stdout", text="rank 0 of 2: [3.0, 6.0, 9.0]\n")
    cell = new_code_cell("run_in_two(SCRIPT)", outputs=[text])
    build.refuse_excuses(new_notebook(cells=[cell]), "18.ipynb")


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


def test_join_streams_keeps_what_was_printed_beside_its_picture(build):
    def printed(text, name="stdout"):
        return new_output("stream", name=name, text=text)

    picture = new_output("display_data", data={"image/png": ""})
    outputs = [printed("1\n"), printed("2\n"), picture, printed("3\n")]
    outputs += [printed("4\n", "stderr"), printed("5\n", "stderr")]
    chapter = new_notebook(cells=[new_code_cell(outputs=outputs)])
    build.join_streams(chapter)
    texts = [output.get("text", "picture") for output in chapter.cells[0].outputs]
    assert texts == ["1\n2\n", "picture", "3\n", "4\n5\n"]


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
