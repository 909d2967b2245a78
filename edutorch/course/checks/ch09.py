"""Chapter 9: convolutional networks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from edutorch import events
from edutorch.course.compare import call, compare, expect, need_function
from edutorch.course.exercise import Exercise
from edutorch.course.failure import CheckFailed
from edutorch.ops.create import from_numpy

__all__ = ["EXERCISES"]

Array = npt.NDArray[Any]

CONV_RULE = (
    "y[n, k, i, j] = Σ over c, u, v of w[k, c, u, v] · x[n, c, i·s + u, j·s + v]"
)
NORM_RULE = "y = (x - mean) / sqrt(var + eps), per channel"


def output_size(answer: Any) -> None:
    """09.1: the output size of a convolution."""
    answer = need_function(answer, "output_size")
    cases = ((8, 3, 1, 2), (7, 2, 2, 0), (8, 3, 1, 1), (28, 5, 3, 2), (4, 4, 1, 0))
    for n, k, stride, padding in cases:
        span = n + 2 * padding - k
        expect(
            answer,
            n,
            k,
            stride,
            padding,
            want=span // stride + 1,
            rule="(n + 2·padding - k) // stride + 1",
            wrong={
                "forgot + 1: the first window counts too": span // stride,
                "padding is added on both sides": (n + padding - k) // stride + 1,
                "a window that does not fit is dropped: round down": (
                    -(-span // stride) + 1
                ),
                "no rounding: sizes are whole numbers": span / stride + 1,
                "1 is added after the division": (span + 1) // stride,
            },
        )


def conv2d_loops(answer: Any) -> None:
    """09.2: convolution by loops, from its definition."""
    _convolution(need_function(answer, "conv2d_loops"))


def conv2d_im2col(answer: Any) -> None:
    """09.3: convolution as one matrix product."""
    answer = need_function(answer, "conv2d_im2col")
    _convolution(answer)
    counts = []
    for size in (6, 18):
        x, w = _random((2, 3, size, size), 7), _random((4, 3, 3, 3), 8)
        counts.append(_ops_of(answer, from_numpy(x), from_numpy(w)))
    if counts[1] > counts[0]:
        raise CheckFailed(
            "right, but a larger image takes more operations",
            got=f"{counts[0]} operations at 6 x 6, {counts[1]} at 18 x 18",
            expected="the same number at both",
            rule="loop over the k x k offsets of the kernel, never over pixels",
        )


def max_pool_backward(answer: Any) -> None:
    """09.4: where a pooled gradient goes."""
    answer = need_function(answer, "max_pool_backward")
    tie = np.array([[[[5, 1, 2, 2], [5, 3, 2, 2], [0, 0, 1, 9], [0, 4, 1, 1]]]])
    cases = (
        (tie.astype(np.float32), 2, 2),
        (_random((2, 3, 6, 6), 3), 2, 2),
        (_random((1, 2, 7, 7), 4), 3, 2),
    )
    for x, k, stride in cases:
        size = (x.shape[-1] - k) // stride + 1
        g = _random((*x.shape[:2], size, size), 5)
        spread = [_pool_backward(g, x, k, stride, rule) for rule in _POOL_MISTAKES]
        expect(
            answer,
            from_numpy(g),
            from_numpy(x),
            k,
            stride,
            want=_pool_backward(g, x, k, stride, _first),
            rule="each window gives its g to its first largest x; shares add up",
            wrong={
                "forgot the incoming gradient g": _pool_backward(
                    np.ones_like(g), x, k, stride, _first
                ),
                "= for +=: windows overlap, and a pixel can win in several": (
                    _pool_backward(g, x, k, stride, _first, add=False)
                ),
                **dict(zip(_POOL_MISTAKES.values(), spread, strict=True)),
            },
        )


def batch_norm(answer: Any) -> None:
    """09.5: batch norm in training and in evaluation."""
    answer = need_function(answer, "batch_norm")
    for training in (True, False, True):
        x = _random((4, 3, 2, 2), 11) * 3 + 1
        mean, var = _random((3,), 12), np.abs(_random((3,), 13)) + 0.5
        seen = from_numpy(mean.copy()), from_numpy(var.copy())
        called = f"batch_norm(x, running_mean, running_var, training={training})"
        args = from_numpy(x.copy()), *seen, training
        got = call(answer, *args, called=called, rule=NORM_RULE)
        _check_output(got, x, mean, var, training, called)
        _check_running(seen, x, mean, var, training, called)


def _convolution(answer: Callable[..., Any]) -> None:
    """What both convolutions must give; sizes are unlike, to tell the axes apart."""
    edge = np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3)
    kernel = np.array([[[[1, 2], [3, 4]]]], dtype=np.float32)
    cases = (
        (edge, kernel, 1, 0),
        (_random((2, 3, 5, 6), 1), _random((4, 3, 3, 2), 2), 1, 0),
        (_random((2, 3, 5, 6), 1), _random((4, 3, 3, 2), 2), 2, 1),
        (_random((1, 2, 7, 7), 3), _random((3, 2, 3, 3), 4), 3, 2),
    )
    for x, w, stride, padding in cases:
        expect(
            answer,
            from_numpy(x),
            from_numpy(w),
            stride,
            padding,
            want=_conv(x, w, stride, padding),
            rule=CONV_RULE,
            tolerance=1e-4,
            wrong=_wrong_convolutions(x, w, stride, padding),
        )


def _wrong_convolutions(x: Array, w: Array, s: int, p: int) -> dict[str, Any]:
    right = _conv(x, w, s, p)
    return {
        "the kernel was flipped; deep learning's convolution does not flip": _conv(
            x, w[:, :, ::-1, ::-1], s, p
        ),
        "the stride was ignored": _conv(x, w, 1, p),
        "the padding was ignored": _conv(x, w, s, 0) if p else None,
        "only the first channel was used; sum over c": _conv(x[:, :1], w[:, :1], s, p),
        "mean for sum: windows are summed, not averaged": right / w[0].size,
        "the output is (n, k, h, w); here k stands last": right.transpose(0, 2, 3, 1),
    }


def _conv(x: Array, w: Array, stride: int, padding: int) -> Array:
    pad_width = ((0, 0), (0, 0), (padding, padding), (padding, padding))
    views = np.lib.stride_tricks.sliding_window_view(
        np.pad(x, pad_width), w.shape[2:], axis=(2, 3)
    )  # (n, c, h', w', u, v)
    picked = views[:, :, ::stride, ::stride]
    return np.asarray(np.einsum("ncijuv,kcuv->nkij", picked, w, optimize=True))


def _ops_of(answer: Callable[..., Any], *args: Any) -> int:
    """How many ops the library ran for this call."""
    seen: list[int] = []

    def count(record: tuple[Any, ...]) -> None:
        if record[0] == "op":
            seen.append(1)

    listener = events.listen("course.count", count)
    try:
        call(answer, *args, 1, 0)
    finally:
        listener.close()
    return len(seen)


def _pool_backward(
    g: Array,
    x: Array,
    k: int,
    stride: int,
    share: Callable[[Array], Array],
    add: bool = True,
) -> Array:
    gx = np.zeros_like(x)
    for n, c, i, j in np.ndindex(*g.shape):
        rows = slice(i * stride, i * stride + k)
        columns = slice(j * stride, j * stride + k)
        part = share(x[n, c, rows, columns])
        here = gx[n, c, rows, columns]
        given = part * g[n, c, i, j]
        here[...] = here + given if add else np.where(part != 0, given, here)
    return gx


def _first(window: Array) -> Array:
    return _one_hot(window, int(window.argmax()))


def _last(window: Array) -> Array:
    flat = window.reshape(-1)
    return _one_hot(window, flat.size - 1 - int(flat[::-1].argmax()))


def _ties(window: Array) -> Array:
    return np.asarray(window == window.max(), dtype=np.float32)


def _even(window: Array) -> Array:
    return np.full(window.shape, 1 / window.size, dtype=np.float32)


def _one_hot(window: Array, index: int) -> Array:
    share = np.zeros(window.shape, dtype=np.float32)
    share.reshape(-1)[index] = 1
    return share


_POOL_MISTAKES = {
    _even: "that is average pooling: only the largest x gets the gradient",
    _ties: "among equals only the first gets the gradient, not all of them",
    _last: "among equals the FIRST gets the gradient, not the last",
}


def _check_output(
    got: Any, x: Array, mean: Array, var: Array, training: bool, called: str
) -> None:
    batch = _normal(x, x.mean((0, 2, 3)), x.var((0, 2, 3)))
    stored = _normal(x, mean, var)
    axes = (0, 2, 3)
    wrong = {
        "in evaluation the RUNNING statistics are used": batch,
        "in training the statistics of the BATCH are used": stored,
        "y is normalised with the biased variance: divide by the count": _normal(
            x, x.mean(axes), x.var(axes, ddof=1)
        ),
        "the statistics are one number per channel, over n, h and w": (
            (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-5)
        ),
        "one number per channel: these are one for all channels": (
            (x - x.mean()) / np.sqrt(x.var() + 1e-5)
        ),
        "divide by the standard deviation: the square root is missing": (
            (x - x.mean(axes, keepdims=True)) / (x.var(axes, keepdims=True) + 1e-5)
        ),
    }
    compare(
        got,
        batch if training else stored,
        called=called,
        wrong=wrong,
        tolerance=1e-4,
        rule=NORM_RULE,
    )


def _check_running(
    seen: tuple[Any, Any],
    x: Array,
    mean: Array,
    var: Array,
    training: bool,
    called: str,
) -> None:
    axes = (0, 2, 3)
    if not training:
        for name, tensor, old in zip(("mean", "var"), seen, (mean, var), strict=True):
            compare(
                tensor,
                old,
                called=f"{called}; then running_{name}",
                rule="evaluation changes nothing",
            )
        return
    new_mean, new_var = x.mean(axes), x.var(axes, ddof=1)
    rule = "running <- 0.9 · running + 0.1 · batch, in place"
    compare(
        seen[0],
        0.9 * mean + 0.1 * new_mean,
        called=f"{called}; then running_mean",
        rule=rule,
        tolerance=1e-4,
        wrong={
            "it did not change: update it in place": mean,
            "0.1 is the weight of the NEW value": 0.1 * mean + 0.9 * new_mean,
        },
    )
    compare(
        seen[1],
        0.9 * var + 0.1 * new_var,
        called=f"{called}; then running_var",
        rule=rule,
        tolerance=1e-4,
        wrong={
            "it did not change: update it in place": var,
            "running_var takes the UNBIASED variance: divide by count - 1": (
                0.9 * var + 0.1 * x.var(axes)
            ),
            "0.1 is the weight of the NEW value": 0.1 * var + 0.9 * new_var,
        },
    )


def _normal(x: Array, mean: Array, var: Array) -> Array:
    per_channel = (1, -1, 1, 1)
    scale = np.sqrt(var.reshape(per_channel) + 1e-5)
    return np.asarray((x - mean.reshape(per_channel)) / scale)


def _random(shape: tuple[int, ...], seed: int) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


EXERCISES = (
    Exercise(
        "09.1",
        "the size of the output",
        1,
        (
            "Padding makes the image n + 2·padding wide. Where can a window begin?",
            "At 0, s, 2s, ... as long as the start plus k is within that width.",
        ),
        output_size,
    ),
    Exercise(
        "09.2",
        "conv2d by loops",
        2,
        (
            "Pad into a larger tensor of zeros; loop over the output's rows, columns.",
            "(x[:, None, :, i:i+u, j:j+v] * w).sum((2, 3, 4)) is every image's pixel.",
        ),
        conv2d_loops,
    ),
    Exercise(
        "09.3",
        "conv2d as one matrix product",
        2,
        (
            "For each kernel offset (u, v), x[:, :, u::s, v::s] cut to size is a row.",
            "Stack the k·k pieces: (n, c·k·k, h'·w'). Then w.reshape(K, -1) @ that.",
        ),
        conv2d_im2col,
    ),
    Exercise(
        "09.4",
        "backward of max pooling",
        2,
        (
            "Begin with zeros like x; each window adds its g to one place.",
            "argmax() counts along rows; torch.arange(k * k) == index marks the place.",
        ),
        max_pool_backward,
    ),
    Exercise(
        "09.5",
        "batch norm, train and eval",
        2,
        (
            "x.mean((0, 2, 3)) is one number a channel; reshape it to (1, C, 1, 1).",
            "y uses var(unbiased=False); running_var takes the unbiased one.",
        ),
        batch_norm,
    ),
)
