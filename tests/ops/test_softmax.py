"""Softmax and its logarithm, along a required dimension."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.softmax(a, 1)",
    "torch.softmax(a, axis=0)",
    "torch.softmax(singles, -1, torch.float64)",
    "torch.log_softmax(scalar, 0)",
    "torch.log_softmax(ints, 1, dtype=torch.float64)",
    "a.softmax(1)",
    "a.log_softmax(-1)",
    "singles[:0].softmax(1)",
    "singles.half().softmax(1)",
    "torch.softmax(ints[:0], 0, dtype=float)",
    "torch.softmax(singles, 1, out=torch.empty(0))",
    "torch.log_softmax(singles, 0, out=torch.empty(2, 3))",
]


@pytest.mark.parametrize("case", CASES)
def test_softmax_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", ["torch.softmax(a, 1)", "torch.log_softmax(a, 0)"])
def test_softmax_derivatives_equal_differences(case):
    derivatives(case)


REFUSED = [
    "torch.softmax(complexes[:0], 0)",
    "torch.log_softmax(complexes[:0], 0)",
    "torch.softmax(a)",
    "torch.softmax(a, 0, 3)",
    "torch.softmax(a, 7, 'b')",
    "torch.softmax(a, 0, _stacklevel=3)",
    "torch.softmax(a, axis='b')",
    "torch.softmax(None, 0)",
    "torch.softmax(singles, 'a')",
    "torch.softmax(a, 2)",
    "torch.log_softmax(a, None)",
    "a.log_softmax()",
]


@pytest.mark.parametrize("case", REFUSED)
def test_softmax_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_dimension_is_required_however_the_function_is_called(name):
    """By another name, in text or not: what `nn.functional` has is another function."""
    called = getattr(edutorch, name)
    with pytest.raises(TypeError, match='missing 1 required positional .*"dim"'):
        called(edutorch.ones(2, 2))
    with pytest.raises(TypeError, match='missing 1 required positional .*"dim"'):
        exec(f"edutorch.{name}(edutorch.ones(2, 2))", {"edutorch": edutorch})
