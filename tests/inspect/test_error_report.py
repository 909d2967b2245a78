"""Reports of failing programs: shapes, names and places known by construction."""

from __future__ import annotations

import gc
import json
import linecache
import weakref

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.inspect import GraphRecorder, report_error
from edutorch.inspect.view_schemas import check_view
from edutorch.nn import functional as F

a, b = torch.ones(2, 3), torch.ones(4, 5)
cube, other_cube = torch.ones(2, 3, 4), torch.ones(2, 5, 6)
three, four = torch.ones(3), torch.ones(4)
image = torch.ones(1, 4, 8, 8)
logits, classes = torch.ones(4, 10), torch.zeros(4, dtype=torch.int64)
doubles, counts = torch.ones(3, 2).double(), torch.ones(3, dtype=torch.int64)
elsewhere = torch.ones(3, device="meta")
linear, conv, table = nn.Linear(4, 2), nn.Conv2d(3, 8, 3), nn.Embedding(10, 4)
norm, batch_norm = nn.LayerNorm(5), nn.BatchNorm1d(5)
lstm = nn.LSTM(5, 3)
model = nn.Sequential(nn.Flatten(), nn.Linear(6, 4), nn.ReLU(), nn.Linear(3, 2))


# A program; the op; names with the sizes that must be lit, by dimension; words of the rule
PROGRAMS = [
    (lambda: a @ b, "matmul", {"a": [1], "b": [0]}, "3 and 4"),
    (lambda: torch.mm(a, b), "matmul", {"a": [1], "b": [0]}, "3 and 4"),
    (lambda: a @ four, "matmul", {"a": [1], "four": [0]}, "3 and 4"),
    (lambda: torch.dot(three, four), "dot", {"three": [0], "four": [0]}, "3 and 4"),
    (
        lambda: torch.bmm(cube, other_cube),
        "bmm",
        {"cube": [2], "other_cube": [1]},
        "4 and 5",
    ),
    (
        lambda: torch.bmm(cube, cube.mT[:1]),
        "bmm",
        {"cube": [0], "cube.mT[:1]": [0]},
        "batches must be equal: 2 and 1",
    ),
    (
        lambda: torch.ones(5, 4, 2) @ cube[:, :2],
        "matmul",
        {"torch.ones(5, 4, 2)": [0], "cube[:, :2]": [0]},
        "batches: sizes must be equal or 1: 5 and 2",
    ),
    (
        lambda: torch.addmm(three, a, b),
        "addmm",
        {"three": [], "a": [1], "b": [0]},
        "3 and 4",
    ),
    (
        lambda: torch.addmm(four, a, doubles.float()),
        "addmm",
        {"four": [0], "a": [], "doubles.float()": []},
        "[2, 2]",
    ),
    (
        lambda: linear(a),
        "linear",
        {"a": [1], "linear.weight": [1], "linear.bias": []},
        "3 and 4",
    ),
    (
        lambda: model(cube),
        "linear",
        {"input": [1], "model[1].weight": [1], "model[1].bias": []},
        "12 and 6",
    ),
    (lambda: F.linear(a, b), "linear", {"a": [1], "b": [1]}, "3 and 5"),
    (lambda: a + four, "add", {"a": [1], "four": [0]}, "3 and 4"),
    (lambda: cube * a, "mul", {"cube": [1, 2], "a": [0, 1]}, "4 and 3; 3 and 2"),
    (
        lambda: torch.where(three > 0, four, four),
        "where",
        {"three > 0": [0], "four": [0]},
        "3 and 4",
    ),
    (lambda: three.clone().add_(a), "add_", {"three.clone()": [], "a": [0]}, "own shape"),
    (
        lambda: conv(image),
        "conv2d",
        {"image": [1], "conv.weight": [1], "conv.bias": []},
        "4 channels, the weight takes 3",
    ),
    (
        lambda: conv(image[:, :3, :2]),
        "conv2d",
        {"image[:, :3, :2]": [2], "conv.weight": [2], "conv.bias": []},
        "kernel",
    ),
    (lambda: torch.cat([a, b]), "cat", {"a": [1], "b": [1]}, "except in dimension 0"),
    (lambda: torch.cat([a, b], -1), "cat", {"a": [0], "b": [0]}, "except in dimension 1"),
    (lambda: torch.stack([a, b]), "stack", {"a": [0, 1], "b": [0, 1]}, "all sizes"),
    (
        lambda: F.cross_entropy(logits, classes[:3]),
        "cross_entropy",
        {"logits": [0], "classes[:3]": [0]},
        "one target for each input",
    ),
    (
        lambda: F.cross_entropy(logits, classes + 12),
        "cross_entropy",
        {"logits": [1], "classes + 12": []},
        "0 to 9; 12 is outside",
    ),
    (
        lambda: F.binary_cross_entropy(four, four[:3]),
        "binary_cross_entropy",
        {"four": [0], "four[:3]": [0]},
        "same shape",
    ),
    (lambda: three[5], "select", {"three": [0]}, "index 5 is outside dimension 0, which has size 3"),
    (lambda: a[1, 7], "slice", {"a": [1]}, "index 7 is outside dimension 1, which has size 3"),
    (lambda: table(counts * 12), "embedding", {"counts * 12": [], "table.weight": [0]}, "0 to 9"),
    (
        lambda: torch.gather(a, 1, classes[None] + 5),
        "gather",
        {"a": [1], "classes[None] + 5": []},
        "5 is outside",
    ),
    (lambda: a.reshape(4, 2), "view", {"a": [0, 1]}, "6 elements"),
    (lambda: a.sum(5), "sum", {"a": [0, 1]}, "2 dimensions; 5"),
    (lambda: a.expand(4, 3), "expand", {"a": [0]}, "expanded"),
    (lambda: norm(a), "layer_norm", {"a": [1], "norm.weight": [0], "norm.bias": [0]}, "3 features"),
    (lambda: lstm(cube), "LSTM", {"cube": [2]}, "must be 5, not 4"),
    (
        lambda: torch.einsum("ij,jk->ik", a, b),
        "einsum",
        {"a": [1], "b": [0]},
        "j must be one size: 3 and 4",
    ),
    (lambda: three.item(), "item", {"three": [0]}, "single element"),
]  # fmt: skip


