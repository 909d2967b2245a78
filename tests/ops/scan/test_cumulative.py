"""Running sums, products and extremes."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "x = torch.full((3, 1), 2.0, requires_grad=True); torch.autograd.grad(torch.cumprod(x, 1).sum(), x, create_graph=True)[0]",
    "torch.cumsum(a, 0)",
    "torch.cumsum(a, -1)",
    "torch.cumsum(ints, 1)",
    "torch.cumsum(mask, 1)",
    "torch.cumsum(singles, 0)",
    "torch.cumsum(scalar, 0)",
    "torch.cumsum(zeroed, 1)",
    "torch.cumsum(complexes, 0)",
    "x = torch.ones(0, 3, requires_grad=True); torch.autograd.grad(torch.cumprod(x, 1).sum(), x, create_graph=True)[0]",
    "torch.cumprod(a, 0)",
    "torch.cumprod(a, -1)",
    "torch.cumprod(ints, 1)",
    "torch.cumprod(mask, 1)",
    "torch.cumprod(singles, 0)",
    "torch.cumprod(scalar, 0)",
    "torch.cumprod(zeroed, 1)",
    "torch.cumprod(complexes, 0)",
    "a.cumsum(0, dtype=torch.float32)",
    "torch.cumprod(torch.cat([zeroed, a, zeroed]), 0)",
    "y = a * 1; y.cumsum_(0); y",
    "y = a * 1; y.cumprod_(1); y",
    "torch.cumsum(torch.ones(0, 2), 0)",
    "torch.cumsum(torch.tensor(1.5), 0, dtype=torch.float8_e5m2).float()",
    "torch.cumsum(torch.ones(0, 2).to(torch.float8_e5m2), 0).float()",
    "torch.cumprod(torch.tensor(1.5).to(torch.complex32), 0).to(torch.complex64)",
    "torch.cumprod(torch.ones(0, 2).to(torch.complex32), 0, dtype=torch.float32)",
    "torch.cummax(a, 1)",
    "torch.cummin(a, 0)",
    "torch.cummax(ties, 1)",
    "torch.cummin(ints, 1)",
    "torch.cummax(specials, 0)",
    "torch.cummin(torch.tensor([2.0, 1, 1, 0, 3]), 0)",
    "torch.cummax(scalar, 0)",
    "torch.logcumsumexp(a, 1)",
    "torch.logcumsumexp(singles, 0)",
    "torch.logcumsumexp(scalar, 0)",
    "ints.cummax(axis=0)",
    "ints.cummin(axis=1)",
    "complexes.logcumsumexp(1)",
    "complexes[0, 0].logcumsumexp(0)",
    "singles.logcumsumexp(axis=0)",
    "singles.t().cumsum(0).stride()",
    "singles.t().cumprod(0).stride()",
    "singles.t().cummax(0)[0].stride()",
    "torch.cumsum(singles, 0, out=torch.empty(2, 3, dtype=torch.float64))",
    "torch.autograd.grad(a.cumsum(0), a, torch.ones(2, 3).double())[0].stride()",
]

SMOOTH = [
    "torch.cumsum(a, 1)",
    "torch.cumprod(a, 1)",
    "torch.cumprod(zeroed, 1)",
    "torch.cummax(a, 1).values",
    "torch.cummin(a, 0).values",
    "torch.logcumsumexp(a, 1)",
    "torch.cumprod(complexes, 0)",
]

REFUSED = [
    "torch.cumsum(a, 0, dtype=torch.int64)",
    "torch.cumprod(a, 1, dtype=torch.int32)",
    "torch.cumsum(a, 2)",
    "torch.cummax(a, -3)",
    "torch.cumsum(mask, 0, dtype=torch.bool)",
    "complexes.detach().cummax(0)",
    "torch.cummin(singles)",
]


@pytest.mark.parametrize("case", CASES)
def test_running_results_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_running_results_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_running_results_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_running_sums_of_many_numbers_lose_no_digits():
    edutorch.manual_seed(0)
    x = edutorch.rand(100_000, 2)
    assert x.cumsum(0)[-1].tolist() == [49993.84375, 50169.671875]  # PyTorch's numbers
    assert (1 + x * 1e-5).cumprod(0)[-1].tolist() == [
        1.6486190557479858,
        1.651548147201538,
    ]


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("function", ["cumsum", "cumprod"])
@pytest.mark.parametrize(("shape", "dim"), [((30, 70), 0), ((2, 9, 8, 8), 1)])
def test_running_results_by_rows_are_those_of_the_plain_path(
    name, function, shape, dim
):
    """To the last bit, also of nan, infinities, overflows and signs of zero."""
    edutorch.manual_seed(1)
    x = edutorch.randn(shape).to(getattr(edutorch, name)) * 3
    x.view(-1)[::97] = float("nan")
    x.view(-1)[5::101] = float("inf")
    x.view(-1)[::7] = -0.0
    found = []
    for mode in ("plain", "fast"):
        with edutorch.config.kernels(mode):
            y = getattr(x, function)(dim)
        found.append((y.dtype, y.stride(), y.double().numpy().tobytes()))
    assert found[0] == found[1]
