"""Summaries of tensors, against NumPy on the same values."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import edutorch as torch
from edutorch.inspect import GraphRecorder, summarize
from edutorch.inspect.tensor_summary import (
    CELLS,
    EXACT,
    grid_of,
    histogram,
    image_layout,
    statistics_of,
)

SHAPES = [(), (1,), (7,), (3, 4), (2, 3, 4), (2, 1, 5, 6), (0,), (2, 0, 3), (1, 9000)]


def rng():
    return np.random.default_rng(3)


@pytest.mark.parametrize("shape", SHAPES)
def test_summary_of_any_shape_is_json_and_counts_all_elements(shape):
    tensor = torch.from_numpy(rng().normal(size=shape))
    card = json.loads(json.dumps(summarize(tensor), allow_nan=False))
    assert card["shape"] == list(shape)
    assert card["value"]["stats"]["numel"] == math.prod(shape)
    rows, columns = card["value"]["grid"]["shown"]
    assert rows * columns <= CELLS


def test_statistics_are_those_of_numpy():
    values = rng().normal(3, 2, 5000)
    stats = statistics_of(values)
    expected = (values.min(), values.max(), values.mean(), values.std(ddof=1))
    found = [stats[name] for name in ("min", "max", "mean", "std")]
    assert found == pytest.approx(expected, rel=1e-4)
    assert stats["norm"] == pytest.approx(np.linalg.norm(values), rel=1e-4)


def test_statistics_leave_out_what_is_not_finite_and_count_it():
    stats = statistics_of(np.array([1.0, np.nan, np.inf, -np.inf, 0.0, 3.0]))
    assert (stats["min"], stats["max"], stats["mean"]) == (0.0, 3.0, 1.3333)
    assert (stats["nan"], stats["inf"], stats["zeros"]) == (1, 2, 1)


def test_statistics_that_overflow_are_none():
    stats = statistics_of(np.array([-1e308, 1e308]))
    assert stats["norm"] is None
    assert stats["std"] is None
    assert histogram(np.array([-1e308, 1e308]))["counts"][0] == 1


def test_statistics_of_many_elements_say_how_many_were_looked_at():
    stats = statistics_of(np.broadcast_to(np.float32(2), (EXACT + 1,)))
    assert stats["n"] < stats["numel"] == EXACT + 1
    assert stats["norm"] == pytest.approx(2 * math.sqrt(EXACT + 1), rel=1e-4)


def test_histogram_is_that_of_numpy():
    values = rng().normal(size=2000)
    found = histogram(values)
    expected, _ = np.histogram(values, bins=32)
    assert sum(found["counts"]) == 2000
    assert np.abs(np.array(found["counts"]) - expected).max() <= 1  # edges may round


@pytest.mark.parametrize("at", [0, 3, 40, 199, 500])
def test_grid_gives_the_slice_requested_and_its_neighbours(at):
    array = rng().normal(size=(50, 4, 10, 20))
    grid = grid_of(array, at)
    sent = np.array(grid["values"]).reshape(-1, 10, 20)
    assert grid["first"] <= min(at, 199) < grid["first"] + len(sent)
    planes = array.reshape(-1, 10, 20)[grid["first"] :]
    assert np.allclose(sent, planes[: len(sent)], rtol=1e-4)


def test_channels_of_an_image_are_sent_together():
    grid = grid_of(np.zeros((40, 3, 32, 32)), at=50)
    assert grid["first"] % 3 == 0


def test_grid_of_a_large_slice_takes_rows_and_columns_evenly():
    array = np.arange(1000 * 500.0).reshape(1000, 500)
    grid = grid_of(array)
    by_row, by_column = grid["steps"]
    sent = np.array(grid["values"]).reshape(grid["shown"])
    assert sent.size <= CELLS
    assert np.allclose(sent, array[::by_row, ::by_column], rtol=1e-4)


def test_values_that_json_lacks_are_words():
    assert grid_of(np.array([np.nan, np.inf, -np.inf]))["values"] == [
        "nan",
        "inf",
        "-inf",
    ]


def test_views_of_one_storage_are_listed_and_others_are_not():
    base = torch.ones(3, 4)
    column, other = base[:, 1], torch.arange(12.0)
    memory = summarize(column, "c", others={"base": base, "other": other})["memory"]
    assert memory["bytes"] == 48
    assert [view["name"] for view in memory["views"]] == ["c", "base"]
    assert (memory["views"][0]["strides"], memory["views"][0]["offset"]) == ([4], 1)


def test_base_of_a_view_is_listed_when_no_variable_holds_it():
    memory = summarize(torch.zeros(4)[1:], "tail")["memory"]
    assert [view["name"] for view in memory["views"]] == ["tail", "its base"]


def test_special_tensors_say_what_their_numbers_are():
    assert summarize(torch.eye(3).to_sparse())["value"]["note"] == "the stored values"
    complex_card = summarize(torch.tensor([3 + 4j]))
    assert complex_card["value"]["note"] == "absolute values"
    assert complex_card["value"]["grid"]["values"] == [5.0]
    assert summarize(torch.empty(3, device="meta"))["value"] is None
    with torch.cuda.simulate():
        assert summarize(torch.ones(2, device="cuda"))["value"]["stats"]["max"] == 1


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float16", "bfloat16"])
def test_every_dtype_has_numbers(dtype):
    card = summarize(torch.tensor([0, 1], dtype=getattr(torch, dtype)))
    assert card["value"]["grid"]["values"] == [0, 1]


def test_gradient_stands_beside_the_value():
    x = torch.ones(2, requires_grad=True)
    (3 * x).sum().backward()
    assert summarize(x)["grad"]["grid"]["values"] == [3, 3]


def test_looking_is_no_event_and_keeps_nothing_alive():
    x = torch.ones(2, requires_grad=True)
    with torch.inspect.record() as recording:
        summarize(x)
    assert recording.counts.ops == {}


@pytest.mark.parametrize(
    ("shape", "layout"),
    [((28, 28), "gray"), ((3, 32, 32), "rgb"), ((5, 1, 28, 28), "gray"), ((2, 3), "")],
)
def test_image_is_told_by_its_shape_range_and_neighbours(shape, layout):
    smooth = np.broadcast_to(np.linspace(0, 1, shape[-1]), shape)
    assert image_layout(smooth) == layout
    assert image_layout((255 * smooth).astype(np.uint8)) == layout
    assert image_layout(2 * smooth) == image_layout(smooth - 1) == ""
    assert image_layout(rng().uniform(size=shape)) == ""


def test_handwritten_digits_are_images():
    images = pytest.importorskip("sklearn.datasets").load_digits().images / 16
    assert image_layout(images) == "gray"
    assert all(image_layout(image) == "gray" for image in images[:100])


def test_attention_and_masks_are_no_images():
    here = np.arange(16.0)
    near = np.exp(-np.abs(here[:, None] - here) / 4)
    assert image_layout(near) == "gray"  # smooth, but for its sums
    assert image_layout(near / near.sum(-1, keepdims=True)) == ""
    assert image_layout(near / near.sum(-2, keepdims=True)) == ""
    assert image_layout(near / 24) == ""  # would be almost black
    assert image_layout(np.tri(16) / np.tri(16).sum(-1, keepdims=True)) == ""
    assert image_layout(np.tri(16, dtype=bool)) == ""
    assert image_layout(np.tri(16, dtype=np.int64)) == ""
    assert image_layout(np.full((16, 16), 0.5)) == image_layout(np.eye(16)) == ""
    assert image_layout(np.full((16, 16), np.nan)) == ""


def test_operations_on_a_tensor_are_its_maker_and_its_users():
    with GraphRecorder() as graph:
        y = torch.ones(2, requires_grad=True) * 3
        y.exp(), y.sin()
    made, users = graph.operations_on(y._tensor_id)
    assert made[6] == "mul"
    assert [user[6] for user in users] == ["exp", "sin"]
