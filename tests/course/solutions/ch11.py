# %% imports
from __future__ import annotations

import edutorch as torch
from edutorch.nn import functional as F


# %% 11.1
def rnn(x, h, w_x, w_h, b):
    """The states after each step of x (T, N, I), as (T, N, H)."""
    ### BEGIN SOLUTION
    states = []
    for step in x:
        h = torch.tanh(step @ w_x.T + h @ w_h.T + b)
        states.append(h)
    return torch.stack(states)
    ### END SOLUTION


# %% 11.2
def gradient_of_w(states, g, w_h):
    """The gradient of w_h: states (T + 1, N, H), g (T, N, H) of the outputs."""
    ### BEGIN SOLUTION
    total = torch.zeros_like(w_h)
    back = torch.zeros_like(states[0])
    for t in range(len(g) - 1, -1, -1):
        inside = (g[t] + back) * (1 - states[t + 1] ** 2)
        total = total + inside.T @ states[t]
        back = inside @ w_h
    return total
    ### END SOLUTION


# %% 11.3
def lstm_step(x, h, c, w_x, w_h, b):
    """The next h and the next c, both (N, H)."""
    ### BEGIN SOLUTION
    i, f, g, o = (x @ w_x.T + h @ w_h.T + b).chunk(4, dim=1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c
    ### END SOLUTION


# %% 11.4
def batch_sizes(lengths):
    """How many sequences have a step 0, a step 1, ..., as a list."""
    ### BEGIN SOLUTION
    return [sum(n > t for n in lengths) for t in range(max(lengths))]
    ### END SOLUTION


def pack(padded, lengths):
    """The steps of padded (T, N, I) that are not padding, as (total, I)."""
    ### BEGIN SOLUTION
    sizes = batch_sizes(lengths)
    return torch.cat([padded[t, :n] for t, n in enumerate(sizes)])
    ### END SOLUTION


# %% 11.5
def last_valid(outputs, lengths):
    """The output at the last step of each sequence: (T, N, H) to (N, H)."""
    ### BEGIN SOLUTION
    return torch.stack([outputs[n - 1, i] for i, n in enumerate(lengths)])
    ### END SOLUTION


def masked_loss(scores, targets, lengths):
    """The mean cross-entropy of all steps that are not padding."""
    ### BEGIN SOLUTION
    each = F.cross_entropy(scores.flatten(0, 1), targets.flatten(), reduction="none")
    steps = torch.arange(len(targets)).unsqueeze(1)
    valid = steps < torch.tensor(lengths)
    return each[valid.flatten()].mean()
    ### END SOLUTION


# %% 11.6
def pick(scores, temperature, u):
    """The class that u, a number from 0 to 1, picks at this temperature."""
    ### BEGIN SOLUTION
    if temperature == 0:
        return scores.argmax().item()
    shares = (scores / temperature).softmax(dim=0)
    return min((shares.cumsum(dim=0) <= u).sum().item(), len(scores) - 1)
    ### END SOLUTION
