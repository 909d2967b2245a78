"""Means, variances and standard deviations."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.var(singles.to(torch.complex64), 0, correction=2)",
    "x = torch.ones(1, requires_grad=True); torch.autograd.grad(x.var(), x, create_graph=True)[0]",
    "x = torch.ones(2, requires_grad=True); torch.autograd.grad(x.var(correction=3), x)[0]",
    "x = torch.arange(4.0).reshape(2, 2).requires_grad_(); torch.autograd.grad(x.var(1, correction=3).sum(), x)[0]",
    "torch.var(torch.ones(0), correction=-1)",
    "torch.mean(torch.tensor([0.1, 0.3, 0.7]).half(), out=torch.zeros(()))",
    "torch.mean(torch.tensor([0.1, 0.3]).bfloat16(), 0, out=torch.zeros(()).half())",
    "torch.mean(torch.tensor([0.1, 0.7]), 0, out=torch.zeros(()).double())",
    "torch.mean(torch.ones(300) * 300, 0, out=torch.zeros(()).half())",
    "torch.var(singles.half(), 0, out=torch.zeros(3))",
    "torch.tensor([1e30, 2e30]).std()",
    "torch.tensor([[1e-25, 2e-25], [1.0, 3.0]]).std(1)",
    "torch.tensor([1e-20, 2e-20]).var()",
    "torch.tensor([1e-25j, 2e-25]).std()",
    "torch.tensor([[1e30, 1e31], [2e30, 1.0]]).std(0)",
    "torch.tensor([1e30, 2e30]).var()",
    "a.mean()",
    "torch.mean(a, 0)",
    "torch.mean(a, (0, 1), True)",
    "ints.mean(dtype=torch.float32)",
    "complexes.mean()",
    "torch.ones(0).mean()",
    "torch.ones(3, dtype=torch.float16).mean()",
    "torch.nanmean(specials)",
    "torch.nanmean(a, 0)",
    "scalar.mean()",
    "a.var()",
    "torch.var(a, 1)",
    "torch.var(a, 0, False)",
    "a.var(unbiased=False)",
    "a.var(False)",
    "torch.var(a, 1, correction=0, keepdim=True)",
    "torch.var(complexes)",
    "torch.var(squares, (0, 1))",
    "a.std()",
    "torch.std(a, 1, True)",
    "torch.std(a, dim=1, unbiased=False, keepdim=True)",
    "torch.std(torch.ones(2, 2, requires_grad=True), 1)",
    "torch.full((3, 7), .3, requires_grad=True).std(1)",
    "torch.full((7,), .1 + .3j, requires_grad=True).std()",
    "torch.full((7, 5), .3).double().var((0, 1))",
    "torch.std(complexes)",
    "torch.var(singles, 0)",
    "torch.var(torch.ones(1))",
    "torch.var(a, 1, correction=2)",
    "torch.tensor([[float('nan')] * 2, [1.0, 2.0]], requires_grad=True).nanmean(1)",
    "singles.mean(0, dtype=float)",
    "singles.mean(None, True)",
]

SMOOTH = [
    "a.mean(0)",
    "a.var(1)",
    "a.std(1)",
    "squares.var((0, 1), correction=0)",
    "complexes.var()",
    "torch.nanmean(a)",
]

REFUSED = [
    "torch.mean(doubles, 0, out=torch.zeros(3).long())",
    "torch.mean(complexes, out=torch.zeros(()))",
    "torch.mean(ints, 0, out=torch.zeros(3))",
    "torch.mean(singles, 0, dtype=torch.float64, out=torch.zeros(3))",
    "torch.var(mask, correction=1j)",
    "torch.std(singles.half(), out=torch.zeros(()))",
    "ints.mean()",
    "ints.var()",
    "a.mean(5)",
    "ints.mean(5, dtype=torch.float64)",
    "a.mean(5, dtype=torch.int64)",
    "a.nanmean(5, dtype=torch.int64)",
    "ints.nanmean(out=torch.zeros(()))",
    "mask.std()",
    "ints.nanmean()",
    "torch.nanmean('a')",
    "singles.mean(dtype=torch.int64)",
    "torch.mean(singles, keepdim=True)",
    "torch.std(singles, 0, [])",
]


@pytest.mark.parametrize("case", CASES)
def test_means_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_means_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_means_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
