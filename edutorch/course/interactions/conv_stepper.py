"""A kernel on an image, window by window, with the products of each.

The same as `widgets/src/course/conv_stepper.ts`, where a reader moves the window and
changes the kernel, the stride and the padding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from ...widgets.box_style import GRADIENT, MUTED
from ...widgets.format import number
from ...widgets.svg import Picture, fit_text
from .interaction import Interaction

__all__ = ["KERNELS", "ConvStepper", "Convolved", "convolve"]

Array = npt.NDArray[Any]

K = 3  # rows and columns of the kernel
LARGEST = 12  # rows and columns of the image
KERNELS: Final = {
    "right - left": ((-1, 0, 1), (-1, 0, 1), (-1, 0, 1)),
    "below - above": ((-1, -1, -1), (0, 0, 0), (1, 1, 1)),
    "mean": ((1 / 9,) * 3,) * 3,
    "sharpen": ((0, -1, 0), (-1, 5, -1), (0, -1, 0)),
}
SEVEN: Final = (
    (0, 0, 0, 0, 0, 0, 0, 0),
    (0, 9, 16, 16, 16, 16, 9, 0),
    (0, 0, 0, 0, 4, 16, 4, 0),
    (0, 0, 0, 0, 12, 12, 0, 0),
    (0, 0, 9, 16, 16, 16, 5, 0),
    (0, 0, 0, 12, 12, 0, 0, 0),
    (0, 0, 2, 16, 4, 0, 0, 0),
    (0, 0, 8, 12, 0, 0, 0, 0),
)


@dataclass(frozen=True)
class Convolved:
    """The result of sliding a kernel over an image.

    Attributes:
        padded: the image with its border of zeros.
        outputs: one for each window; none where the kernel does not fit.
        gradient: of one output, or of the sum of all, for each pixel of the image.
    """

    padded: Array
    outputs: Array
    gradient: Array


def convolve(
    image: Any,
    kernel: Any,
    stride: int = 1,
    padding: int = 0,
    at: tuple[int, int] | None = None,
) -> Convolved:
    """Slide the kernel over the image, and send back a gradient of 1.

    Args:
        image: rows of numbers.
        kernel: three rows of three numbers.
        stride: the distance between windows.
        padding: the width of the border of zeros.
        at: row and column of the output that gets the gradient; None for all.

    Example:
        >>> convolve(np.ones((3, 3)), np.ones((3, 3))).outputs.tolist()
        [[9.0]]
    """
    image, kernel = np.asarray(image, float), np.asarray(kernel, float)
    padded = np.pad(image, padding)
    sides = [max((n - K) // stride + 1, 0) for n in padded.shape]
    outputs, back = np.zeros(sides), np.zeros(padded.shape)
    for i, j in np.ndindex(*sides):
        place = _window(i, j, stride)
        outputs[i, j] = (padded[place] * kernel).sum()
        if at is None or at == (i, j):
            back[place] += kernel
    rows, columns = image.shape
    inside = back[padding : padding + rows, padding : padding + columns]
    return Convolved(padded, outputs, inside)


def _window(row: int, column: int, stride: int) -> tuple[slice, slice]:
    top, left = row * stride, column * stride
    return slice(top, top + K), slice(left, left + K)


class ConvStepper(Interaction):
    """A convolution, one window at a time.

    In the page a reader moves the window, changes kernel, stride and padding, and sees
    the product, the receptive field of an output and its gradient.

    Args:
        image: up to 12 rows of up to 12 numbers; None for a 7.
        kernel: a name of `KERNELS`, or three rows of three numbers.
        stride: 1, 2 or 3.
        padding: 0, 1 or 2.
        at: row and column of the output that is shown first.

    Raises:
        KeyError: no kernel has this name.
        ValueError: for an image or a kernel of another shape, or other settings.

    Example:
        >>> print(ConvStepper(kernel="mean").text().splitlines()[0])
        8 × 8 pixels, a 3 × 3 kernel, stride 1, padding 0: 6 × 6 outputs.
    """

    kind: ClassVar[str] = "conv_stepper"

    def __init__(
        self,
        image: Any = None,
        kernel: str | Sequence[Sequence[float]] = "right - left",
        stride: int = 1,
        padding: int = 0,
        at: tuple[int, int] = (0, 0),
    ) -> None:
        pixels = np.array(SEVEN if image is None else _rows_of(image), dtype=float)
        chosen = KERNELS[kernel] if isinstance(kernel, str) else _rows_of(kernel)
        weights = np.array(chosen, dtype=float)
        fits = pixels.ndim == 2 and all(K <= n <= LARGEST for n in pixels.shape)
        if not fits or weights.shape != (K, K):
            raise ValueError(
                f"an image of 3 to {LARGEST} rows and columns and a 3 × 3 kernel, "
                f"not {pixels.shape} and {weights.shape}"
            )
        if stride not in (1, 2, 3) or padding not in (0, 1, 2):
            raise ValueError(
                f"stride is 1, 2 or 3, padding 0, 1 or 2, not {stride} and {padding}"
            )
        rows, columns = convolve(pixels, weights, stride, padding).outputs.shape
        row, column = min(at[0], rows - 1), min(at[1], columns - 1)
        super().__init__(
            data={
                "image": pixels.tolist(),
                "kernel": weights.tolist(),
                "stride": stride,
                "padding": padding,
                "at": [row, column],
            }
        )

    def picture(self, note: str = "") -> Picture:
        """Image, kernel and outputs, with the window of one output."""
        done, (row, column) = self._convolved(), self.data["at"]
        cell = 24.0
        wide = (done.padded.shape[1] + K + done.outputs.shape[1]) * cell + 150
        high = max(done.padded.shape[0], done.outputs.shape[0]) * cell + 96
        picture = Picture(max(wide, 560), high, "A convolution, window by window")
        caption = self._caption() + (f" ({note})" if note else "")
        picture.text(16, 22, fit_text(caption, picture.width - 32, 12), size=12)
        words = _product(done, self.data["kernel"], self.data["stride"], row, column)
        picture.text(16, 42, fit_text(words, picture.width - 32, 11), size=11)
        left, top = 16.0, 72.0
        for name, values in (
            ("image", done.padded),
            ("kernel", np.array(self.data["kernel"])),
            ("outputs", done.outputs),
        ):
            picture.text(left, top - 6, name, size=11, fill=MUTED)
            _draw_grid(picture, left, top, cell, values)
            if name == "image":
                place = row * self.data["stride"], column * self.data["stride"]
                _frame(picture, left, top, cell, place, K)
            if name == "outputs":
                _frame(picture, left, top, cell, (row, column), 1)
            left += values.shape[1] * cell + 50
        return picture

    def text(self) -> str:
        """The settings, one sum of products, and all outputs."""
        done, (row, column) = self._convolved(), self.data["at"]
        words = _product(done, self.data["kernel"], self.data["stride"], row, column)
        lines = [self._caption(), f"Output ({row}, {column}): {words}", "outputs:"]
        lines += [" ".join(f"{_short(v):>6}" for v in line) for line in done.outputs]
        lines.append("gradient of this output, for each pixel:")
        lines += [" ".join(f"{_short(v):>6}" for v in line) for line in done.gradient]
        return "\n".join(lines)

    def _convolved(self) -> Convolved:
        row, column = self.data["at"]
        data = self.data
        return convolve(
            data["image"],
            data["kernel"],
            data["stride"],
            data["padding"],
            (row, column),
        )

    def _caption(self) -> str:
        image = np.array(self.data["image"])
        rows, columns = self._convolved().outputs.shape
        return (
            f"{image.shape[0]} × {image.shape[1]} pixels, a 3 × 3 kernel, "
            f"stride {self.data['stride']}, padding {self.data['padding']}: "
            f"{rows} × {columns} outputs."
        )


def _rows_of(values: Any) -> Any:
    return values.tolist() if hasattr(values, "tolist") else values


def _short(value: float) -> str:
    """A number short enough for a cell."""
    return number(round(float(value), 1 if abs(value) >= 1 else 2))


def _product(done: Convolved, kernel: Any, stride: int, row: int, column: int) -> str:
    """The sum of one window, without terms in which the kernel is 0."""
    window = done.padded[_window(row, column, stride)]
    terms = [
        f"{_short(w)}·{_short(x)}"
        for w, x in zip(np.ravel(kernel), window.ravel(), strict=True)
        if w != 0
    ]
    total = _short(done.outputs[row, column])
    return f"{' + '.join(terms) or '0'} = {total}"


def _draw_grid(
    picture: Picture, left: float, top: float, cell: float, values: Array
) -> None:
    """Draw numbers in squares, red if positive and blue if negative."""
    most = float(np.abs(values).max(initial=0.0)) or 1.0
    for (i, j), value in np.ndenumerate(values):
        picture.rect(
            left + j * cell, top + i * cell, cell, cell,
            fill=_tint(float(value) / most), stroke="#c3cad5",
        )  # fmt: skip
        picture.text(
            left + (j + 0.5) * cell, top + (i + 0.5) * cell + 4, _short(value),
            size=9, anchor="middle",
        )  # fmt: skip


def _tint(share: float) -> str:
    """A lighter shade, on which black is legible."""
    hue = (213, 94, 0) if share > 0 else (0, 114, 178)
    part = 0.6 * abs(share)
    return "#" + "".join(f"{round(255 - part * (255 - c)):02x}" for c in hue)


def _frame(
    picture: Picture, left: float, top: float, cell: float, at: Any, count: int
) -> None:
    picture.rect(
        left + at[1] * cell, top + at[0] * cell, count * cell, count * cell,
        fill="none", stroke=GRADIENT, width=2.5,
    )  # fmt: skip