def report_of(program):
    with pytest.raises(Exception) as caught:
        program()
    return report_error(caught.value)


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_report_of_a_failing_program_names_and_lights_its_operands(number):
    program, op, lit, words = PROGRAMS[number]
    report = report_of(program)
    assert report["op"] == op
    # an operand used twice in the call is listed twice, under one name
    assert {o["name"] or o["role"]: o["lit"] for o in report["operands"]} == lit
    assert words in report["rule"]
    check_view("error", json.loads(json.dumps(report)))


def test_shapes_dtypes_and_devices_are_those_of_the_tensors():
    report = report_of(lambda: a @ b)
    assert [o["shape"] for o in report["operands"]] == [[2, 3], [4, 5]]
    assert {(o["dtype"], o["device"]) for o in report["operands"]} == {
        ("float32", "cpu")
    }
    assert report["src"]["text"] == "report = report_of(lambda: a @ b)"


@pytest.mark.parametrize(
    ("program", "wrong"),
    [
        (lambda: a @ doubles, ["dtype", "dtype"]),
        (lambda: F.linear(counts[None], a), ["dtype", "dtype"]),
        (lambda: F.cross_entropy(logits, classes.int()), ["", "dtype"]),
        (lambda: counts.clone().add_(1.5), ["dtype"]),
        (lambda: three + elsewhere, ["device", "device"]),
    ],
)
def test_dtypes_and_devices_that_differ_are_marked(program, wrong):
    report = report_of(program)
    assert [operand["wrong"] for operand in report["operands"]] == wrong


def test_path_of_the_module_is_told():
    report = report_of(lambda: model(torch.ones(2, 6)))
    assert report["module"] == "3"
    assert report_of(lambda: lstm(cube))["module"] == "LSTM"


def test_hint_is_that_of_the_note_or_of_the_message():
    assert "unsqueeze" in report_of(lambda: a + four)["hint"]
    assert (
        "loss.mean()" in report_of(torch.ones(2, requires_grad=True).backward)["hint"]
    )
    table = nn.Embedding(3, 2)
    assert "x.long()" in report_of(lambda: table(torch.ones(2)))["hint"]


def saved_and_changed():
    w = torch.ones(3, requires_grad=True)
    y = (w * 2).exp()
    z = y.sum()
    y.add_(1)
    z.backward()


def input_changed():
    w, x = torch.ones(3, requires_grad=True), torch.ones(3)
    z = (w * x).sum()
    x += 1
    x[0] = 5
    z.backward()


