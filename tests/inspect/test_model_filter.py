"""The records that concern one model."""

from __future__ import annotations

import gc
import weakref

import edutorch as torch
from edutorch import events, nn
from edutorch.inspect import GraphRecorder
from tests.inspect.models import Gan


def names(recorder, kind="op"):
    nodes = recorder.snapshot()["nodes"]
    return [node["name"] for node in nodes if node["kind"] == kind]


def two():
    return nn.Linear(3, 2), nn.Sequential(nn.Linear(3, 4), nn.Tanh())


def test_graph_of_a_model_stays_while_another_one_runs():
    first, second = two()
    x = torch.ones(1, 3)
    with GraphRecorder(model=first) as one, GraphRecorder("every") as every:
        first(x).sum().backward()
        events.next_step()
        second(x).sum().backward()
        events.next_step()
    assert names(one) == ["linear", "sum"]
    assert names(every) == ["linear", "tanh", "sum"]
    assert one.snapshot()["step"] == 0
    assert one.snapshot()["of"] == "Linear"


def test_graph_of_a_model_that_has_not_run_is_empty():
    first, second = two()
    with GraphRecorder(model=first) as recorder:
        second(torch.ones(1, 3)).sum().backward()
    assert recorder.snapshot()["nodes"] == []


def test_what_came_before_is_an_input_and_what_is_made_of_it_is_drawn():
    first, second = two()
    with GraphRecorder(model=second[1]) as recorder:
        loss = second[0](torch.ones(1, 3) * 2).exp()
        (second[1](loss) + first(torch.ones(1, 3)).sum()).mean().backward()
    assert names(recorder) == ["tanh", "add", "mean"]
    assert names(recorder, "param") == []
    assert len(names(recorder, "input") + names(recorder, "const")) == 2


def test_parameter_that_is_used_outside_its_module_counts():
    first, second = two()
    with GraphRecorder(model=first) as recorder:
        (second(torch.ones(1, 3)).mean() + (first.weight**2).sum()).backward()
    assert names(recorder) == ["pow", "sum", "add"]
    assert len(names(recorder, "param")) == 1


def test_part_of_a_model_is_found_in_the_calls_of_the_whole():
    model = nn.Sequential(nn.ReLU(), nn.Sequential(nn.Tanh(), nn.Sigmoid()))
    with GraphRecorder(model=model[1]) as recorder:
        model(torch.ones(2)).exp()
    assert names(recorder) == ["tanh", "sigmoid", "exp"]


def test_models_of_a_gan_each_have_their_own_graph():
    gan = Gan()
    with (
        GraphRecorder(model=gan.generator) as of_generator,
        GraphRecorder("critic", model=gan.critic) as of_critic,
    ):
        gan.step()
    made = names(of_generator)
    assert made[:3] == ["linear", "relu", "linear"]  # the generator itself
    assert len(made) > 6  # and the critic's judgement of what it has made
    judged = names(of_critic)
    assert judged[:3] == ["linear", "relu", "linear"]
    assert len(judged) == len(made) - 3
    inputs = of_critic.snapshot()["nodes"]
    parameters = {n["name"] for n in inputs if n["kind"] == "param"}
    assert parameters == {"0.weight", "0.bias", "2.weight", "2.bias"}


def test_values_of_another_models_step_are_not_taken_for_its_own():
    first, second = two()
    with GraphRecorder(model=first) as recorder:
        for k in range(12):
            with torch.no_grad():
                first.weight.fill_(float(k))
            first(torch.ones(1, 3)).sum().backward()
            second(torch.ones(1, 3)).sum().backward()
            events.next_step()
        data = recorder.snapshot()
    weight = next(n for n in data["nodes"] if n["name"] == "weight")
    assert weight["stats"]["mean"] == data["recorded_step"]
    assert data["step"] == 11


def test_recorder_keeps_its_model_not_alive():
    model = nn.Linear(3, 2)
    with GraphRecorder(model=model) as recorder:
        model(torch.ones(1, 3)).sum().backward()
        gone = weakref.ref(model)
        del model
        gc.collect()
        assert gone() is None
        assert names(recorder) == ["linear", "sum"]
