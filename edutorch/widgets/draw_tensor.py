"""The still picture of a tensor: its elements, histogram, statistics and memory."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from .box_style import BAD, GRADIENT, MUTED, TEXT
from .format import number, shape_text, short_file, size_text
from .memory_cells import cells_of_view
from .svg import Picture, fit_text
from .value_colours import bound_of, cell_pixels, image_pixels, montage

__all__ = ["STATISTICS", "draw_tensor", "tensor_title"]

WIDTH, LEFT, TOP = 744.0, 16.0, 60.0
PANEL = 344.0  # pixels of one of two columns
MAP = (320.0, 220.0)
LARGEST = 36.0  # pixels of a cell
READABLE = 30.0  # pixels from which a cell shows its number
TILES = 150.0  # pixels of all slices side by side
MOST_CELLS = 128  # of a storage drawn cell by cell
BARS = "#7d93b8"
# of a tensor, by their names in its data
STATISTICS = {
    "min": "min",
    "max": "max",
    "mean": "mean",
    "std": "deviation",
    "norm": "norm",
}


def tensor_title(data: dict[str, Any]) -> str:
    """The title of a card.

    Example:
        >>> tensor_title({"name": "w", "shape": [2, 3], "dtype": "float32",
        ...               "device": "cpu", "layout": "strided", "requires_grad": True,
        ...               "memory": {"bytes": 24}})
        'w: 2×3 float32 on cpu, requires grad, 24 B'
    """
    words = f"{shape_text(data['shape'])} {data['dtype']} on {data['device']}"
    if data["layout"] != "strided":
        words += f", {data['layout']}"
    if data["requires_grad"]:
        words += ", requires grad"
    if data["memory"]:
        words += f", {size_text(data['memory']['bytes'])}"
    return f"{data['name'] or 'Tensor'}: {words}"


def draw_tensor(data: dict[str, Any], note: str = "") -> Picture:
    """Draw a summary made by `edutorch.inspect.tensor_summary`.

    Args:
        data: the summary.
        note: added to the caption.
    """
    title = tensor_title(data) + (f" ({note})" if note else "")
    halves = [(name, data[key]) for name, key in _HALVES if data[key]]
    memory = _drawn_views(data)
    bottom = TOP + (_height(halves) if halves else 0)
    height = bottom + (26 + 24 * len(memory) if memory else 0) + 12
    picture = Picture(WIDTH, height, title)
    picture.text(LEFT, 22, fit_text(title, WIDTH - 32, 12), size=12, fill=TEXT)
    picture.text(LEFT, 40, fit_text(_origin(data), WIDTH - 32, 11), size=11, fill=MUTED)
    for column, (name, values) in enumerate(halves):
        _draw_values(picture, name, values, LEFT + column * (PANEL + 24))
    if memory:
        _draw_memory(picture, data["memory"], memory, bottom)
    return picture


_HALVES = (("value", "value"), ("gradient", "grad"))


def _origin(data: dict[str, Any]) -> str:
    """The op that made the tensor, its line, and the ops that use it."""
    made, users = data.get("made"), data.get("users", [])
    words = []
    if made:
        words.append(f"made by {made['op']} at {_place(made['src'])}")
    elif data["grad_fn"]:
        words.append(f"made by {data['grad_fn']}")
    if users:
        words.append("used by " + ", ".join(user["op"] for user in users))
    return "; ".join(words)


def _place(src: dict[str, Any] | None) -> str:
    return f"{short_file(src['file'])}:{src['line']}" if src else "an unknown line"


def _height(halves: list[tuple[str, dict[str, Any]]]) -> float:
    return max(_map_size(values)[1] for _, values in halves) + 190


def _map_size(values: dict[str, Any]) -> tuple[float, float]:
    """The size of the heat map in pixels."""
    rows, columns = (max(1, n) for n in values["grid"]["shown"])
    side = min(MAP[0] / columns, MAP[1] / rows, LARGEST)
    wide = min(columns * max(side, 4.0), MAP[0])
    return wide, min(rows * max(side, 4.0), MAP[1])


def _draw_values(picture: Picture, name: str, values: dict[str, Any], x: float) -> None:
    head = name + (f" ({values['note']})" if values["note"] else "")
    colour = GRADIENT if name == "gradient" else TEXT
    picture.text(
        x, TOP + 2, f"{head}{_slice_text(values['grid'])}", fill=colour, bold=True
    )
    w, h = _map_size(values)
    _draw_cells(picture, values, x, TOP + 12, w, h)
    y = TOP + 12 + h + 14
    _draw_histogram(picture, values["histogram"], x, y)
    _draw_statistics(picture, values["stats"], x, y + 86)


def _slice_text(grid: dict[str, Any]) -> str:
    """A description of the slice of a larger tensor that is shown."""
    words = ""
    if grid["lead"]:
        place = (
            np.unravel_index(grid["first"], grid["lead"]) if all(grid["lead"]) else ()
        )
        words += f" [{', '.join(map(str, map(int, place)))}, :, :]"
    if max(grid["steps"]) > 1:
        words += f", {_sample_words(*grid['steps'])}"
    return words


def _sample_words(rows: int, columns: int) -> str:
    """A description of the rows and columns that are shown of more.

    Example:
        >>> _sample_words(4, 2), _sample_words(1, 29)
        ('every 4th row, 2nd column', 'all rows, every 29th column')
    """
    if rows == 1:
        return f"all rows, every {_ordinal(columns)} column"
    words = "all columns" if columns == 1 else f"{_ordinal(columns)} column"
    return f"every {_ordinal(rows)} row, {words}"


def _ordinal(n: int) -> str:
    """Format an ordinal number: 1st, 2nd, 3rd, 4th, 11th, 21st.

    Example:
        >>> [_ordinal(n) for n in (1, 2, 3, 4, 11, 22)]
        ['1st', '2nd', '3rd', '4th', '11th', '22nd']
    """
    ending = (
        "th" if n // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    )
    return f"{n}{ending}"


def _draw_cells(
    picture: Picture, values: dict[str, Any], x: float, y: float, w: float, h: float
) -> None:
    grid = values["grid"]
    rows, columns = grid["shown"]
    if rows * columns == 0:
        picture.text(x, y + 14, "no elements", fill=MUTED)
        return
    images = image_pixels(grid, values["image"]) if values["image"] else []
    slices = images or cell_pixels(grid)
    _draw_pixels(picture, slices[0], (x, y, w, h))
    if len(slices) > 1 and w <= PANEL - TILES - 24:
        _draw_tiles(picture, montage(slices), x + PANEL - TILES, y, h)
    if not images and w / columns >= READABLE:
        _draw_numbers(picture, grid, x, y, w / columns, h / rows)


def _draw_tiles(
    picture: Picture, sheet: np.ndarray, x: float, y: float, h: float
) -> None:
    """Draw all slices as small tiles."""
    rows, columns, _ = sheet.shape
    scale = min(TILES / columns, h / rows)
    picture.text(x, y - 10, "all slices", size=10.5, fill=MUTED)
    _draw_pixels(picture, sheet, (x, y, columns * scale, rows * scale))


def _draw_pixels(
    picture: Picture, pixels: np.ndarray, place: tuple[float, float, float, float]
) -> None:
    """Draw pixels enlarged, so that a reader of SVG that smooths leaves them sharp."""
    zoom = max(1, int(place[2] // pixels.shape[1]))
    picture.image(*place, pixels.repeat(zoom, 0).repeat(zoom, 1))
    picture.rect(*place, fill="none", stroke="#c3cad5")


def _draw_numbers(
    picture: Picture, grid: dict[str, Any], x: float, y: float, w: float, h: float
) -> None:
    rows, columns = grid["shown"]
    bound = bound_of(grid["values"])
    for k, value in enumerate(grid["values"][: rows * columns]):
        dark = isinstance(value, str) or (bound and abs(value) > 0.55 * bound)
        words = value if isinstance(value, str) else _brief(value)
        centre = x + (k % columns + 0.5) * w, y + (k // columns + 0.5) * h + 3.5
        ink = "#ffffff" if dark else TEXT
        picture.text(*centre, words, size=9.5, fill=ink, anchor="middle")


def _brief(value: float) -> str:
    """A number in at most five characters; a small one is not rounded to zero.

    Example:
        >>> [_brief(x) for x in (0.165, -0.1034, -0.00429, 1234567.0)]
        ['0.165', '-0.10', '-4e-3', '1e+6']
    """
    text = number(value)
    if len(text) <= 5:
        return text
    if 0.0095 <= abs(value) < 100:
        return f"{value:.2f}"
    return re.sub("(e[+-])0", r"\1", f"{value:.0e}")


def _draw_histogram(
    picture: Picture, found: dict[str, Any] | None, x: float, y: float
) -> None:
    if found is None:
        return
    counts, w = found["counts"], MAP[0] / len(found["counts"])
    top = max(counts)
    for k, count in enumerate(counts):
        h = 56 * count / top
        picture.rect(x + k * w, y + 56 - h, max(w - 1, 1), h, fill=BARS)
    picture.line([(x, y + 56), (x + MAP[0], y + 56)], stroke=MUTED)
    picture.text(x, y + 69, number(found["low"]), size=10, fill=MUTED)
    end = x + MAP[0]
    picture.text(end, y + 69, number(found["high"]), size=10, fill=MUTED, anchor="end")


def _draw_statistics(
    picture: Picture, stats: dict[str, Any], x: float, y: float
) -> None:
    for k, (name, word) in enumerate(STATISTICS.items()):
        picture.text(x + 66 * k, y + 10, word, size=10, fill=MUTED)
        picture.text(x + 66 * k, y + 26, number(stats[name]), size=12, bold=True)
    words = f"{stats['numel']} elements, {stats['zeros']} zero"
    if stats["n"] < stats["numel"]:
        words += f" (of a sample of {stats['n']})"
    picture.text(x, y + 46, words, size=10.5, fill=MUTED)
    if stats["nan"] or stats["inf"]:
        bad = f"✕ {stats['nan']} nan, {stats['inf']} infinite, left out above"
        picture.text(x, y + 62, bad, size=11, fill=BAD, bold=True)


def _drawn_views(data: dict[str, Any]) -> list[dict[str, Any]]:
    memory = data["memory"]
    return memory["views"] if memory and memory["bytes"] else []


def _draw_memory(
    picture: Picture, memory: dict[str, Any], views: list[dict[str, Any]], y: float
) -> None:
    """Draw one buffer, and the bytes of it that each tensor covers."""
    words = f"one storage of {size_text(memory['bytes'])}, viewed by"
    picture.text(LEFT, y + 12, words, size=11, fill=MUTED)
    left, wide = LEFT + 150, WIDTH - 2 * LEFT - 150
    for k, view in enumerate(views):
        top = y + 22 + 24 * k
        name = fit_text(view["name"], 140, 11)
        picture.text(LEFT, top + 12, name, size=11, fill=TEXT)
        _draw_view(picture, memory, view, (left, top, wide))


def _draw_view(
    picture: Picture,
    memory: dict[str, Any],
    view: dict[str, Any],
    place: tuple[float, float, float],
) -> None:
    left, top, wide = place
    total = memory["bytes"] // view["itemsize"]
    lit = cells_of_view(view, total, MOST_CELLS)
    cells = min(total, MOST_CELLS)
    w = min(wide / max(cells, 1), 16.0)
    for k in range(cells):
        fill = "#0072b2" if lit[k] else "#eceff4"
        picture.rect(left + k * w, top, w - (1 if w > 4 else 0), 16, fill=fill)
