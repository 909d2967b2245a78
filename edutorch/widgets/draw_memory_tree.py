"""The still picture and the text of MemoryTree."""

from __future__ import annotations

from typing import Any

from .box_style import MUTED, TEXT
from .draw_memory import COLOURS
from .format import clip, percent, size_text
from .memory_groups import Group, group_rows
from .svg import Picture, fit_text, printable, text_width
from .treemap import Box, Tile, is_open, shown_children, tiles_of

__all__ = ["draw_memory_tree", "memory_tree_text", "memory_tree_title"]

LEFT, TOP, PLOT, HIGH, RIGHT = 16.0, 56.0, 560.0, 340.0, 190.0
LOW = 10  # pixels from which a tile has room for a line of small letters
PEAK = 1  # the place of the peak among the moments
DEEP, WIDE = 3, 8  # levels and entries of a level that the text always has
LARGEST = 8  # tensors in the text
LEGIBLE = 1 / 500  # of all bytes; the smallest tile with a name is no smaller


def memory_tree_title(data: dict[str, Any]) -> str:
    """The bytes of the shown device, current and at the peak.

    Example:
        >>> memory_tree_title({"devices": [{"name": "cpu", "kind": "tensors on the CPU",
        ...     "reserved": None}], "shown": 0, "rows": []})
        'Memory by owner on cpu (tensors on the CPU): nothing recorded yet'
    """
    device = data["devices"][data["shown"]]
    where = f"Memory by owner on {device['name']} ({device['kind']})"
    now, peak = (_total(data, moment) for moment in (0, PEAK))
    if not peak:
        return f"{where}: nothing recorded yet"
    words = f"{where}: {size_text(now)} now, peak {size_text(peak)}"
    if device["reserved"] is not None:
        beyond = max(0, device["reserved"] - now)
        words += f"; reserved beyond that: {size_text(beyond)}"
    return words


def _total(data: dict[str, Any], moment: int) -> int:
    shown = data["shown"]
    return sum(r["bytes"][moment] for r in data["rows"] if r["device"] == shown)


# ---- as text


def memory_tree_text(data: dict[str, Any]) -> str:
    """The peak by module, category and line, the largest tensors, and all moments.

    By module, it has all tiles of the picture that have names.
    """
    lines = [memory_tree_title(data)]
    if data["dropped"]:
        lines.append(describe_dropped(data["dropped"]))
    if _total(data, PEAK):
        for by in ("module", "category", "line"):
            root = group_rows(data, data["shown"], by, PEAK)
            tiles = by == "module"
            lines += [
                f"  at the peak, by {by}:",
                *_branches(root, root.after, 2, tiles),
            ]
        now = group_rows(data, data["shown"], "category", 0)
        lines += ["  now, by category:", *_branches(now, now.after, DEEP + 1)]
        root = group_rows(data, data["shown"], "tensor", PEAK)
        lines.append("  at the peak, the largest tensors:")
        lines += [_entry(g, root.after, 2) for g in root.children[:LARGEST]]
        lines.append("  held in all:")
        for i, moment in enumerate(data["moments"]):
            lines.append(f"    {size_text(_total(data, i)):>9}  {moment['name']}")
    return "\n".join(printable(clip(line, 140)) for line in lines)


def describe_dropped(dropped: int) -> str:
    """A note about records dropped for lack of space.

    Example:
        >>> describe_dropped(12)
        '12 older records were dropped; memory recorded only there is not counted.'
    """
    return (
        f"{dropped} older records were dropped; "
        "memory recorded only there is not counted."
    )


def _branches(group: Group, whole: int, depth: int, tiles: bool = False) -> list[str]:
    """The groups inside a group; with its legible tensors if tiles are asked for."""
    children = shown_children(group)
    if not tiles:
        children = [child for child in group.children if child.children]
    lines: list[str] = []
    rest: list[Group] = []
    for i, child in enumerate(children):
        legible = child.after >= LEGIBLE * whole
        if not legible and (i >= WIDE or not child.children):
            rest += [child] if child.children else []
            continue
        lines.append(_entry(child, whole, depth))
        if legible or depth <= DEEP:
            lines += _branches(child, whole, depth + 1, tiles)
    if rest:
        more = Group(f"{len(rest)} more")
        for child in rest:
            more.add(child)
        lines.append(_entry(more, whole, depth))
    return lines


