"""The race: its paths are those of `torch.optim`, in the page, here and in PyTorch."""

from __future__ import annotations

import json

import numpy as np
import pytest

import edutorch
from edutorch.course.interactions import OptimizerRace
from edutorch.course.interactions.optimizer_race import (
    NEAR,
    OPTIMIZERS,
    STEPS,
    SURFACES,
    TOO_FAR,
    verdict,
    walk,
)
from tests.require import required
from tests.widgets.shared_fixtures import FIXTURES

CASES = json.loads((FIXTURES / "optimizer_race" / "paths.json").read_text())
NAMED = [f"{c['surface']}-{c['name']}-{c['lr']}-{c['momentum']}" for c in CASES]
MAKERS = {
    "SGD": lambda optim, w, lr, momentum: optim.SGD(w, lr=lr),
    "momentum": lambda optim, w, lr, momentum: optim.SGD(w, lr=lr, momentum=momentum),
    "Nesterov": lambda optim, w, lr, momentum: optim.SGD(
        w, lr=lr, momentum=momentum, nesterov=momentum > 0
    ),
    "RMSprop": lambda optim, w, lr, momentum: optim.RMSprop(w, lr=lr),
    "Adam": lambda optim, w, lr, momentum: optim.Adam(w, lr=lr),
}


@pytest.mark.parametrize("case", CASES, ids=NAMED)
def test_walk_in_the_page_and_here_agree(case):
    surface = SURFACES[case["surface"]]
    settings = case["name"], case["lr"], case["momentum"]
    path = walk(surface, *settings, surface.start, 80)
    for step, x, y in case["points"]:
        assert path[step] == pytest.approx((float(x), float(y)), rel=1e-7, abs=1e-11)
    assert len(path) - 1 == case["points"][-1][0]
    losses = [surface.loss(*point) for point in path]
    assert verdict(losses, surface.least) == case["verdict"]


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("surface", SURFACES.values(), ids=SURFACES)
def test_walk_is_pytorchs_with_gradients_of_autograd(surface, name):
    if not required("torch"):
        pytest.importorskip("torch", reason="needs PyTorch (torch)")
    from tests.oracle import torch

    w = torch.tensor(surface.start, dtype=torch.float64, requires_grad=True)
    optimizer = MAKERS[name](torch.optim, [w], surface.lr, 0.9)
    path = walk(surface, name, surface.lr, 0.9, surface.start, 60)
    for point in path[1:]:
        optimizer.zero_grad()
        surface.loss(w[0], w[1]).backward()
        optimizer.step()
        assert point == pytest.approx(tuple(w.tolist()), rel=1e-8, abs=1e-11)
    assert len(path) == 61


@pytest.mark.parametrize("surface", SURFACES.values(), ids=SURFACES)
def test_surface_has_the_gradient_and_the_lowest_loss_that_it_says(surface):
    for x, y in np.random.default_rng(0).uniform(-2, 2, (5, 2)):
        w = edutorch.tensor([x, y], dtype=edutorch.float64, requires_grad=True)
        surface.loss(w[0], w[1]).backward()
        assert surface.slope(x, y) == pytest.approx(tuple(w.grad.tolist()))
    for goal in surface.goals:
        assert surface.loss(*goal) == surface.least
        assert surface.slope(*goal) == (0, 0)


@pytest.mark.parametrize(("lr", "words"), [(0.0999, "arrived"), (0.1001, "diverged")])
def test_walk_with_too_large_a_rate_ends_far_out(lr, words):
    valley = SURFACES["valley"]
    path = walk(valley, "SGD", lr, 0.0, valley.start, 30_000)
    assert verdict([valley.loss(*p) for p in path], 0.0).startswith(words)


def test_walk_that_diverges_ends_early():
    valley = SURFACES["valley"]
    path = walk(valley, "SGD", 1.0, 0.0, valley.start, STEPS)
    losses = [valley.loss(*point) for point in path]
    assert losses[-1] > TOO_FAR >= losses[-2]


def test_verdict_of_a_loss_that_comes_and_goes_is_the_last_coming():
    assert verdict([1, NEAR / 2, 1, NEAR / 2], 0.0) == "arrived at step 3"
    assert verdict([NEAR / 2, 1.0], 0.0) == "on its way"
    assert verdict([1.0, float("nan")], 0.0) == "diverged at step 1"


def test_text_tells_of_each_optimizer():
    text = OptimizerRace("valley", lr=0.105, step=STEPS).text()
    assert "learning rate 0.105" in text
    words = {line.split()[0]: line.split("  ")[-1] for line in text.splitlines()[1:]}
    assert words["SGD"].strip() == "diverged at step 57"
    assert words["momentum"].strip().startswith("arrived")
    assert list(words) == list(OPTIMIZERS)


@pytest.mark.parametrize("surface", SURFACES)
def test_picture_draws_within_its_map_what_diverges(surface):
    picture = OptimizerRace(surface, lr=0.9, step=STEPS).picture()
    lines = [shape for kind, shape in picture.shapes if kind == "line"]
    for x, y in (point for line in lines for point in line["points"]):
        assert 0 <= x <= picture.width
        assert 0 <= y <= picture.height


def test_race_on_no_known_surface_is_refused():
    with pytest.raises(KeyError):
        OptimizerRace("mountain")
