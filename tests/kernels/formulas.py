"""Formulas as sums over the cells of a kernel, which share no code with the library."""

from __future__ import annotations

import numpy as np

__all__ = ["conv_formula"]


def conv_formula(x, w, b, stride, padding, dilation, groups):
    """A convolution, one term for each cell of the kernel.

    Math: y[n, o, p] = b[o] + sum_(c, k) w[o, c, k] x[n, c, p stride + k dilation]
    """
    n, c, *_ = x.shape
    o, _, *kernel = w.shape
    x = np.pad(x, ((0, 0), (0, 0), *((p, p) for p in padding)))
    geometry = list(zip(kernel, stride, dilation, strict=True))
    out = [
        (size - (k - 1) * d - 1) // s + 1
        for size, (k, s, d) in zip(x.shape[2:], geometry, strict=True)
    ]
    x = x.reshape(n, groups, c // groups, *x.shape[2:])
    w = w.reshape(groups, o // groups, c // groups, *kernel)
    y = np.zeros((n, groups, o // groups, *out), x.dtype)
    for cell in np.ndindex(*kernel):
        covered = tuple(
            slice(k * d, k * d + (size - 1) * s + 1, s)
            for k, size, (_, s, d) in zip(cell, out, geometry, strict=True)
        )
        y += np.einsum("ngc...,goc->ngo...", x[(..., *covered)], w[(..., *cell)])
    y = y.reshape(n, o, *out)
    return y if b is None else y + b.reshape(-1, *(1 for _ in out))
