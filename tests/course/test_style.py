"""Pictures of the course: data, labels, and contrast on any background."""

from __future__ import annotations

import io

import numpy as np
import pytest

import edutorch as torch
from edutorch.course.style import (
    show_bars,
    show_curve,
    show_images,
    show_surface,
    show_text,
)

matplotlib = pytest.importorskip("matplotlib", reason="pictures are drawn by it")

GRID = torch.arange(6.0).reshape(2, 3)
FIGURES = {
    "images": lambda alt: show_images(GRID.expand(12, 2, 3), range(12), alt=alt),
    "signed": lambda alt: show_images([GRID - 3, -GRID], alt=alt, signed=True),
    "coloured": lambda alt: show_images(torch.rand(2, 4, 4, 3), alt=alt),
    "curve": lambda alt: show_curve([3.0, 2.0], alt=alt, log=True, marks={"here": 1}),
    "pairs": lambda alt: show_curve({"a": ([1, 10], [2, 3])}, alt=alt, log="both"),
    "bars": lambda alt: show_bars({"cat": 0.2, "dog": torch.tensor(0.8)}, alt=alt),
    "histograms": lambda alt: show_bars({1: GRID, 2: GRID * torch.nan}, alt=alt),
    "matrix": lambda alt: show_surface(GRID.int(), alt=alt, labels=("a", "b", "c")),
    "map": lambda alt: show_surface(
        GRID, alt=alt, extent=(0, 1, 0, 1), paths={"way": [[0, 0], [1, 1]]},
        points=torch.rand(4, 2), labels=torch.tensor([0, 1, 0, 1]),
    ),
    "text": lambda alt: show_text("to be $or\nnot", torch.linspace(-1, 1, 13), alt=alt),
}  # fmt: skip


def pixels(figure):
    return matplotlib.image.imread(io.BytesIO(figure.png))


@pytest.mark.parametrize("name", ["images", "coloured", "matrix", "map", "text"])
def test_colours_that_stand_for_numbers_stay_in_a_dark_theme(name):
    assert not FIGURES[name]("words").inverts
    assert FIGURES["curve"]("words").inverts


@pytest.mark.parametrize("name", FIGURES)
def test_figure_is_a_picture_with_alternative_text(name):
    figure = FIGURES[name]('A "sharp" <b> picture.')
    picture = pixels(figure)
    assert picture.shape[1] == pytest.approx(2 * figure.width, abs=1)
    assert picture.std() > 0.01
    assert figure.width <= 500
    page = figure._repr_html_()
    assert 'alt="A &quot;sharp&quot; &lt;b&gt; picture."' in page
    assert repr(figure) == '[picture: A "sharp" <b> picture.]'


@pytest.mark.parametrize("name", FIGURES)
def test_figure_without_words_is_refused(name):
    with pytest.raises(ValueError, match="needs a description"):
        FIGURES[name](" ")


def test_image_is_drawn_dark_where_its_numbers_are_large():
    picture = pixels(show_images([[[0.0, 1.0]]], alt="Left white, right black."))
    middle = picture[picture.shape[0] // 2, :, 0]
    width = len(middle)
    assert middle[width // 4] == pytest.approx(1, abs=0.01)
    assert middle[3 * width // 4] == pytest.approx(0, abs=0.01)


def test_map_has_its_first_row_at_the_bottom_and_a_matrix_at_the_top():
    values = np.array([[0.0, 0.0], [1.0, 1.0]])
    bright = []
    for extent in (None, (0, 1, 0, 1)):
        picture = pixels(show_surface(values, alt="Two rows.", extent=extent))
        rows, columns = picture.shape[:2]
        column = picture[:, int(0.4 * columns), :3].mean(axis=1)
        bright.append(column[int(0.25 * rows)] > column[int(0.7 * rows)])
    assert bright == [False, True]


def test_map_within_limits_shows_how_little_its_numbers_differ():
    contrasts = []
    for limits in (None, (0, 1)):
        figure = show_surface(
            [[0.45, 0.45], [0.55, 0.55]],
            alt="Two rows.",
            extent=(0, 1, 0, 1),
            limits=limits,
        )
        picture = pixels(figure)
        column = picture[:, int(0.4 * picture.shape[1]), :3]
        low, high = column[int(0.7 * len(column))], column[int(0.25 * len(column))]
        contrasts.append(abs(high - low).max())
    assert contrasts[1] < 0.25 * contrasts[0]


def test_curve_over_a_range_has_whole_numbers_on_its_axis(monkeypatch):
    monkeypatch.setattr("edutorch.course.style.shown", lambda canvas, alt: canvas)
    canvas = show_curve([3.0, 2.0, 1.0], xs=range(1, 4), alt="It falls.")
    ticks = canvas.axes[0].get_xticks().tolist()
    assert ticks
    assert ticks == [round(tick) for tick in ticks]


def test_titles_must_be_one_for_each_image():
    with pytest.raises(ValueError, match="2 images, 1 titles"):
        show_images([[[1.0]], [[2.0]]], ["one"], alt="Two.")


def test_text_needs_a_number_for_each_piece():
    with pytest.raises(ValueError, match="2 pieces of text, 1 numbers"):
        show_text("ab", [1.0], alt="Two.")


def test_image_of_another_shape_is_refused():
    with pytest.raises(ValueError, match="an image is"):
        show_images(torch.ones(1, 2, 3, 4), alt="None.")
