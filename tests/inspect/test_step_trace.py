"""A recorded step as JSON, each number against an independent computation."""

from __future__ import annotations

import json

import numpy as np
import pytest

import edutorch as torch
from edutorch import nn
from edutorch.inspect import StepRecorder
from edutorch.inspect.step_trace import trace_of
from edutorch.inspect.view_schemas import check_view
from tests.inspect.models import TRAININGS
from tests.inspect.test_einsum_notation import by_loops


def traced(run, **options):
    """What a function does, as data; the data pass the check of files."""
    with StepRecorder(**options) as recorder:
        run()
    data = trace_of(recorder.collector)
    check_view("stepper", json.loads(json.dumps(data)))
    return data


def array(data, place):
    """A value that was sent whole, else None."""
    if place < 0:
        return None
    found = data["values"][place]
    if np.prod(found["shape"]) != len(found["cells"]):
        return None
    return np.array(found["cells"], float).reshape(found["shape"])


def check_products(data):
    """Recompute each product and each sum of ways; returns how many there were."""
    products = sums = 0
    for moment in data["moments"]:
        incoming = array(data, moment["outs"][0]["v"]) if moment["outs"] else None
        for nr, out in enumerate(moment["outs"]):
            ways = [p for p in moment["parts"] if p["out"] == nr]
            parts = [array(data, p["v"]) for p in ways]
            total = array(data, out["v"])
            if len(parts) > 1 and all(p is not None for p in [total, *parts]):
                np.testing.assert_allclose(sum(parts), total, rtol=1e-4, atol=1e-5)
                sums += 1
        for edge in moment["edges"]:
            sent, local = array(data, edge["v"]), array(data, edge["local"])
            if edge["form"] != "product" or sent is None or incoming is None:
                continue
            if edge["local"] >= 0 and local is None:
                continue
            found = by_loops(edge["spec"], incoming, local, sent.shape)
            np.testing.assert_allclose(found, sent, rtol=1e-3, atol=1e-5)
            products += 1
    return products, sums


@pytest.mark.parametrize("kind", TRAININGS)
def test_shown_products_and_sums_equal_what_was_sent(kind):
    training = TRAININGS[kind]()
    data = traced(training.step)
    products, sums = check_products(data)
    assert products >= 4
    assert sums >= {"lstm": 1, "transformer": 1, "gan": 1}.get(kind, 0)
    notes = {e["note"] for m in data["moments"] for e in m["edges"]}
    assert notes == {""}
    assert len(json.dumps(data)) < 2_000_000


@pytest.mark.parametrize("kind", TRAININGS)
def test_each_parameter_has_a_number_by_which_its_gradient_finds_it(kind):
    training = TRAININGS[kind]()
    models = [getattr(training, n, None) for n in ("model", "generator", "critic")]
    parameters = [p for m in models if m for p in m.parameters()]
    data = traced(training.step)
    read, came = {}, {}
    for moment in data["moments"]:
        assert (moment["leaf"] >= 0) == (moment["kind"] == "leaf")
        for given in moment["ins"]:
            assert (given["leaf"] >= 0) <= (given["from"] < 0)
            if given["leaf"] >= 0:
                read.setdefault(given["leaf"], set()).add(given["name"])
        if moment["kind"] == "leaf":
            came.setdefault(moment["leaf"], set()).add(moment["name"])
    assert len(came) == sum(p.grad is not None for p in parameters)
    for number, names in came.items():
        assert len(names) == 1
        assert read[number] == names


@pytest.mark.parametrize("kind", TRAININGS)
def test_gradients_at_leaves_equal_those_of_the_parameters(kind):
    training = TRAININGS[kind]()
    models = [getattr(training, n, None) for n in ("model", "generator", "critic")]
    named = [p for m in models if m for p in m.named_parameters()]
    step = training.optimizer.step if hasattr(training, "optimizer") else None
    data = traced(training.step)
    assert step is None or data["state"] == "recorded"
    last = {m["name"]: m["after"] for m in data["moments"] if m["kind"] == "leaf"}
    compared = 0
    for name, parameter in named:
        found = array(data, last.get(name, -1))
        if found is not None and kind != "gan" and parameter.grad is not None:
            np.testing.assert_allclose(found, parameter.grad, rtol=1e-4, atol=1e-6)
            compared += 1
    assert compared >= 2 or kind == "gan"


def test_tensor_used_twice_adds_its_ways():
    def run():
        x = torch.tensor(3.0, requires_grad=True)
        y = x * x + x.sin()
        y.backward()

    data = traced(run)
    leaf = data["moments"][-1]
    assert (leaf["kind"], leaf["name"]) == ("leaf", "x")
    ways = sorted(float(array(data, part["v"])) for part in leaf["parts"])
    assert ways == pytest.approx([np.cos(3), 3, 3], rel=1e-5)
    assert float(array(data, leaf["after"])) == pytest.approx(6 + np.cos(3), rel=1e-5)
    senders = [data["moments"][part["from"]]["name"] for part in leaf["parts"]]
    assert sorted(senders) == ["MulBackward0", "MulBackward0", "SinBackward0"]


