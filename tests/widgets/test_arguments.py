"""What views say of arguments that they do not take."""

from __future__ import annotations

import json

import numpy as np
import pytest

import edutorch as torch
from edutorch import nn, widgets
from edutorch.widgets.arguments import check_argument

MODEL = nn.Linear(2, 1)
OF_EVERY_MODEL = [
    "DeviceLanes", "LeakFinder", "MemoryTree", "MemoryView", "NaNTrail", "RunMonitor",
    "Stepper", "Timeline",
]  # fmt: skip


@pytest.mark.parametrize("name", OF_EVERY_MODEL)
def test_view_of_every_model_refuses_one_and_says_that_it_needs_none(name):
    words = rf"{name}\(\): \w+ should be .*, got Linear\n.*{name}\(\) needs none"
    with pytest.raises(TypeError, match=words):
        getattr(widgets, name)(MODEL)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: widgets.GraphView(torch.ones(2)), "model should be Module, got Tens"),
        (lambda: widgets.NaNTrail(torch.ones(2)), "stop should be bool, got Tensor"),
        (lambda: widgets.show(torch.ones(2), torch.ones(2)), "name should be str"),
        (lambda: widgets.Timeline("all"), "steps should be int, got str"),
    ],
)
def test_argument_of_another_type_is_refused_with_the_name_of_the_view(make, words):
    with pytest.raises(TypeError, match=words):
        make()


@pytest.mark.parametrize("device", [None, "cpu", torch.device("cpu")])
def test_device_may_be_a_string_or_a_device(device):
    with widgets.MemoryView(device) as memory, widgets.MemoryTree(device) as tree:
        assert (memory.data["rev"], tree.data["rev"]) == (0, 0)


def test_view_of_a_tensor_does_not_claim_to_watch_models():
    with pytest.raises(TypeError, match="name should be str") as caught:
        widgets.TensorCard(torch.ones(2), MODEL)
    assert "Hint" not in str(caught.value)


def test_numbers_of_numpy_are_accepted():
    with (
        widgets.Timeline(np.int64(20)) as timeline,
        widgets.LeakFinder(np.float32(0.5)) as finder,
        widgets.DeviceLanes(np.bool_(False)) as lanes,
    ):
        json.dumps([view.data for view in (timeline, finder, lanes)])


def test_several_types_are_all_named():
    with pytest.raises(TypeError, match="should be float or int, got str"):
        check_argument("V", "x", "1", float, int)
