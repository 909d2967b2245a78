"""One tensor as JSON: its properties, its memory, and a summary of its values.

Nothing here runs an operation of the library, so that inspecting a tensor creates no
events.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import backends
from ..tensor.tensor import Tensor

__all__ = ["CELLS", "grid_of", "histogram", "statistics_of", "summarize"]

CELLS = 4096  # numbers of a heat map
KEPT = 12_288  # numbers of all slices that are sent at once
EXACT = 1 << 22  # elements up to which statistics cover all of them
BINS = 32
DIGITS = 5
SLICES_COMPARED = 64  # of which neighbours are compared, to tell an image
ALIKE = 0.75  # von Neumann's ratio of a picture is smaller
DARK = 0.25  # of the largest value; below it an image would be almost black


def summarize(
    tensor: Tensor,
    name: str = "",
    at: int = 0,
    others: Mapping[str, Tensor] | None = None,
) -> dict[str, Any]:
    """A tensor as JSON-ready data.

    Args:
        tensor: the tensor.
        name: the variable that holds it.
        at: the index of a slice (over all dimensions but the last two) that must be
            included.
        others: tensors by name; those that share its memory are listed.

    Example:
        >>> import edutorch as torch
        >>> card = summarize(torch.tensor([[1.0, 2.0], [0.0, 4.0]]), "w")
        >>> card["shape"], card["value"]["stats"]["max"]
        ([2, 2], 4.0)
    """
    gradient = tensor._grad
    return {
        "v": 1,
        "name": name,
        "shape": list(tensor.shape),
        "dtype": str(tensor.dtype).removeprefix("torch."),
        "device": str(tensor.device),
        "layout": str(tensor.layout).removeprefix("torch."),
        "version": tensor._version,
        "requires_grad": bool(tensor._requires_grad),
        "grad_fn": tensor._grad_fn.op_class.__name__ if tensor._grad_fn else "",
        "memory": _memory(tensor, name, others or {}),
        "value": _values(tensor, at),
        "grad": None if gradient is None else _values(gradient, at),
    }


def _memory(
    tensor: Tensor, name: str, others: Mapping[str, Tensor]
) -> dict[str, Any] | None:
    """The storage, and which of its elements this tensor and its views cover."""
    if str(tensor.layout) != "torch.strided" or tensor.device.type == "meta":
        return None
    storage = tensor.untyped_storage()
    views = {name or "this tensor": tensor}
    if tensor._base is not None and all(t is not tensor._base for t in others.values()):
        views["its base"] = tensor._base
    for other, candidate in others.items():
        strided = str(candidate.layout) == "torch.strided"
        if candidate is not tensor and strided and candidate._storage is storage:
            views[other] = candidate
    return {
        "bytes": int(storage.nbytes),
        "itemsize": tensor.element_size(),
        "views": [_view(label, view) for label, view in list(views.items())[:12]],
    }


def _view(label: str, view: Tensor) -> dict[str, Any]:
    return {
        "name": label,
        "shape": list(view.shape),
        "strides": list(view.stride()),
        "offset": view.storage_offset(),
        "itemsize": view.element_size(),
    }


def _values(tensor: Tensor, at: int) -> dict[str, Any] | None:
    """Statistics, histogram and slices; None if the tensor has no values."""
    array, note = _host_array(tensor)
    if array is None:
        return None
    return {
        "note": note,
        "stats": statistics_of(array),
        "histogram": histogram(array),
        "grid": grid_of(array, at),
        "image": image_layout(array),
    }


def _host_array(tensor: Tensor) -> tuple[np.ndarray | None, str]:
    """Real numbers on the host, and a note on how they were obtained."""
    if tensor.device.type == "meta":
        return None, ""
    data, note = tensor._data, ""
    if hasattr(data, "values") and not isinstance(data, np.ndarray):
        data, note = data.values, "the stored values"
    if not isinstance(data, np.ndarray):
        data = backends.backend_of(tensor.device).download(data)
    if data.dtype.kind == "c" or tensor.is_complex():
        return np.abs(data.astype(np.complex128)), "absolute values"
    return (data if data.dtype.kind in "fiub" else data.astype(np.float32)), note


def statistics_of(array: np.ndarray) -> dict[str, Any]:
    """Range, mean, deviation (n - 1) and counts, of a sample if there are many.

    Example:
        >>> found = statistics_of(np.array([1.0, 3.0, np.nan]))
        >>> found["mean"], found["nan"], found["n"]
        (2.0, 1, 3)
    """
    sample = _sample(array)
    finite = sample[np.isfinite(sample)]
    return {
        **_moments(finite, array.size / max(1, sample.size)),
        "zeros": int(sample.size - np.count_nonzero(sample)),
        "nan": int(np.isnan(sample).sum()),
        "inf": int(np.isinf(sample).sum()),
        "n": int(sample.size),
        "numel": int(array.size),
    }


def _moments(finite: np.ndarray, scale: float) -> dict[str, float | None]:
    """Range, mean, deviation and norm; None if there are none or they overflow."""
    names = ("min", "max", "mean", "std", "norm")
    if not finite.size:
        return dict.fromkeys(names)
    with np.errstate(over="ignore", invalid="ignore"):
        deviation = finite.std(ddof=1) if finite.size > 1 else math.nan
        norm = np.sqrt(np.dot(finite, finite) * scale)
        found = (finite.min(), finite.max(), finite.mean(), deviation, norm)
    return dict(zip(names, map(_short, found), strict=True))


def _sample(array: np.ndarray) -> np.ndarray:
    """All elements, or evenly spaced ones, as float64."""
    stride = max(1, -(-array.size // EXACT))
    flat = array.ravel() if stride == 1 else array.reshape(-1)[::stride]
    return flat.astype(np.float64)


def histogram(array: np.ndarray, bins: int = BINS) -> dict[str, Any] | None:
    """Counts of the finite elements between their least and greatest.

    Example:
        >>> histogram(np.array([0, 1, 1, 3]), bins=3)
        {'low': 0.0, 'high': 3.0, 'counts': [1, 2, 1]}
    """
    sample = _sample(array)
    finite = sample[np.isfinite(sample)]
    if not finite.size:
        return None
    low, high = float(finite.min()), float(finite.max())
    if low == high:
        return {"low": low, "high": high, "counts": [int(finite.size)]}
    with np.errstate(over="ignore"):
        scaled = finite / 2 - low / 2  # halved, since the range itself may overflow
        scaled /= high / 2 - low / 2
    places = np.minimum((scaled * bins).astype(np.intp), bins - 1)
    counts = np.bincount(places, minlength=bins)
    return {"low": low, "high": high, "counts": counts.tolist()}


def grid_of(array: np.ndarray, at: int = 0) -> dict[str, Any]:
    """Slices over the last two dimensions, each of at most 4,096 numbers.

    A larger slice gives every k-th row and column. Numbers have five digits; nan and
    infinities are the strings "nan", "inf" and "-inf".

    Args:
        array: of any shape; one without dimensions is one cell.
        at: a slice that is to be among them, counted over the leading dimensions.

    Example:
        >>> grid_of(np.arange(4).reshape(2, 2))["values"]
        [0, 1, 2, 3]
    """
    lead = list(array.shape[:-2])
    plane = array if array.ndim >= 2 else array.reshape(1, -1)
    rows, columns = plane.shape[-2:]
    by_row, by_column = _steps(rows, columns)
    slices = plane[..., ::by_row, ::by_column]
    slices = slices.reshape(math.prod(lead), *slices.shape[-2:])
    count = len(slices)
    fit = max(1, KEPT // max(1, slices[0].size if count else 1))
    first = min(max(at - fit // 2, 0), max(count - fit, 0))
    first -= first % 3 if lead[-1:] == [3] else 0  # keep the channels together
    kept = slices[first : first + fit]
    return {
        "lead": lead,
        "rows": int(rows),
        "columns": int(columns),
        "steps": [by_row, by_column],
        "shown": [int(n) for n in slices.shape[-2:]],
        "first": first,
        "values": _cells(kept),
    }


def _steps(rows: int, columns: int) -> tuple[int, int]:
    """The strides in rows and columns that leave at most CELLS elements."""
    side = math.isqrt(CELLS)
    wide = max(side, CELLS // max(1, rows))
    tall = max(side, CELLS // max(1, columns))
    return max(1, -(-rows // tall)), max(1, -(-columns // wide))


def _cells(array: np.ndarray) -> list[Any]:
    flat = array.ravel()
    if flat.dtype.kind != "f":
        return flat.astype(int).tolist() if flat.dtype.kind == "b" else flat.tolist()
    return [_short(x) if math.isfinite(x) else str(x) for x in flat.tolist()]


def _short(x: float) -> float | None:
    return float(f"{float(x):.{DIGITS}g}") if math.isfinite(x) else None


def image_layout(array: np.ndarray) -> str:
    """The image layout that the array fits: "gray", "rgb" (channels first), or "".

    Floats are an image if neighbours are alike. Probabilities (rows or columns that sum
    to 1, as in attention), masks and counts are not, whatever their range; neither is
    what would be almost black.

    Example:
        >>> image_layout(np.zeros((3, 32, 32), np.uint8))
        'rgb'
        >>> image_layout(np.zeros((2, 2)))
        ''
    """
    if array.ndim < 2 or min(array.shape[-2:]) < 8 or max(array.shape[-2:]) > 64:
        return ""
    if array.dtype != np.uint8 and not (array.dtype.kind == "f" and _is_smooth(array)):
        return ""
    return "rgb" if array.ndim >= 3 and array.shape[-3] == 3 else "gray"


def _is_smooth(array: np.ndarray) -> bool:
    """Whether slices hold values in [0, 1] like those of their neighbours.

    Von Neumann's ratio: the mean square of differences between neighbours, over twice
    the variance, is 1 for independent values, and 0.5 for 8 x 8 pixels of a digit.
    """
    sample = _sample(array)
    if not sample.size or not (sample.min() >= 0 and DARK <= sample.max() <= 1):
        return False  # nor nan
    few = array.reshape(-1, *array.shape[-2:])[:SLICES_COMPARED].astype(np.float64)
    if any(np.allclose(few.sum(axis), 1, atol=1e-3) for axis in (-1, -2)):
        return False
    variance = np.square(few - few.mean((1, 2), keepdims=True)).mean()
    across, down = (np.square(np.diff(few, axis=k)).mean() for k in (2, 1))
    return bool(across + down < ALIKE * 4 * variance)
