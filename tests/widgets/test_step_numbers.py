"""Formulas with the numbers of one element."""

from __future__ import annotations

import json

import edutorch as torch
from edutorch.inspect import StepRecorder
from edutorch.inspect.step_trace import trace_of
from edutorch.inspect.view_schemas import check_view
from edutorch.widgets.step_numbers import (
    added,
    describe_backward,
    describe_forward,
    describe_join,
    plain,
)
from tests.widgets.shared_fixtures import FIXTURES


def traced(run):
    with StepRecorder() as recorder:
        run()
    return trace_of(recorder.collector)


def test_negative_numbers_after_a_sign_stand_in_parentheses():
    data = traced(lambda: torch.tensor([-2.0]) * torch.tensor([-3.0]))
    assert describe_forward(data, data["moments"][-1], [0]) == "-2 · (-3) = 6"
    data = traced(lambda: (-torch.tensor([-2.0])).exp())
    neg, exp = data["moments"][-2:]
    assert describe_forward(data, neg, [0]) == "−(-2) = 2"
    assert describe_forward(data, exp, [0]) == "exp(2) = 7.389"
    assert added(["-1 · 2", "-3 · 4"]) == "-1 · 2 + (-3) · 4"


def test_long_sums_show_the_first_terms_and_the_last():
    data = traced(lambda: torch.arange(9.0).mean())
    words = describe_forward(data, data["moments"][-1], [])
    assert words == "(0 + 1 + 2 + … + 8 (9 terms)) / 9 = 4"


def test_each_element_of_a_gradient_has_its_own_product():
    def run():
        x = torch.tensor([[1.0, 2.0]], requires_grad=True)
        (x @ torch.tensor([[3.0, 4.0], [5.0, 6.0]])).sum().backward()

    data = traced(run)
    node = next(m for m in data["moments"] if m["name"] == "MmBackward0")
    (edge,) = node["edges"]
    words = [describe_backward(data, node, edge, [0, k]) for k in (0, 1)]
    assert words == ["1 · 3 + 1 · 4 = 7", "1 · 5 + 1 · 6 = 11"]


def test_large_values_have_no_words():
    def run():
        (torch.ones(3000, requires_grad=True) * 2).sum().backward()

    data = traced(run)
    mul = next(m for m in data["moments"] if m["name"] == "mul")
    assert describe_forward(data, mul, [0]) == ""


def test_numbers_have_at_most_four_digits():
    assert [plain(x) for x in (0, 1, 1.5, 2 / 3, 1e-4, "inf", 123456)] == [
        "0", "1", "1.5", "0.6667", "1.000e-04", "inf", "1.235e+05",
    ]  # fmt: skip


def test_words_agree_with_those_of_the_page():
    folder = FIXTURES / "stepper"
    data = json.loads((folder / "data.json").read_text(encoding="utf-8"))
    expected = json.loads((folder / "words.json").read_text(encoding="utf-8"))
    check_view("stepper", data)
    for moment, words in zip(data["moments"], expected["words"], strict=True):
        assert both_ends(data, moment) == words
    numbers = [0, 1, -1.5, 0.1 + 0.2, 1e-4, 123456, 99999.9, 2 / 3, 1e-10]
    numbers += [1.0625, -1.0625]
    assert list(map(plain, numbers)) == expected["numbers"]
    sums = [["-1 · 2", "-3 · 4"], [], list("123456789")]
    assert list(map(added, sums)) == expected["sums"]
    assert sum(bool(w) for words in expected["words"] for w in words) > 40


def both_ends(data, moment):
    """The words of the first and of the last elements."""
    found = []
    for shift in (0, 1) if moment["kind"] != "optim" else ():
        place = moment["outs"][0]["v"]
        words = describe_forward if moment["kind"] == "op" else describe_join
        found.append(words(data, moment, corner(data, place, shift)))
        found += [
            describe_backward(data, moment, edge, corner(data, edge["v"], shift))
            for edge in moment["edges"]
        ]
    return found


def corner(data, place, shift):
    return [shift * (n - 1) for n in data["values"][place]["shape"]]
