"""Copies between simulated GPUs, and what is refused."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.nn.parallel import comm


@pytest.fixture(autouse=True)
def two_gpus():
    with torch.cuda.simulate(devices=2):
        yield


def test_broadcast_keeps_what_is_there_already():
    x = torch.ones(2, device="cuda:0")
    first, second = comm.broadcast(x, [0, 1])
    assert first is x
    assert second.device.index == 1
    out = [torch.zeros(2, device="cuda:1")]
    assert comm.broadcast(x, out=out)[0] is out[0]
    assert out[0].tolist() == [1.0, 1.0]


def test_parts_have_the_sizes_that_were_asked_for():
    x = torch.arange(5)
    assert [p.tolist() for p in comm.scatter(x, [0, 1])] == [[0, 1, 2], [3, 4]]
    assert [len(p) for p in comm.scatter(x, [0, 1], [1, 4])] == [1, 4]
    out = [torch.zeros(2, dtype=x.dtype, device="cuda:0"),
           torch.zeros(3, dtype=x.dtype, device="cuda:1")]  # fmt: skip
    comm.scatter(x, out=out)
    assert comm.gather(out, destination="cpu").tolist() == x.tolist()


def test_sum_lies_on_its_destination_and_changes_no_operand():
    parts = [torch.full((2,), float(i + 1), device=f"cuda:{i}") for i in (0, 1)]
    total = comm.reduce_add(parts, 1)
    assert (total.tolist(), total.device.index) == ([3.0, 3.0], 1)
    assert parts[1].tolist() == [2.0, 2.0]


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda x: comm.broadcast(x), RuntimeError, "Exactly one of 'devices'"),
        (lambda x: comm.scatter(x, [0, 1], [1]), RuntimeError, "of same length"),
        (lambda x: comm.scatter(x, [0, 1], [1, 5]), RuntimeError, "don't sum up"),
        (lambda x: comm.reduce_add([x, x], 1), AssertionError, "to be on GPUs"),
        (lambda x: comm.reduce_add([x.to("cuda:0")], 1), RuntimeError, "same GPU"),
        (lambda x: comm.broadcast(x, out=[x[:1]]), RuntimeError, "same shape as input"),
        (lambda x: comm.gather([x], destination=0, out=x), RuntimeError, "'out'"),
    ],
)
def test_wrong_calls_are_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call(torch.arange(5.0))
