"""Plain-attribute SVG."""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ET

import pytest

from edutorch.widgets.draw_gradients import draw_gradients
from edutorch.widgets.draw_graph import draw_graph
from edutorch.widgets.draw_memory import draw_memory
from edutorch.widgets.svg import Picture, fit_text, printable, text_width
from tests.widgets.samples import gradients, memory
from tests.widgets.shared_fixtures import NAMES, fixture

PICTURES = {
    **{name: lambda name=name: graph(name) for name in NAMES},
    "gradients": lambda: draw_gradients(gradients()),
    "memory": lambda: draw_memory(memory()),
}
ALLOWED = {"svg", "title", "rect", "polyline", "polygon", "path", "text", "image"}
PIXELS = ' href="data:image/png;base64,'  # a heat map's cells; no other address


def graph(name):
    case = fixture(name)
    return draw_graph(case["data"], case["expanded"])


@pytest.mark.parametrize("name", PICTURES)
def test_svg_when_drawn_is_plain_enough_for_every_viewer(name):
    text = PICTURES[name]().svg()
    tags = {e.tag.rpartition("}")[2] for e in ET.fromstring(text).iter()}
    assert tags <= ALLOWED
    marks = re.sub(r">[^<]*<", "><", text).replace(PIXELS, "")
    assert not re.search(r"\b(style|class|id|href|on\w+)=", marks)


@pytest.mark.parametrize("name", PICTURES)
def test_svg_when_drawn_fills_every_shape_explicitly(name):
    root = ET.fromstring(PICTURES[name]().svg())
    for element in root.iter():
        if element.tag.rpartition("}")[2] not in ("svg", "title", "image"):
            assert "fill" in element.attrib


def test_text_when_it_holds_markup_is_escaped():
    picture = Picture(10, 10, "<script>")
    picture.text(0, 0, "<img src=x onerror=alert(1)> & \x00\x1b")
    text = picture.svg()
    assert "<img" not in text
    assert "<script" not in text
    ET.fromstring(text)


def test_fit_text_when_it_fits_is_unchanged():
    assert fit_text("abc", 100, 11) == "abc"


def test_fit_text_when_there_is_no_room_keeps_one_letter():
    assert fit_text("abcdef", 1, 11) == "a…"
    assert text_width(fit_text("a" * 99, 80, 11), 11) <= 80


def test_curve_when_straight_down_is_a_line():
    picture = Picture(10, 10)
    picture.curve([(1, 0), (1, 5), (3, 9)], stroke="#000000")
    assert 'd="M1,0L1,5C1,7 3,7 3,9"' in picture.svg()


def test_curve_when_level_is_a_line_to_the_right():
    picture = Picture(10, 10)
    picture.curve([(0, 1), (5, 1), (9, 3)], stroke="#000000", level=True)
    assert 'd="M0,1L5,1C7,1 7,3 9,3"' in picture.svg()


def test_fit_text_of_a_long_name_takes_no_time():
    began = time.thread_time()
    short = fit_text("m" * 200_000, 300, 11)
    assert time.thread_time() - began < 2
    assert text_width(short, 11) <= 300
    assert short == "m" * 14 + "…" + "m" * 14


def test_printable_leaves_nothing_that_breaks_files_or_terminals():
    bad = "".join(map(chr, [*range(32), *range(127, 160), 0xD800, 0xDFFF, 0xFFFE]))
    assert set(printable(bad)) == {" "}
    assert printable("größe 層 🙂") == "größe 層 🙂"
    picture = Picture(10, 10, "\ud800")
    picture.text(0, 0, "a\ud800b\x1b")
    ET.fromstring(picture.svg().encode())
