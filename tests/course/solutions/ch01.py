# %% imports
from __future__ import annotations

import edutorch as torch


# %% 01.1
def strides_of(shape):
    """Strides, in elements, of a contiguous tensor of this shape."""
    ### BEGIN SOLUTION
    strides = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))
    ### END SOLUTION


# %% 01.2
def broadcast_shape(a, b):
    """The shape that shapes a and b broadcast to; ValueError if they do not."""
    ### BEGIN SOLUTION
    longest = max(len(a), len(b))
    a = (1,) * (longest - len(a)) + tuple(a)
    b = (1,) * (longest - len(b)) + tuple(b)
    for p, q in zip(a, b, strict=True):
        if p != q and 1 not in (p, q):
            raise ValueError(f"sizes {p} and {q} do not broadcast")
    return tuple(q if p == 1 else p for p, q in zip(a, b, strict=True))
    ### END SOLUTION


# %% 01.3
def same_buffer(a, b):
    """Whether tensors a and b keep their numbers in the same storage."""
    ### BEGIN SOLUTION
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
    ### END SOLUTION


# %% 01.4
def windows(x, k):
    """All k x k windows of x, of shape (h - k + 1, w - k + 1, k, k), no copies."""
    ### BEGIN SOLUTION
    h, w = x.shape
    down, right = x.stride()
    size = (h - k + 1, w - k + 1, k, k)
    return torch.as_strided(x, size, (down, right, down, right))
    ### END SOLUTION


# %% 01.5
def standardize(x):
    """(x - mean) / std, in a new tensor; x keeps its numbers."""
    ### BEGIN SOLUTION
    return (x - x.mean()) / x.std()
    ### END SOLUTION
