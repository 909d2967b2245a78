"""Values of convolutions, with known mistakes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from edutorch.course.answer_calls import INSTALLED, PACKAGE
from edutorch.course.compare import call
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw
from edutorch.ops.create import from_numpy

from .ch09_output_sizes import output_size
from .modules import refuse, watched_ops

__all__ = [
    "CONV_MISTAKES", "CONV_SHOWN", "LIBRARY", "check_loops", "check_own", "conv2d",
    "fresh_conv",
]  # fmt: skip

Array = npt.NDArray[Any]
Function = Callable[..., Any]

LIBRARY: Final = (
    "conv1d", "conv2d", "conv3d", "conv_transpose2d", "unfold", "fold",
)  # fmt: skip


def _numbers(shape: tuple[int, ...], seed: int) -> Any:
    drawn = np.random.default_rng(seed).standard_normal(shape)
    return from_numpy(np.round(drawn, 3).astype(np.float32))


def _given(array: Any) -> Any:
    return from_numpy(np.array(array, dtype=np.float32))


CONV_SHOWN = (
    (_given(np.arange(9).reshape(1, 1, 3, 3)), _given([[[[1, 2], [3, 4]]]]), 1, 0),
    (_given(np.arange(9).reshape(1, 1, 3, 3)), _given([[[[1, 2], [3, 4]]]]), 1, 1),
    (_numbers((2, 2, 4, 5), 1), _numbers((3, 2, 3, 2), 2), 1, 0),
    (_numbers((2, 2, 4, 5), 1), _numbers((3, 2, 3, 2), 2), 2, 1),
    (_numbers((1, 2, 5, 5), 3), _numbers((2, 2, 3, 3), 4), 3, 2),
    (_numbers((1, 1, 4, 3), 5), _numbers((2, 1, 4, 3), 6), 1, 0),
)


def fresh_conv(draw: Draw) -> tuple[Any, Any, int, int]:
    """Random images, kernels, stride and padding."""
    u, v, c = draw.size(1, 3), draw.size(1, 3), draw.size(1, 2)
    x = draw.tensor(draw.size(1, 2), c, u + draw.size(0, 3), v + draw.size(0, 3))
    return x, draw.tensor(draw.size(1, 3), c, u, v), draw.size(1, 3), draw.size(0, 2)


def conv2d(x: Any, w: Any, stride: int = 1, padding: int = 0) -> Any:
    """The right convolution, as a tensor of x's dtype."""
    return from_numpy(
        _conv(x.numpy(), w.numpy(), stride, padding).astype(x.numpy().dtype)
    )


def _conv(
    x: Array, w: Array, stride: int, padding: int, *,
    sides: tuple[int, int] = (1, 1), fill: str = "constant", strides: Any = None,
) -> Array:  # fmt: skip
    """The convolution; keyword arguments make known mistakes.

    Args:
        x, w: images and kernels.
        stride: the stride in both dimensions.
        padding: the padding on each side.
        sides: factors of the padding at the beginning and at the end.
        fill: the mode of `np.pad` for the border.
        strides: the vertical and the horizontal stride, if they differ.
    """
    border = (padding * sides[0], padding * sides[1])
    mode: Any = fill
    wide = np.pad(x, ((0, 0), (0, 0), border, border), mode=mode)
    views = np.lib.stride_tricks.sliding_window_view(
        wide, w.shape[2:], axis=(2, 3)
    )  # (n, c, h', w', u, v)
    down, across = strides or (stride, stride)
    picked = views[:, :, ::down, ::across]
    return np.asarray(np.einsum("ncijuv,kcuv->nkij", picked, w, optimize=True))


def _windows(x: Array, w: Array, s: int) -> Array:
    """For each image a matrix with a column per window; rows are c, u, v."""
    views = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], axis=(2, 3))
    picked = views[:, :, ::s, ::s].transpose(0, 1, 4, 5, 2, 3)
    return picked.reshape(len(x), w[0].size, -1)


