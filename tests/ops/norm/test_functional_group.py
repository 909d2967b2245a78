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
