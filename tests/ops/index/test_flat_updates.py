"""Overwriting elements of the flattened tensor."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, refused

# PyTorch builds these of other operations: its nodes have other names.
OTHER_NODES = [
    "y = a.clone(); y.put_(torch.tensor([0, 5]), row[:2]); y",
    "y = a.clone(); y.put_(torch.tensor([0, 0]), row[:2], accumulate=True); y",
    "torch.put(a, torch.tensor([-1]), row[:1])",
    "y = scalar.clone(); y.put_(torch.tensor([0]), row[:1]); y",
]

REFUSED = [
    "singles.put_(torch.tensor([50]), torch.tensor([1.0]))",
    "singles.put_(torch.tensor([0, 1]), torch.tensor([1.0]))",
    "singles.put_(torch.tensor([0]), torch.tensor([1]))",
    "torch.zeros(1).expand(3).put_(torch.tensor([0]), torch.ones(1))",
    "y = torch.tensor([0, 1]); y.put_(y, torch.tensor([1, 1]))",
    "y = torch.ones(1).expand(3); y.put_(torch.tensor([0, 1]), torch.ones(1))",
    "y = torch.ones(6)[::2]; y.put_(torch.arange(3), y)",
]


@pytest.mark.parametrize("case", OTHER_NODES)
def test_elements_equal_pytorch_with_nodes(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_elements_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_put_is_a_node_of_its_own_with_an_edge_for_each_value():
    x = torch.arange(4.0, requires_grad=True)
    v = torch.tensor([5.0, 6.0], requires_grad=True)
    for shape, places in ((4,), [0, -1]), ((2, 2), [0, 3]):
        y = (x * 1).view(shape).clone().put_(torch.tensor(places), v)
        assert y.flatten().tolist() == [5, 1, 2, 6]
        assert y.grad_fn.name() == "PutBackward0"
        assert len(y.grad_fn.next_functions) == 2
        gx, gv = torch.autograd.grad((y * y).sum(), (x, v))
        assert gx.tolist() == [0, 2, 4, 0] and gv.tolist() == [10, 12]
    y = (x[0] * 1).put_(torch.tensor([0]), v[:1], accumulate=True)
    assert y == 5 and [g.item() for g in torch.autograd.grad(y, (x, v))[0][:1]] == [1]


def test_put_refuses_in_order():
    x = torch.zeros(0, requires_grad=True)
    i, v = torch.tensor([0]), torch.ones(1)
    for target, index, source, message in (
        (x, i.int(), v, "a leaf Variable that requires grad"),
        (torch.zeros(1).expand(3), i, torch.ones(2), "to have the same number"),
        (torch.zeros(1).expand(3), i + 9, v, "more than one element of the written"),
        (torch.zeros(0), i.int(), v.long(), "Expected a long tensor for index"),
        (torch.zeros(0), i, torch.ones(2).long(), "expected to have the same dtype"),
        (torch.zeros(0), i, torch.ones(2), "to have the same number of elements"),
        (torch.zeros(0), i, v, "Tried to put elements into an empty tensor"),
    ):
        with pytest.raises((RuntimeError, IndexError), match=message):
            target.put_(index, source)


def test_put_without_recording_leaves_the_history_as_it_is():
    x = torch.arange(3.0, requires_grad=True)
    y = x * 1
    with torch.no_grad():
        y.put_(torch.tensor([0]), torch.ones(1))
    assert torch.autograd.grad(y.sum(), x)[0].tolist() == [1, 1, 1]