def _images_mixed(x: Array, w: Array, s: int, p: int) -> Array:
    """A mistake: a reshape instead of a transpose, which mixes the images."""
    wide = np.pad(x, ((0, 0), (0, 0), (p, p), (p, p)))
    matrix = _windows(wide, w, s).reshape(w[0].size, -1)
    return (w.reshape(len(w), -1) @ matrix).reshape(_conv(x, w, s, p).shape)


def _images_last(x: Array, w: Array, s: int, p: int) -> Array:
    y = _conv(x, w, s, p)
    return np.ascontiguousarray(y.swapaxes(0, 1)).reshape(y.shape)


def _minus_padding(x: Array, w: Array, s: int, p: int) -> Array:
    """A mistake: the middle as p:-p, which is empty for p = 0."""
    wide = np.zeros((*x.shape[:2], x.shape[2] + 2 * p, x.shape[3] + 2 * p), x.dtype)
    try:
        wide[:, :, p:-p, p:-p] = x
    except ValueError as error:
        raise RuntimeError from error
    return _conv(wide, w, s, 0)


def _only_wide(x: Array, w: Array, s: int, p: int) -> Array:
    return _conv(np.pad(x, ((0, 0), (0, 0), (0, 0), (p, p))), w, s, 0)


def _uncut(x: Array, w: Array, s: int, p: int) -> Array:
    """A mistake: every offset runs to the end of the image."""
    wide = np.pad(x, ((0, 0), (0, 0), (p, p), (p, p)))
    k, c, u, v = w.shape
    places = [wide[:, :, i::s, j::s] for i in range(u) for j in range(v)]
    y = _conv(x, w, s, p)
    try:
        matrix = np.stack([part.reshape(len(x), c, -1) for part in places], 2)
        return (w.reshape(k, -1) @ matrix.reshape(len(x), w[0].size, -1)).reshape(
            y.shape
        )
    except ValueError as error:
        raise RuntimeError from error


