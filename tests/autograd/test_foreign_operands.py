"""Operands that are not tensors."""

from __future__ import annotations

import operator

import numpy as np
import pytest

import edutorch as torch
from edutorch.autograd.foreign_operands import accept_arrays
from edutorch.autograd.modes import modes
from tests.ops.cases import alike, refused


class Foreign:
    """Has reflected operators that take any tensor."""

    def __radd__(self, other):
        return "radd"

    __rsub__ = __rmatmul__ = __rtruediv__ = __rpow__ = __rand__ = __rmod__ = __radd__
    __gt__ = __radd__


@pytest.mark.parametrize(
    "name", ["add", "sub", "matmul", "truediv", "pow", "mod", "lt"]
)
def test_operators_leave_foreign_operands_to_their_own_methods(name):
    x = torch.ones(2)
    assert getattr(operator, name)(x, Foreign()) == "radd"


def test_updates_leave_foreign_operands_to_their_own_methods():
    x = torch.ones(2)
    x += Foreign()
    assert x == "radd"


def test_functions_refuse_foreign_operands():
    x = torch.ones(2)
    with pytest.raises(TypeError, match="argument 'other' .position 2. must be Tensor"):
        torch.sub(x, Foreign())
    with pytest.raises(TypeError, match="argument 'other' .position 1. must be Tensor"):
        x.add_(Foreign())


SYMBOLS = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "@"]


@pytest.mark.parametrize("symbol", SYMBOLS)
@pytest.mark.parametrize("junk", ["[1]", "{'a': 1}", "None"])
def test_foreign_operands_are_refused_by_python(symbol, junk):
    refused(__file__, f"singles {symbol} {junk}")
    refused(__file__, f"{junk} {symbol} singles")
    refused(__file__, f"x = singles * 1; x {symbol}= {junk}; x")


@pytest.mark.parametrize("symbol", SYMBOLS[:7])
def test_arrays_after_an_operator_are_numpys_business(symbol):
    alike(__file__, f"singles {symbol} np.full(3, 2.0)")
    alike(__file__, f"x = ints.abs() + 1; x {symbol}= np.array([3, 2, 1]); x")
    refused(__file__, f"a {symbol} np.ones(3)")


@pytest.mark.parametrize("symbol", ["+", "-", "*", "**", "@", "<"])
def test_arrays_before_an_operator_are_refused(symbol):
    refused(__file__, f"np.ones(3) {symbol} singles")


def test_arrays_are_refused_by_functions():
    with pytest.raises(TypeError, match="must be Tensor, not numpy.ndarray"):
        torch.mul(torch.ones(2), np.ones(2))
    with pytest.raises(TypeError, match="must be Tensor, not numpy.ndarray"):
        torch.ones(2).add_(np.ones(2))


def test_arrays_beside_bfloat16_are_refused():
    refused(__file__, "singles.bfloat16() * np.ones(3)")


@pytest.mark.parametrize(
    "expression",
    ["torch.add(np.ones(2), np.ones(2))", "torch.exp(np.ones(2))",
     "torch.add(np.ones(2), 2)", "torch.matmul(np.eye(2), np.eye(2))",
     "torch.sub(np.ones(2), alpha=2, other=np.ones(2))"],
)  # fmt: skip
def test_arrays_alone_are_refused(expression):
    refused(__file__, expression)


def test_arrays_are_operands_in_formulas_alone():
    with accept_arrays():
        assert torch.add(np.ones(2), np.ones(2)).tolist() == [2, 2]
        assert torch.exp(np.zeros(1)).tolist() == [1]
    with pytest.raises(TypeError, match="must be Tensor, not numpy.ndarray"):
        torch.exp(np.zeros(1))


def test_hooks_and_functions_of_users_are_no_formulas():
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            said.append(_words(g))
            return g * 2

    def _words(g):
        try:
            return torch.mul(g, np.ones(2))
        except TypeError as error:
            return str(error)

    said = []
    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda g: said.append(_words(g)))
    Twice.apply(x * 3).sum().backward()
    assert len(said) == 2
    assert all("must be Tensor, not numpy.ndarray" in words for words in said)
    assert not modes.takes_arrays


@pytest.mark.parametrize("symbol", ["add", "mul", "truediv", "iadd"])
def test_arrays_before_tensors_of_a_dtype_without_arrays_are_refused_by_python(symbol):
    words = "Concatenation operation is not implemented|unsupported operand type"
    with pytest.raises(TypeError, match=words):
        getattr(operator, symbol)(np.ones(3), torch.ones(3, dtype=torch.bfloat16))
