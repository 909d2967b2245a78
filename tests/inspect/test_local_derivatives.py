"""LocalDerivative derivatives, against differences of the function itself."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.inspect import StepRecorder
from edutorch.inspect.local_derivatives import local_derivative
from edutorch.inspect.step_trace import _Trace
from edutorch.nn import functional as F
from tests.inspect.test_einsum_notation import by_loops

STEP = 1e-6
rng = np.random.default_rng(0)
X = rng.normal(size=(3, 4)) + 0.05
POSITIVE = np.abs(X) + 0.5
LABELS = torch.tensor([1, 0, 3])
TARGET = rng.random(size=(3, 4))

# what is computed, and of which arrays; the op with the rule comes last
CASES = {
    "add": (lambda a, b: a + b, X, X[0]),
    "add_column": (lambda a, b: a + b, X, X[:, :1]),
    "add_scaled": (lambda a, b: torch.add(a, b, alpha=3), X, X),
    "sub": (lambda a, b: a - b, X[0], X),
    "sub_scaled": (lambda a, b: torch.sub(a, b, alpha=2), X, X),
    "mul": (lambda a, b: a * b, X, X[0]),
    "mul_number": (lambda a: a * 3, X),
    "div": (lambda a, b: a / b, X, POSITIVE),
    "div_row": (lambda a, b: a / b, X, POSITIVE[0]),
    "pow": (lambda a: a**3, X),
    "pow_zero": (lambda a: a**0, X),
    "pow_tensor": (lambda a, b: a**b, POSITIVE, X),
    "maximum": (torch.maximum, X, X[::-1].copy()),
    "minimum": (torch.minimum, X, X[::-1].copy()),
    "neg": (lambda a: -a, X),
    "clone": (lambda a: a.clone(), X),
    "expand": (lambda a: a.expand(3, 4), X[0]),
    "exp": (torch.exp, X),
    "expm1": (torch.expm1, X),
    "log": (torch.log, POSITIVE),
    "log1p": (torch.log1p, POSITIVE),
    "sqrt": (torch.sqrt, POSITIVE),
    "rsqrt": (torch.rsqrt, POSITIVE),
    "square": (torch.square, X),
    "reciprocal": (torch.reciprocal, POSITIVE),
    "abs": (torch.abs, X),
    "sin": (torch.sin, X),
    "cos": (torch.cos, X),
    "sigmoid": (torch.sigmoid, X),
    "tanh": (torch.tanh, X),
    "relu": (torch.relu, X),
    "leaky_relu": (F.leaky_relu, X),
    "silu": (F.silu, X),
    "mm": (torch.mm, X, X.T.copy()),
    "bmm": (torch.bmm, X.reshape(2, 3, 2), X.reshape(2, 2, 3)),
    "mv": (torch.mv, X, X[0]),
    "dot": (torch.dot, X[0], X[1]),
    "outer": (torch.outer, X[0], X[1]),
    "matmul_batch": (torch.matmul, rng.normal(size=(2, 3, 4)), X.T.copy()),
    "linear": (F.linear, X, X[:2], X[:2, 0].copy()),
    "linear_without_bias": (F.linear, rng.normal(size=(2, 3, 4)), X),
    "sum": (torch.sum, X),
    "sum_dim": (lambda a: a.sum(1), X),
    "sum_keepdim": (lambda a: a.sum(0, keepdim=True), X),
    "mean": (torch.mean, X),
    "mean_dim": (lambda a: a.mean(-1, keepdim=True), X),
    "softmax": (lambda a: a.softmax(1), X),
    "softmax_first": (lambda a: a.softmax(0), X),
    "log_softmax": (lambda a: a.log_softmax(-1), X),
    "cross_entropy": (lambda a: F.cross_entropy(a, LABELS), X),
    "cross_entropy_sum": (lambda a: F.cross_entropy(a, LABELS, reduction="sum"), X),
    "cross_entropy_none": (lambda a: F.cross_entropy(a, LABELS, reduction="none"), X),
    "nll": (lambda a: F.nll_loss(a, LABELS), X),
    "mse": (F.mse_loss, X, TARGET),
    "mse_sum": (lambda a, b: F.mse_loss(a, b, reduction="sum"), X, TARGET),
    "mse_none": (lambda a, b: F.mse_loss(a, b, reduction="none"), X, TARGET),
    "bce_scores": (
        lambda a: F.binary_cross_entropy_with_logits(a, torch.tensor(TARGET)),
        X,
    ),
    "transpose": (lambda a: a.transpose(0, 1), X),
    "t": (lambda a: a.t(), X),
    "permute": (lambda a: a.permute(2, 0, 1), rng.normal(size=(2, 3, 4))),
}


def differences(function, arrays, i, g):
    """The gradient of the sum of function(...) · g, by moving each element."""
    found = np.zeros_like(arrays[i])
    for place in np.ndindex(*found.shape):
        ends = []
        for step in (STEP, -STEP):
            moved = [a.copy() for a in arrays]
            moved[i][place] += step
            with torch.no_grad():
                y = function(*map(torch.tensor, moved)).numpy()
            ends.append((y * g).sum())
        found[place] = (ends[0] - ends[1]) / (2 * STEP)
    return found


@pytest.mark.parametrize("case", CASES)
def test_incoming_times_local_equals_differences_of_the_function(case):
    function, *arrays = CASES[case]
    tensors = [torch.tensor(a, requires_grad=True) for a in arrays]
    with StepRecorder() as recorder:
        y = function(*tensors)
    ledger = recorder.collector
    op = _Trace(ledger)._op_call(ledger.entries[-1])
    g = np.asarray(rng.normal(size=y.shape))
    for i, array in enumerate(arrays):
        local = local_derivative(op, i)
        assert local is not None, op.cls
        product = by_loops(local.spec, g, local.value, array.shape)
        expected = differences(function, arrays, i, g)
        np.testing.assert_allclose(product, expected, rtol=1e-5, atol=1e-7)


def test_op_without_a_rule_and_complex_numbers_have_none():
    x = torch.tensor([1 + 2j], requires_grad=True)
    with StepRecorder() as recorder:
        x * x
        torch.erf(torch.ones(2))
    trace = _Trace(recorder.collector)
    ledger = recorder.collector
    assert [local_derivative(trace._op_call(m), 0) for m in ledger.entries[-2:]] == [
        None
    ] * 2


def test_jacobian_of_many_elements_is_not_made():
    with StepRecorder() as recorder:
        torch.ones(2, 100).softmax(1)
    op = _Trace(recorder.collector)._op_call(recorder.collector.entries[-1])
    assert local_derivative(op, 0) is None


def test_dropout_multiplies_by_its_mask():
    x = torch.ones(50, requires_grad=True)
    with StepRecorder() as recorder:
        y = F.dropout(x, 0.5)
    op = _Trace(recorder.collector)._op_call(recorder.collector.entries[-1])
    assert local_derivative(op, 0).value.tolist() == y.tolist()