def _square(x: Array, w: Array, s: int, p: int) -> Array:
    """A mistake: the height of the kernel in place of its width."""
    wide = np.pad(x, ((0, 0), (0, 0), (p, p), (p, p)))
    k, _, u, _ = w.shape
    rows, columns = ((size - u) // s + 1 for size in wide.shape[2:])
    try:
        y = np.zeros((len(x), k, rows, columns))
        for n, m, i, j in np.ndindex(*y.shape):
            part = wide[n, :, i * s : i * s + u, j * s : j * s + u]
            y[n, m, i, j] = (part * w[m]).sum()
    except ValueError as error:
        raise RuntimeError from error
    return y


def _sized(rows: Callable[..., int], columns: Callable[..., int]) -> Any:
    """A mistake: as many windows as these functions of x, w, s and p say."""

    def made(x: Array, w: Array, s: int, p: int) -> Array:
        wide = np.pad(x, ((0, 0), (0, 0), (p, p), (p, p)))
        u, v = w.shape[2:]
        y = np.zeros((len(x), len(w), rows(x, w, s, p), columns(x, w, s, p)))
        for i, j in np.ndindex(*y.shape[2:]):
            part = wide[:, None, :, i * s : i * s + u, j * s : j * s + v]
            try:
                y[:, :, i, j] = (part * w).sum((2, 3, 4))
            except ValueError as error:
                raise RuntimeError from error
        return y

    return made


def _size(image: int, kernel: int, padded: bool = True) -> Callable[..., int]:
    """The output's size from two dimensions: 2 is the height, 3 the width."""
    return lambda x, w, s, p: output_size(
        x.shape[image], w.shape[kernel], s, p if padded else 0
    )


def _spread(x: Array, w: Array, s: int, p: int) -> Array:
    """A mistake: a pixel for each place of the window, and 0 where there is none."""
    y = np.zeros(_conv(x, w, 1, p).shape)
    y[:, :, ::s, ::s] = _conv(x, w, s, p)
    return y


def _close(x: Array, w: Array, s: int, p: int) -> Array:
    """A mistake: as many windows as there should be, but one pixel apart."""
    rows, columns = _conv(x, w, s, p).shape[2:]
    return _conv(x, w, 1, p)[:, :, :rows, :columns]


def _first_image(x: Array, w: Array, s: int, p: int) -> Array:
    y = np.zeros_like(_conv(x, w, s, p))
    y[0] = _conv(x[:1], w, s, p)[0]
    return y


def _on_ones(x: Array, w: Array, s: int, p: int) -> Array:
    """A mistake: a border of ones."""
    return _conv(x - 1, w, s, p) + w.sum((1, 2, 3)).reshape(1, -1, 1, 1)


def _other_order(x: Array, w: Array, s: int, p: int) -> Array:
    """A mistake: the kernel's elements in memory order, read by offset and channel."""
    k, c, u, v = w.shape
    read = w.reshape(k, u * v, c).swapaxes(1, 2).reshape(w.shape)
    return _conv(x, read, s, p)


def _transposed_kernel(x: Array, w: Array, s: int, p: int) -> Array:
    """A mistake: the kernel is transposed, which fits only if it is square."""
    if w.shape[2] != w.shape[3]:
        raise RuntimeError
    return _conv(x, w.swapaxes(2, 3), s, p)


def _first_row(x: Array, w: Array, s: int, p: int) -> Array:
    y = _conv(x, w, s, p).copy()
    y[:, :, 1:] = 0
    return y


def _last_row_missing(x: Array, w: Array, s: int, p: int) -> Array:
    y = _conv(x, w, s, p).copy()
    y[:, :, -1] = 0
    return y


def _last_missing(x: Array, w: Array, s: int, p: int) -> Array:
    y = _conv(x, w, s, p).copy()
    y[:, :, -1], y[:, :, :, -1] = 0, 0
    return y


_CONVOLUTIONS: dict[str, Callable[[Array, Array, int, int], Array]] = {
    "the kernel was flipped; deep learning's convolution does not flip": (
        lambda x, w, s, p: _conv(x, w[:, :, ::-1, ::-1], s, p)
    ),
    "rows and columns of the kernel were swapped": _transposed_kernel,
    "return stands inside the loop: only the first row of outputs is computed": (
        _first_row
    ),
    "the stride was ignored": lambda x, w, _, p: _conv(x, w, 1, p),
    "the padding was ignored": lambda x, w, s, _: _conv(x, w, s, 0),
    "the padding is missing in the size of the output": _sized(
        _size(2, 2, padded=False), _size(3, 3, padded=False)
    ),
    "two sizes: rows come from the height, columns from the width; here both come "
    "from the height": _sized(_size(2, 2), _size(2, 2)),
    "two sizes: rows come from the height, columns from the width; here both come "
    "from the width": _sized(_size(3, 3), _size(3, 3)),
    "columns are counted with the kernel's width v, not with its height": _sized(
        _size(2, 2), _size(3, 2)
    ),
    "rows are counted with the kernel's height u, not with its width": _sized(
        _size(2, 3), _size(3, 3)
    ),
    "window i begins at i · stride, not at i": _close,
    "output pixel i is at i, only its window begins at i · stride: here outputs are "
    "stride apart, and the size is that for stride 1": _spread,
    "padding goes on both sides, not only before": (
        lambda x, w, s, p: _conv(x, w, s, p, sides=(2, 0))
    ),
    "padding goes on both sides, not only at the end": (
        lambda x, w, s, p: _conv(x, w, s, p, sides=(0, 2))
    ),
    "padding goes on both sides: this is one side, once": (
        lambda x, w, s, p: _conv(x, w, s, p, sides=(1, 0))
    ),
    "padding goes on both sides: this is one side, the end, once": (
        lambda x, w, s, p: _conv(x, w, s, p, sides=(0, 1))
    ),
    "the border is 0; here the outermost pixels were repeated": (
        lambda x, w, s, p: _conv(x, w, s, p, fill="edge")
    ),
    "the border is 0, not 1": _on_ones,
    "p:-p is empty where p is 0: padding : padding + h": _minus_padding,
    "F.pad takes the width's two numbers, then the height's: four of them": _only_wide,
    "v is the kernel's width; u is its height": _square,
    "a slice ends after the last window: i + stride · (rows - 1) + 1": _uncut,
    "reshape does not move the images: (n, c·u·v, windows) is one product each": (
        _images_mixed
    ),
    "reshape does not move the images: (k, n · windows) needs a permute": _images_last,
    "the matrix's rows and w.reshape(k, -1) must have the same order: channel, "
    "row, column": (_other_order),
    "the last row of outputs is missing": _last_row_missing,
    "the stride goes down and across: here only down": (
        lambda x, w, s, p: _conv(x, w, s, p, strides=(s, 1))
    ),
    "the stride goes down and across: here only across": (
        lambda x, w, s, p: _conv(x, w, s, p, strides=(1, s))
    ),
    "only the first channel was used; sum over c": (
        lambda x, w, s, p: _conv(x[:, :1], w[:, :1], s, p)
    ),
    "all kernels have the numbers of the first": (
        lambda x, w, s, p: _conv(x, np.broadcast_to(w[:1], w.shape), s, p)
    ),
    "only the first image was convolved": _first_image,
    "the last row and the last column of outputs are missing": _last_missing,
    "that is a mean: windows are summed, not averaged": (
        lambda x, w, s, p: _conv(x, w, s, p) / w[0].size
    ),
    "sum over the channels, do not average them": (
        lambda x, w, s, p: _conv(x, w, s, p) / w.shape[1]
    ),
    "the output is (n, k, h, w); here k is last": (
        lambda x, w, s, p: _conv(x, w, s, p).transpose(0, 2, 3, 1)
    ),
    "the output is (n, k, h, w); here k is first": (
        lambda x, w, s, p: _conv(x, w, s, p).swapaxes(0, 1)
    ),
    "rows and columns of the output were swapped": (
        lambda x, w, s, p: _conv(x, w, s, p).swapaxes(2, 3)
    ),
}


def _on_tensors(mistaken: Function) -> Function:
    def run(x: Any, w: Any, stride: int = 1, padding: int = 0) -> Array:
        return np.asarray(mistaken(x.numpy(), w.numpy(), stride, padding))

    return run


CONV_MISTAKES: dict[str, Function] = {
    words: _on_tensors(mistaken) for words, mistaken in _CONVOLUTIONS.items()
}


def check_own(answer: Function, name: str) -> None:
    """Raise `CheckFailed` if a module of the library computes the convolution."""
    with watched_ops(*LIBRARY) as used:
        call(answer, *CONV_SHOWN[3])
    refuse(
        used,
        f"{name} is right, but {{}}",
        "the steps of the computation, written out by you",
    )


def check_loops(answer: Function) -> None:
    """Raise `CheckFailed` if a larger image executes more lines of the answer.

    Lines are counted, not ops: a loop over the pixels of a NumPy array runs no op.
    """
    counts = []
    for size in (6, 18):
        x, w = _numbers((2, 3, size, size), 7), _numbers((4, 3, 3, 3), 8)
        counts.append(_lines_of(answer, x, w, 1, 0))
    if counts[1] > counts[0]:
        raise CheckFailed(
            "right, but a larger image takes more steps",
            got=f"{counts[0]} lines ran at 6 x 6, {counts[1]} at 18 x 18",
            expected="the same number for both",
            rule="loop over the u · v offsets of the kernel, never over pixels",
        )


def _lines_of(answer: Function, *args: Any) -> int:
    """The number of lines of the learner's code executed in a call."""
    count, before = 0, sys.gettrace()

    def line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def begin(frame: FrameType, event: str, argument: Any) -> Any:
        # Python's own code may run once only, to import a kernel for large arrays.
        others = frame.f_code.co_filename.startswith((PACKAGE, *INSTALLED))
        return None if others else line(frame, event, argument)

    sys.settrace(begin)
    try:
        call(answer, *args)
    finally:
        sys.settrace(before)
    return count
