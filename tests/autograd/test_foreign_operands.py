"""Operands that are no tensors."""

from __future__ import annotations

import operator

import numpy as np
import pytest

import edutorch as torch
from tests.ops.cases import alike, refused


class Stranger:
    """Knows how to go on, whatever tensor stands before it."""

    def __radd__(self, other):
        return "radd"

    __rsub__ = __rmatmul__ = __rtruediv__ = __rpow__ = __rand__ = __rmod__ = __radd__
    __gt__ = __radd__


@pytest.mark.parametrize(
    "name", ["add", "sub", "matmul", "truediv", "pow", "mod", "lt"]
)
def test_operators_give_way_to_what_knows_how_to_go_on(name):
    x = torch.ones(2)
    assert getattr(operator, name)(x, Stranger()) == "radd"


def test_updates_give_way_to_what_knows_how_to_go_on():
    x = torch.ones(2)
    x += Stranger()
    assert x == "radd"


def test_functions_refuse_what_operators_give_way_to():
    x = torch.ones(2)
    with pytest.raises(TypeError, match="argument 'other' .position 2. must be Tensor"):
        torch.sub(x, Stranger())
    with pytest.raises(TypeError, match="argument 'other' .position 1. must be Tensor"):
        x.add_(Stranger())


SYMBOLS = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "@"]


@pytest.mark.parametrize("symbol", SYMBOLS)
@pytest.mark.parametrize("junk", ["[1]", "{'a': 1}", "None"])
def test_strangers_are_refused_by_python(symbol, junk):
    refused(__file__, f"f {symbol} {junk}")
    refused(__file__, f"{junk} {symbol} f")
    refused(__file__, f"x = f * 1; x {symbol}= {junk}; x")


@pytest.mark.parametrize("symbol", SYMBOLS[:7])
def test_arrays_after_an_operator_are_numpys_business(symbol):
    alike(__file__, f"f {symbol} np.full(3, 2.0)")
    alike(__file__, f"x = k.abs() + 1; x {symbol}= np.array([3, 2, 1]); x")
    refused(__file__, f"a {symbol} np.ones(3)")


@pytest.mark.parametrize("symbol", ["+", "-", "*", "**", "@", "<"])
def test_arrays_before_an_operator_are_refused(symbol):
    refused(__file__, f"np.ones(3) {symbol} f")


def test_arrays_are_refused_by_functions():
    with pytest.raises(TypeError, match="must be Tensor, not numpy.ndarray"):
        torch.mul(torch.ones(2), np.ones(2))
    with pytest.raises(TypeError, match="must be Tensor, not numpy.ndarray"):
        torch.ones(2).add_(np.ones(2))


def test_arrays_beside_bfloat16_are_refused():
    refused(__file__, "f.bfloat16() * np.ones(3)")
