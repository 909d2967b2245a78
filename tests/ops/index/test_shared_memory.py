"""Indexed writes of values, and at indices, that lie in the memory written to."""

from __future__ import annotations

import pytest

from tests.ops.cases import alike, refused

# `y` is written to; `n` is an index and a tensor of integers.
MADE = "y = singles.clone(); n = torch.arange(3); "

CASES = [
    "y[:] = y[0]",
    "y[0][:] = y[0, 0]",
    "y[...] = y[-1, -1]",
    "y.fill_(y[0, 0])",
    "y[y > 0] = y[0, 0]",
    "y[0, y[0] > 0] = y[0, 0]",
    "y.index_put_((y > 0,), y[0, :1])",
    "y.index_fill_(0, torch.tensor([0]), y[1, 1])",
    "n[n > 1] = n[0]",
    "y.masked_scatter_(y > 9, y.t())",
    "n.put_(torch.tensor([0]), torch.tensor([2]))",
    "v = y.expand(2, 2, 3); v[:] = v[0]",  # nothing is written
    "v = y[:1].expand(2, 1, 3); v[...] = v[-1]",
    "v = y.expand(2, 2, 3); v.copy_(y.expand(2, 2, 3))",
]

NODES = ["y[0] += 1", "y[0] = y[0]", "y[:] = y[:]", "y[...] = y", "y[0, 0] = y[0, 0]"]

REFUSED = [
    "z = y[:1, :1].clone(); z[:] = z[0]",
    "y.index_add_(0, torch.tensor([0, 1]), y)",
    "y.index_add_(0, torch.tensor([0]), y[:1])",
    "y.index_add_(0, torch.tensor([9]), y[:1])",  # its memory first
    "y.index_add_(0, torch.tensor([0, 1]), y[:1])",  # its number of indices first
    "y.index_add_(1, torch.tensor([0]), y[0])",
    "y.index_copy_(0, torch.tensor([0]), y)",
    "y.index_copy_(0, torch.tensor([0, 1]), source=y)",
    "y.index_copy_(2, torch.tensor([0]), y)",
    "y.index_reduce_(0, torch.tensor([0, 1]), y, 'prod')",
    "y.index_reduce_(0, torch.tensor([0, 1]), y[0, 0], 'prod')",
    "y.scatter_(0, torch.tensor([[0, 9, 1]]), y)",
    "y.scatter_(0, torch.tensor([[0, 1]]), y[0])",
    "y[:, :1].scatter_(0, torch.tensor([[0, 1]]), y[0])",
    "y.scatter_add_(0, torch.tensor([[0]]), y)",
    "y.scatter_reduce_(0, torch.tensor([[0]]), y, 'sum')",
    "y.index_put_((torch.tensor([0, 1]),), y)",
    "y.index_put_((torch.tensor([0]),), y)",
    "y.index_put_((torch.tensor([0]),), y[None])",
    "y.index_put_((torch.tensor([0, 1]),), y, accumulate=True)",
    "y.__setitem__(torch.tensor([0]), y[0, 0])",
    "y.__setitem__(torch.tensor([9]), y[0, 0])",
    "n.index_fill_(0, n, 3)",
    "n.index_put_((n,), n.clone())",
    "n.put_(n, torch.arange(3))",
]


@pytest.mark.parametrize("case", CASES)
def test_values_that_are_read_first_may_be_shared(case):
    alike(__file__, f"{MADE}{case}; y, n")


@pytest.mark.parametrize("case", NODES)
def test_a_part_written_to_itself_is_recorded(case):
    names = "(y.grad_fn.name(), y.grad_fn.next_functions[0][0].name(), y._version)"
    alike(__file__, f"y = a * 1; {case}; {names}")


@pytest.mark.parametrize("case", REFUSED)
def test_other_shared_memory_is_refused_in_the_order_of_pytorch(case):
    refused(__file__, f"{MADE}{case}")
