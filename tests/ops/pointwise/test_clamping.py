"""Values brought between limits."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.clamp(row.detach().expand(2, 3), row.detach()).stride()",
    "torch.clamp(a, -0.5, 1.5)",
    "torch.clamp(a, min=0)",
    "torch.clamp(a, max=0.5)",
    "a.clamp(1, -1)",
    "torch.clamp(ints, 0, 4)",
    "torch.clamp(ints, 0.5)",
    "torch.clamp(specials, -1, 1)",
    "torch.clamp(ties, 1, 2)",
    "torch.clamp(a, b, positive + 1)",
    "torch.clamp(a, min=row)",
    "torch.clamp(a, max=row)",
    "torch.clamp(a, positive, b)",
    "torch.clip(a, 0, 1)",
    "torch.clamp(singles, ints)",
    "torch.clamp_min(a, 0.5)",
    "torch.clamp_max(a, 0.5)",
    "a.clamp_min(row)",
    "torch.clamp_max(ints, 2)",
    "y = a * 1; y.clamp_(0, 1); y",
    "y = a * 1; y.clip_(max=0); y",
    "y = a * 1; y.clamp_min_(0); y",
    "torch.clamp(uint8s, 5, 200)",
    "uint8s.clamp(-1, 5)",
    "uint8s.clamp_min(-5)",
    "torch.clamp(ints, torch.tensor(2.5), 1)",
    "torch.clamp(singles, 0, torch.tensor(0.5))",
    "torch.clamp(ints, np.float32(2.5))",
]

SMOOTH = [
    "torch.clamp(a, -0.5, 1.5)",
    "torch.clamp(a, b, positive + 1)",
    "torch.clamp_min(a, 0.5)",
]

REFUSED = [
    "ints.clamp_max_(np.complex64(2))",
    "ints.clamp_max_(2j)",
    "y = uint8s * 1; y.clamp_min_(np.float32(0.5)); y",
    "y = ints * 1; y.clamp_(torch.ones(1), 0.5); y",
    "torch.clamp(complexes, torch.ones(3))",
    "torch.clamp_max(singles * 1j, a)",
    "torch.clamp(a)",
    "torch.clamp(complexes, 1)",
    "torch.clamp_min(singles, None)",
    "torch.clamp_max(singles, 'a')",
    "torch.clamp_max(singles, 1j)",
    "uint8s.clamp(3, 300)",
    "torch.clamp(singles.half(), 1e10)",
    "torch.clamp(singles, 1e39)",
    "torch.clamp(singles, 1j)",
    "torch.clamp(ints, 1j)",
    "torch.clamp(mask, True)",
    "torch.clamp(mask, True, False)",
    "torch.clamp_max(mask, True)",
    "torch.clamp(singles, [1])",
    "torch.clamp(singles, torch.ones(1), 2)",
    "y = uint8s * 1; y.clamp_(0.5); y",
    "y = mask.clone(); y.clamp_min_(1); y",
    "y = ints * 1; y.clamp_(0, 1j); y",
]


@pytest.mark.parametrize("case", CASES)
def test_limits_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_limits_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_limits_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