@pytest.mark.parametrize(
    ("program", "op", "name", "lines", "version"),
    [
        (saved_and_changed, "exp", "y", ["y.add_(1)"], "version 1, saved was 0"),
        (input_changed, "mul", "x", ["x += 1", "x[0] = 5"], "version 2, saved was 0"),
    ],
)
def test_lines_that_change_a_saved_tensor_are_named(program, op, name, lines, version):
    report = report_of(program)
    assert report["op"] == op
    assert [operand["name"] for operand in report["operands"]] == [name]
    assert [change["text"] for change in report["changes"]] == lines
    assert version in report["rule"]


def test_wrappers_and_optimizers_are_no_operations():
    cell = nn.GRUCell(3, 4)
    assert report_of(lambda: cell(torch.ones(2, 5)))["op"] != "compared"
    assert report_of(lambda: torch.optim.SGD([a], lr=-1)) is None


def test_operator_that_python_refuses_names_its_tensor():
    report = report_of(lambda: a + "text")
    assert report["op"] == "add"
    assert [operand["name"] for operand in report["operands"]] == ["a"]


def test_graph_so_far_leads_to_the_op_that_failed():
    w = torch.ones(2, 3, requires_grad=True)
    report = report_of(lambda: (w * 2).relu() @ b)
    nodes = report["graph"]["nodes"]
    assert [node["name"] for node in nodes] == [
        "w",
        "b",
        "mul",
        "relu",
        "matmul",
    ]
    assert "cannot be multiplied" in nodes[-1]["error"]
    assert report_of(lambda: a @ b)["graph"] is None


def test_graph_of_another_model_is_not_the_graph_so_far():
    watched, wrong = nn.Linear(3, 2), nn.Linear(5, 2)
    with GraphRecorder(watched) as recorder:
        watched(torch.ones(1, 3)).sum().backward()
        recorder.cell_began()
        with pytest.raises(RuntimeError) as caught:
            wrong(torch.ones(1, 3) * 2)
        assert report_error(caught.value, recorder)["graph"] is None


def test_recorded_graph_is_the_graph_so_far_if_it_led_to_the_error():
    model = nn.Sequential(nn.Linear(3, 2), nn.Linear(5, 2))
    with GraphRecorder() as recorder, pytest.raises(RuntimeError) as caught:
        model(torch.ones(1, 3))
    graph = report_error(caught.value, recorder)["graph"]
    assert graph == recorder.snapshot()
    assert "linear" in [node["name"] for node in graph["nodes"]]


def test_errors_without_tensors_have_no_report():
    assert report_of(lambda: 1 / 0) is None
    assert report_of(lambda: torch.load("/no/such/file")) is None
    assert report_error(ValueError("never raised")) is None


def test_error_that_the_program_raises_itself_has_no_report():
    class Careful(nn.Module):
        def forward(self, x):
            raise ValueError(f"expected a batch, got {x.shape}")

    assert report_of(lambda: Careful()(a)) is None


def test_report_leaves_the_exception_as_it_was():
    with pytest.raises(RuntimeError) as caught:
        a @ b
    before = caught.value.args, list(caught.value.__notes__)
    report_error(caught.value)
    assert (caught.value.args, caught.value.__notes__) == before


def test_report_keeps_no_tensor_alive():
    def fail():
        x = torch.ones(3, 7)
        dead.append(weakref.ref(x))
        try:
            x @ b
        except RuntimeError as error:
            return report_error(error)

    dead = []
    report = fail()
    gc.collect()
    assert report["operands"][0]["name"] == "x"
    assert dead[0]() is None


def test_report_without_source_has_roles_in_place_of_names():
    scope = {"a": a, "b": b, "torch": torch}
    with pytest.raises(RuntimeError) as caught:
        exec(compile("torch.mm(a, b)", "<nowhere>", "exec"), scope)
    operands = report_error(caught.value)["operands"]
    assert [(o["name"], o["role"]) for o in operands] == [("", "input"), ("", "mat2")]


def test_names_are_found_without_calling_anything_again():
    made = []

    def make():
        made.append(1)
        return a

    report = report_of(lambda: make() @ b)
    assert report["operands"][0]["name"] == "make()"
    assert made == [1]


def test_cell_of_a_notebook_is_read_from_the_line_cache():
    text = "x = torch.ones(2)\ny = torch.ones(3)\nx + y\n"
    linecache.cache["<cell 7>"] = (len(text), None, text.splitlines(True), "<cell 7>")
    with pytest.raises(RuntimeError) as caught:
        exec(compile(text, "<cell 7>", "exec"), {"torch": torch})
    report = report_error(caught.value)
    assert [operand["name"] for operand in report["operands"]] == ["x", "y"]
    assert report["src"]["text"] == "x + y"
