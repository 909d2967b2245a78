"""requires_grad, grad and what may be assigned to them."""

import pytest

import edutorch as torch


def test_requires_grad_is_for_floating_leaves():
    with pytest.raises(RuntimeError, match="can require gradients"):
        torch.tensor([1]).requires_grad_()
    y = torch.ones(1, requires_grad=True) * 2
    with pytest.raises(
        RuntimeError, match="you can only change requires_grad flags of leaf"
    ):
        y.requires_grad = False


def test_assigned_gradient_must_fit():
    x = torch.ones(2, requires_grad=True)
    x.grad = torch.zeros(2)
    assert x.grad.tolist() == [0.0, 0.0]
    with pytest.raises(
        RuntimeError, match="gradient of size '.3.' to a tensor of size '.2.'"
    ):
        x.grad = torch.zeros(3)
    with pytest.raises(
        RuntimeError, match="a gradient with dtype 'double' to a tensor"
    ):
        x.grad = torch.zeros(2, dtype=torch.float64)
    with pytest.raises(TypeError, match="expected to be a Tensor or None"):
        x.grad = 1
    x.grad = None
    assert x.grad is None


def test_requires_grad_is_a_boolean():
    x = torch.zeros(2)
    with pytest.raises(RuntimeError, match="requires_grad must be a bool"):
        x.requires_grad = 1
    with pytest.raises(TypeError, match="must be bool, not str"):
        x.requires_grad_("a")
