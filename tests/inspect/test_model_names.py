"""The names of models that run in one program."""

from __future__ import annotations

import math

import edutorch as torch
from edutorch import nn
from edutorch.inspect.model_names import ModelNames, number_models
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
    kinds = ["graph", "gradient", "memory_tree", "timeline", "stepper", "lanes", "nan"]
    views = open_views(kinds, every_step=True)
    optimizer = torch.optim.SGD([p for m in models for p in m.parameters()], lr=0.1)
    models[1](models[0](torch.ones(1, 2))).sum().backward()
    optimizer.step()
    lanes, nan = views[-2:]
    found = lanes.refresh()["texts"]
    models[1][0].weight.detach().fill_(math.nan)
    models[1](models[0](torch.ones(1, 2))).sum().backward()
    trail = nan.refresh()["finding"]["trail"]
    texts = {view.kind: view.text() for view in views}
    for view in views:
        view.close()
    assert "Sequential_2" in texts["graph"]
    assert "Sequential_2.0.weight" in texts["gradient"]
    assert "Sequential_2" in texts["memory_tree"]
    for kind in ("timeline", "stepper"):
        assert "Sequential.0" in texts[kind] and "Sequential_2.0" in texts[kind]
    assert "Sequential.0" in found and "Sequential_2.0" in found
    assert "Sequential_2.0" in [box["module"] for box in trail]


def test_replicas_of_a_model_have_its_name():
    with torch.cuda.simulate(devices=2):
        inner = nn.Sequential(nn.Linear(2, 2), nn.ReLU()).to("cuda:0")
        model = nn.DataParallel(inner, device_ids=[0, 1])
        timeline, lanes = open_views(["timeline", "lanes"], every_step=True)
        for _ in range(3):
            model(torch.ones(4, 2, device="cuda:0")).sum().backward()
        found = timeline.text(), lanes.refresh()["texts"]
        timeline.close()
        lanes.close()
    assert "Sequential.0" in found[0] or "0: Linear" in found[0]
    assert not any("Sequential_" in text for text in (found[0], *found[1]))


def test_loss_is_no_model_whose_name_others_need():
    names = ModelNames()
    for model, cls, called_by in (7, "Sequential", 0), (7, "Linear", 3), (9, "Loss", 0):
        names.note(model, cls, called_by)
    assert [names.path(7, "0"), names.path(7, ""), names.path(9, "")] == [
        "0", "Sequential", "Loss",
    ]  # fmt: skip
    names.note(11, "Sequential", 0)
    names.note_parameters(11)
    assert [names.path(7, "0"), names.path(11, "0"), names.path(11, "")] == [
        "Sequential.0", "Sequential_2.0", "Sequential_2",
    ]  # fmt: skip
    assert names.path(99, "0") == "0"
