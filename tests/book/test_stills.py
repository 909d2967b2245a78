"""Stills of views in the book: light in a light page, dark in a dark one."""

from __future__ import annotations

import base64
import re

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from edutorch.widgets.svg import Picture
from tests.house.source_tree import script

STILL = '<svg class="edutorch-still"><rect fill="#ffffff" stroke="#0072b2"/></svg>'


@pytest.fixture(scope="module")
def stills():
    return script("book/stills.py")


def colours(svg):
    """Red, green and blue of each shape, as numbers from 0 to 255."""
    return [
        list(bytes.fromhex(c)) for c in re.findall(r'(?:fill|stroke)="#(\w+)"', svg)
    ]


def test_still_becomes_a_light_and_a_dark_picture(stills):
    data = {"image/svg+xml": STILL, "image/png": "", "text/plain": 'A "graph"\n  more'}
    cell = new_code_cell(outputs=[new_output("display_data", data)])
    assert stills.follow_theme(new_notebook(cells=[cell])) == 1
    assert list(cell.outputs[0].data) == ["text/html"]
    page = cell.outputs[0].data["text/html"]
    assert page.count('alt="A &quot;graph&quot;"') == 2
    found = re.findall(r'class="(.+?)".+?base64,(.+?)"', page)
    pictures = {kind: base64.b64decode(text).decode() for kind, text in found}
    assert pictures["only-light"] == STILL
    assert pictures["only-dark"] == stills.darkened(STILL) != STILL


def test_other_pictures_stay_as_they_are(stills):
    before = {"image/svg+xml": '<svg><rect fill="#ffffff"/></svg>'}
    outputs = [
        new_output("display_data", dict(before)),
        new_output("stream", text="edutorch-still"),
    ]
    cell = new_code_cell(outputs=outputs)
    assert stills.follow_theme(new_notebook(cells=[cell])) == 0
    assert cell.outputs[0].data == before


def test_darkened_exchanges_light_and_dark_and_keeps_hues(stills):
    picture = Picture(9, 9)  # its ground is white
    for colour in ("#000000", "#0072b2", "#fdeef2"):
        picture.rect(0, 0, 9, 9, fill=colour)
    white, black, blue, pink = colours(stills.darkened(picture.svg()))
    assert max(white) < 30
    assert min(black) > 230
    assert blue[0] < blue[1] < blue[2]
    assert sum(blue) > sum(bytes.fromhex("0072b2"))
    assert max(pink) < 80
    assert pink[0] > 2 * pink[1]


def test_darkened_leaves_images_and_the_numbers_on_them(stills):
    picture = Picture(100, 50)
    picture.image(10, 10, 40, 20, np.zeros((1, 2, 3), np.uint8))
    for x, y in ((30, 20), (30, 40)):
        picture.text(x, y, '1 fill="#ffffff"', fill="#14181f", anchor="middle")
    before, after = picture.svg(), stills.darkened(picture.svg())
    assert re.findall("<image.*?>", after) == re.findall("<image.*?>", before)
    assert (
        re.findall("<text.*?</text>", after)[0]
        == (re.findall("<text.*?</text>", before)[0])
    )
    *_, number, caption = colours(after)
    assert number == list(bytes.fromhex("14181f"))
    assert min(caption) > 200
