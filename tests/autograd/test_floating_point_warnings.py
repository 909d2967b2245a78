"""Infinities and nan come without warnings, whatever filters a program sets."""

import warnings

import numpy as np
import pytest

import edutorch as torch
from tests.freed_operands import freed_after


@pytest.fixture(autouse=True)
def _errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_forward_of_one_two_and_more_operands_gives_infinities():
    zero = torch.zeros(1, requires_grad=True)
    assert torch.log(zero).item() == -np.inf
    assert (torch.ones(1) / zero).item() == np.inf
    assert (1 / zero).item() == np.inf
    assert torch.addcdiv(zero, torch.ones(1), zero).item() == np.inf
    assert torch.log(torch.zeros(1, dtype=torch.float16)).item() == -np.inf


def test_backward_gives_infinities():
    x = torch.zeros(1, requires_grad=True)
    torch.sqrt(x).sum().backward()
    assert x.grad.item() == np.inf
    (slope,) = torch.autograd.grad(torch.sqrt(x).sum(), x, retain_graph=True)
    assert slope.item() == np.inf


def test_errors_of_operations_stay_errors():
    with pytest.raises(RuntimeError, match="must match the size"):
        torch.ones(2) + torch.ones(3)


def test_numpy_itself_still_warns():
    with pytest.raises(RuntimeWarning):
        np.log(np.zeros(1))


@pytest.mark.parametrize(
    "fails",
    [
        lambda x: torch.linalg.cholesky(-x @ x.mT),
        lambda x: x @ torch.ones(5, 6),
        lambda x: torch.cat([x, torch.ones(2)]),
        lambda x: x.sum("a"),
        lambda x: torch.nn.functional.softmax(x, 7),
    ],
)
def test_operands_of_a_failed_operation_are_freed_without_the_collector(fails):
    assert freed_after(fails)
