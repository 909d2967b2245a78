# %% imports
from __future__ import annotations

import edutorch as torch


# %% 03.1
def numeric_gradient(f, x, h=1e-5):
    """The gradient of f at x by central differences, one element at a time."""
    ### BEGIN SOLUTION
    gradient = torch.zeros(x.shape, dtype=x.dtype)
    for i in range(x.numel()):
        step = torch.zeros(x.shape, dtype=x.dtype)
        step.view(-1)[i] = h
        gradient.view(-1)[i] = (f(x + step) - f(x - step)) / (2 * h)
    return gradient
    ### END SOLUTION


# %% 03.2
def gradient_error(f, x, h=1e-5):
    """The largest relative difference between autograd's gradient and a numeric one."""
    ### BEGIN SOLUTION
    leaf = x.detach().clone().requires_grad_()
    (analytic,) = torch.autograd.grad(f(leaf), leaf)
    numeric = numeric_gradient(f, x.detach(), h)
    larger = torch.maximum(analytic.abs(), numeric.abs()).clamp(min=1e-8)
    return ((analytic - numeric).abs() / larger).max().item()
    ### END SOLUTION


# %% 03.3
def sum_to(g, shape):
    """g, added up to a shape that broadcasts to its own."""
    ### BEGIN SOLUTION
    while g.dim() > len(shape):
        g = g.sum(dim=0)
    for dim, size in enumerate(shape):
        if size == 1:
            g = g.sum(dim=dim, keepdim=True)
    return g
    ### END SOLUTION


# %% 03.4
def matmul_backward(g, a, b):
    """The gradients of a and b for y = a @ b, where g is the gradient of y."""
    ### BEGIN SOLUTION
    ga = g @ b.transpose(-2, -1)
    gb = a.transpose(-2, -1) @ g
    return sum_to(ga, a.shape), sum_to(gb, b.shape)
    ### END SOLUTION


# %% 03.5
class Swish(torch.autograd.Function):
    """x · sigmoid(x), with a backward that can be differentiated again."""

    @staticmethod
    def forward(ctx, x):
        ### BEGIN SOLUTION
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)
        ### END SOLUTION

    @staticmethod
    def backward(ctx, g):
        ### BEGIN SOLUTION
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return g * s * (1 + x * (1 - s))
        ### END SOLUTION


# %% 03.6
def hessian(f, x):
    """All second derivatives of f at x: row i is the gradient of slope i."""
    ### BEGIN SOLUTION
    x = x.detach().clone().requires_grad_()
    (slopes,) = torch.autograd.grad(f(x), x, create_graph=True)
    if not slopes.requires_grad:
        return torch.zeros(len(x), len(x), dtype=x.dtype)
    rows = [torch.autograd.grad(slope, x, retain_graph=True)[0] for slope in slopes]
    return torch.stack(rows)
    ### END SOLUTION
