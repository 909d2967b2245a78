"""Activations that are defined for floating-point numbers only."""

import pytest

from tests.ops.cases import refused

NAMES = (
    "celu", "elu", "gelu", "glu", "hardshrink", "hardsigmoid", "hardswish",
    "leaky_relu", "logsigmoid", "mish", "rrelu", "selu", "silu", "softplus",
    "softshrink",
)  # fmt: skip

REFUSED = [
    *(f"F.{name}(ints.reshape(3, 2))" for name in NAMES),
    *(f"F.{name}(mask.reshape(3, 2))" for name in NAMES),
    *(f"F.{name}(complexes)" for name in NAMES if name != "silu"),
    "F.gelu(ints, approximate='tanh')",
    "F.rrelu(ints, training=True)",
    "F.hardtanh(mask)",
    "F.hardtanh(complexes)",
    "F.hardtanh(uint8s)",
]


@pytest.mark.parametrize("case", REFUSED)
def test_number_that_is_not_a_fraction_is_refused_alike(case):
    refused(__file__, case)
