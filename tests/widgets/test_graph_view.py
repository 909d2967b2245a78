"""GraphView; what it shares with other views is in test_view.py."""

from __future__ import annotations

import edutorch as torch
from edutorch import events, nn
from edutorch.widgets import GraphView


def test_view_when_given_a_model_knows_its_parameters_names():
    model = nn.Linear(3, 2)
    with GraphView(model) as view:
        model.weight * 2
        view.refresh()
    assert view.data["nodes"][0]["name"] == "weight"
    assert view.data["nodes"][0]["kind"] == "param"


def test_view_when_modules_are_expanded_draws_what_is_inside():
    model = nn.Sequential(nn.Linear(3, 2), nn.Sigmoid())
    with GraphView(model) as view:
        model(torch.ones(1, 3))
        view.expanded = ["nothing"]
        folded = view.svg()
        view.expanded = []
        opened = view.svg()
    assert "(0): Linear" in folded
    assert ">weight<" not in folded
    assert ">weight<" in opened


def test_graphviz_when_asked_for_is_a_digraph_of_the_same_boxes():
    with GraphView() as view:
        torch.ones(2) * 3
        assert "mul" in view.graphviz().source


def test_tick_when_running_waits_for_a_whole_graph():
    x = torch.ones(2, requires_grad=True)
    with GraphView() as view:
        for _ in range(2):
            (x * 2).sum().backward()
            events.next_step()
        x * 2
        view.tick()
        assert len(view.data["nodes"]) == 3
        view.tick()  # nothing new since the last tick: it stands still
        assert len(view.data["nodes"]) == 2
        assert view.tick() == 0
