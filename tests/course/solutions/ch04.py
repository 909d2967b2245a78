# %% imports
from __future__ import annotations

import edutorch as torch
from edutorch import nn


# %% 04.1
def first_bad_step(loss):
    """The name of the first step that makes a NaN or infinity, or None."""
    ### BEGIN SOLUTION
    for step in loss.backward_steps():
        for g in step.grad_inputs:
            if g is not None and not torch.isfinite(g).all():
                return step.name
    return None
    ### END SOLUTION


# %% 04.2
def clip_hook(limit):
    """A hook that shortens gradients longer than limit."""

    ### BEGIN SOLUTION
    def hook(g):
        norm = g.norm()
        return g * (limit / norm) if norm > limit else g

    return hook
    ### END SOLUTION


# %% 04.3
def where_cut(model, x):
    """The name of the first layer whose output has no history, or None."""
    ### BEGIN SOLUTION
    for name, layer in model.named_children():
        x = layer(x)
        if x.grad_fn is None:
            return name
    return None
    ### END SOLUTION


# %% 04.4
def standardize(x):
    """Every feature with mean 0 and standard deviation 1."""
    ### BEGIN SOLUTION
    return (x - x.mean(dim=0)) / x.std(dim=0)
    ### END SOLUTION


def loss_of(model, x, y):
    """The cross-entropy of the model's scores."""
    ### BEGIN SOLUTION
    return nn.functional.cross_entropy(model(x), y)
    ### END SOLUTION


def step(optimizer, loss):
    """One step of training."""
    ### BEGIN SOLUTION
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    ### END SOLUTION


# %% 04.5
def safe_length(v):
    """The length of each row of v, with a gradient of 0 where a row is 0."""
    ### BEGIN SOLUTION
    q = (v * v).sum(dim=1)
    zero = q == 0
    return torch.where(zero, 0, torch.where(zero, 1, q).sqrt())
    ### END SOLUTION
