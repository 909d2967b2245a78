"""Lines of text from letters that are drawn once."""

from __future__ import annotations

import numpy as np
import pytest

from edutorch.widgets import png_text
from edutorch.widgets.png_text import Lettering, is_simple

manager = pytest.importorskip("matplotlib.font_manager")
agg = pytest.importorskip("matplotlib.backends.backend_agg")

LINES = ("Graph: 12 ops, forward", "∂L/∂x = g · w", "jumping fox (±3) ×2", "fo_o|bar")


def lettering(size=11.0, **look):
    properties = manager.FontProperties(family="DejaVu Sans", size=size, **look)
    return Lettering(properties, dpi=144), properties


def ink(mask):
    """The first and last row and column that are drawn."""
    rows, columns = np.flatnonzero(mask.max(1) > 100), np.flatnonzero(mask.max(0) > 100)
    return [int(rows[0]), int(rows[-1]), int(columns[0]), int(columns[-1])]


@pytest.mark.parametrize("text", LINES)
@pytest.mark.parametrize("size", [8.0, 11.0, 20.0])
def test_line_is_where_matplotlib_draws_it(text, size):
    letters, properties = lettering(size)
    mask, above = letters.line(text)
    renderer = agg.RendererAgg(1200, 100, 144)
    renderer.draw_text(renderer.new_gc(), 0, 60, text, properties, 0)
    drawn = np.asarray(renderer.buffer_rgba())[..., 3]  # (100, 1200)
    top, bottom, left, right = ink(mask)
    assert [top + 60 - above, bottom + 60 - above] == pytest.approx(
        ink(drawn)[:2], abs=1
    )
    assert [left, right] == pytest.approx(ink(drawn)[2:], abs=2 + 0.03 * right)


@pytest.mark.parametrize("size", [8.0, 11.0, 20.0])
def test_letter_is_that_of_matplotlib(size):
    letters, properties = lettering(size)
    for c in "agÅ|(×∂·→":  # j begins before its place
        mask, above = letters.line(c)
        renderer = agg.RendererAgg(100, 100, 144)
        renderer.draw_text(renderer.new_gc(), 5, 60, c, properties, 0)
        drawn = np.asarray(renderer.buffer_rgba())[..., 3]
        drawn = drawn[60 - above :, 5:][: mask.shape[0], : mask.shape[1]]
        assert np.array_equal(mask, drawn), c


def test_letter_is_drawn_once_for_all_lines(monkeypatch):
    monkeypatch.setattr(png_text, "_letters", {})
    drawn, draw = [], Lettering._draw
    monkeypatch.setattr(
        Lettering, "_draw", lambda self, c: drawn.append(c) or draw(self, c)
    )
    for text in ("step 1", "step 2", "steps"):
        lettering()[0].line(text)
    assert sorted(drawn) == sorted(set("step 12"))


def test_letters_of_another_size_are_others():
    small, large = (lettering(size)[0].line("a")[0] for size in (8, 16))
    assert large.shape[1] == pytest.approx(2 * small.shape[1], abs=2)


def test_letters_that_are_kept_have_a_bound(monkeypatch):
    monkeypatch.setattr(png_text, "_letters", {})
    monkeypatch.setattr(png_text, "MOST", 10)
    lettering()[0].line("abcdefghijklmnopqrstuvwxyz")
    assert len(png_text._letters) <= 10


def test_line_with_a_letter_that_the_font_lacks_is_none():
    assert lettering()[0].line("a\U0010fffdb") is None


def test_empty_line_has_no_ink():
    for text in ("", "   "):
        mask, _ = lettering()[0].line(text)
        assert not mask.any()


def test_text_whose_letters_change_one_another_is_not_simple():
    assert not any(map(is_simple, ("e\u0301", "سلام", "नमस्ते", "👩‍👩‍👧", "日本")))
    assert all(map(is_simple, ("", "Größe ≤ 3 → …", "αβγ – ж")))


def test_letters_that_reach_out_of_the_line_are_cut():
    mask, above = lettering(60)[0].line("ÅgjÇ|")
    assert 0 < above < mask.shape[0]
