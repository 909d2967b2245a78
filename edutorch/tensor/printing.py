"""Tensors as text, exactly as PyTorch prints them.

All numbers of a tensor have the same format, so that columns line up: `_Format`
examines the numbers to be shown and chooses between `1.`, `1.2500` and `1.2500e+00`.
Above `threshold` elements, only the edges of each dimension are shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import devices, dtypes
from ..backends.meta import MetaArray
from ..backends.sparse import Coo, SparseArray
from .complex_parts import COMPLEX32
from .sparse_printing import sparse_contents

__all__ = ["tensor_repr", "set_printoptions", "printoptions", "PrintOptions"]


@dataclass
class PrintOptions:
    """The options for printing tensors; see `set_printoptions`."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_PROFILES = {
    "default": PrintOptions(),
    "short": PrintOptions(precision=2, edgeitems=2),
    "full": PrintOptions(threshold=math.inf),
}
_options = PrintOptions()

# Set by edutorch.autograd: a tensor's text inside function transforms, else None; and
# in forward mode the tensor without its tangent, and the tangent's text.
transformed_repr: Any = None
unpack_dual: Any = None


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors are printed; options that are None do not change.

    Args:
        precision: digits after the point.
        threshold: number of elements above which only the edges are shown.
        edgeitems: elements shown at each end of a dimension that is shortened.
        linewidth: the number of characters at which a line is broken.
        profile: "default", "short" or "full" sets all of the above first.
        sci_mode: use scientific notation always (True), never (False), or depending on
            the numbers (None, to which every call without it returns).

    Example:
        >>> import edutorch as torch
        >>> torch.set_printoptions(precision=2)
        >>> torch.tensor([1.12345])
        tensor([1.12])
        >>> torch.set_printoptions(profile="default")
    """
    global _options
    chosen = replace(_PROFILES.get(profile or "", _options), sci_mode=sci_mode)
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    changes: dict[str, Any] = {k: v for k, v in given.items() if v is not None}
    _options = replace(chosen, **changes)


@contextmanager
def printoptions(**changes: Any) -> Iterator[None]:
    """Print with other options, those of `set_printoptions`, in a `with` block."""
    global _options
    before = _options
    try:
        set_printoptions(**changes)
        yield
    finally:
        _options = before


def tensor_repr(
    array: Any,
    *,
    dtype: dtypes.dtype,
    device: devices.device = devices.CPU,
    requires_grad: bool = False,
    grad_fn_name: str | None = None,
    tangent: str | None = None,
    contents: str | None = None,
    name: str = "tensor",
) -> str:
    """The text of a tensor: its numbers, then attributes that are not the default.

    Args:
        array: the elements, in host memory; may be sparse.
        dtype: their dtype; shown unless `torch.tensor` would choose it.
        device: the device of the tensor; shown unless it is the CPU.
        requires_grad: whether a leaf requires its gradient.
        grad_fn_name: the name of the op that made the tensor, if it was recorded.
        tangent: the text of its tangent in forward mode, if it has one.
        contents: text to print instead of the numbers.
        name: the name of the class, for subclasses.
    """
    prefix = f"{name}("
    sparse, meta = isinstance(array, SparseArray), isinstance(array, MetaArray)
    contents = "..." if meta else contents
    if contents is None and sparse:
        contents = sparse_contents(array, _numbers)
    elif contents is None:
        contents = _numbers(array, len(prefix))
    suffixes = [] if device.type == "cpu" else [f"device='{device}'"]
    suffixes += _size_suffixes(array)
    if not _is_inferred_dtype(dtype, empty=meta or (array.size == 0 and not sparse)):
        suffixes.append(f"dtype={dtype!r}")
    if sparse:
        suffixes.append(f"layout={array.layout!r}")
    if grad_fn_name is not None:
        suffixes.append(f"grad_fn=<{grad_fn_name}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    if tangent is not None:
        suffixes.append(f"tangent={tangent}")
    text = prefix + contents
    if isinstance(array, Coo):  # the first one is always on its own line
        text += ",\n" + " " * len(prefix) + suffixes.pop(0)
    return _joined(text, suffixes, len(prefix))


def _size_suffixes(array: Any) -> list[str]:
    """The size, where the printed numbers do not determine it."""
    size = f"size={tuple(array.shape)}"
    if isinstance(array, SparseArray):
        return [size, f"nnz={array.nnz}"]
    if isinstance(array, MetaArray):
        return [size]
    hidden = array.ndim != 1 if array.size == 0 else _options.edgeitems == 0
    return [size] if hidden else []


def _is_inferred_dtype(dtype: dtypes.dtype, empty: bool) -> bool:
    """Whether `torch.tensor` of the printed numbers would choose this dtype."""
    default = dtypes.get_default_dtype()
    if empty:
        return dtype is default
    double = default is dtypes.float64
    pairs = dtypes.complex128 if double else dtypes.complex64
    return dtype in (default, pairs, dtypes.int64, dtypes.bool_)


def _joined(text: str, suffixes: list[str], indent: int) -> str:
    """Append the suffixes, on a new line where the last one would grow too long."""
    used = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if used + len(suffix) + 2 > _options.linewidth:
            text += ",\n" + " " * indent + suffix
            used = indent + len(suffix)
        else:
            text += ", " + suffix
            used += len(suffix) + 2
    return text + ")"


# ---- numbers


class _Format:
    """The one format of all numbers of a tensor: how wide, which notation."""

    def __init__(self, shown: Any) -> None:
        self.floating = shown.dtype.kind == "f"
        self.whole = True  # all numbers are integers: print `3.`
        self.scientific = False
        self.width = 1
        if self.floating:
            self._measure(shown[np.isfinite(shown) & (shown != 0)].astype(np.float64))
        elif shown.size:
            self.width = max(len(str(x)) for x in shown.ravel().tolist())

    def _measure(self, finite: Any) -> None:
        """Choose notation and width by the numbers that are neither 0, inf nor nan."""
        if finite.size == 0:
            return
        size = np.abs(finite)
        small, large = float(size.min()), float(size.max())
        self.whole = bool((finite == np.ceil(finite)).all())
        self.scientific = (
            large / small > 1000.0
            or large > 1.0e8
            or (not self.whole and small < 1.0e-4)
        )
        if _options.sci_mode is not None:
            self.scientific = _options.sci_mode
        self.width = max(len(self._text(x)) for x in finite.ravel().tolist())

    def _text(self, x: Any) -> str:
        if not self.floating:
            return str(x)
        if self.scientific:
            return f"{x:.{_options.precision}e}"
        if self.whole:
            return f"{x:.0f}." if math.isfinite(x) else f"{x:.0f}"
        return f"{x:.{_options.precision}f}"

    def __call__(self, x: Any) -> str:
        return self._text(x).rjust(self.width)


class _ComplexFormat:
    """The format of complex numbers: one for the real parts, one for the imaginary."""

    def __init__(self, shown: Any) -> None:
        self.real = _Format(shown.real)
        self.imag = _Format(shown.imag)
        self.width = self.real.width + self.imag.width + 1

    def __call__(self, x: complex) -> str:
        imag = self.imag(x.imag).lstrip() + "j"
        return self.real(x.real) + (imag if imag[0] in "+-" else "+" + imag)


def _numbers(array: Any, indent: int) -> str:
    """The elements as nested lists; lines after the first begin after the indent."""
    if array.size == 0:
        return "[]"
    shape, cut = array.shape, array.size > _options.threshold
    shown = _edges(array) if cut else array
    if array.dtype == COMPLEX32:
        shown = shown.astype(np.complex64)
    elif array.dtype not in dtypes.ORDINARY:
        shown = shown.astype(np.float32)
    form = _ComplexFormat(shown) if array.dtype.kind in "cW" else _Format(shown)
    return _nested(shown, shape, indent, form, cut)


def _edges(array: Any) -> Any:
    """The elements that a shortened print shows; only these are read."""
    n = _options.edgeitems
    ends = [
        [*range(n), *range(size - n, size)] if size > 2 * n else list(range(size))
        for size in array.shape
    ]
    return array[np.ix_(*[np.array(e, np.int64) for e in ends])]


def _nested(
    shown: Any, shape: tuple[int, ...], indent: int, form: Any, cut: bool
) -> str:
    if not shape:
        return str(form(shown.item()))
    if len(shape) == 1:
        return _row(shown, shape[0], indent, form, cut)
    rows = _shortened(
        shown, shape[0], lambda x: _nested(x, shape[1:], indent + 1, form, cut),
        "...", cut,
    )  # fmt: skip
    gap: str = "," + "\n" * (len(shape) - 1) + " " * (indent + 1)
    return "[" + gap.join(rows) + "]"


def _row(shown: Any, size: int, indent: int, form: Any, cut: bool) -> str:
    """One dimension, with as many elements on a line as fit."""
    words = _shortened(shown.tolist(), size, form, " ...", cut)
    if cut and _options.edgeitems == 0:
        words = ["..."]
    fit = max(1, (_options.linewidth - indent) // (form.width + 2))
    lines = [", ".join(words[i : i + fit]) for i in range(0, len(words), fit)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _shortened(items: Any, size: int, text: Any, dots: str, cut: bool) -> list[str]:
    """The texts of `items`, with dots for those of `size` that are left out."""
    n = _options.edgeitems
    if not cut or size <= 2 * n:
        return [text(x) for x in items]
    return [*map(text, items[:n]), dots, *map(text, items[n:])]
