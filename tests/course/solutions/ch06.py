# %% imports
from __future__ import annotations

import edutorch as torch


# %% 06.1
def log_softmax(logits):
    """Logarithms of the probabilities, over the last dimension."""
    ### BEGIN SOLUTION
    shifted = logits - logits.amax(dim=-1, keepdim=True)
    return shifted - shifted.exp().sum(dim=-1, keepdim=True).log()
    ### END SOLUTION


# %% 06.2
def cross_entropy(logits, labels):
    """The mean of -log p of the right classes."""
    ### BEGIN SOLUTION
    chosen = log_softmax(logits)[torch.arange(len(labels)), labels]
    return -chosen.mean()
    ### END SOLUTION


def cross_entropy_gradient(logits, labels):
    """The gradient of that mean with respect to the logits."""
    ### BEGIN SOLUTION
    gradient = log_softmax(logits).exp()
    gradient[torch.arange(len(labels)), labels] -= 1
    return gradient / len(labels)
    ### END SOLUTION


# %% 06.3
def bce_with_logits(logits, targets):
    """The cross-entropy of two classes, a number for each logit."""
    ### BEGIN SOLUTION
    far = (logits + logits.abs()) / 2 - logits * targets
    return far + torch.log1p((-logits.abs()).exp())
    ### END SOLUTION


# %% 06.4
def smooth_cross_entropy(logits, labels, smoothing=0.1):
    """Cross-entropy with smoothed targets, the mean over all rows."""
    ### BEGIN SOLUTION
    logs = log_softmax(logits)
    right = logs[torch.arange(len(labels)), labels]
    each = (1 - smoothing) * right + smoothing * logs.mean(dim=1)
    return -each.mean()
    ### END SOLUTION


# %% 06.5
def masked_mean(losses, mask):
    """The mean of the losses where mask is True; 0 where none is."""
    ### BEGIN SOLUTION
    kept = torch.where(mask, losses, torch.zeros_like(losses))
    return kept.sum() / mask.sum().clamp(min=1)
    ### END SOLUTION


# %% 06.6
def weighted_cross_entropy(logits, labels, weights):
    """Cross-entropy in which each row counts as much as its class weighs."""
    ### BEGIN SOLUTION
    each = -log_softmax(logits)[torch.arange(len(labels)), labels]
    weight = weights[labels]
    return (weight * each).sum() / weight.sum()
    ### END SOLUTION
