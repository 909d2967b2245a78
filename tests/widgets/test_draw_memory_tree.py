"""The picture and the text of who owns the bytes."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.inspect import MemoryTreeRecorder, record
from edutorch.widgets import draw_memory_tree as draw_memory_tree_module
from edutorch.widgets.draw_memory_tree import (
    draw_memory_tree,
    memory_tree_text,
    memory_tree_title,
)
from edutorch.widgets.format import size_text
from edutorch.widgets.memory_groups import Group
from edutorch.widgets.svg import Picture
from edutorch.widgets.treemap import Box, Tile
from tests.inspect.models import TRAININGS
from tests.widgets.samples import texts


@pytest.fixture(scope="module", params=TRAININGS)
def data(request):
    with MemoryTreeRecorder() as memory:
        training = TRAININGS[request.param]()
        for _ in range(3):
            training.step()
        yield memory.series("cpu")


def test_picture_tells_the_totals_of_every_category(data):
    written = texts(draw_memory_tree(data))
    for i, name in enumerate(data["categories"]):
        rows = [r for r in data["rows"] if r["category"] == i]
        at = written.index(name)
        peak, now = (sum(r["bytes"][k] for r in rows) for k in (1, 0))
        assert written[at + 1] == f"{size_text(peak)} at the peak"
        assert written[at + 2] == f"{size_text(now)} now"


def test_picture_has_tiles_within_it(data):
    picture = draw_memory_tree(data, "a note")
    assert "a note" in picture.title
    for kind, shape in picture.shapes:
        if kind == "rect":
            assert shape["x"] + shape["w"] <= picture.width + 1e-6
            assert shape["y"] + shape["h"] <= picture.height + 1e-6


def test_low_tile_has_its_name_and_size_in_one_line():
    picture = Picture(300, 100, "")
    for i, height in enumerate((9, 12, 40)):
        group = Group(f"layer{i}", category=0, after=22_528)
        tile = Tile(Box(0, 50 * i, 250, height), group, 0)
        draw_memory_tree_module._draw_tile(picture, tile, ["parameter"])
    assert texts(picture) == ["layer1 · 22.0 KB", "layer2", "22.0 KB"]


def test_text_lists_modules_lines_tensors_and_moments(data):
    lines = memory_tree_text(data).splitlines()
    assert lines[0] == memory_tree_title(data)
    heads = [line.strip() for line in lines if line.endswith(":")]
    assert heads == [
        "at the peak, by module:", "at the peak, by category:", "at the peak, by line:",
        "now, by category:", "at the peak, the largest tensors:", "held in all:",
    ]  # fmt: skip
    peak = size_text(sum(row["bytes"][1] for row in data["rows"]))
    assert f"{peak:>9}  peak" in lines[-len(data["moments"]) + 1]


def test_text_when_nothing_is_recorded_says_so():
    data = MemoryTreeRecorder("test.nothing").series("cpu")
    assert memory_tree_text(data).endswith("nothing recorded yet")
    assert draw_memory_tree(data).height < 100


def test_text_when_records_were_dropped_says_so():
    with record(size=50) as recording:
        held = [torch.ones(3) * k for k in range(400)]
    assert "older records were dropped" in memory_tree_text(recording.memory_tree())
    assert len(held) == 400
