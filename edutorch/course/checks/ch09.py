"""Chapter 9: convolutional networks."""

from __future__ import annotations

from typing import Any

from edutorch.course.compare import call_text, need_function
from edutorch.course.compare_functions import compare_functions
from edutorch.course.exercise import Exercise

from .ch09_batch_norms import grade_batch_norm
from .ch09_convolutions import (
    CONV_MISTAKES,
    CONV_SHOWN,
    LIBRARY,
    check_loops,
    check_own,
    conv2d,
    fresh_conv,
)
from .ch09_max_pooling import POOL_MISTAKES, POOL_SHOWN, fresh_pool
from .ch09_max_pooling import max_pool_backward as right_pool
from .ch09_output_sizes import SIZE_MISTAKES, SIZE_SHOWN, check_whole, fresh_size
from .ch09_output_sizes import output_size as right_size

__all__ = ["EXERCISES"]

CONV_RULE = (
    "y[n, k, i, j] = Σ over c, u, v of w[k, c, u, v] · x[n, c, i·s + u, j·s + v]"
)


def output_size(answer: Any) -> None:
    """09.1: the output size of a convolution."""
    compare_functions(
        answer,
        "output_size",
        right=right_size,
        shown=SIZE_SHOWN,
        fresh=fresh_size,
        rule="(n + 2·padding - k) // stride + 1, but not below 0",
        mistakes=SIZE_MISTAKES,
    )
    for args in SIZE_SHOWN:
        check_whole(answer(*args), call_text(answer, args, {}, "output_size"))


def conv2d_loops(answer: Any) -> None:
    """09.2: convolution by loops, from its definition."""
    _convolution(answer, "conv2d_loops")


def conv2d_im2col(answer: Any) -> None:
    """09.3: convolution as one matrix product."""
    _convolution(answer, "conv2d_im2col")
    check_loops(answer)


def _convolution(answer: Any, name: str) -> None:
    compare_functions(
        need_function(answer, name),
        name,
        right=conv2d,
        shown=CONV_SHOWN,
        fresh=fresh_conv,
        rule=CONV_RULE,
        mistakes=CONV_MISTAKES,
        forbidden=LIBRARY,
        returns="tensor",
        tolerance=1e-4,
        seconds=20,  # seven loops over single numbers take a while
        rounds=5,
    )
    check_own(answer, name)


def max_pool_backward(answer: Any) -> None:
    """09.4: the backward of max pooling."""
    compare_functions(
        answer,
        "max_pool_backward",
        right=right_pool,
        shown=POOL_SHOWN,
        fresh=fresh_pool,
        rule="each window gives its g to its first largest x; shares add up",
        mistakes=POOL_MISTAKES,
        forbidden=("max_pool2d", "max_unpool2d", "backward", "_backward", "grad"),
        returns="tensor",
    )


def batch_norm(answer: Any) -> None:
    """09.5: batch norm in training and in evaluation."""
    grade_batch_norm(answer)


EXERCISES = (
    Exercise(
        "09.1",
        "the size of the output",
        1,
        (
            "Padding makes the image n + 2·padding wide. Where can a window begin?",
            "At 0, s, 2s, ... as long as the start plus k is within that width.",
            (
                "The last start is at most n + 2·padding - k. Divide by the stride, "
                "round down, count the first: + 1. And max(..., 0)."
            ),
        ),
        output_size,
    ),
    Exercise(
        "09.2",
        "conv2d by loops",
        2,
        (
            (
                "Copy x into a larger tensor of zeros; loop over the output's rows "
                "and columns."
            ),
            (
                "Output (i, j) looks at the window that begins in row i·stride and "
                "column j·stride of the padded image: all images and channels of it."
            ),
            (
                "If the window begins in row i and column j of the padded x, then "
                "(x[:, None, :, i:i+u, j:j+v] * w).sum((2, 3, 4)), of shape (n, k), "
                "is this pixel of every image and kernel."
            ),
        ),
        conv2d_loops,
    ),
    Exercise(
        "09.3",
        "conv2d as one matrix product",
        2,
        (
            (
                "A column is one window. A row is one position of the kernel: "
                "what is under it, in all windows at once?"
            ),
            (
                "Pad x. For each place (a, b) of the kernel, x[:, :, a::s, b::s], cut "
                "to the size of the output, is a row for each channel."
            ),
            "Stack the u·v pieces: (n, c·u·v, h'·w'). Then w.reshape(K, -1) @ that.",
        ),
        conv2d_im2col,
    ),
    Exercise(
        "09.4",
        "backward of max pooling",
        2,
        (
            "Begin with zeros like x; each window adds its g to one place.",
            "argmax() of a flattened window counts along rows, and finds the first.",
            (
                "torch.arange(k * k) == index marks the place in a flat window; "
                "reshape it to (k, k), times g, and += into the window of the result."
            ),
        ),
        max_pool_backward,
    ),
    Exercise(
        "09.5",
        "batch norm, train and eval",
        2,
        (
            "Which mean and variance are used, and which are changed, in each mode?",
            "x.mean((0, 2, 3)) has one number per channel; reshape it to (1, C, 1, 1).",
            (
                "y uses var(unbiased=False); running_var takes the unbiased one. "
                "running.mul_(1 - momentum).add_(momentum * new) changes in place."
            ),
        ),
        batch_norm,
    ),
)
