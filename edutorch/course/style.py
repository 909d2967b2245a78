"""Plots in the course's style: five functions, with text alternatives.

Each helper returns a `Figure`, which a notebook shows when it ends a cell. Its words
(`alt`) say what there is to see, not how it was drawn. For figures of one's own:
`with style():` and `shown(figure, alt=...)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .figure import COLOURS, MARKS, WIDTH, Figure, canvas_of, shown, style

__all__ = [
    "Figure",
    "show_bars",
    "show_curve",
    "show_images",
    "show_surface",
    "show_text",
    "shown",
    "style",
]

Array = npt.NDArray[Any]
LETTERS = 60  # letters of a legend that fit side by side


def show_images(
    images: Any,
    titles: Sequence[Any] | None = None,
    *,
    alt: str,
    columns: int = 10,
    signed: bool = False,
) -> Figure:
    """Show images side by side, each with its own title.

    Args:
        images: (n, h, w) or (n, 1, h, w), (n, h, w, 3) in colour, or a list of (h, w).
        titles: one for each image.
        alt: what there is to see.
        columns: the number of images per row.
        signed: blue for negative, white for 0, red for positive numbers; otherwise from
            white for the least to black.

    Raises:
        ValueError: for other shapes, or titles that are not one for each image.

    Example:
        >>> import edutorch as torch
        >>> show_images(torch.eye(3)[None], ["eye"], alt="A black diagonal.")
        [picture: A black diagonal.]
    """
    pictures = [_image(image) for image in images]
    if not pictures or (titles is not None and len(titles) != len(pictures)):
        raise ValueError(f"{len(pictures)} images, {len(titles or ())} titles")
    columns = min(columns, len(pictures))
    rows = -(-len(pictures) // columns)
    size = min(WIDTH / columns, 2.4)
    with style():
        canvas = canvas_of(columns * size, rows * (size + 0.25 * (titles is not None)))
        grid = canvas.subplots(rows, columns, squeeze=False)
        for place in grid.flat:
            place.axis("off")
        limit = max(float(np.abs(p).max(initial=0.0)) for p in pictures) or 1.0
        colours: dict[str, Any] = {"cmap": "gray_r"}
        if signed:
            colours = {"cmap": "RdBu_r", "vmin": -limit, "vmax": limit}
        for i, (place, picture) in enumerate(zip(grid.flat, pictures, strict=False)):
            place.imshow(picture, **({} if picture.ndim == 3 else colours))
            if titles is not None:
                place.set_title(str(titles[i]), fontsize=9, pad=2)
        return shown(canvas, alt=alt)


def show_curve(
    curves: Any,
    *,
    alt: str,
    x: str = "step",
    y: str = "loss",
    log: bool | Literal["both"] = False,
    marks: Mapping[str, float] | None = None,
    xs: Any = None,
) -> Figure:
    """Show numbers by step, one line per name.

    Args:
        curves: numbers by name, or numbers alone; a pair (xs, ys) has its own places.
        alt: what there is to see.
        x, y: what the axes are, with units if there are any.
        log: a logarithmic vertical axis; "both" for both axes.
        marks: vertical lines: a place on the horizontal axis by name.
        xs: the horizontal positions, for all curves; None for 0, 1, 2, ...

    Example:
        >>> show_curve({"train": [3.0, 2.0, 1.5]}, alt="The loss falls.")
        [picture: The loss falls.]
    """
    named = curves if isinstance(curves, Mapping) else {"": curves}
    with style():
        canvas = canvas_of(WIDTH, 0.58 * WIDTH)
        axes = canvas.subplots()
        for name, values in named.items():
            axes.plot(*_places(values, xs), label=str(name))
        for name, place in (marks or {}).items():
            axes.axvline(place, color="#767676", linestyle=":", linewidth=1.2)
            top = (0, 2)
            axes.annotate(
                name, (place, 1), xycoords=("data", "axes fraction"), xytext=top,
                textcoords="offset points", ha="center", fontsize=9,
            )  # fmt: skip
        _scales(axes, log)
        axes.set(xlabel=x, ylabel=y)
        if isinstance(xs, range) and log != "both":
            axes.locator_params(axis="x", integer=True)  # there is no layer 2.5
        if any(map(str, named)):
            # Above the axes: inside, it would lie over some of the curves.
            longest = max(len(str(name)) for name in named)
            columns = max(1, LETTERS // (longest + 5))
            canvas.legend(loc="outside upper left", ncols=columns)
        return shown(canvas, alt=alt)


def show_bars(
    bars: Mapping[Any, Any],
    *,
    alt: str,
    x: str = "",
    y: str = "probability",
    bins: int = 30,
) -> Figure:
    """Show numbers as bars, or several numbers per name as histograms.

    Args:
        bars: a number by name, or many numbers by name.
        alt: what there is to see.
        x, y: what the axes are.
        bins: of histograms, which share them.

    Example:
        >>> show_bars({"setosa": 0.7, "virginica": 0.3}, alt="Rather setosa.")
        [picture: Rather setosa.]
    """
    values = {str(name): _array(value).reshape(-1) for name, value in bars.items()}
    with style():
        if all(value.size == 1 for value in values.values()):
            canvas = canvas_of(WIDTH, 0.5 * WIDTH)
            axes = canvas.subplots()
            axes.bar(
                list(values), [float(v[0]) for v in values.values()], color=COLOURS[0]
            )
            axes.axhline(0, color="black", linewidth=0.8)
            axes.set(xlabel=x, ylabel=y)
            if len("".join(values)) > 50:
                axes.tick_params(axis="x", rotation=60)
            return shown(canvas, alt=alt)
        return _histograms(values, alt, x, bins)


def _histograms(values: dict[str, Array], alt: str, x: str, bins: int) -> Figure:
    """Histograms one below another with one axis; non-finite values are counted."""
    finite = {name: v[np.isfinite(v)] for name, v in values.items()}
    every = np.concatenate([np.zeros(0), *finite.values()])
    edges = np.histogram_bin_edges(every if every.size else np.zeros(1), bins)
    canvas = canvas_of(WIDTH, max(0.6 * len(values), 1.2) + 0.4)
    grid = canvas.subplots(len(values), 1, sharex=True, squeeze=False)[:, 0]
    for place, (name, numbers) in zip(grid, finite.items(), strict=True):
        place.hist(numbers, edges, color=COLOURS[0])
        lost = values[name].size - numbers.size
        note = f"{name} ({lost} not finite)" if lost else name
        place.set_ylabel(note, rotation=0, ha="right", va="center")
        place.set_yticks([])
    grid[-1].set_xlabel(x)
    return shown(canvas, alt=alt)


def show_surface(
    values: Any,
    *,
    alt: str,
    x: str = "",
    y: str = "",
    extent: tuple[float, float, float, float] | None = None,
    paths: Mapping[str, Any] | None = None,
    points: Any = None,
    labels: Any = None,
    value: str = "",
    limits: tuple[float, float] | None = None,
) -> Figure:
    """Show a function on a grid as a heat map, with paths and points on it.

    Args:
        values: (rows, columns). With `extent` row 0 is at the bottom, as on a map;
            without, a matrix as it is printed, with its numbers if they are few.
        alt: what there is to see.
        x, y: what the axes are.
        extent: the left, right, bottom and top edges of the map.
        paths: (n, 2) places by name, drawn as lines from a ring to a dot.
        points: (n, 2) places, or these by name.
        labels: for points, the class of each; for a matrix, the names of its rows and
            columns.
        value: what the colours mean.
        limits: the numbers of the darkest and of the brightest colour; None for the
            least and the largest value.

    Example:
        >>> show_surface([[8, 1], [0, 9]], alt="Mostly right.", labels=("cat", "dog"))
        [picture: Mostly right.]
    """
    grid = _array(values)
    low, high = limits or (None, None)
    with style():
        canvas = canvas_of(WIDTH, 0.8 * WIDTH)
        axes = canvas.subplots()
        aspect = "auto" if extent else "equal"
        origin = "lower" if extent else "upper"
        shade = axes.imshow(
            grid, cmap="viridis", origin=origin, extent=extent, aspect=aspect,
            vmin=low, vmax=high, interpolation="bilinear" if extent else "nearest",
        )  # fmt: skip
        axes.set(xlabel=x, ylabel=y)
        if extent is None:
            _label_cells(axes, grid, labels)
        else:
            _draw_levels(axes, grid, limits, extent)
        if extent is not None or grid.size > 400:
            canvas.colorbar(shade, ax=axes, label=value)
        _draw_paths(axes, paths or {})
        _draw_points(axes, points, labels)
        if extent is not None:
            axes.set(xlim=extent[:2], ylim=extent[2:])
        return shown(canvas, alt=alt)


def show_text(tokens: Sequence[str], values: Any, *, alt: str) -> Figure:
    """Show pieces of text on colours: blue negative, white 0, red positive.

    Args:
        tokens: the pieces, such as characters.
        values: a number for each.
        alt: what there is to see.

    Raises:
        ValueError: if there are not as many numbers as pieces.

    Example:
        >>> show_text("abc", [0.1, -0.5, 1.0], alt="c counts most.")
        [picture: c counts most.]
    """
    numbers = _array(values).reshape(-1)
    if len(tokens) != numbers.size:
        raise ValueError(f"{len(tokens)} pieces of text, {numbers.size} numbers")
    limit = float(np.abs(numbers).max(initial=0.0)) or 1.0
    with style():
        import matplotlib as mpl

        shade = mpl.colormaps["RdBu_r"]
        places, rows = _line_up(tokens, 48)
        canvas = canvas_of(WIDTH, 0.24 * rows, "none")
        axes = canvas.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, 48), ylim=(rows, 0))
        axes.axis("off")
        for token, number, (row, column) in zip(tokens, numbers, places, strict=True):
            ground = shade(0.5 + 0.28 * float(number) / limit)  # for black text
            axes.add_patch(
                mpl.patches.Rectangle(
                    (column, row), max(len(token), 1), 1, color=ground
                )
            )
            axes.text(
                column + 0.08, row + 0.72, token.replace("\n", "↵"),
                family="monospace", fontsize=9.5, parse_math=False,
            )  # fmt: skip
        return shown(canvas, alt=alt, inverts=False)


def _line_up(tokens: Sequence[str], width: int) -> tuple[list[tuple[int, int]], int]:
    """The row and column of each piece, and the number of rows."""
    places, row, column = [], 0, 0
    for token in tokens:
        if column and column + len(token) > width:
            row, column = row + 1, 0
        places.append((row, column))
        column += max(len(token), 1)
        if token.endswith("\n"):
            row, column = row + 1, 0
    return places, row + 1


def _array(values: Any) -> Array:
    """The elements of a tensor, a list or an array."""
    if hasattr(values, "detach"):
        return np.asarray(values.detach().cpu().tolist())
    if isinstance(values, (list, tuple)):
        return np.asarray([_array(v) if hasattr(v, "detach") else v for v in values])
    return np.asarray(values)


def _image(image: Any) -> Array:
    """An (h, w) image, or (h, w, 3)."""
    array = np.asarray(_array(image), dtype=float)
    if array.ndim == 3 and array.shape[0] == 1:
        array = array[0]
    if array.ndim == 3 and array.shape[2] == 3:
        return array / 255 if array.max(initial=0.0) > 1 else array
    if array.ndim != 2:
        raise ValueError(
            f"an image is (h, w), (1, h, w) or (h, w, 3), not {array.shape}"
        )
    return array


def _places(values: Any, xs: Any) -> tuple[Array, Array]:
    """The horizontal and vertical coordinates of a curve."""
    if isinstance(values, tuple) and len(values) == 2 and np.ndim(_array(values[0])):
        return _array(values[0]), _array(values[1])
    ys = _array(values)
    return (np.arange(ys.size) if xs is None else _array(xs)), ys


def _scales(axes: Any, log: bool | str) -> None:
    if log:
        axes.set_yscale("log")
    if log == "both":
        axes.set_xscale("log")


def _draw_levels(axes: Any, grid: Array, limits: Any, extent: Any) -> None:
    """Draw contour lines, at the same levels for every map with the same limits."""
    look = {"colors": "white", "linewidths": 0.5, "extent": extent}
    if limits is None:
        axes.contour(grid, 8, **look)
        return
    low, high = limits
    levels = np.linspace(low, high, 9)
    there = levels[(levels > grid.min()) & (levels < grid.max())]
    if there.size:
        axes.contour(grid, there, **look)


def _label_cells(axes: Any, grid: Array, labels: Any) -> None:
    """Label rows and columns, and write the numbers of a small matrix."""
    rows, columns = grid.shape
    if labels is not None:
        names = [str(name) for name in labels]
        axes.set_xticks(range(columns), names[:columns])
        axes.set_yticks(range(rows), names[:rows])
    if rows * columns > 400:
        return
    middle = (grid.max() + grid.min()) / 2
    for (i, j), number in np.ndenumerate(grid):
        text = f"{number:g}" if grid.dtype.kind in "iub" else f"{number:.2g}"
        colour = "white" if number <= middle else "black"
        axes.text(j, i, text, ha="center", va="center", color=colour, fontsize=8)


def _draw_paths(axes: Any, paths: Mapping[str, Any]) -> None:
    for i, (name, places) in enumerate(paths.items()):
        way = _array(places)
        colour = (COLOURS[4], COLOURS[1], "white", COLOURS[3], COLOURS[5])[i % 5]
        axes.plot(
            way[:, 0], way[:, 1], color=colour, label=name, marker=".", markersize=3
        )
        axes.plot(*way[0], marker="o", color=colour, markerfacecolor="none")
        axes.plot(*way[-1], marker="o", color=colour)
    if paths:
        axes.legend(labelcolor="white")


def _draw_points(axes: Any, points: Any, labels: Any) -> None:
    """Draw points by name or by class, each with its own colour and marker."""
    if points is None:
        return
    if not isinstance(points, Mapping):
        places = _array(points)
        kinds = np.zeros(len(places), int) if labels is None else _array(labels)
        points = {str(kind): places[kinds == kind] for kind in np.unique(kinds)}
    for i, (name, places) in enumerate(points.items()):
        xy = _array(places)
        colour = (COLOURS[1], COLOURS[5], COLOURS[4], "white")[i % 4]
        axes.scatter(
            xy[:, 0], xy[:, 1], 16, color=colour, marker=MARKS[i % 7], label=name,
            edgecolor="black", linewidth=0.5, zorder=3,
        )  # fmt: skip
    if len(points) > 1:
        axes.legend(loc="upper right", labelcolor="black", frameon=True, framealpha=0.8)
