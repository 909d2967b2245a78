"""TensorCard; what it shares with other views is in test_view.py."""

from __future__ import annotations

import gc
import weakref

import pytest

import edutorch as torch
from edutorch import events, nn, optim
from edutorch.widgets import GraphView, TensorCard, show
from edutorch.widgets import view as module


def test_card_is_named_after_the_variable():
    weight = torch.ones(2)
    with TensorCard(weight) as card:
        assert card.data["name"] == "weight"
    with TensorCard(weight, "other") as card:
        assert card.data["name"] == "other"


def test_card_names_the_views_that_variables_hold():
    base = torch.ones(2, 3)
    row = base[1]
    with TensorCard(base) as card:
        names = [view["name"] for view in card.data["memory"]["views"]]
    assert names == ["base", "row"]
    assert row is not None


def test_card_of_a_parameter_follows_the_training():
    model = nn.Linear(2, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.5)
    with TensorCard(model.weight) as card:
        before = card.data["value"]["grid"]["values"]
        model(torch.ones(3, 2)).sum().backward()
        optimizer.step()
        assert card.tick() > 0
        assert card.tick() == 0  # nothing new
        after = card.data["value"]["grid"]["values"]
        assert card.data["grad"]["grid"]["values"] == [3.0, 3.0]
    assert after == pytest.approx([x - 1.5 for x in before], abs=1e-4)


def test_card_when_another_slice_is_requested_sends_it():
    tensor = torch.arange(40_000.0).reshape(4, 100, 100)
    with TensorCard(tensor) as card:
        card.at = 3
        grid = card.data["value"]["grid"]
        size = grid["shown"][0] * grid["shown"][1]
        assert grid["values"][(3 - grid["first"]) * size] == 30_000


def test_card_says_which_operation_made_and_which_used_a_tensor():
    with GraphView():
        x = torch.ones(2, requires_grad=True)
        y = x.exp()
        y.sum()
        with TensorCard(y) as card:
            text = card.text()
    assert "made by exp at" in text
    assert "used by sum at" in text
    assert "y = x.exp()" in text


def test_card_keeps_no_tensor_alive_and_shows_what_it_knew():
    tensor = torch.ones(3)
    dead = weakref.ref(tensor)
    with TensorCard(tensor) as card:
        del tensor
        gc.collect()
        assert dead() is None
        assert "3 float32" in card.text()


def test_card_listens_to_no_event():
    with TensorCard(torch.ones(1)):
        assert events.active == ()


def test_card_of_something_else_is_refused_with_a_hint():
    with pytest.raises(TypeError, match=r"expected a tensor, got Linear\n.*parameter"):
        TensorCard(nn.Linear(1, 1))
    with pytest.raises(TypeError, match=r"got list\n.*torch.tensor"):
        show([1, 2])


def test_png_when_matplotlib_is_missing_is_the_bare_cells(monkeypatch):
    monkeypatch.setattr(module, "render", lambda _picture: None)
    with TensorCard(torch.ones(2, 2)) as card:
        assert card.png().startswith(b"\x89PNG")


def test_show_outside_notebooks_prints_the_text(capsys):
    x = torch.ones(2)
    show(x)
    assert capsys.readouterr().out.startswith("x: 2 float32 on cpu, 8 B\n")


def test_line_that_uses_a_tensor_in_each_step_is_told_once():
    w = torch.ones(2, requires_grad=True)
    with GraphView():
        for _ in range(3):
            (w * 2).sum().backward()
            optim.SGD([w], lr=0.1).step()
        with TensorCard(w) as card:
            assert [use["op"] for use in card.data["users"]] == ["mul"]
