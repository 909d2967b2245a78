"""Records of values: statistics at level 2, ranges at level 3."""

from __future__ import annotations

import math

import numpy as np
import pytest

import edutorch as torch
from edutorch import events


def test_level_2_adds_statistics():
    records = []
    subscription = events.listen("stats", records.append, level=2)
    torch.arange(4.0) * 2
    subscription.close()
    stats = [events.as_dict(r) for r in records if r[0] == "stat"]
    assert (
        stats[-1]["max"] == 6.0 and stats[-1]["zeros"] == 1 and stats[-1]["numel"] == 4
    )


@pytest.fixture
def ranges():
    """The ranges of what happens during the test, fields by name."""
    told = []
    subscription = events.listen(
        "ranges", lambda r: told.append(events.as_dict(r)), level=3, kinds=["range"]
    )
    yield told
    subscription.close()


def test_level_3_tells_the_range_of_every_element(ranges):
    numbers = np.linspace(-3, 5, 10_001, dtype=np.float32)
    numbers[[7, 8, 9]] = np.nan, np.inf, -np.inf
    y = torch.tensor(numbers) * 1
    told = [r for r in ranges if r["ident"] == y._tensor_id]
    counts = ("nan", "posinf", "neginf", "numel")
    assert [[r[name] for name in counts] for r in told] == [[1, 1, 1, 10_001]]
    assert (told[0]["min"], told[0]["max"]) == (-3.0, 5.0)


def test_gradient_ranges_tell_what_arrived_and_what_each_node_sent(ranges):
    x = torch.tensor([2.0, -1.0], requires_grad=True)
    y = x * x
    y.backward(torch.tensor([10.0, 1.0]))
    told = [(r["what"], r["ident"], r["source"], r["min"], r["max"]) for r in ranges]
    node = y.grad_fn.seq
    assert ("node_grad", node, 0, 1.0, 10.0) in told
    assert told.count(("grad", x._tensor_id, node, -1.0, 20.0)) == 2  # once per factor
    assert ("grad", x._tensor_id, 0, -2.0, 40.0) in told


def test_values_that_an_op_overwrote_have_no_range(ranges):
    x = torch.tensor([1.0, 4.0])
    x.zero_()
    assert [(r["min"], r["max"]) for r in ranges] == [(0.0, 0.0)]


@pytest.mark.parametrize("level", [2, 3])
def test_vmap_runs_the_same_ops_and_tells_of_all_samples_when_watched(level):
    def ops(level):
        records = []
        subscription = events.listen("vmap", records.append, level=level)
        torch.func.hessian(lambda x: (x * x).prod())(torch.ones(3))
        subscription.close()
        told = [events.as_dict(r) for r in records]
        names = [r["name"] for r in told if r["kind"] in ("op", "bwd")]
        return names, {r["numel"] for r in told if r["kind"] in ("stat", "range")}

    names, sizes = ops(level)
    assert names == ops(1)[0]
    assert 9 in sizes  # 3 samples of 3


@pytest.mark.parametrize(
    "values",
    [
        np.linspace(-3, 5, 1001),
        1e6 + np.linspace(0, 1e-3, 4096),  # digits cancel in a difference of squares
        np.full(7, 0.1),
        np.array([0.0, -0.0, 2.0, 0.0]),
        np.array([np.nan, 0.0, 4.0, -np.inf, 5.0]),
        np.array([3 + 4j, 0j, 1j], np.complex64),
        np.array([1e200, -1e200, 3e199]),
    ],
    ids=["usual", "narrow", "constant", "zeros", "non-finite", "complex", "huge"],
)
def test_statistics_of_few_values_are_those_of_a_naive_account(values):
    records = []
    subscription = events.listen("stats", records.append, level=2, kinds=["stat"])
    torch.tensor(values).clone()
    subscription.close()
    told = events.as_dict(records[-1])
    sizes = abs(values).tolist() if values.dtype.kind == "c" else values.tolist()
    finite = [v for v in sizes if np.isfinite(v)]
    mean = sum(finite) / len(finite)
    apart = [v - mean for v in finite]
    assert (told["min"], told["max"]) == (min(finite), max(finite))
    assert told["mean"] == pytest.approx(mean)
    assert told["std"] == pytest.approx(math.hypot(*apart) / len(finite) ** 0.5) or (
        told["std"] == math.inf  # as the squares are
    )
    assert told["zeros"] == sizes.count(0)
    assert told["nonfinite"] == len(sizes) - len(finite)
    assert told["numel"] == told["sampled"] == len(sizes)
