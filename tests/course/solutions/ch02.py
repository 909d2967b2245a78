# %% imports
from __future__ import annotations

import edutorch as torch


# %% 02.1
def mul_backward(g, a, b):
    """Gradients of a and b for y = a * b, where g is the gradient of y."""
    ### BEGIN SOLUTION
    return g * b, g * a
    ### END SOLUTION


def exp_backward(g, y):
    """Gradient of x for y = exp(x), where g is the gradient of y."""
    ### BEGIN SOLUTION
    return g * y
    ### END SOLUTION


# %% 02.2
def order(root):
    """All nodes below root, each after its inputs; root is the last."""
    ### BEGIN SOLUTION
    nodes = []
    seen = set()

    def visit(node):
        if node in seen:
            return
        seen.add(node)
        for x in node.inputs:
            visit(x)
        nodes.append(node)

    visit(root)
    return nodes
    ### END SOLUTION


# %% 02.3
def backward(root):
    """Fill in .grad of every node below root."""
    ### BEGIN SOLUTION
    root.grad = 1.0
    for node in reversed(order(root)):
        for x, slope in zip(node.inputs, node.local, strict=True):
            x.grad += node.grad * slope
    ### END SOLUTION


# %% 02.4
def descend(w, steps, lr):
    """Take steps down (2w - 8)²; w is changed in place."""
    ### BEGIN SOLUTION
    for _ in range(steps):
        loss = (2 * w - 8) ** 2
        loss.backward()
        with torch.no_grad():
            w -= lr * w.grad
        w.grad = None
    ### END SOLUTION


# %% 02.5
def td_loss(v, r, v_next):
    """(v - (r + 0.9 v_next))², where the target gets no gradient."""
    ### BEGIN SOLUTION
    target = (r + 0.9 * v_next).detach()
    return (v - target) ** 2
    ### END SOLUTION
