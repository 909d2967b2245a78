"""Figures of one's own, in the course's style."""

from __future__ import annotations

import sys

import pytest

from edutorch.course.figure import canvas_of, shown, style

pytest.importorskip("matplotlib", reason="pictures are drawn by it")


def drawn():
    with style():
        canvas = canvas_of(2, 1)
        canvas.subplots().plot([1, 3, 2])
        return shown(canvas, alt="Up and down.")


def test_figure_is_written_as_png(tmp_path):
    drawn().save(tmp_path / "line.png")
    assert (tmp_path / "line.png").read_bytes().startswith(b"\x89PNG")


def test_drawing_is_turned_dark_and_an_image_is_not():
    with style():
        canvas = canvas_of(2, 1)
        canvas.subplots().imshow([[0, 1]])
        image = shown(canvas, alt="Dark and light.")
        kept = shown(canvas_of(1, 1), alt="Nothing.", inverts=False)
    assert 'html[data-theme="dark"] img.edutorch-figure' in drawn()._repr_html_()
    for picture in (image, kept):
        assert "edutorch-figure" not in picture._repr_html_()


def test_style_ends_with_its_block():
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    drawn()
    assert dict(mpl.rcParams) == before


def test_missing_matplotlib_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ModuleNotFoundError, match="pip install matplotlib$"):
        drawn()
