"""The still picture of a tensor."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.inspect import summarize
from edutorch.widgets.draw_tensor import draw_tensor
from edutorch.widgets.png import render
from tests.widgets.samples import texts


def picture_of(tensor, name="w", **more):
    card = summarize(tensor, name, **more)
    return draw_tensor(card | {"made": None, "users": []})


def test_small_tensor_shows_each_number():
    words = texts(picture_of(torch.tensor([[1.5, -2.0], [0.25, 4.0]])))
    assert {"1.5", "-2", "0.25", "4"} <= set(words)
    assert words[0] == "w: 2×2 float32 on cpu, 16 B"


def test_slice_of_a_larger_tensor_is_named():
    words = texts(picture_of(torch.zeros(2, 3, 200, 100)))
    assert "value [0, 0, :, :], every 4th row, 2nd column" in words


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ((3000, 2), "value, every 2nd row, all columns"),
        ((2, 3000), "value, all rows, every 2nd column"),
    ],
)
def test_side_that_is_shown_whole_is_said_to_be(shape, words):
    assert words in texts(picture_of(torch.zeros(shape)))


def test_all_slices_stand_beside_the_first():
    assert "all slices" in texts(picture_of(torch.rand(16, 3, 3)))
    assert "all slices" not in texts(picture_of(torch.rand(1, 3, 3)))


def test_nan_is_counted_in_words():
    words = texts(picture_of(torch.tensor([1.0, float("nan"), float("inf")])))
    assert "✕ 1 nan, 1 infinite, left out above" in words


def test_views_stand_below_one_another():
    x = torch.arange(6.0)
    words = texts(picture_of(x, others={"head": x[:2]}))
    assert words[-3:] == ["one storage of 24 B, viewed by", "w", "head"]


@pytest.mark.parametrize(
    "tensor",
    [
        torch.tensor(3.0),
        torch.zeros(0),
        torch.zeros(2, 0, 3),
        torch.empty(2, device="meta"),
        torch.rand(3, 16, 16),
        torch.from_numpy(np.full((2, 2), np.nan)),
        torch.eye(2).to_sparse(),
    ],
    ids=["scalar", "empty", "empty slice", "meta", "image", "nan", "sparse"],
)
def test_any_tensor_is_drawn_as_svg_and_png(tensor):
    pytest.importorskip("matplotlib")
    picture = picture_of(tensor, "<b>")
    assert "&lt;b&gt;" in picture.svg()
    assert render(picture).startswith(b"\x89PNG")
