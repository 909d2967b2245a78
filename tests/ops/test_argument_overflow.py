"""Integers of more than 64 bits among the arguments of a call."""

import pytest

from edutorch.ops.argument_overflow import overflow
from edutorch.ops.argument_parser import signatures_of
from tests.ops.cases import alike, refused

NUMBERS = [
    "singles * 2**64",
    "-(2**63) - 1 - singles",
    "singles.half() / 2**70",
    "complexes + 10**400",
    "ints % 2**64",
    "ints == -(2**70)",
    "torch.add(singles, 1, alpha=2**64)",
    "singles.clamp(max=2**64)",
    "singles.clone().fill_(2**64)",
    "singles.masked_fill(mask, 2**64)",
    "singles.index_fill(0, torch.tensor([0]), 2**64)",
    "singles.scatter(0, torch.tensor([[0]]), 2**64)",
    "torch.where(mask, singles, 2**64)",
    "torch.full((2,), 2**64)",
    "torch.full((2,), 2**64, dtype=torch.float64)",
    "torch.xlogy(singles, 2**64)",
    "torch.special.zeta(singles, 2**64)",
    "torch.result_type(singles, 2**64)",
    "singles.norm(2**64)",
    # Before the dtype is looked at.
    "F.softplus(ints, 2**64)",
    "complexes < 2**64",
    "complexes // 2**64",
    "torch.arange(2**64, dtype=torch.bool)",
]
INTEGERS = [
    "singles.sum(2**63)",
    "singles.unsqueeze(-(2**63) - 1)",
    "torch.topk(singles, 2**63)",
    "singles[2**63]",
    "torch.ones(2)[2**63]",
    "torch.ones(2).__setitem__(0, 2**63)",
    "torch.ones(2).__setitem__(torch.tensor([True, False]), 2**63)",
    "torch.ones(2).random_(2**63)",
]


@pytest.mark.parametrize("expression", NUMBERS + INTEGERS)
def test_integers_beyond_64_bits_are_refused(expression):
    refused(__file__, expression)


@pytest.mark.parametrize(
    "expression",
    ["singles * (2**64 - 1)", "-(2**63) + singles", "torch.full((2,), 2**63 * 1.0)"],
)
def test_integers_of_64_bits_are_numbers(expression):
    alike(__file__, expression)


def test_only_the_arguments_that_are_numbers_are_compared():
    signature = signatures_of("renorm")[0]
    assert overflow("renorm", signature, [None, 2, 2**62, 1.5], {}) is None
    refusal = overflow("renorm", signature, [None, 2], {"dim": 2**63, "maxnorm": 1})
    assert type(refusal) is ValueError
