# %% imports
from __future__ import annotations

import edutorch as torch
from edutorch.nn import functional as F


# %% 17.1
def step_peak(weights, outputs):
    """The most bytes that a training step holds at once."""
    ### BEGIN SOLUTION
    held = sum(weights) + sum(outputs) + outputs[-1]
    peak = held
    for i in reversed(range(len(weights))):
        held += weights[i]
        if i > 0:
            held += outputs[i - 1]
        peak = max(peak, held)
        held -= 2 * outputs[i]
    return peak
    ### END SOLUTION


# %% 17.2
def best_fit(free, nbytes):
    """The index of the best free block, and the bytes that are set aside in it."""
    ### BEGIN SOLUTION
    size = (nbytes + 511) // 512 * 512
    best = -1
    for i, block in enumerate(free):
        if block >= size and (best < 0 or block < free[best]):
            best = i
    return best, size
    ### END SOLUTION


# %% 17.3
def mean_and_worst(losses):
    """The mean of the losses and the index of the largest, as plain numbers."""
    ### BEGIN SOLUTION
    total, worst, largest, count = 0.0, 0, float("-inf"), 0
    for i, loss in enumerate(losses):
        value = loss.item()
        total += value
        count += 1
        if value > largest:
            worst, largest = i, value
    return total / count, worst
    ### END SOLUTION


# %% 17.4
def recompute(block, x):
    """block(x), whose activations are computed again in backward."""
    ### BEGIN SOLUTION
    return Recompute.apply(block, x)


class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, x):
        ctx.block = block
        ctx.save_for_backward(x)
        with torch.no_grad():
            return block(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        x = x.detach().requires_grad_()
        with torch.enable_grad():
            y = ctx.block(x)
        y.backward(g)
        return None, x.grad

    ### END SOLUTION


# %% 17.5
def train_on(device, model, x, y, steps, lr):
    """Train on a device; the loss before each step, as a tensor on the CPU."""
    ### BEGIN SOLUTION
    model.to(device)
    x, y = x.to(device), y.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses).cpu()
    ### END SOLUTION


# %% 17.6
def block_sum(thread, x, out):
    """out[b] becomes the sum of block b's numbers of x."""
    ### BEGIN SOLUTION
    i = thread.block * thread.size + thread.number
    thread.shared[thread.number] = x[i] if i < len(x) else 0
    yield
    half = thread.size // 2
    while half > 0:
        if thread.number < half:
            thread.shared[thread.number] += thread.shared[thread.number + half]
        yield
        half //= 2
    if thread.number == 0:
        out[thread.block] = thread.shared[0]
    ### END SOLUTION


# %% 17.7
def program_bytes(program):
    """The bytes allocated at the end of a program, and its peak."""
    ### BEGIN SOLUTION
    sizes, held, peak = {}, 0, 0
    for name, nbytes in program:
        old = sizes.pop(name, 0)
        if nbytes is not None:
            sizes[name] = (nbytes + 511) // 512 * 512
            held += sizes[name]
            peak = max(peak, held)
        held -= old
    return held, peak
    ### END SOLUTION


# %% 17.8
def accumulate(model, x, y, row_bytes, limit):
    """The gradients and the mean loss of a batch, piece by piece."""
    ### BEGIN SOLUTION
    size = limit // row_bytes
    total = 0.0
    for i in range(0, len(x), size):
        part = x[i : i + size]
        loss = F.cross_entropy(model(part), y[i : i + size]) * len(part) / len(x)
        loss.backward()
        total += loss.item()
    return total
    ### END SOLUTION
