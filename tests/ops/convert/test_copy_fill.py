"""Copies, and overwriting values."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.zeros(2, 3).copy_(other=singles)",
    "a.clone()",
    "ints.t().expand(2, 3, 2).clone().stride()",
    "torch.zeros(0, 3).expand(2, 0, 3).clone()",
    "torch.fill(a, 2)",
    "torch.fill(a, scalar)",
    "torch.clone(a.t())",
    "(singles.t().clone().stride(), singles[:, ::2].clone().stride())",
    "singles.t().clone(memory_format=torch.contiguous_format).stride()",
    "torch.zeros(1, 3).t().clone().stride()",
    "torch.zeros(3, 4).t().unsqueeze(0).clone().stride()",
    "torch.zeros(9).as_strided((2, 1, 3), (1, 9, 2)).clone().stride()",
    "torch.zeros(3, 2).t().unsqueeze(0).double().stride()",
    "img.clone(memory_format=torch.channels_last).stride()",
    "a.t().contiguous()",
    "singles.contiguous() is singles",
    "singles.t().contiguous().stride()",
    "img.contiguous(memory_format=torch.channels_last).stride()",
    "y = singles.clone(); y.copy_(ints); y",
    "y = singles.clone(); y.copy_(scalar.detach()); y",
    "y = ints.clone(); y.copy_(singles); y",
    "y = singles.clone(); y.copy_(1); y",
    "y = mask.clone(); y.copy_(1j); y",
    "y = a.clone(); y.copy_(b); y",
    "y = a.clone(); y.copy_(row); y",
    "y = singles.clone(); y.copy_(a); y",
    "y = torch.zeros(2, 3, dtype=torch.float64); y.copy_(a); y",
    "y = singles.clone(); y.fill_(3); y",
    "y = a.clone(); y.fill_(3); y",
    "y = a.clone(); y.fill_(scalar); y",
    "y = ints.clone(); y.fill_(1.7); y",
    "y = uint8s.clone(); y.fill_(-1); y",
    "torch.fill(singles, 2)",
    "y = singles.clone(); y.zero_(); y",
    "y = a.clone(); y.zero_(); y",
    "y = singles.clone(); torch.zero_(y); y",
    "y = singles.clone(); y.t().copy_(torch.arange(6).reshape(3, 2)); y",
    "torch.zeros(2, 2, dtype=torch.bool).copy_(complexes.imag * 1j)",
]

SMOOTH = [
    "a.clone() ** 2",
    "a.t().contiguous() ** 2",
]

REFUSED = [
    "torch.zeros(2, dtype=torch.uint8).fill_(-1.0)",
    "y = singles.clone(); y.copy_(row[:2])",
    "y = singles.clone(); y.copy_(singles[None])",
    "y = row.clone(); y.copy_(singles)",
    "singles.copy_([1])",
    "singles.fill_(row)",
    "singles.fill_('a')",
    "ints.int().fill_(2 ** 40)",
    "uint8s.fill_(300)",
    "singles.fill_(1j)",
    "singles.t().contiguous(memory_format=torch.channels_last)",
    "a.copy_(b)",
    "a.zero_()",
    "torch.clone(singles, memory_format='a')",
]


@pytest.mark.parametrize("case", CASES)
def test_copies_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_copies_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_copies_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_a_clone_keeps_the_order_of_memory_beside_dimensions_of_none():
    x = edutorch.arange(6).reshape(2, 3)[None].permute(2, 1, 0)
    assert x.clone().stride()[:2] == (1, 3)


@pytest.mark.parametrize(
    "write",
    [
        lambda x, i, m, v: edutorch.fill(x, v),
        lambda x, i, m, v: x.masked_fill(m, v),
        lambda x, i, m, v: x.index_fill(0, i, v),
        lambda x, i, m, v: x.index_put((m,), v),
        lambda x, i, m, v: x.select_scatter(v, 0, 1),
        lambda x, i, m, v: x.slice_scatter(v.reshape(1), 0, 1, 2),
        lambda x, i, m, v: x.diag().diagonal_scatter(v.expand(3)),
        lambda x, i, m, v: x.as_strided_scatter(v.reshape(1), (1,), (1,)),
    ],
)
def test_copies_of_integers_refuse_values_that_require_grad(write):
    x, i, m = (
        edutorch.arange(3),
        edutorch.tensor([1]),
        edutorch.tensor([True, False, True]),
    )
    v = edutorch.tensor(2.5, requires_grad=True)
    with pytest.raises(RuntimeError, match="Autograd not support dtype: Long"):
        write(x, i, m, v)
    with edutorch.no_grad():
        assert write(x, i, m, v).max() == 2


def test_integers_take_values_that_require_grad_in_place():
    i, m = edutorch.tensor([1]), edutorch.tensor([True, False, True])
    v = edutorch.tensor(2.5, requires_grad=True)
    x = edutorch.arange(3)
    assert x.clone().fill_(v).requires_grad
    assert x.clone().masked_fill_(m, v).requires_grad
    assert x.clone().index_fill_(0, i, v).requires_grad
    assert x.clone().index_put_((m,), v).requires_grad
    y, z = x.clone(), x.clone()
    y[m], z[1:] = v, v
    assert y.tolist() == [2, 1, 2] and y.requires_grad
    assert z.tolist() == [0, 2, 2] and z.requires_grad
    y, z = x.clone().copy_(v), x.clone()
    z[1] = v
    assert not (y.requires_grad or z.requires_grad)
