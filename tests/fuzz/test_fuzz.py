"""The fuzzer itself: it finds planted faults, and its programs are reproducible."""

from __future__ import annotations

import importlib
import types
from collections import Counter

import numpy as np
import pytest

import edutorch
from tests.fuzz.__main__ import verdict
from tests.fuzz.differences import difference
from tests.fuzz.double_precision import excuse, in_double
from tests.fuzz.families import large
from tests.fuzz.families.transforms import distance
from tests.fuzz.known import KNOWN, known
from tests.fuzz.outcomes import Outcome, TensorValue, outcome
from tests.fuzz.programs import families, program


def tensor(values, dtype="torch.float32", *, grad=False, layout="torch.strided"):
    values = np.array(values)
    return Outcome([TensorValue(dtype, values.shape, layout, grad, values)])


@pytest.mark.parametrize(
    ("got", "kind"),
    [
        (tensor([1.0, 2.0]), ""),
        (tensor([1.0, 2.0 + 1e-6]), ""),
        (tensor([1.0, 2.001]), "value"),
        (tensor([1.0, np.nan]), "value"),
        (tensor([1.0, np.inf]), "value"),
        (tensor([1.0, 2.0], "torch.float64"), "dtype"),
        (tensor([[1.0, 2.0]]), "shape"),
        (tensor([1.0, 2.0], grad=True), "requires_grad"),
        (Outcome([]), "structure"),
        (Outcome(error=ValueError("no")), "refused"),
    ],
)
def test_difference_of_results_is_found(got, kind):
    assert difference(tensor([1.0, 2.0]), got)[0] == kind


@pytest.mark.parametrize(
    ("got", "kind"),
    [
        (Outcome(error=ValueError("size 3")), ""),
        (Outcome(error=ValueError("size 4")), "message"),
        (Outcome(error=TypeError("size 3")), "exception"),
        (tensor([1.0]), "accepted"),
    ],
)
def test_difference_of_exceptions_is_found(got, kind):
    assert difference(Outcome(error=ValueError("size 3")), got)[0] == kind


def test_difference_of_nan_in_either_part_of_complex_numbers_is_none():
    x, y = complex(np.nan, 1), complex(np.nan, 2)
    both = [tensor([v], "torch.complex64") for v in (x, y)]
    assert difference(*both) == ("", "")


def test_outcome_names_the_library_torch():
    got = outcome("torch.zeros(2) @ torch.zeros(3)", edutorch, {})
    assert "edutorch" not in str(got)
    assert got.error is not None


@pytest.mark.parametrize("name", families())
def test_programs_are_the_same_for_the_same_seed(name):
    texts = [program(name, 3, i) for i in range(20)]
    assert texts == [program(name, 3, i) for i in range(20)]
    assert len(set(texts)) > 10


def test_known_disagreements_have_reasons_and_match_by_kind():
    assert all(len(k.reason) > 20 for k in KNOWN)
    assert known("result = 1", "crash", "an answer") is None


def test_planted_fault_is_found_and_shrunk(monkeypatch):
    worker = importlib.import_module("tests.fuzz.worker")

    mutant = types.SimpleNamespace(**vars(edutorch))
    mutant.exp = lambda x: edutorch.exp(x) + 1
    monkeypatch.setattr(worker, "edutorch", mutant)
    text = "x = torch.zeros(2)\ny = torch.ones(3)\nresult = torch.exp(x)"
    found = worker.shrink(worker.compare(text, "promotion"), "promotion")
    assert found["kind"] == "value"
    assert found["program"] == "x = torch.zeros(2)\nresult = torch.exp(x)"


@pytest.mark.parametrize(
    ("kinds", "usual", "strict"),
    [
        ({}, 0, 0),
        ({"known": 3, "message": 1}, 0, 0),
        ({"message": 9}, 0, 1),
        ({"accepted": 1}, 0, 1),
        ({"value": 5}, 0, 1),
        ({"value": 6}, 1, 1),
        ({"crash": 1}, 1, 1),
    ],
)
def test_verdict_fails_for_what_is_wrong(kinds, usual, strict):
    counted = Counter(kinds)
    assert verdict(1, 10_000, counted, strict=False) == usual
    assert verdict(1, 10_000, counted, strict=True) == strict


def test_results_may_be_nearer_to_double_precision_than_pytorchs():
    half = "torch.float16"
    text = "result = [torch.full((2,), 0.1, dtype=torch.float16)]"
    assert in_double(text) == text.replace("16)", "16).double()")
    exact, far = tensor([0.1, 0.1], half), tensor([0.2, 0.1], half)
    assert excuse(far, exact, text) == "value"
    assert excuse(exact, far, text) == ""
    assert excuse(far, exact, text.replace("16", "64")) == ""
    near = tensor([0.15, 0.1], half)  # not right, but nearer than PyTorch's
    assert excuse(far, near, text) == "value"
    assert excuse(near, far, text) == ""


@pytest.mark.parametrize(("function", "off"), [("x * y", 0), ("x.softmax(1)", 1e-6)])
def test_large_sums_that_cancel_may_differ_by_roundings_only(function, off):
    text = (
        "rng = np.random.default_rng(0); n, m = 20, 30\n"
        "a, b, v = (torch.tensor(rng.standard_normal(s)).to(torch.float32)"
        ".requires_grad_() for s in ((n, m), (n, m), m))\n"
        f"x, y = a[:, :1].expand(n, m), b\nz = {function}\n"
        "result = [torch.autograd.grad(z.sum(), a)]"
    )
    expected, got, wrong = (outcome(text, edutorch, {}) for _ in range(3))
    got.value[0][0].values[:, 0] += off
    wrong.value[0][0].values[:, 0] += 1e-2
    assert large.excuses(expected, got, text) == "value"
    assert large.excuses(expected, wrong, text) == ""


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        ([True, False], [True, False], 0.0),
        ([True, False], [True, True], np.inf),
        ([1, 5], [3, 4], 2.0),
        ([1.0, np.nan], [1.5, np.nan], 0.5),
        ([np.inf, 0.0], [-np.inf, 0.0], np.inf),
    ],
)
def test_distance_of_tensors_is_known_for_every_kind(x, y, expected):
    x, y = ([TensorValue("", (2,), "", False, np.array(v))] for v in (x, y))
    assert distance(x, y) == expected


def test_distance_of_nests_that_do_not_match_is_infinite():
    x = tensor([1.0, 2.0]).value
    assert distance({"a": x}, {"a": tensor([1.0, 4.0]).value}) == 2
    for y in ([*x, 1], {"a": x}, 1, x[0]):
        assert distance(x, y) == distance(y, x) == np.inf
