"""Activations that are defined for floating-point numbers only."""

import pytest

from tests.ops.cases import refused

NAMES = (
    "celu", "elu", "gelu", "glu", "hardshrink", "hardsigmoid", "hardswish",
    "leaky_relu", "logsigmoid", "mish", "rrelu", "selu", "silu", "softplus",
    "softshrink",
)  # fmt: skip

REFUSED = [
    *(f"F.{name}(k.reshape(3, 2))" for name in NAMES),
    *(f"F.{name}(m.reshape(3, 2))" for name in NAMES),
    *(f"F.{name}(z)" for name in NAMES if name != "silu"),
    "F.gelu(k, approximate='tanh')",
    "F.rrelu(k, training=True)",
    "F.hardtanh(m)",
    "F.hardtanh(z)",
    "F.hardtanh(e)",
]


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_fraction_is_refused_alike(case):
    refused(__file__, case)
