"""Softmax and its relatives in `nn.functional`."""

import pytest

import edutorch
from edutorch.nn import functional as F
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
    "F.softmax(singles, 1, torch.float64)",  # which is in the place of _stacklevel
    "F.log_softmax(a, 1)",
    "F.log_softmax(a, 0)",
    "F.log_softmax(singles * 1000, 1)",
    "F.log_softmax(singles, None, 3, torch.float64)",
    "F.softmin(a, 1)",
    "F.softmin(seq)",
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
    "F.softmax(a, 2)",
    "F.softmax(a, 'b')",
    "F.softmax(a, axis=1)",
    "F.softmax(singles, 1, out=singles)",
    "F.softmax(a, dtype=3)",
    "F.softmax(3)",
    "F.softmax(3, 1)",
    "F.softmax(ints, 1)",
    "F.softmax(ints, 0)",
    "F.log_softmax(ints, 1)",
    "F.log_softmax(mask, 0)",
    "F.log_softmax(a, -3)",
    "F.softmin(None, 0)",
    "F.softmin(3, 1)",
    "F.gumbel_softmax(None)",
    "F.gumbel_softmax(ints)",
    "F.gumbel_softmax(a, dim=None)",
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


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "softmin"])
def test_dimension_may_be_left_out_however_the_function_is_called(name):
    x = edutorch.tensor([[1.0, 2.0], [3.0, 5.0]])
    called = getattr(F, name)
    with pytest.warns(UserWarning, match="Implicit dimension choice") as warned:
        y = called(x)
    assert warned[0].filename == __file__
    assert y.tolist() == called(x, 1).tolist()


def test_softmin_of_halves_on_a_gpu_is_single_under_autocast():
    with edutorch.cuda.simulate(1):
        x = edutorch.ones(2, device="cuda").half()
        with edutorch.autocast("cuda"):
            assert F.softmin(x, 0).dtype is F.softmax(x, 0).dtype is edutorch.float32
