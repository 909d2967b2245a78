"""Lines of text as masks of pixels, put together from letters that are drawn once.

Matplotlib lays out and draws each line anew, which takes most of the time of a picture
full of numbers.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

__all__ = ["Lettering", "is_simple"]

MOST: Final = 4000  # letters kept, of all fonts together
HEIGHT: Final = 1.25  # of a line above its baseline, relative to the font size
DEPTH: Final = 0.45  # of a line below its baseline
# letters placed one beside another: Latin, Greek, Cyrillic; punctuation, arrows,
# mathematical signs, box drawing
SIMPLE: Final = ((0x20, 0x2FF), (0x370, 0x482), (0x2010, 0x2027), (0x2030, 0x25FF))
_letters: dict[tuple[str, float, str], _Letter] = {}


class _Letter(NamedTuple):
    """A letter's mask, from its left end and top row to the baseline, and its width."""

    mask: np.ndarray  # (rows, columns), 0 to 255
    left: int
    top: int  # rows from its top to the baseline
    advance: float


def is_simple(text: str) -> bool:
    """Whether letters are enough: no marks above others, no Arabic, no emoji.

    Example:
        >>> is_simple("∂L/∂x = g · w"), is_simple("e\\u0301")
        (True, False)
    """
    return text.isascii() or all(
        any(low <= ord(c) <= high for low, high in SIMPLE) for c in text
    )


class Lettering:
    """Draws lines in one font and size.

    Args:
        properties: Matplotlib's `FontProperties`.
        dpi: pixels of an inch.
    """

    def __init__(self, properties: Any, dpi: float) -> None:
        from matplotlib.backends.backend_agg import RendererAgg
        from matplotlib.font_manager import findfont, get_font

        path = findfont(properties)
        self._font, self._properties = get_font(path), properties
        self._size = properties.get_size_in_points() * dpi / 72  # pixels
        self._key = path, self._size
        self._renderer = partial(RendererAgg, dpi=dpi)

    def line(self, text: str) -> tuple[np.ndarray, int] | None:
        """A line's mask and how many of its rows are above the baseline.

        None where the font lacks a letter.
        """
        letters = [letter for c in text if (letter := self._letter(c)) is not None]
        if len(letters) < len(text):
            return None
        above, below = round(HEIGHT * self._size), round(DEPTH * self._size)
        width = sum(letter.advance for letter in letters) + self._size
        mask = np.zeros((above + below, round(width)), np.uint8)
        at = 0.0
        for letter in letters:
            self._put(mask, letter, round(at) + letter.left, above - letter.top)
            at += letter.advance
        return mask[:, : max(1, round(at))], above

    def _put(self, mask: np.ndarray, letter: _Letter, x: int, y: int) -> None:
        x, y = max(0, x), max(0, y)
        place = mask[y : y + letter.mask.shape[0], x : x + letter.mask.shape[1]]
        drawn = letter.mask[: place.shape[0], : place.shape[1]]
        np.maximum(place, drawn, out=place)

    def _letter(self, c: str) -> _Letter | None:
        key = *self._key, c
        found = _letters.get(key)
        if found is None and self._font.get_char_index(ord(c)):
            if len(_letters) >= MOST:
                _letters.clear()
            found = _letters[key] = self._draw(c)
        return found

    def _draw(self, c: str) -> _Letter:
        side = round(3 * self._size) + 8
        canvas = self._renderer(2 * side, 2 * side)
        canvas.draw_text(canvas.new_gc(), side, side, c, self._properties, 0)
        mask = np.array(canvas.buffer_rgba())[..., 3]  # (2 side, 2 side)
        rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
        advance = self._width(canvas, f"n{c}n") - self._width(canvas, "nn")
        if not len(rows):
            return _Letter(mask[:0, :0], 0, 0, advance)
        mask = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].copy()
        return _Letter(mask, int(columns[0]) - side, side - int(rows[0]), advance)

    def _width(self, canvas: Any, text: str) -> float:
        measure = canvas.get_text_width_height_descent
        return float(measure(text, self._properties, ismath=False)[0])
