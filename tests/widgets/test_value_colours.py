"""Colours of numbers."""

from __future__ import annotations

import json

import numpy as np
import pytest

from edutorch.inspect.tensor_summary import grid_of
from edutorch.widgets.value_colours import (
    NONFINITE,
    cell_pixels,
    image_pixels,
    montage,
    tiling,
    value_colour,
)
from tests.widgets.shared_fixtures import FIXTURES

SHARED = json.loads((FIXTURES / "tensor" / "colours_and_cells.json").read_text())


@pytest.mark.parametrize("case", SHARED["colours"], ids=lambda case: str(case["value"]))
def test_colour_agrees_with_the_browser(case):
    assert list(value_colour(case["value"], 1)) == case["rgb"]


def test_cells_show_sign_size_and_what_is_not_finite():
    pixels = cell_pixels(grid_of(np.array([[-2.0, 0.0, 2.0, np.nan]])))[0].astype(int)
    negative, zero, positive, broken = pixels[0]
    assert negative[2] > negative[0]
    assert positive[0] > positive[2]
    assert zero.min() > 240
    assert tuple(broken) == NONFINITE


def test_image_has_its_own_colours():
    image = np.random.default_rng(0).uniform(size=(2, 3, 9, 9))
    found = image_pixels(grid_of(image), "rgb")
    expected = np.rint(np.moveaxis(image, 1, 3) * 255)
    assert np.abs(np.array(found, int) - expected).max() <= 1


def test_montage_puts_tiles_in_reading_order_with_lines_between():
    tiles = [np.full((2, 2, 3), k, np.uint8) for k in (1, 2, 3)]
    sheet = montage(tiles)
    assert sheet.shape == (5, 5, 4)
    assert sheet[0, :, 0].tolist() == [1, 1, 0, 2, 2]
    assert sheet[4, :, 0].tolist() == [3, 3, 0, 0, 0]
    assert sheet[0, :, 3].tolist() == [255, 255, 0, 255, 255]  # lines are transparent
    assert sheet[4, :, 3].tolist() == [255, 255, 0, 0, 0]


@pytest.mark.parametrize("case", SHARED["tiles"], ids=lambda case: str(case["size"]))
def test_tiling_agrees_with_the_browser(case):
    assert list(tiling(*case["size"])) == case["tiling"]
