"""What nodes keep for backward, and nothing more."""

from __future__ import annotations

import pytest

import edutorch as torch


def pair(first, second):
    make = torch.ones
    return make(2, 2, requires_grad=first), make(2, 2, requires_grad=second)


@pytest.mark.parametrize("product", [torch.mul, torch.mm])
def test_product_keeps_only_the_factors_that_a_gradient_needs(product):
    x, w = pair(False, True)
    y = product(x, w)
    assert y.grad_fn.inputs[0] is x and y.grad_fn.inputs[1] is None
    with torch.no_grad():
        w.mul_(5)  # which no gradient needs
    y.sum().backward()
    x, w = pair(True, True)
    assert all(t is not None for t in product(x, w).grad_fn.inputs)


@pytest.mark.parametrize("product", [torch.mul, torch.mm])
def test_changed_factor_is_noticed_even_if_it_had_been_changed_before(product):
    x, w = pair(True, True)
    with torch.no_grad():
        w.mul_(2)
    y = product(x, w)
    product(x, w).sum().backward()
    with torch.no_grad():
        w.mul_(3)
    with pytest.raises(RuntimeError, match="is at version 2; expected version 1"):
        y.sum().backward()


def test_sum_keeps_nothing_of_its_operand():
    x, _ = pair(True, False)
    assert x.sum().grad_fn.inputs is None