def _entry(group: Group, whole: int, depth: int) -> str:
    share = percent(group.after / whole) if whole else ""
    return f"{'  ' * depth}{size_text(group.after):>9} {share:>5}  {group.name}"


# ---- as a picture


def draw_memory_tree(data: dict[str, Any], note: str = "") -> Picture:
    """Draw the peak by module as a treemap, coloured by category.

    Args:
        data: a series of `edutorch.inspect.MemoryTreeRecorder`.
        note: added to the caption.
    """
    title = memory_tree_title(data) + (f" ({note})" if note else "")
    root = group_rows(data, data["shown"], "module", PEAK)
    height = TOP + HIGH + 16 if root.size else TOP
    width = LEFT + PLOT + RIGHT
    picture = Picture(width, height, title)
    picture.text(LEFT, 22, fit_text(title, width - 32, 12), size=12, fill=MUTED)
    if root.size:
        what = f"At the peak, by module: {size_text(root.after)}"
        picture.text(LEFT, 44, what, size=13, bold=True)
        for tile in tiles_of(root, Box(LEFT, TOP, PLOT, HIGH)):
            _draw_tile(picture, tile, data["categories"])
        _draw_legend(picture, data)
    return picture


def _draw_tile(picture: Picture, tile: Tile, categories: list[str]) -> None:
    (x, y, w, h), group = tile.box, tile.group
    fill, stroke = "#eef1f5", "#8c96a5"
    if group.category >= 0:
        stroke = COLOURS.get(categories[group.category], MUTED)
        fill = _tint(stroke)
    picture.rect(x, y, w, h, fill=fill, stroke=stroke)
    size = size_text(group.after)
    if is_open(group, tile.box):
        _draw_head(picture, tile.box, group.short, size)
    elif w >= 44 and LOW <= h < 15:
        words = fit_text(f"{group.short} · {size}", w - 8, 9)
        picture.text(x + 4, y + h / 2 + 3, words, size=9, fill=TEXT)
    elif w >= 44 and h >= 15:
        picture.text(
            x + 4, y + 12, fit_text(group.short, w - 8, 10), size=10, fill=TEXT
        )
        if h >= 28:
            picture.text(x + 4, y + 24, size, size=10, fill=TEXT)


def _draw_head(picture: Picture, box: Box, name: str, size: str) -> None:
    """Draw a group's name, with its size on the right if both fit."""
    room = box.w - 10
    beside = text_width(size, 11) + 8
    both = room - beside >= min(text_width(name, 11.5), 40)
    words = fit_text(name, room - beside if both else room, 11.5)
    at = box.x + 5, box.y + 14
    picture.text(*at, words, size=11, fill=TEXT, bold=True)
    if both:
        right = box.x + box.w - 5
        picture.text(right, at[1], size, size=11, fill=TEXT, anchor="end")


def _tint(colour: str) -> str:
    """A lighter shade of a colour, on which dark text is legible.

    Example:
        >>> _tint("#000000")
        '#a6a6a6'
    """
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - p) * 0.35):02x}" for p in parts)


def _draw_legend(picture: Picture, data: dict[str, Any]) -> None:
    """Draw the bytes of each category at the peak and now."""
    x, y = LEFT + PLOT + 18, TOP + 10
    sums = [[0, 0] for _ in data["categories"]]
    for row in data["rows"]:
        if row["device"] == data["shown"]:
            for i in (0, 1):
                sums[row["category"]][i] += row["bytes"][i]
    for name, (now, peak) in zip(data["categories"], sums, strict=True):
        colour = COLOURS.get(name, MUTED)
        picture.rect(x, y - 9, 10, 10, fill=_tint(colour), stroke=colour, radius=2)
        picture.text(x + 16, y, name, size=11, fill=TEXT)
        words = f"{size_text(peak)} at the peak"
        picture.text(x + 16, y + 14, words, size=11, fill=MUTED)
        picture.text(x + 16, y + 28, f"{size_text(now)} now", size=11, fill=MUTED)
        y += 50
