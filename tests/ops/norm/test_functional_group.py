"""Group normalisation of `nn.functional`."""

import pytest

import edutorch as torch
from edutorch.nn import functional as F


def test_single_values_are_refused_in_the_functional_form_only():
    x = torch.ones(1, 2)
    assert torch.group_norm(x, 2).tolist() == [[0, 0]]
    with pytest.raises(ValueError, match="Expected more than 1 value per channel"):
        F.group_norm(x, 2)


def test_both_forms_are_equal_otherwise():
    x = torch.arange(12.0).view(1, 4, 3)
    w, b = torch.arange(4.0), torch.ones(4)
    assert torch.equal(F.group_norm(x, 2, w, b), torch.group_norm(x, 2, w, b))


@pytest.mark.parametrize(
    ("num_groups", "weight", "error"),
    [
        (2, 3, "ValueError: Expected more than 1 value per channel"),
        (1, 3, "TypeError: group_norm.*'weight' .position 3. must be Tensor, not int"),
        (1.0, None, "TypeError: group_norm.*'num_groups' .position 2. must be int"),
        (0, None, "ZeroDivisionError: integer division or modulo by zero"),
    ],
)
def test_functional_form_refuses_single_values_before_wrong_types(
    num_groups, weight, error
):
    name, words = error.split(": ")
    with pytest.raises(Exception, match=words) as refusal:
        F.group_norm(torch.ones(1, 2), num_groups, weight)
    assert refusal.type.__name__ == name
