"""In which order in-place variants refuse arguments, histories and memory."""

import pytest

import edutorch as torch
from tests.ops.cases import refused

EXPANDED = [
    "singles[0, :1].expand(3).sub_(mask[0])",
    "singles[0, :1].expand(3).heaviside_(ints[0])",
    "singles[0, :1].expand(3).lerp_(a[0].detach(), 0.5)",
    "singles[0, :1].expand(3).polygamma_(-1)",
    "singles[0, :1].expand(3).cumsum_(3)",
    "ints[0, :1].expand(3).pow_(-1)",
    "ints[0, :1].expand(3).clamp_min_(2.5)",
    "mask[0, :1].expand(3).neg_()",
    # These come after the memory.
    "singles[0, :1].expand(3).add_(row[:2].detach())",
    "ints[0, :1].expand(3).mul_(2.5)",
    "ints[0, :1].expand(3).index_copy_(0, ints[0, :1], singles[0, :1])",
    "complexes[0, :1].expand(3).atan2_(singles[0])",
]


@pytest.mark.parametrize("case", EXPANDED)
def test_the_functions_own_checks_come_before_those_of_expanded_memory(case):
    refused(__file__, case)


UNRECORDED = "with torch.no_grad(): y = singles.clone()[:1].expand(2, 3); "
HISTORIES = [
    UNRECORDED + "y.add_(a)",
    UNRECORDED + "y.copy_(a)",
    UNRECORDED + "y[:, 0].mul_(a)",
    UNRECORDED + "y[0].index_add_(0, torch.tensor([7]), a[0, :1])",
    UNRECORDED + "y[0].baddbmm_(a, a)",
    UNRECORDED + "y[0].add_('a')",
    "singles.clone().unbind()[0].add_(a)",
    "ints.clone().unbind()[0].add_(a[0])",
]


@pytest.mark.parametrize("case", HISTORIES)
def test_views_without_history_are_refused_before_shapes_dtypes_and_memory(case):
    refused(__file__, case)


def test_complex_numbers_without_order_are_refused_before_expanded_memory():
    x = torch.ones(1, dtype=torch.complex64).expand(3)
    with pytest.raises(NotImplementedError, match="clamp is not supported for complex"):
        x.clamp_(1)
    with pytest.raises(RuntimeError, match="more than one element of the written-to"):
        x.exp_()
    leaf = x.clone().requires_grad_()
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        leaf.clamp_(1)


SIGNATURES = [
    "singles.neg_(1)", "singles.abs_(out=singles)", "singles.exp_(1, foo=2)",
    "singles.mul_()", "singles.hypot_(foo=1)", "singles.eq_(1, 2)",
    "singles.lerp_(singles)", "singles.renorm_(1)", "singles.index_add_()",
    "singles.clamp_(foo=1)", "singles.pow_(1, foo=2)",
]  # fmt: skip


@pytest.mark.parametrize("case", SIGNATURES)
def test_arguments_without_a_parameter_are_refused_in_the_words_of_methods(case):
    refused(__file__, case)


def test_views_may_be_detached_in_place_in_inference_mode():
    with torch.inference_mode():
        assert not torch.ones(2, 2)[0].detach_().requires_grad
