"""Treemaps: divides a rectangle into nearly square tiles of given areas.

The same as `widgets/src/treemap.ts`.
"""

from __future__ import annotations

from typing import NamedTuple

from .memory_groups import Group

__all__ = ["Box", "Tile", "is_open", "shown_children", "squarify", "tiles_of"]

MOST = 40  # tiles in a group
ROOM = 48  # pixels in both directions that a group needs to show its contents
HEAD, EDGE = 20, 3  # pixels of its title, and of its other sides


class Box(NamedTuple):
    """A rectangle: its top left corner, width and height."""

    x: float
    y: float
    w: float
    h: float


def squarify(sizes: list[float], box: Box) -> list[Box]:
    """Fill a rectangle with one tile for each size, in order.

    Rows are filled along the shorter side for as long as that makes the longest tile
    of the row less long.

    Args:
        sizes: not negative, best in descending order.
        box: the area to fill.

    Example:
        >>> squarify([3.0, 1.0], Box(0, 0, 40, 10))
        [Box(x=0, y=0, w=30.0, h=10.0), Box(x=30.0, y=0, w=10.0, h=10.0)]
    """
    total = sum(sizes)
    if total <= 0 or box.w <= 0 or box.h <= 0:
        return [Box(box.x, box.y, 0.0, 0.0) for _ in sizes]
    tiles: list[Box] = []
    areas = [size * box.w * box.h / total for size in sizes]
    begin = 0
    while begin < len(areas):
        side = min(box.w, box.h)
        end, row = begin + 1, areas[begin]
        while end < len(areas):
            longer = _worst_aspect_ratio(areas[begin : end + 1], row + areas[end], side)
            if longer > _worst_aspect_ratio(areas[begin:end], row, side):
                break
            row += areas[end]
            end += 1
        box = _place_row(areas[begin:end], row, box, tiles)
        begin = end
    return tiles


def _worst_aspect_ratio(areas: list[float], row: float, side: float) -> float:
    """The largest aspect ratio of the tiles in a row."""
    square = (row / side) ** 2 if side > 0 else 0.0
    smallest = min(areas[0], areas[-1])
    if square <= 0 or smallest <= 0:
        return float("inf")
    return max(areas[0] / square, square / smallest)


def _place_row(areas: list[float], row: float, box: Box, tiles: list[Box]) -> Box:
    """Place a row of tiles along the shorter side; return the rest of the rectangle."""
    upright = box.w >= box.h  # the row is a column on the left
    side = box.h if upright else box.w
    depth = row / side if side > 0 else 0.0
    at = box.y if upright else box.x
    for area in areas:
        length = area / depth if depth > 0 else 0.0
        if upright:
            tiles.append(Box(box.x, at, depth, length))
        else:
            tiles.append(Box(at, box.y, length, depth))
        at += length
    if upright:
        return Box(box.x + depth, box.y, max(0.0, box.w - depth), box.h)
    return Box(box.x, box.y + depth, box.w, max(0.0, box.h - depth))


class Tile(NamedTuple):
    """The position of a group; `depth` counts the enclosing tiles."""

    box: Box
    group: Group
    depth: int


def tiles_of(group: Group, box: Box, depth: int = 0) -> list[Tile]:
    """The tiles of the groups inside a group, and of their contents if these fit.

    A tile follows the one it lies in.
    """
    tiles: list[Tile] = []
    shown = shown_children(group)
    places = squarify([float(child.size) for child in shown], box)
    for child, place in zip(shown, places, strict=True):
        tiles.append(Tile(place, child, depth))
        if is_open(child, place):
            x, y, w, h = place
            within = Box(x + EDGE, y + HEAD, w - 2 * EDGE, h - HEAD - EDGE)
            tiles += tiles_of(child, within, depth + 1)
    return tiles


def is_open(group: Group, box: Box) -> bool:
    """Whether a tile shows its contents below its title."""
    return bool(group.children) and box.w >= ROOM and box.h >= ROOM


def shown_children(group: Group) -> list[Group]:
    """The children with an area; beyond `MOST`, the smallest are merged."""
    children = [child for child in group.children if child.size > 0]
    if len(children) <= MOST:
        return children
    rest = Group(f"{len(children) - MOST + 1} more")
    for child in children[MOST - 1 :]:
        rest.add(child)
    return [*children[: MOST - 1], rest]
