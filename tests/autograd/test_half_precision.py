"""16-bit floats are computed in single precision and rounded once."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.autograd.dispatch import Op, apply1
from edutorch.autograd.half_precision import forward, half_rounding, is_half

HALVES = [torch.float16, torch.bfloat16]
F = torch.nn.functional


class Seen(Op):
    """Remembers the dtypes that its formulas get."""

    saves_output = True

    def forward(self, x):
        self.came = x.dtype
        return x * 3

    def backward(self, g):
        self.back = (g.dtype, self.inputs[0].dtype, self.output.dtype)
        return g


class Moved(Seen):
    forward_in_single = backward_in_single = False


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("shape", [(), (2,), (0,)])
def test_formulas_get_single_precision_and_results_are_rounded(dtype, shape):
    op, x = Seen(), torch.ones(shape, dtype=dtype, requires_grad=True)
    y = apply1(op, x)
    y.sum().backward()
    assert op.came == np.float32
    assert op.back == (np.float32,) * 3
    assert (y.dtype, x.grad.dtype) == (dtype, dtype)


@pytest.mark.parametrize("dtype", HALVES)
def test_ops_that_move_values_get_the_16_bits(dtype):
    op, x = Moved(), torch.ones(2, dtype=dtype, requires_grad=True)
    apply1(op, x).sum().backward()
    assert op.came == dtype.numpy
    assert op.back == (dtype.numpy,) * 3


def test_operands_of_two_floating_types_stay_as_they_are():
    class Two(Op):
        def forward(self, x, y):
            return x.dtype, y.dtype

    given = np.ones(1, np.float16), np.ones(1, np.float32)
    assert forward(Two(), *given) == (np.float16, np.float32)


def test_is_half_is_true_if_one_of_several_dtypes_is():
    assert is_half((np.dtype(np.int64), np.dtype(np.float16)))
    assert not is_half((np.dtype(np.int16), np.dtype(np.float32)))


@pytest.mark.parametrize("dtype", HALVES)
def test_second_derivatives_have_the_dtype_of_the_input(dtype):
    x = torch.tensor([0.5, 2.0], dtype=dtype, requires_grad=True)
    (g,) = torch.autograd.grad(x.exp().sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    assert h.dtype is dtype
    assert torch.equal(h, x.detach().exp())


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("F.softplus(torch.tensor(12.0).half())", 12.0),
        ("torch.sigmoid(torch.tensor(-11.5).half())", 1.0132789611816406e-05),
        ("F.silu(torch.tensor(-11.5).half())", -0.00011646747589111328),
        ("torch.round(torch.tensor(700.5).half(), decimals=2)", 700.5),
        ("torch.tensor(1.5).half() // 0.1", 14.0),
        ("torch.logsumexp(torch.zeros(50000).bfloat16(), 0)", 10.8125),
        ("torch.full((4000,), 0.25).half().cumsum(0)[-1]", 1000.0),
        ("torch.full((4000,), 0.25).bfloat16().cumsum(0)[-1]", 1000.0),
        ("torch.full((4000,), 1.001).half().cumprod(0)[-1]", 49.625),
        (
            "torch.zeros(1).half().scatter_add(0, torch.zeros(3008, dtype=int), "
            "torch.ones(3008).half())",
            3008.0,
        ),
        ("torch.add(torch.ones(1).bfloat16(), torch.ones(1).bfloat16(), alpha=0.5)", 1.5),
        ("F.gelu(torch.ones(1).bfloat16(), approximate='tanh')", 0.83984375),
    ],
)  # fmt: skip
def test_one_half_rounding_gives_pytorch_s_numbers(expression, answer):
    y = eval(expression)
    assert y.dtype in HALVES
    assert y.item() == answer


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize(
    "loss",
    [
        "F.logsigmoid(x)",
        "F.smooth_l1_loss(x, x * 0)",
        "F.huber_loss(x, x * 0)",
        "F.soft_margin_loss(x, x.detach() * 0 + 1)",
        "F.binary_cross_entropy_with_logits(x, x * 0)",
        "F.hardsigmoid(x)",
    ],
)
def test_values_without_dimensions_go_back(dtype, loss):
    x = torch.tensor(0.5, dtype=dtype, requires_grad=True)
    eval(loss).backward()
    y = torch.tensor(0.5, requires_grad=True)
    eval(loss, {"F": F, "x": y}).backward()
    assert x.grad.dtype is dtype
    assert abs(x.grad.item() - y.grad.item()) < 2**-8


STEPWISE = [
    "torch.addbmm(x[0], x, y, beta=0.5, alpha=0.3)",
    "torch.addr(x[0], x[0, 0], x[1, 2], beta=0.6, alpha=0.2)",
    "torch.special.ndtr(x * 3)",
]


@pytest.fixture
def oracle():
    """PyTorch; the test is skipped without it."""
    from tests.oracle import torch

    return torch


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("call", STEPWISE)
def test_operations_that_pytorch_computes_in_16_bits_have_its_bits(oracle, call, dtype):
    rng = np.random.default_rng(4)
    values = [rng.normal(size=(6, 5, 5)) * 3 for _ in range(2)]
    answers = []
    for library in (oracle, torch):
        x, y = (library.tensor(v, dtype=getattr(library, dtype)) for v in values)
        answers.append(eval(call, {"torch": library, "x": x, "y": y}).float().numpy())
    np.testing.assert_array_equal(*answers)


def test_half_rounding_needs_one_16_bit_dtype():
    x = torch.ones(2)
    assert half_rounding(x) is None
    assert half_rounding(x.half(), x) is None
    assert half_rounding(x.half(), x.half())(1 / 3) == np.float16(1 / 3)


def test_the_operand_that_leads_tells_whether_a_choice_is_rounded():
    condition = torch.tensor([True, False])
    wide, narrow = torch.tensor([0.1, 0.2]), torch.tensor([0.1, 0.2]).half()
    for a, b, dtype in (
        (wide, wide, torch.float32),
        (narrow, narrow, torch.float16),
        (narrow, wide, torch.float32),
        (wide, narrow, torch.float32),
        (narrow, 1.0, torch.float16),
        (1.0, narrow, torch.float16),
    ):
        y = torch.where(condition, a, b)
        assert y.dtype is dtype
        expected = [
            float(v[i] if hasattr(v, "dtype") else v) for i, v in enumerate((a, b))
        ]
        assert y.tolist() == expected


def test_three_operands_of_which_a_wide_number_comes_first_give_16_bits():
    number, x = torch.tensor(1.5, dtype=torch.float64), torch.ones(3).bfloat16()
    for function in (torch.addcdiv, torch.addcmul):
        y = function(number, number, x, value=0.5)
        assert y.dtype is torch.bfloat16 and y.tolist() == [2.25] * 3
