"""Products, logsumexp."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "x = complexes.detach().requires_grad_(); g, = torch.autograd.grad(torch.prod(x, 0, dtype=torch.float64).sum(), x, create_graph=True); torch.autograd.grad(g.real.sum(), x)[0]",
    "torch.autograd.grad(torch.prod(scalar), scalar, create_graph=True)[0].requires_grad",
    "torch.autograd.grad(torch.prod(scalar, 0, keepdim=True), scalar, create_graph=True)[0].requires_grad",
    "a.prod()",
    "torch.prod(a, 1)",
    "torch.prod(a, 0, keepdim=True)",
    "zeroed.prod()",
    "[y.stride() for y in [squares.half().mT.prod(k, keepdim=True) for k in (0, 1)]]",
    "zeroed.prod(1)",
    "x = zeroed.detach().t().requires_grad_(); "
    "torch.autograd.grad(x.prod(1).sum(), x)[0].stride()",
    "x = a.detach().t().contiguous().t(); "
    "torch.func.vmap(torch.func.grad(lambda r: r.prod()))(x).stride()",
    "x = squares.detach().mT; "
    "torch.func.vmap(torch.func.grad(lambda r: r.prod(0).sum()))(x).stride()",
    "x = squares.detach().mT; torch.func.grad(lambda x: "
    "torch.func.vmap(lambda r: r.prod())(x).sum())(x).stride()",
    "torch.prod(zeroed[:, 1:], 1)",
    "torch.prod(torch.cat([zeroed, zeroed[:1]]), 0)",
    "ints.prod()",
    "mask.prod(1)",
    "singles.prod(dtype=torch.float64)",
    "scalar.prod()",
    "scalar.prod(0)",
    "complexes.prod()",
    "torch.logsumexp(a, 0)",
    "torch.logsumexp(a, (0, 1))",
    "torch.logsumexp(a, 1, True)",
    "torch.logsumexp(ints, 1)",
    "torch.logsumexp(specials[1:], 0)",
    'torch.logsumexp(torch.tensor([float("-inf")] * 2), 0)',
    "a.logsumexp(-1)",
    "torch.logsumexp(torch.ones(0, 2), 0)",
    "scalar.logsumexp(0)",
    "torch.prod(singles, 0, out=torch.empty(3, dtype=torch.float64))",
]

SMOOTH = [
    "a.prod()",
    "a.prod(1)",
    "zeroed.prod()",
    "zeroed.prod(1)",
    "complexes.prod(0)",
    "torch.logsumexp(a, 1)",
    "torch.logsumexp(a, (0, 1))",
]

REFUSED = [
    "torch.prod(a, 0, dtype=torch.int64)",
    "torch.prod(a, dtype=torch.int64)",
    "a.prod(None)",
    "torch.logsumexp(None, 0)",
    "a.prod(3)",
    "a.logsumexp(2)",
    "torch.prod(singles, keepdim=True)",
]


@pytest.mark.parametrize("case", CASES)
def test_totals_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_totals_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_totals_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_logsumexp_of_16_bit_floats_is_rounded_step_by_step():
    x = edutorch.linspace(-1, 1, 40).bfloat16().requires_grad_()
    y = x.logsumexp(0)
    (g,) = edutorch.autograd.grad(y, x)
    assert y.item() == 3.859375 and g.float().sum().item() == 0.9990234375


@pytest.mark.parametrize(("dtype", "others", "product"), [
    ("float16", 4.646240234375, 0.6748046875),
    ("bfloat16", 4.626953125, 0.671875),
])  # fmt: skip
def test_product_of_16_bit_floats_and_its_gradient_are_rounded_step_by_step(
    dtype, others, product
):
    x = edutorch.linspace(0.5, 1.5, 6).to(getattr(edutorch, dtype)).requires_grad_()
    y = x.prod()
    (g,) = edutorch.autograd.grad(y, x)
    assert y.item() == product and g.float().sum().item() == others


STEPS = [
    "torch.prod(torch.tensor([6e-8, 6e-8, 1e4, 1e4], dtype=torch.float16))",
    "torch.tensor([[300.0, 300.0, 1e-3]], dtype=torch.float16).prod(1)",
    "torch.tensor([[300.0], [1e-3], [300.0]], dtype=torch.float16).prod(0, True)",
    "torch.tensor([6e-8, 1e4], dtype=torch.float16).prod(dtype=torch.float32)",
    "torch.linspace(0.9, 1.1, 300).bfloat16().prod()",
    "torch.ones(2, 3, 4).half().permute(2, 1, 0).prod(2).stride()",
    "torch.linspace(0.9, 1.1, 300).half().reshape(3, 100).prod(1)",
    "torch.linspace(0.9, 1.1, 300).half().reshape(100, 3).prod(0)",
    "torch.linspace(0.9, 1.1, 300).half().reshape(2, 150)[:, ::2].prod(1)",
]


@pytest.mark.parametrize("case", STEPS)
def test_float16_is_rounded_factor_by_factor_as_in_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize(
    ("dtype", "product"), [("bfloat16", 2.390625), ("float16", 2.41015625)]
)
def test_products_of_a_narrower_dtype_are_rounded_factor_by_factor(dtype, product):
    x = edutorch.linspace(0.9, 1.15, 40)
    narrow = getattr(edutorch, dtype)
    out = edutorch.empty((), dtype=narrow)
    assert edutorch.prod(x, 0, out=out).item() == product  # PyTorch's numbers
    assert x.prod(dtype=narrow).item() == product
