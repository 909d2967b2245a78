"""GradientView; what it shares with other views is in test_view.py."""

from __future__ import annotations

import gc
import sys

import pytest

import edutorch as torch
from edutorch import nn, optim
from edutorch.widgets import GradientView
from edutorch.widgets import view as module


def train(model, steps):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.ones(4, 3)).pow(2).sum().backward()
        optimizer.step()


def test_view_when_a_model_trains_shows_a_norm_per_layer_and_step():
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    with GradientView(model) as view:
        train(model, 5)
        view.refresh()
    assert view.data["layers"] == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert view.data["steps"] == [0, 1, 2, 3, 4]
    assert all(norm > 0 for row in view.data["norms"] for norm in row)
    assert view.status == "recorded at step 4"


def test_view_when_thresholds_are_given_marks_by_them():
    model = nn.Linear(3, 1)
    with GradientView(model, exploding=1e-6) as view:
        train(model, 1)
        view.refresh()
    assert {m["kind"] for m in view.data["marks"]} == {"exploding"}
    assert "exploding" in view.text()


def test_png_when_matplotlib_is_missing_is_the_bare_heat_map(monkeypatch):
    monkeypatch.setattr(module, "render", lambda _picture: None)
    model = nn.Linear(3, 1)
    with GradientView(model) as view:
        train(model, 2)
        assert view.png().startswith(b"\x89PNG")


def test_view_of_a_value_that_is_not_a_model_is_refused_without_another_error():
    unraisable = []
    hook, sys.unraisablehook = sys.unraisablehook, unraisable.append
    try:
        with pytest.raises(TypeError, match="model"):
            GradientView(5)
        gc.collect()
    finally:
        sys.unraisablehook = hook
    assert not unraisable
