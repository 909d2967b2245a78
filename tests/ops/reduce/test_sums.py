"""Sums."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "a.sum()",
    "torch.sum(a, 0)",
    "torch.sum(a, dim=(0, 1), keepdim=True)",
    "torch.sum(a, -1, True)",
    "ints.sum()",
    "mask.sum(0)",
    "uint8s.sum()",
    "singles.sum(dtype=torch.float64)",
    "mask.sum(dtype=torch.float32)",
    "complexes.sum()",
    "torch.sum(a, ())",
    "scalar.sum(0)",
    "torch.ones(0, 3).sum(0)",
    "torch.ones(3000).sum()",
    "torch.ones(5000, dtype=torch.float16).sum()",
    "y = torch.empty(3); torch.sum(singles, 0, out=y); y",
    "a.t().sum()",
    "torch.sum(singles, 0, out=torch.empty(3, dtype=torch.float64))",
    "torch.sum(ints, 0, out=torch.empty(3, dtype=torch.int32))",
    "torch.sum(singles, dtype=int)",
    "singles.sum(None, True)",
    "singles.sum((), keepdim=True)",
    "torch.sum(singles, dim=None, keepdim=True)",
    "torch.nansum(specials[:1])",
    "torch.nansum(specials, 0)",
    "specials.nansum()",
    "specials.requires_grad_().nansum(0)",
    "mask.nansum()",
    "ints.nansum(1)",
]

SMOOTH = [
    "a.sum()",
    "squares.sum((0, 2))",
    "complexes.sum(0)",
]

REFUSED = [
    "a.sum(2)",
    "a.sum((0, 0))",
    "torch.sum(3)",
    "torch.sum(singles, 0, dtype=torch.float32, out=torch.empty(3, dtype=torch.float64))",
    "singles.sum(keepdim=True)",
    "torch.sum(singles, keepdim=False)",
    "torch.nansum(None)",
    "torch.sum(a, dtype=torch.int64)",
    "torch.sum(a, 0, dtype=torch.bool)",
    "a.nansum(0, dtype=torch.int32)",
    "complexes.nansum()",
    "singles.nansum(dtype=torch.complex64)",
    "torch.nansum(singles, dtype=torch.float64, out=torch.zeros(()))",
]

COMPOSED = [
    "a.nansum(0)",
]


@pytest.mark.parametrize("case", CASES)
def test_sums_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_sums_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_sums_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_sums_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sum", [49993.84375, 50169.671875]),
        ("mean", [0.499938428401947, 0.5016967058181763]),
        ("std", [0.2884219288825989, 0.28888219594955444]),
    ],
)
def test_sums_over_many_rows_lose_no_digits(name, expected):
    edutorch.manual_seed(0)
    x = edutorch.rand(100_000, 2)
    found = getattr(x, name)(0)
    assert found.tolist() == pytest.approx(expected, rel=3e-7)  # PyTorch's numbers
    assert getattr(x, name)(0, keepdim=True).tolist() == [found.tolist()]
    assert getattr(x.t(), name)(1).tolist() == found.tolist()


@pytest.mark.parametrize(
    "expression",
    [
        "torch.sum(a, dtype=torch.int32)",
        "a.sum(0, dtype=torch.bool)",
        "a.nansum(dtype=torch.uint8)",
        "a.prod(dtype=torch.int8)",
        "a.prod(1, dtype=torch.int64)",
        "a.cumsum(0, dtype=torch.int32)",
        "a.cumprod(0, dtype=torch.int32)",
        "torch.masked.sum(a, 0, dtype=torch.int32)",
    ],
)
def test_integers_of_what_requires_a_gradient_are_refused(expression):
    refused(__file__, expression)
