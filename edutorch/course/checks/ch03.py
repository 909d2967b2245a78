"""Chapter 3: gradients of tensors, and how to check them."""

from __future__ import annotations

from edutorch.course.exercise import Exercise

from .ch03_functions import grade_hessian, grade_swish
from .ch03_numeric import grade_error, grade_numeric
from .ch03_shapes import grade_matmul, grade_sum_to

__all__ = ["EXERCISES"]

EXERCISES = (
    Exercise(
        "03.1",
        "a numeric gradient",
        2,
        (
            "One element of x moves, the others stay. How does f(x) change?",
            (
                "For each element make a tensor of zeros with h in this one "
                "place, and add it to x, so that x itself does not change. "
                "`t.view(-1)` gives a tensor of any shape as one row."
            ),
            (
                "step = torch.zeros(x.shape, dtype=x.dtype); step.view(-1)[i] = h; "
                "gradient.view(-1)[i] = (f(x + step) - f(x - step)) / (2 * h), for i "
                "in range(x.numel())."
            ),
        ),
        grade_numeric,
    ),
    Exercise(
        "03.2",
        "a gradient check",
        2,
        (
            (
                "Two gradients are needed, one from backward, one from 03.1. Then "
                "divide their distance by their size, element by element."
            ),
            (
                "A copy that requires a gradient leaves x alone: "
                "x.detach().clone().requires_grad_(). torch.maximum takes the larger "
                "of two tensors in each place, .clamp(min=1e-8) keeps it from 0."
            ),
            (
                "((a - n).abs() / torch.maximum(a.abs(), n.abs()).clamp(min=1e-8))"
                ".max().item()"
            ),
        ),
        grade_error,
    ),
    Exercise(
        "03.3",
        "sum to a shape",
        1,
        (
            (
                "Write one shape below the other, aligned on the right. Where "
                "did the broadcast make copies?"
            ),
            (
                "Two cases: leading dimensions that shape lacks disappear; where "
                "shape has a 1, the dimension stays, with size 1."
            ),
            (
                "while g.dim() > len(shape): g = g.sum(dim=0). Then for each dim in "
                "which shape is 1: g = g.sum(dim=dim, keepdim=True)."
            ),
        ),
        grade_sum_to,
    ),
    Exercise(
        "03.4",
        "the backward of a matrix product",
        2,
        (
            (
                "Take sizes that are all different, such as (2, 3) @ (3, 4): only one "
                "product of g and b has the shape of a."
            ),
            (
                "`t.transpose(-2, -1)`, or `t.mT`, transposes each matrix of a batch. "
                "What a broadcast copied is added up with sum_to."
            ),
            (
                "sum_to(g @ b.mT, a.shape) is the gradient of a; that of b is "
                "sum_to(a.mT @ g, b.shape)."
            ),
        ),
        grade_matmul,
    ),
    Exercise(
        "03.5",
        "your own Function",
        2,
        (
            (
                "The product rule: sigmoid(x), plus x times the slope of "
                "sigmoid. And then multiply by the incoming gradient."
            ),
            (
                "With s = sigmoid(x), the slope of sigmoid is s (1 - s). Save x, "
                "not s: what forward computes counts as a constant when backward "
                "is differentiated."
            ),
            (
                "In forward ctx.save_for_backward(x); in backward (x,) = "
                "ctx.saved_tensors, s = torch.sigmoid(x), and "
                "g * s * (1 + x * (1 - s))."
            ),
        ),
        grade_swish,
    ),
    Exercise(
        "03.6",
        "the Hessian",
        2,
        (
            (
                "Go row by row: each slope is a number computed from x. What is "
                "its gradient?"
            ),
            (
                "The first torch.autograd.grad needs create_graph=True, the others "
                "retain_graph=True, so that the graph is there for the next row."
            ),
            (
                "With a copy of x that requires a gradient: "
                "(slopes,) = torch.autograd.grad(f(x), x, create_graph=True). Zeros if "
                "not slopes.requires_grad; else torch.stack of "
                "torch.autograd.grad(slope, x, retain_graph=True)[0] for each slope."
            ),
        ),
        grade_hessian,
    ),
)
