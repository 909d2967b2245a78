"""Pictures as PNG."""

from __future__ import annotations

import builtins
import io
import struct

import numpy as np
import pytest

from edutorch.widgets import png
from edutorch.widgets.draw_graph import draw_graph
from edutorch.widgets.draw_memory import draw_memory
from edutorch.widgets.png_file import encode
from edutorch.widgets.svg import Picture
from tests.widgets.samples import memory
from tests.widgets.shared_fixtures import fixture

image = pytest.importorskip("matplotlib.image")


def pixels(data: bytes) -> np.ndarray:
    return image.imread(io.BytesIO(data))[..., :3]


def test_encode_when_read_back_has_the_same_pixels():
    colours = np.arange(2 * 5 * 3, dtype=np.uint8).reshape(2, 5, 3) * 8
    assert np.array_equal(np.rint(pixels(encode(colours)) * 255), colours)


def test_heatmap_when_given_colours_paints_cells():
    got = pixels(png.heatmap([["#ff0000", "#00ff00"]], cell=4))
    assert got.shape == (4, 8, 3)
    assert got[0, 0].tolist() == [1, 0, 0]
    assert got[3, 7].tolist() == [0, 1, 0]


def test_heatmap_when_empty_is_a_white_dot():
    assert pixels(png.heatmap([], cell=1)).tolist() == [[[1, 1, 1]]]


def test_render_when_matplotlib_is_there_has_twice_the_pixels():
    picture = draw_memory(memory())
    data = png.render(picture)
    width, height = struct.unpack(">II", data[16:24])
    assert width == pytest.approx(2 * picture.width, abs=2)
    assert height == pytest.approx(2 * picture.height, abs=2)
    assert len(np.unique(pixels(data).reshape(-1, 3), axis=0)) > 20


def test_render_when_names_hold_formulas_takes_them_literally():
    case = fixture("hostile")
    for node in case["data"]["nodes"]:
        node["name"] = r"$\frac{1}{$ <b>"
    assert png.render(draw_graph(case["data"], case["expanded"])).startswith(b"\x89PNG")


def test_render_when_matplotlib_is_missing_is_none(monkeypatch):
    plain = builtins.__import__

    def without(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return plain(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    assert png.render(draw_memory(memory())) is None


def test_render_when_the_picture_is_vast_has_fewer_pixels():
    for size in ((40_000, 30), (9000, 9000)):
        picture = Picture(*size)
        h, w, _ = pixels(png.render(picture)).shape
        assert w * h <= 1.01 * png.MOST
        assert max(w, h) <= png.LONGEST


def test_render_when_shapes_are_drawn_puts_each_at_its_place():
    picture = Picture(60, 40)
    picture.rect(5, 5, 10, 10, fill="#ff0000")
    picture.rect(20, 5, 10, 10, fill="none", stroke="#00ff00", width=2, radius=5)
    picture.polygon([(35, 5), (45, 5), (45, 15)], fill="#0000ff")
    picture.line([(5, 30), (15, 30)], stroke="#ff00ff", width=2)
    two = np.array([[[0, 255, 255], [255, 255, 0]]], np.uint8)
    picture.image(20, 25, 10, 10, two)
    got = np.rint(pixels(png.render(picture)) * 255).astype(int)

    def at(x, y):
        return got[round(y * png.SCALE), round(x * png.SCALE)].tolist()

    white = [255, 255, 255]
    assert at(10, 10) == [255, 0, 0]
    assert [at(25, 5), at(25, 10), at(20, 5)] == [[0, 255, 0], white, white]
    assert [at(43, 7), at(37, 13)] == [[0, 0, 255], white]
    assert at(10, 30) == [255, 0, 255]
    assert [at(22, 30), at(28, 30)] == [[0, 255, 255], [255, 255, 0]]
    assert at(2, 38) == white


@pytest.mark.parametrize("anchor", ["start", "middle", "end"])
def test_render_when_text_is_anchored_ends_or_begins_there(anchor):
    picture = Picture(60, 20)
    picture.text(30, 14, "mmm", anchor=anchor, size=9)
    dark = np.flatnonzero(pixels(png.render(picture)).min((0, 2)) < 0.5) / png.SCALE
    place = {"start": dark[0], "middle": (dark[0] + dark[-1]) / 2, "end": dark[-1]}
    assert place[anchor] == pytest.approx(30, abs=1.5)
    assert dark[-1] - dark[0] > 15


def test_render_when_an_image_has_rows_keeps_the_first_on_top():
    picture = Picture(20, 20)
    picture.image(0, 0, 20, 20, np.array([[[255, 0, 0]], [[0, 0, 255]]], np.uint8))
    got = pixels(png.render(picture))
    assert got[2, 20].tolist() == [1, 0, 0]
    assert got[-3, 20].tolist() == [0, 0, 1]


def test_render_when_an_image_is_transparent_shows_what_is_below():
    picture = Picture(20, 20)
    below = np.array([[[255, 0, 0, 255], [0, 0, 255, 0]]], np.uint8)
    picture.image(0, 0, 20, 20, below)
    got = pixels(png.render(picture))
    assert got[20, 2].tolist() == [1, 0, 0]
    assert got[20, -3].tolist() == [1, 1, 1]


def test_render_when_text_is_not_simple_is_laid_out_by_matplotlib(monkeypatch):
    asked = []
    monkeypatch.setattr(png.Lettering, "line", lambda self, text: asked.append(text))
    picture = Picture(200, 40)
    picture.text(5, 14, "e\u0301te\u0301")
    picture.text(5, 34, "ete")
    got = pixels(png.render(picture))
    assert asked == ["ete"]  # of which a letter was missing
    assert got[:40].min() < 0.5 and got[40:].min() < 0.5


def test_render_when_text_has_a_colour_takes_it():
    picture = Picture(60, 30)
    picture.text(5, 24, "M", fill="#ff0000", size=24)
    got = np.rint(pixels(png.render(picture)) * 255).astype(int)
    assert [255, 0, 0] in got.reshape(-1, 3).tolist()
    assert (got[..., 0] == 255).all()
