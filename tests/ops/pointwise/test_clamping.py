"""Values brought between limits."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.clamp(a, -0.5, 1.5)",
    "torch.clamp(a, min=0)",
    "torch.clamp(a, max=0.5)",
    "a.clamp(1, -1)",
    "torch.clamp(k, 0, 4)",
    "torch.clamp(k, 0.5)",
    "torch.clamp(v, -1, 1)",
    "torch.clamp(t, 1, 2)",
    "torch.clamp(a, b, p + 1)",
    "torch.clamp(a, min=r)",
    "torch.clamp(a, max=r)",
    "torch.clamp(a, p, b)",
    "torch.clip(a, 0, 1)",
    "torch.clamp(f, k)",
    "torch.clamp_min(a, 0.5)",
    "torch.clamp_max(a, 0.5)",
    "a.clamp_min(r)",
    "torch.clamp_max(k, 2)",
    "y = a * 1; y.clamp_(0, 1); y",
    "y = a * 1; y.clip_(max=0); y",
    "y = a * 1; y.clamp_min_(0); y",
    "torch.clamp(e, 5, 200)",
    "e.clamp(-1, 5)",
    "e.clamp_min(-5)",
    "torch.clamp(k, torch.tensor(2.5), 1)",
    "torch.clamp(f, 0, torch.tensor(0.5))",
    "torch.clamp(k, np.float32(2.5))",
]

SMOOTH = [
    "torch.clamp(a, -0.5, 1.5)",
    "torch.clamp(a, b, p + 1)",
    "torch.clamp_min(a, 0.5)",
]

REFUSED = [
    "y = e * 1; y.clamp_min_(np.float32(0.5)); y",
    "y = k * 1; y.clamp_(torch.ones(1), 0.5); y",
    "torch.clamp(z, torch.ones(3))",
    "torch.clamp_max(f * 1j, a)",
    "torch.clamp(a)",
    "torch.clamp(z, 1)",
    "torch.clamp_min(f, None)",
    "torch.clamp_max(f, 'a')",
    "torch.clamp_max(f, 1j)",
    "e.clamp(3, 300)",
    "torch.clamp(f.half(), 1e10)",
    "torch.clamp(f, 1e39)",
    "torch.clamp(f, 1j)",
    "torch.clamp(k, 1j)",
    "torch.clamp(m, True)",
    "torch.clamp(m, True, False)",
    "torch.clamp_max(m, True)",
    "torch.clamp(f, [1])",
    "torch.clamp(f, torch.ones(1), 2)",
    "y = e * 1; y.clamp_(0.5); y",
    "y = m.clone(); y.clamp_min_(1); y",
    "y = k * 1; y.clamp_(0, 1j); y",
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
