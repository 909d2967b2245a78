"""Special values in plain and compiled kernels, in short and long arrays.

In each place of a short and of a long array stands now and then a nan, an infinity, a
zero of either sign, a subnormal or an extreme number. What comes out is PyTorch's,
value and gradient.
"""

from __future__ import annotations

import numpy as np
import pytest

import edutorch
from edutorch import config
from tests.oracle import torch

VALUES = [
    np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, -1e-45, 3e38, -3e38, 1e4, -1e4, 88.8,
    -88.8, 20.0, 6.0, 3.0, 1.0, -1.0, 0.5, -3.0,
]  # fmt: skip

ACTIVATIONS = [
    f"F.{name}(x)" for name in (
        "relu", "relu6", "hardtanh", "silu", "mish", "softplus", "softsign",
        "hardsigmoid", "leaky_relu", "elu", "celu", "selu",
    )
] + ["F.hardtanh(x, -2, 3)", "F.threshold(x, 0.1, 0.2)", "F.leaky_relu(x, -0.1)"]  # fmt: skip

POINTWISE = [
    f"torch.{name}(x)" for name in (
        "abs", "neg", "exp", "expm1", "log", "log1p", "sqrt", "rsqrt", "reciprocal",
        "square", "sin", "cos", "tanh", "sigmoid", "erf", "floor",
        "ceil", "trunc", "sign", "nan_to_num",
    )
] + [
    "x.clamp(-1, 1)", "x.clamp(min=0.0)", "x.clamp(max=0.0)", "x * 2", "x + 1", "3 / x",
    "x * x", "x / x", "x - x", "x ** 2", "x ** 3", "torch.where(x > 0, x, -x)",
]  # fmt: skip

ROWS = [
    f"torch.{name}(x, -1)" for name in (
        "sum", "mean", "amax", "amin", "std", "var", "logsumexp", "softmax",
        "log_softmax", "nansum", "argmax", "argmin",
    )
] + [
    "x.max(-1)[0]", "x.min(-1)[0]", "x.max(-1)[1]", "x.norm(2, -1)", "x.norm(1, -1)",
    "x.sort(-1)[0]", "x.softmax(0)", "x.sum(0)", "F.layer_norm(x, x.shape[-1:])",
    "F.instance_norm(x[:, None])", "F.max_pool1d(x, 2)", "F.max_pool1d(x, 3, 1, 1)",
    "F.avg_pool1d(x, 2)", "F.adaptive_avg_pool1d(x, 3)",
    "F.cross_entropy(x, labels, reduction='none')",
    "F.nll_loss(x, labels, reduction='none')",
    "F.l1_loss(x, x.detach() * 0, reduction='none')",
    "F.smooth_l1_loss(x, x.detach() * 0, reduction='none')",
    "F.huber_loss(x, x.detach() * 0, reduction='none')",
    "F.binary_cross_entropy_with_logits(x, x.detach() * 0, reduction='none')",
]  # fmt: skip

# Gradients at nan where PyTorch's depend on the place: its vector instructions and its
# loop over the rest, up to seven numbers, have different ones.
AT_NAN = {
    "F.relu6(x)": 1.5, "F.hardtanh(x)": 1.5, "F.hardtanh(x, -2, 3)": 1.5,
    "F.elu(x)": np.nan, "F.celu(x)": np.nan, "F.selu(x)": np.nan,
}  # fmt: skip


def spread(shape):
    """Numbers with each special value three times: in front, in the middle, behind."""
    rng = np.random.default_rng(len(shape))
    x = rng.standard_normal(shape).astype(np.float32)
    flat = x.reshape(-1)
    if len(shape) == 1 and flat.size >= 3 * len(VALUES):
        for start in (0, flat.size // 2, flat.size - len(VALUES)):
            flat[start : start + len(VALUES)] = VALUES
    elif len(shape) == 1:
        flat[:] = VALUES[: flat.size]
    else:
        for i, row in enumerate(x[: 3 * len(VALUES)]):
            row[(0, row.size // 2, -1)[i // len(VALUES)]] = VALUES[i % len(VALUES)]
    return x


def answers(library, expression, data):
    x = library.from_numpy(data.copy()).requires_grad_()
    labels = library.from_numpy(np.arange(len(data)) % data.shape[-1])
    names = {"torch": library, "F": library.nn.functional, "x": x, "labels": labels}
    y = eval(expression, names)
    if not y.requires_grad:
        return [y.numpy()]
    (y * 1.5).sum().backward()
    return [y.detach().numpy(), x.grad.numpy()]


def compare(expression, data, mode, signs):
    with np.errstate(all="ignore"):
        expected = answers(torch, expression, data)
        with config.kernels(mode):
            got = answers(edutorch, expression, data)
    y, right = got[0], expected[0]
    assert y.dtype == right.dtype
    np.testing.assert_allclose(y, right, rtol=2e-5, atol=1e-6, err_msg="value")
    if signs:
        zeros = (y == 0) & (right == 0)
        np.testing.assert_array_equal(
            np.signbit(y[zeros]), np.signbit(right[zeros]), err_msg="signs of zeros"
        )
    for gx, slope in zip(got[1:], expected[1:], strict=True):
        if expression in AT_NAN:
            slope[np.isnan(data)] = AT_NAN[expression]
        np.testing.assert_allclose(gx, slope, rtol=2e-4, atol=2e-5, err_msg="gradient")


@pytest.mark.parametrize("mode", ["plain", "fast"])
@pytest.mark.parametrize("size", [20, 10_000])
@pytest.mark.parametrize("expression", ACTIVATIONS + POINTWISE)
def test_pointwise_ops_of_special_values_equal_pytorchs(expression, size, mode):
    compare(expression, spread((size,)), mode, signs=True)


@pytest.mark.parametrize("mode", ["plain", "fast"])
@pytest.mark.parametrize("shape", [(60, 10), (60, 200)])
@pytest.mark.parametrize("expression", ROWS)
def test_ops_on_rows_of_special_values_equal_pytorchs(expression, shape, mode):
    data = spread(shape)
    if "_norm(" in expression:  # a variance of such numbers is infinite, its slope nan
        data[abs(data) == np.float32(3e38)] = 1e4
    compare(expression, data, mode, signs=False)
