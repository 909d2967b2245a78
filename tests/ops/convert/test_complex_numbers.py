"""Complex numbers and their parts."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "z.real",
    "z.imag",
    "torch.real(z)",
    "torch.imag(z)",
    "torch.real(r) is r",
    "torch.view_as_real(z)",
    "torch.view_as_complex(t1)",
    "torch.view_as_complex(torch.ones(3, 2))",
    "torch.complex(a, b)",
    "str(torch.complex(f, f * 2).dtype)",
    "torch.complex(s, r)",
    "torch.view_as_real(torch.complex(a, b))",
    "z.resolve_conj() is z",
    "(z.is_conj(), z.is_neg())",
    "y = z.detach().clone(); y.real = torch.zeros(2, 2, dtype=torch.float64); y",
    "y = z.detach().clone(); y.imag.zero_(); y",
    "(z.imag.storage_offset(), z.real.stride(), torch.view_as_real(z).stride())",
    "torch.view_as_real(z.t()).stride()",
    "torch.complex(torch.tensor(float('inf')), torch.tensor(1.0))",
    "torch.polar(p, r)",
]

# PyTorch builds these of other operations: its nodes have other names.
OTHER_NODES = [
    "torch.polar(p, a)",
]

SMOOTH = [
    "z.real ** 2",
    "z.imag ** 2",
    "torch.view_as_real(z) ** 2",
    "torch.complex(a, b) * torch.complex(b, a)",
    "torch.view_as_complex(t1) ** 2",
]

REFUSED = [
    "r.imag",
    "torch.view_as_real(r)",
    "torch.view_as_complex(a)",
    "torch.view_as_complex(a[:, :2])",
    "torch.view_as_complex(torch.ones(2, 3).t())",
    "torch.view_as_complex(torch.ones(2, 2).t())",
    "torch.view_as_complex(k)",
    "torch.complex(a, f)",
    "torch.complex(k, k)",
    "torch.polar(f, a)",
    "torch.polar(k, k)",
    "torch.polar(f.half(), f.half())",
    "torch.polar(None, f)",
    "torch.real(None)",
    "torch.imag('a')",
    "torch.resolve_conj(None)",
    "torch.resolve_neg([])",
]


@pytest.mark.parametrize("case", CASES)
def test_complexes_equal_pytorch(case):
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
