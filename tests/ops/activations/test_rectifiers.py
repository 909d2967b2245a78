"""relu and its kin."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.threshold(singles.half(), -1e9, 2)",
    "F.leaky_relu(a, torch.tensor(0.5))",
    "F.threshold(a, torch.tensor(1), torch.tensor(7))",
    "torch.relu(a)",
    "F.relu(a)",
    "a.relu()",
    "torch.relu(ints)",
    "torch.relu(singles)",
    "torch.relu(specials)",
    "y = a * 1; F.relu(y, inplace=True); y",
    "y = a * 1; torch.relu_(y); y",
    "F.relu6(a * 4)",
    "F.leaky_relu(a)",
    "F.leaky_relu(a, 0.3)",
    "F.leaky_relu(singles)",
    "F.hardtanh(a)",
    "F.hardtanh(a, -0.5, 2.0)",
    "F.hardtanh(specials)",
    "y = a * 1; F.hardtanh_(y); y",
    "F.threshold(a, 0.5, 7.0)",
    "torch.threshold(a, 0.5, 7.0)",
    "F.threshold(specials, 0, 1)",
    "F.relu(torch.ones(0))",
    "F.leaky_relu(a.bfloat16(), 0.3)",
    "F.threshold(ints, 0, 7)",
    "x = specials.clone().requires_grad_(); F.threshold(x, 0, 1)",
]

SMOOTH = [
    "torch.relu(a)",
    "F.leaky_relu(a, 0.3)",
    "F.hardtanh(a)",
    "F.relu6(a)",
    "F.threshold(a, 0.5, 7.0)",
]

REFUSED = [
    "F.threshold(singles.half(), 1e39, 0)",
    "torch.relu(1.0)",
    "F.hardtanh(a, 1.0, -1.0)",
    "torch.relu(mask)",
    "torch.relu(mask.expand(999, 2, 3))",
    "torch.relu(complexes)",
    "F.relu6(None)",
    "F.threshold(mask, 0, 1)",
    "F.threshold(complexes, 0, 1)",
    "F.leaky_relu(a, 'a')",
    "F.threshold(a, (1, 2), 2.0)",
    "F.threshold(a, 1.0, 'x')",
    "F.relu_(None)",
    "F.threshold_([1.0], 0.0, 1.0)",
]


@pytest.mark.parametrize("case", CASES)
def test_rectifiers_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_rectifiers_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_rectifiers_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "y = a * 1; torch.threshold_(y, 0, 1); y",
    "y = a * 1; F.leaky_relu(y, 0.2, inplace=True); y",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_in_place_rectifiers_equal_pytorch_with_their_node(case):
    alike(__file__, case)
