"""The pictures of README.md: real views of a real training run.

`make pictures` sets EDUTORCH_PICTURES to the folder they are kept in.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

import edutorch as torch
from edutorch import nn, optim
from edutorch.nn import functional as F
from edutorch.utils.data import DataLoader, TensorDataset
from edutorch.widgets import (
    DeviceLanes,
    ErrorCard,
    GradientView,
    GraphView,
    LeakFinder,
    MemoryTree,
    MemoryView,
    NaNTrail,
    RunMonitor,
    Stepper,
    TensorCard,
    Timeline,
    Tracked,
)
from tests.inspect.parallel_steps import DataParallelStep

pytest.importorskip("matplotlib")


class Digits(nn.Module):
    """A small network for pictures of 8 x 8 pixels."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 16, 3), nn.ReLU(), nn.MaxPool2d(2))
        self.classifier = nn.Linear(144, 10)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    chosen = os.environ.get("EDUTORCH_PICTURES")
    return Path(chosen) if chosen else tmp_path_factory.mktemp("pictures")


def train(model, steps):
    load_digits = pytest.importorskip("sklearn.datasets").load_digits
    pixels, labels = load_digits(return_X_y=True)
    n = 64 * steps
    x = torch.tensor(pixels[:n] / 16, dtype=torch.float32).reshape(-1, 1, 8, 8)
    y = torch.tensor(labels[:n])
    optimizer = optim.Adam(model.parameters(), lr=0.01)
    for i in range(steps):
        images, digits = x[64 * i : 64 * i + 64], y[64 * i : 64 * i + 64]
        optimizer.zero_grad()
        F.cross_entropy(model(images), digits).backward()
        optimizer.step()


def drawn(path):
    header = path.read_bytes()[:24]
    assert header.startswith(b"\x89PNG")
    return struct.unpack(">II", header[16:])


def test_picture_of_graph_view_shows_a_trained_model(folder):
    torch.manual_seed(0)
    model = Digits()
    with GraphView(model) as view:
        train(model, 6)
        width, height = drawn(view.export(folder / "graph-view.png"))
        text = view.text()
    assert "not computed yet" not in text
    assert text.startswith("Graph of 6 operations, step 5\n")  # values of step 5 too
    assert 400 < width < height


def test_picture_of_gradient_view_shows_a_trained_model(folder):
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Flatten(),
        nn.Linear(64, 32), nn.Sigmoid(),
        nn.Linear(32, 32), nn.Sigmoid(),
        nn.Linear(32, 32), nn.Sigmoid(),
        nn.Linear(32, 10),
    )  # fmt: skip
    with GradientView(model, vanishing=2e-3) as view:
        train(model, 28)
        drawn(view.export(folder / "gradient-view.png"))
        view.refresh()
    first, last = view.data["norms"][0][0], view.data["norms"][0][-2]
    assert first < 0.1 * last  # sigmoids make the gradient vanish


def test_picture_of_memory_view_shows_a_trained_model(folder):
    torch.manual_seed(0)
    model = Digits()
    train(model, 2)
    with MemoryView("cpu") as view:
        train(model, 8)
        drawn(view.export(folder / "memory-view.png"))
        view.refresh()
    top = max(view.data["bytes"], key=sum)
    assert all(held > 0 for held in top)


def test_picture_of_timeline_shows_a_training_step(folder):
    torch.manual_seed(0)
    model = Digits()
    train(model, 2)
    with Timeline() as view:
        train(model, 4)
        drawn(view.export(folder / "timeline.png"))
        counts = {row.name: row.count for row in view.totals("op")}
    assert counts["conv2d"] == counts["ConvolutionBackward0"] == 4


def test_picture_of_device_lanes_shows_a_step_on_two_gpus(folder):
    torch.manual_seed(0)
    with torch.cuda.simulate(devices=2, memory="64MB"):
        step = DataParallelStep(samples=64, threads=False)
        step.step()  # what happens only once
        with DeviceLanes() as view:
            step.step()
            drawn(view.export(folder / "device-lanes.png"))
            data = view.refresh()
    assert {lane["device"] for lane in data["lanes"]} == {"cpu", "cuda:0", "cuda:1"}
    assert "SGD.step" in data["texts"]
    phases = [phase["name"] for phase in data["phases"]]
    assert phases == ["scatter", "replicate", "parallel_apply", "reduce"]


