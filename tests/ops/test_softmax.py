"""Softmax and its relatives."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, outcome, refused

CASES = [
    "F.softmin(torch.tensor([1, 2, 3], dtype=torch.uint8), 0, dtype=torch.float64)",
    "F.softmax(a, 1)",
    "F.softmax(a, 0)",
    "F.softmax(img, 1)",
    "F.softmax(scalar, 0)",
    "F.softmax(a)",
    "F.softmax(seq)",
    "F.softmax(ints, 1, dtype=torch.float64)",
    "torch.softmax(singles, -1, torch.float64)",
    "a.softmax(1)",
    "F.log_softmax(a, 1)",
    "F.log_softmax(a, 0)",
    "F.log_softmax(singles * 1000, 1)",
    "a.log_softmax(-1)",
    "F.softmin(a, 1)",
    "singles[:0].softmax(1)",
    "singles.half().softmax(1)",
]

SMOOTH = [
    "F.softmax(a, 1)",
    "F.softmax(squares, 1)",
    "F.softmax(scalar, 0)",
    "F.log_softmax(a, 1)",
    "F.log_softmax(squares, 0)",
    "F.softmin(a, 1)",
]

REFUSED = [
    "torch.softmax(a)",
    "torch.log_softmax(a, None)",
    "F.softmax(a, 2)",
    "F.softmax(ints, 1)",
    "F.softmax(ints, 0)",
    "F.log_softmax(ints, 1)",
    "F.log_softmax(mask, 0)",
    "F.log_softmax(a, -3)",
    "F.gumbel_softmax(None)",
    "F.gumbel_softmax(ints)",
]

RANDOM = [
    "torch.manual_seed(2); F.gumbel_softmax(singles)",
    "torch.manual_seed(2); F.gumbel_softmax(singles, 0.5, True, dim=0)",
]


@pytest.mark.parametrize("case", RANDOM)
def test_gumbel_softmax_has_pytorchs_shape_and_sums_to_1(case):
    got = outcome(edutorch, case)["result"]
    assert got[:2] == ["torch.float32", [2, 3]]
    assert sum(got[3]) == pytest.approx(3 if "dim=0" in case else 2)


@pytest.mark.parametrize("case", CASES)
def test_softmax_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_softmax_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_softmax_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


OUT = [
    "torch.softmax(singles, 1, out=torch.empty(0))",
    "torch.log_softmax(singles, 0, out=torch.empty(2, 3))",
    "torch.softmax(ints[:0], 0, dtype=float)",
]


@pytest.mark.parametrize("case", OUT)
def test_softmax_into_a_tensor_and_in_another_dtype_equals_pytorch(case):
    alike(__file__, case)


WRONG = ["torch.softmax(None, 0)", "torch.softmax(singles, 'a')"]


@pytest.mark.parametrize("case", WRONG)
def test_softmax_of_wrong_types_is_refused_as_by_pytorch(case):
    refused(__file__, case)


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "softmin"])
def test_dimension_may_be_left_out_in_a_program_without_text(name):
    """`python -c` and `exec` keep no text that would tell `F` from `torch`."""
    x = edutorch.tensor([[1.0, 2.0], [3.0, 5.0]])
    program = compile(f"y = edutorch.nn.functional.{name}(x)", "<string>", "exec")
    found = {"edutorch": edutorch, "x": x}
    with pytest.warns(UserWarning, match="Implicit dimension choice"):
        exec(program, found)
    assert found["y"].tolist() == getattr(edutorch.nn.functional, name)(x, 1).tolist()
