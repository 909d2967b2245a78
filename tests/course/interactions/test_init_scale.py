from __future__ import annotations

import json

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.course.interactions.init_scale import (
    SEED,
    InitScale,
    N,
    run,
    shown_layers,
    verdict,
)
from edutorch.course.interactions.noise import noise
from tests.widgets.shared_fixtures import FIXTURES

CASES = json.loads((FIXTURES / "init_scale" / "signals.json").read_text())
IDS = ["{activation}-{scale:.3g}-{depth}".format(**case["given"]) for case in CASES]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_signals_are_those_of_the_page(case):
    signals = run(**case["given"])
    assert signals.sizes == pytest.approx(case["sizes"], rel=1e-6)
    assert signals.gradients == pytest.approx(case["gradients"], rel=1e-6)
    assert [round(share * 1024) for share in signals.bars[-1]] == case["bars"]
    assert round(signals.zeros[-1] * 1024) == case["zeros"]
    assert verdict(signals) == case["verdict"]
    assert shown_layers(case["given"]["depth"]) == case["shown"]


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("scale", [0.5, 1.0, 2**0.5, 2.0])
def test_signals_are_those_of_a_network_of_modules(activation, scale):
    depth, kind = 10, {"relu": nn.ReLU, "tanh": nn.Tanh}[activation]
    layers = []
    for w in noise(SEED + 1, 30, N, N)[:depth]:
        linear = nn.Linear(N, N, bias=False, dtype=torch.float64)
        linear.weight = nn.Parameter(torch.from_numpy(w * scale / N**0.5))
        layers += [linear, kind()]
    x, sizes = torch.from_numpy(noise(SEED, N, N)), []
    for layer in layers:
        x = layer(x)
        if isinstance(layer, kind):
            sizes.append(x.detach().square().mean().sqrt().item())
    (x * torch.from_numpy(noise(SEED + 2, N, N))).sum().backward()
    linears = layers[::2]
    found = [m.weight.grad.square().mean().sqrt().item() / N for m in linears]
    signals = run(scale, depth, activation)
    assert signals.sizes == pytest.approx(sizes, rel=1e-9)
    assert signals.gradients == pytest.approx(found, rel=1e-9)


def test_text_has_a_line_for_each_layer():
    lines = InitScale(scale=2**0.5, depth=20, activation="tanh").text().split("\n")
    assert lines[0] == "20 layers, tanh, weights with standard deviation 1.41 / √n."
    assert lines[1].startswith("Good: ")
    assert len(lines) == 3 + 20


@pytest.mark.parametrize("scale", [0.0, 0.5, 2**0.5, 3.0])
def test_picture_says_the_verdict_and_stays_within_its_frame(scale):
    view = InitScale(scale)
    picture = view.picture()
    assert verdict(run(scale)) in picture.svg()
    lines = [shape for kind, shape in picture.shapes if kind == "line"]
    ys = [y for shape in lines for _, y in shape["points"]]
    assert 0 <= min(ys) <= max(ys) <= picture.height


def test_settings_that_the_page_lacks_are_refused():
    with pytest.raises(ValueError, match="scale is from 0 to 3"):
        InitScale(scale=3.5)
    with pytest.raises(ValueError, match="depth is 5"):
        InitScale(depth=7)
    with pytest.raises(ValueError, match="'sigmoid'"):
        InitScale(activation="sigmoid")