def test_picture_of_leak_finder_names_the_line_that_leaks(folder):
    torch.manual_seed(0)
    model = nn.Linear(8, 4)
    optimizer = optim.SGD(model.parameters(), lr=0.01)
    total = torch.zeros(())
    with LeakFinder(seconds=60.0) as view:
        for _ in range(24):
            optimizer.zero_grad()
            loss = model(torch.ones(16, 8)).square().mean()
            loss.backward()
            optimizer.step()
            total = total + loss
        view.refresh()
        drawn(view.export(folder / "leak-finder.png"))
    assert "graphs" in view.text().splitlines()[0]
    del total


def test_picture_of_tensor_card_shows_a_trained_model(folder):
    torch.manual_seed(0)
    model = Digits()
    train(model, 8)
    kernel = model.features[0].weight
    with TensorCard(kernel) as card:
        drawn(card.export(folder / "tensor-card.png"))
    assert card.data["grad"]["stats"]["norm"] > 0


def test_picture_of_memory_tree_shows_who_owns_the_peak(folder):
    torch.manual_seed(0)
    with MemoryTree("cpu") as view:
        train(Digits(), 4)
        drawn(view.export(folder / "memory-tree.png"))
        models = {module["model"] for module in view.data["modules"]}
    assert "Digits" in models


def test_picture_of_nan_trail_shows_where_a_training_broke(folder):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Flatten(), nn.Linear(64, 10))
    batch = torch.rand(8, 1, 8, 8)
    with NaNTrail() as trail:
        probabilities = torch.softmax(model(batch) * 400, -1)
        entropy = probabilities * torch.log(probabilities)
        (-entropy.sum(-1)).mean().backward()
        drawn(trail.export(folder / "nan-trail.png"))
        words = [box["name"] for box in trail.refresh()["finding"]["trail"]]
    assert words == ["log", "mul", "sum", "neg", "mean"]


def test_picture_of_stepper_shows_products_and_sums_of_ways(folder):
    torch.manual_seed(0)
    layer = nn.Linear(2, 1)
    x = torch.tensor([[1.0, -2.0]], requires_grad=True)
    with Stepper() as stepper:
        y = layer(x).tanh() + x.sum()
        loss = (y * y).mean()
        loss.backward()
        drawn(stepper.export(folder / "stepper.png"))
        words = stepper.text()
    assert "sum over 2 paths" in words
    assert "∂L/∂w = gᵀ x (to weight): [0, 0]: " in words


def test_picture_of_error_card_shows_a_model_that_does_not_fit(folder):
    model, images = Digits(), torch.rand(64, 1, 10, 10)
    with pytest.raises(RuntimeError) as caught:
        model(images)
    card = ErrorCard(caught.value)
    drawn(card.export(folder / "error-card.png"))
    assert card.data["module"] == "classifier"
    assert [operand["lit"] for operand in card.data["operands"]] == [[1], [1], []]


def test_picture_of_run_monitor_shows_several_trainings(folder):
    load_digits = pytest.importorskip("sklearn.datasets").load_digits
    pixels, labels = load_digits(return_X_y=True)
    x = torch.tensor(pixels / 16, dtype=torch.float32).reshape(-1, 1, 8, 8)
    loader = DataLoader(TensorDataset(x, torch.tensor(labels)), batch_size=32)
    rates = (0.02, 0.1, 0.5)
    with RunMonitor("digits", {"lr": rates[0]}, store=False) as monitor:
        for rate in rates:
            if rate != rates[0]:
                monitor.next_run("digits", {"lr": rate})
            torch.manual_seed(0)
            model = Digits()
            optimizer = optim.SGD(model.parameters(), lr=rate)
            for _ in range(3):
                for images, digits in Tracked(loader, monitor):
                    optimizer.zero_grad()
                    F.cross_entropy(model(images), digits).backward()
                    optimizer.step()
                right = (model(x).argmax(1) == torch.tensor(labels)).float().mean()
                monitor.log(accuracy=right)
        monitor.export(folder / "run-monitor.png")
    width, height = drawn(folder / "run-monitor.png")
    assert width > 1000 and height > 500
