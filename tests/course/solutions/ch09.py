# %% imports
from __future__ import annotations

import edutorch as torch


# %% 09.1
def output_size(n, k, stride=1, padding=0):
    """How many windows of size k fit along n pixels."""
    ### BEGIN SOLUTION
    return max((n + 2 * padding - k) // stride + 1, 0)
    ### END SOLUTION


# %% 09.2
def conv2d_loops(x, w, stride=1, padding=0):
    """x (n, c, h, w) convolved with kernels w (k, c, u, v), pixel by pixel."""
    ### BEGIN SOLUTION
    n, c, height, width = x.shape
    k, _, u, v = w.shape
    wide = torch.zeros(n, c, height + 2 * padding, width + 2 * padding)
    wide[:, :, padding : padding + height, padding : padding + width] = x
    rows = output_size(height, u, stride, padding)
    columns = output_size(width, v, stride, padding)
    y = torch.zeros(n, k, rows, columns)
    for i in range(rows):
        for j in range(columns):
            top, left = i * stride, j * stride
            window = wide[:, None, :, top : top + u, left : left + v]
            y[:, :, i, j] = (window * w).sum((2, 3, 4))
    return y
    ### END SOLUTION


# %% 09.3
def conv2d_im2col(x, w, stride=1, padding=0):
    """The same, as one matrix product."""
    ### BEGIN SOLUTION
    n, c, height, width = x.shape
    k, _, u, v = w.shape
    wide = torch.zeros(n, c, height + 2 * padding, width + 2 * padding)
    wide[:, :, padding : padding + height, padding : padding + width] = x
    rows = output_size(height, u, stride, padding)
    columns = output_size(width, v, stride, padding)
    pieces = []
    for i in range(u):
        for j in range(v):
            down = slice(i, i + stride * rows, stride)
            across = slice(j, j + stride * columns, stride)
            pieces.append(wide[:, :, down, across])
    cols = torch.stack(pieces, dim=2)  # (n, c, u v, rows, columns)
    cols = cols.reshape(n, c * u * v, rows * columns)
    return (w.reshape(k, -1) @ cols).reshape(n, k, rows, columns)
    ### END SOLUTION


# %% 09.4
def max_pool_backward(g, x, k, stride):
    """The gradient of x, where g is the gradient of max_pool2d(x, k, stride)."""
    ### BEGIN SOLUTION
    gx = torch.zeros(x.shape)
    for i in range(g.shape[2]):
        for j in range(g.shape[3]):
            down = slice(i * stride, i * stride + k)
            across = slice(j * stride, j * stride + k)
            first = x[:, :, down, across].flatten(2).argmax(dim=2)  # (n, c)
            won = torch.arange(k * k) == first.unsqueeze(2)  # (n, c, k k)
            share = won.reshape(*first.shape, k, k) * g[:, :, i : i + 1, j : j + 1]
            gx[:, :, down, across] += share
    return gx
    ### END SOLUTION


# %% 09.5
def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    """Normalise each channel of x (n, c, h, w); update the running statistics."""
    ### BEGIN SOLUTION
    mean, var = running_mean, running_var
    if training:
        mean = x.mean((0, 2, 3))
        var = x.var((0, 2, 3), unbiased=False)
        unbiased = x.var((0, 2, 3), unbiased=True)
        running_mean.mul_(1 - momentum).add_(momentum * mean)
        running_var.mul_(1 - momentum).add_(momentum * unbiased)
    mean = mean.reshape(1, -1, 1, 1)
    var = var.reshape(1, -1, 1, 1)
    return (x - mean) / torch.sqrt(var + eps)
    ### END SOLUTION
