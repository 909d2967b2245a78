"""The names of models that run in one program."""

from __future__ import annotations

import edutorch as torch
from edutorch import nn
from edutorch.inspect.model_names import number_models
from edutorch.widgets.watch import open_views


def test_classes_that_differ_have_no_numbers():
    assert number_models({3: "Generator", 5: "Critic"}) == {3: "Generator", 5: "Critic"}


def test_models_of_one_class_are_numbered_in_the_order_given():
    classes = {9: "Linear", 3: "Linear", 5: "Critic", 4: "Linear"}
    names = {9: "Linear", 3: "Linear_2", 5: "Critic", 4: "Linear_3"}
    assert number_models(classes) == names


def test_views_call_a_second_model_by_the_same_name():
    torch.manual_seed(0)
    models = [nn.Sequential(nn.Linear(2, 2), nn.Tanh()) for _ in range(2)]
    views = open_views(["graph", "gradient", "memory_tree"], every_step=True)
    optimizer = torch.optim.SGD([p for m in models for p in m.parameters()], lr=0.1)
    models[1](models[0](torch.ones(1, 2))).sum().backward()
    optimizer.step()
    texts = [view.text() for view in views]
    for view in views:
        view.close()
    assert "Sequential_2" in texts[0]
    assert "Sequential_2.0.weight" in texts[1]
    assert "Sequential_2" in texts[2]
