# %% imports
from __future__ import annotations

import copy
import math

import edutorch as torch


# %% 07.1
def sgd_step(params, lr):
    """Move each parameter against its gradient, in place."""
    ### BEGIN SOLUTION
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * p.grad
    ### END SOLUTION


# %% 07.2
def momentum_step(params, state, lr, momentum=0.9):
    """One step of SGD with momentum; state keeps a velocity for each parameter."""
    ### BEGIN SOLUTION
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            if p in state:
                state[p] = momentum * state[p] + p.grad
            else:
                state[p] = p.grad.clone()
            p -= lr * state[p]
    ### END SOLUTION


# %% 07.3
def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    """One step of Adam; state keeps two averages and a count for each parameter."""
    ### BEGIN SOLUTION
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            m, v, t = state.get(p, (torch.zeros_like(p), torch.zeros_like(p), 0))
            t += 1
            m = betas[0] * m + (1 - betas[0]) * p.grad
            v = betas[1] * v + (1 - betas[1]) * p.grad**2
            state[p] = m, v, t
            mean = m / (1 - betas[0] ** t)
            square = v / (1 - betas[1] ** t)
            p -= lr * mean / (square.sqrt() + eps)
    ### END SOLUTION


# %% 07.4
def step_lr(step, lr, every, factor=0.1):
    """The learning rate at a step, cut by factor once in every so many steps."""
    ### BEGIN SOLUTION
    return lr * factor ** (step // every)
    ### END SOLUTION


def warmup_cosine(step, lr, warmup, total):
    """The learning rate at a step: a straight rise, then half a cosine down to 0."""
    ### BEGIN SOLUTION
    if step < warmup:
        return lr * (step + 1) / warmup
    if step >= total:
        return 0.0
    done = (step - warmup) / (total - warmup)
    return lr * (1 + math.cos(math.pi * done)) / 2
    ### END SOLUTION


# %% 07.5
def clip_gradients(params, max_norm):
    """Shorten all gradients by one factor to max_norm; return the norm before."""
    ### BEGIN SOLUTION
    grads = [p.grad for p in params if p.grad is not None]
    norm = math.sqrt(sum((g**2).sum().item() for g in grads))
    if norm > max_norm:
        for g in grads:
            g *= max_norm / norm
    return norm
    ### END SOLUTION


# %% 07.6
def fit(model, train_epoch, validate, epochs, patience):
    """Train until validation no longer improves; leave the best weights in model."""
    ### BEGIN SOLUTION
    losses = []
    best, best_epoch, kept = math.inf, -1, None
    for epoch in range(epochs):
        train_epoch()
        losses.append(validate())
        if losses[-1] < best:
            best, best_epoch = losses[-1], epoch
            kept = copy.deepcopy(model.state_dict())
        elif epoch - best_epoch >= patience:
            break
    if kept is not None:
        model.load_state_dict(kept)
    return losses
    ### END SOLUTION
