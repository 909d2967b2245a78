"""Makes the still pictures of views dark where the page is dark.

A picture in a page cannot see the theme that its reader chose. So the page holds each
still twice, and the theme shows one of them. Images inside a still, such as heat maps
and their scales, are the same in both: their colours stand for numbers. So is the text
on them.
"""

from __future__ import annotations

import base64
import re
from colorsys import hls_to_rgb, rgb_to_hls
from html import escape

import nbformat

__all__ = ["darkened", "follow_theme"]

STILL = "image/svg+xml"
PLACE = r' x="([-.0-9]+)" y="([-.0-9]+)"'
IMAGE = re.compile(rf'<image{PLACE} width="([.0-9]+)" height="([.0-9]+)"')
SHAPE = re.compile(rf"<text{PLACE}[^>]*>|<[a-z][^>]*>")
PAINT = re.compile(r'\b(fill|stroke)="#([0-9a-f]{6})"')
# The lightness that white and black get: that of the theme's dark ground, and of
# letters that do not dazzle on it.
DARKEST, LIGHTEST = 0.07, 0.95


def follow_theme(chapter: nbformat.NotebookNode) -> int:
    """Replace the stills in the outputs by pairs, light and dark; how many there were.

    Args:
        chapter: executed; the first line of a still's text describes it.
    """
    count = 0
    for cell in chapter.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "edutorch-still" in data.get(STILL, ""):
                words = data.get("text/plain", "").partition("\n")[0]
                output.data = {"text/html": _pair(data[STILL], words)}
                count += 1
    return count


def darkened(svg: str) -> str:
    """The picture with light and dark exchanged; hues stay.

    Args:
        svg: as `edutorch.widgets.svg.Picture` writes it.
    """
    images = [tuple(map(float, place)) for place in IMAGE.findall(svg)]

    def repainted(shape: re.Match[str]) -> str:
        if shape[1] and any(_within(shape, image) for image in images):
            return shape[0]
        return PAINT.sub(lambda paint: f'{paint[1]}="#{_dark(paint[2])}"', shape[0])

    return SHAPE.sub(repainted, svg)


def _within(text: re.Match[str], image: tuple[float, ...]) -> bool:
    x, y = float(text[1]), float(text[2])
    left, top, width, height = image
    return left <= x <= left + width and top <= y <= top + height


def _dark(colour: str) -> str:
    red, green, blue = (byte / 255 for byte in bytes.fromhex(colour))
    hue, lightness, saturation = rgb_to_hls(red, green, blue)
    turned = LIGHTEST - (LIGHTEST - DARKEST) * lightness
    parts = hls_to_rgb(hue, turned, saturation)
    return bytes(round(255 * part) for part in parts).hex()


def _pair(svg: str, words: str) -> str:
    pictures = (("only-light", svg), ("only-dark", darkened(svg)))
    return "".join(_image(kind, picture, words) for kind, picture in pictures)


def _image(kind: str, svg: str, words: str) -> str:
    data = base64.b64encode(svg.encode()).decode("ascii")
    address = f"data:image/svg+xml;base64,{data}"
    return f'<img class="{kind}" alt="{escape(words, quote=True)}" src="{address}">'
