"""Complex numbers and their parts."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.complex(a.detach().t(), b.detach().t()).stride()",
    "torch.polar(positive.detach().t(), b.detach().t()).stride()",
    "complexes.real",
    "complexes.imag",
    "torch.real(complexes)",
    "torch.imag(complexes)",
    "torch.real(row) is row",
    "torch.view_as_real(complexes)",
    "torch.view_as_complex(t1)",
    "torch.view_as_complex(torch.ones(3, 2))",
    "torch.complex(a, b)",
    "str(torch.complex(singles, singles * 2).dtype)",
    "torch.complex(scalar, row)",
    "torch.view_as_real(torch.complex(a, b))",
    "complexes.resolve_conj() is complexes",
    "(complexes.is_conj(), complexes.is_neg())",
    "y = complexes.detach().clone(); y.real = torch.zeros(2, 2, dtype=torch.float64); y",
    "y = complexes.detach().clone(); y.imag.zero_(); y",
    "(complexes.imag.storage_offset(), complexes.real.stride(), torch.view_as_real(complexes).stride())",
    "torch.view_as_real(complexes.t()).stride()",
    "torch.complex(torch.tensor(float('inf')), torch.tensor(1.0))",
    "torch.polar(positive, row)",
]

# PyTorch builds these of other operations: its nodes have other names.
OTHER_NODES = [
    "torch.polar(positive, a)",
]

SMOOTH = [
    "complexes.real ** 2",
    "complexes.imag ** 2",
    "torch.view_as_real(complexes) ** 2",
    "torch.complex(a, b) * torch.complex(b, a)",
    "torch.view_as_complex(t1) ** 2",
]

REFUSED = [
    "row.imag",
    "torch.view_as_real(row)",
    "torch.view_as_complex(a)",
    "torch.view_as_complex(a[:, :2])",
    "torch.view_as_complex(torch.ones(2, 3).t())",
    "torch.view_as_complex(torch.ones(2, 2).t())",
    "torch.view_as_complex(ints)",
    "torch.complex(a, singles)",
    "torch.complex(ints, ints)",
    "torch.polar(singles, a)",
    "torch.polar(ints, ints)",
    "torch.polar(singles.half(), singles.half())",
    "torch.polar(None, singles)",
    "torch.real(None)",
    "torch.imag('a')",
    "torch.resolve_conj(None)",
    "torch.resolve_neg([])",
]


@pytest.mark.parametrize("case", CASES)
def test_complex_tensors_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", OTHER_NODES)
def test_complexes_equal_pytorch_but_for_nodes(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", SMOOTH)
def test_complexes_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_complexes_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
