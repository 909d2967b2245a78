from __future__ import annotations

import json

import numpy as np
import pytest

import edutorch as torch
from edutorch import nn
from edutorch.course.interactions.deep_gradients import (
    DEEPEST,
    LR,
    ROWS,
    SEED,
    DeepGradients,
    N,
    train,
    verdict,
)
from edutorch.course.interactions.noise import noise
from tests.widgets.shared_fixtures import FIXTURES

CASES = json.loads((FIXTURES / "deep_gradients" / "trainings.json").read_text())
IDS = [
    "{activation}-{depth}-skip={skip}-norm={norm}".format(**c["given"]) for c in CASES
]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_training_is_that_of_the_page(case):
    training = train(**case["given"])
    assert training.gradients == pytest.approx(case["gradients"], rel=1e-6)
    assert training.sizes == pytest.approx(case["sizes"], rel=1e-6)
    assert len(training.losses) - 1 == case["steps"]
    there = [loss for loss in case["losses"] if loss is not None]
    assert training.losses[: len(there)] == pytest.approx(there, rel=1e-4)
    words = verdict(training)
    if case["given"]["depth"] == 30:  # 40 steps multiply the last bit of tanh
        assert words.split(" and ")[0] == case["verdict"].split(" and ")[0]
    else:
        assert words == case["verdict"]


class Layer(nn.Module):
    def __init__(self, weight, skip, norm, activation):
        super().__init__()
        self.linear = nn.Linear(N, N, bias=False, dtype=torch.float64)
        self.linear.weight = nn.Parameter(torch.from_numpy(weight))
        norms = nn.BatchNorm1d(N, affine=False, dtype=torch.float64)
        self.norm = norms if norm else nn.Identity()
        self.bend = {"relu": torch.relu, "tanh": torch.tanh}[activation]
        self.skip = skip

    def forward(self, x):
        y = self.bend(self.norm(self.linear(x)))
        return x + y if self.skip else y


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("skip", [False, True])
@pytest.mark.parametrize("norm", [False, True])
def test_training_is_that_of_a_network_of_modules(activation, skip, norm):
    depth, scale = 5, (3 * N) ** -0.5
    x = torch.from_numpy(noise(SEED, ROWS, N))
    sides = np.where(noise(SEED, ROWS, N) @ noise(SEED + 1, N) > 0, 1.0, 0.0)
    weights = scale * noise(SEED + 2, DEEPEST, N, N)[:depth]
    layers = [Layer(w, skip, norm, activation) for w in weights]
    last = nn.Linear(N, 1, bias=False, dtype=torch.float64)
    last.weight = nn.Parameter(torch.from_numpy(scale * noise(SEED + 3, 1, N)))
    optimizer = torch.optim.SGD(nn.Sequential(*layers, last).parameters(), lr=LR)
    losses, gradients = [], []
    for _ in range(5):
        out, outputs = x, []
        for layer in layers:
            out = layer(out)
            out.retain_grad()
            outputs.append(out)
        loss = nn.functional.binary_cross_entropy_with_logits(
            last(out)[:, 0], torch.from_numpy(sides)
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        gradients.append([y.grad.square().mean().sqrt().item() for y in outputs])
    training = train(depth, skip, norm, activation)
    assert training.losses[:5] == pytest.approx(losses, rel=1e-6)
    assert training.gradients == pytest.approx(gradients[0], rel=1e-6)


def test_text_has_a_line_for_each_layer():
    lines = DeepGradients(depth=30, skip=True, norm=True).text().split("\n")
    assert lines[0] == "30 layers, relu, with skips, with batch norm."
    assert lines[1].startswith("Learns: ")
    assert len(lines) == 3 + 30


@pytest.mark.parametrize("depth", [1, 12, 30])
@pytest.mark.parametrize("skip", [False, True])
def test_picture_says_the_verdict_and_stays_within_its_frame(depth, skip):
    view = DeepGradients(depth, skip)
    picture = view.picture()
    assert verdict(train(depth, skip)).split(":")[0] in picture.svg()
    lines = [shape for kind, shape in picture.shapes if kind == "line"]
    ys = [y for shape in lines for _, y in shape["points"]]
    assert 0 <= min(ys) <= max(ys) <= picture.height


def test_settings_that_the_page_lacks_are_refused():
    with pytest.raises(ValueError, match="from 1 to 30"):
        DeepGradients(depth=31)
    with pytest.raises(ValueError, match="'sigmoid'"):
        DeepGradients(activation="sigmoid")