def test_two_losses_add_up_in_grad():
    x = torch.tensor([2.0], requires_grad=True)

    def run():
        (x * 3).sum().backward()
        (x * x).sum().backward()

    first, second = (m for m in traced(run)["moments"] if m["kind"] == "leaf")
    data = traced(run)  # .grad is there already
    third = [m for m in data["moments"] if m["kind"] == "leaf"][0]
    assert first["outs"][0]["v"] == first["after"]
    assert second["outs"][0]["v"] != second["after"]
    assert float(array(data, third["after"])[0]) == 3 + 4 + 3


def test_retained_graph_is_gone_through_twice():
    x = torch.tensor([2.0], requires_grad=True)

    def run():
        loss = (x * x).sum()
        loss.backward(retain_graph=True)
        loss.backward()

    data = traced(run)
    mul = data["moments"][0]
    assert len(mul["back"]) == 2
    assert check_products(data) == (6, 2)
    for at in mul["back"]:
        assert data["moments"][at]["of"] == 0


def test_every_node_names_its_forward_op_and_line():
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())

    def run():
        model(torch.ones(1, 2)).sum().backward()

    data = traced(run)
    for moment in data["moments"]:
        file, line = data["files"][moment["src"][0]], moment["src"][1]
        assert "model(torch.ones(1, 2))" in dict(map(tuple, file["lines"]))[line]
        if moment["kind"] == "bwd":
            assert data["moments"][moment["of"]]["kind"] == "op"
    paths = [
        data["calls"][m["call"]]["path"] for m in data["moments"] if m["call"] >= 0
    ]
    assert paths == ["0", "1", "1", "0", "0", "0"]


def test_graph_of_a_backward_pass_is_shown_as_ops():
    x = torch.tensor(2.0, requires_grad=True)

    def run():
        (g,) = torch.autograd.grad(x**3, x, create_graph=True)
        g.backward()

    data = traced(run)
    phases = [m["phase"] for m in data["moments"] if m["kind"] == "op"]
    assert phases[0] == "forward"
    assert "backward" in phases
    leaf = data["moments"][-1]
    assert float(array(data, leaf["after"])) == 12  # (x³)″ = 6 x
    products, _ = check_products(data)
    assert products >= 3


def test_gradient_that_a_hook_has_changed_is_not_called_a_product():
    def run():
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * 2
        y.register_hook(lambda g: g * 10)
        y.sum().backward()

    data = traced(run)
    node = next(m for m in data["moments"] if m["name"] == "MulBackward0")
    (edge,) = node["edges"]
    assert edge["form"] == ""
    assert "hook" in edge["note"]
    assert array(data, edge["v"]).tolist() == [20, 20]


def test_op_that_failed_shows_its_operands_and_error():
    def run():
        with pytest.raises(RuntimeError):
            torch.ones(2, 3) @ torch.ones(2, 3)

    data = traced(run)
    failed = data["moments"][-1]
    assert "shapes cannot be multiplied" in failed["error"]
    assert failed["outs"] == []
    assert array(data, failed["ins"][0]["v"]).shape == (2, 3)


def test_labels_that_an_op_reads_are_shown():
    def run():
        torch.nn.functional.cross_entropy(torch.zeros(2, 3), torch.tensor([2, 0]))

    data = traced(run)
    loss = data["moments"][-1]
    assert [array(data, v).tolist() for v in loss["read"]] == [[2, 0]]


def test_update_of_parameters_shows_before_and_after():
    w = torch.tensor([1.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.5)

    def run():
        (w * 3).sum().backward()
        optimizer.step()

    data = traced(run)
    update = data["moments"][-1]
    assert update["name"] == "SGD.step"
    before, after = (array(data, update[k][0]["v"]).tolist() for k in ("ins", "outs"))
    assert (before, after) == ([1.0], [1 - 0.5 * 3])


def test_sixteen_bit_products_agree_up_to_rounding():
    def run():
        x = torch.rand(4, 4).to(torch.bfloat16).requires_grad_()
        (x @ x.exp()).sum().backward()

    notes = {e["note"] for m in traced(run)["moments"] for e in m["edges"]}
    assert notes == {""}


def test_nan_and_infinity_are_words():
    def run():
        x = torch.tensor([0.0, -1.0], requires_grad=True)
        x.log().sum().backward()

    data = traced(run)
    assert data["values"][data["moments"][0]["outs"][0]["v"]]["cells"] == [
        "-inf",
        "nan",
    ]


def test_nothing_recorded_is_data_too():
    data = traced(lambda: None)
    assert (data["moments"], data["state"]) == ([], "waiting")


def test_second_derivative_of_an_empty_layer_is_traced():
    w = torch.ones(0, 3, requires_grad=True)
    x = torch.ones(3, requires_grad=True)
    with StepRecorder() as recorder:
        y = nn.functional.linear(x, w)
        gs = torch.autograd.grad(y, [x, w], torch.ones(0), create_graph=True)
        sum((g * g).sum() for g in gs).backward()
    data = trace_of(recorder.collector)
    check_view("stepper", data)
    assert "SqueezeBackward4" in [m["name"] for m in data["moments"]]
