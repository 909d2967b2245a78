"""Comparison of results in tests: whether, where and by how much they differ."""

from __future__ import annotations

import cmath
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Number
from typing import Any

import numpy as np

from .. import dtypes
from ..layouts import strided
from ..ops.compare import isclose
from ..ops.create import as_tensor, tensor
from ..ops.index import unravel_index
from ..tensor.tensor import Tensor

__all__ = ["assert_allclose", "assert_close"]

# By dtype: how far apart results may be that are meant to be the same,
# relatively and absolutely. Other dtypes must be equal.
TOLERANCES = {
    dtypes.float16: (1e-3, 1e-5),
    dtypes.bfloat16: (1.6e-2, 1e-5),
    dtypes.float32: (1.3e-6, 1e-5),
    dtypes.float64: (1e-7, 1e-7),
    dtypes.complex64: (1.3e-6, 1e-5),
    dtypes.complex128: (1e-7, 1e-7),
}
# By sparse layout: the indices of its values.
ROWS, COLUMNS = ("crow_indices", "col_indices"), ("ccol_indices", "row_indices")
INDICES = {
    "COO": ("_indices",),
    "CSR": ROWS,
    "BSR": ROWS,
    "CSC": COLUMNS,
    "BSC": COLUMNS,
}
ATTRIBUTES = ("shape", "device", "dtype", "layout", "stride()")


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """Raise unless results are equal up to rounding.

    Math: |actual - expected| ≤ atol + rtol · |expected|, for every element

    Args:
        actual: tensors, arrays, numbers, None, or lists and dictionaries of them.
        rtol: the relative tolerance; pass both it and `atol`, or neither for those of
            the dtype.
        equal_nan: whether nan equals nan.
        msg: replaces the message; or a function of the message.

    Raises:
        AssertionError: if they differ, saying where and by how much.
        ValueError: for only one of the tolerances.
        TypeError: for what cannot be compared.

    Example:
        >>> import edutorch as torch
        >>> torch.testing.assert_close(torch.ones(2) / 3 * 3, torch.ones(2))
        >>> torch.testing.assert_close([1, 2], [1, 3])
        Traceback (most recent call last):
        AssertionError: Scalars are not equal!
        <BLANKLINE>
        Expected 3 but got 2.
        Absolute difference: 1
        Relative difference: 0.3333333333333333
        <BLANKLINE>
        The failure occurred for item [1]
    """
    if (rtol is None) != (atol is None):
        missing = "atol" if atol is None else "rtol"
        raise ValueError(
            "Both 'rtol' and 'atol' must be either specified or omitted, but got no "
            f"{missing}."
        )
    checks = (True, check_device, check_dtype, check_layout, check_stride)
    checked = [name for name, on in zip(ATTRIBUTES, checks, strict=True) if on]
    for path, found, other in _pairs("", actual, expected):
        text = _difference(found, other, (rtol, atol), equal_nan, checked)
        if text is None:
            continue
        if path:
            text += f"\n\nThe failure occurred for item {path}"
        raise AssertionError(msg(text) if callable(msg) else msg or text)


def _pairs(path: str, actual: Any, expected: Any) -> Iterator[tuple[str, Any, Any]]:
    """Values to be compared, with their place in the containers."""
    both = (actual, expected)
    if all(isinstance(v, Sequence) and not isinstance(v, str) for v in both):
        if len(actual) != len(expected):
            raise AssertionError(
                f"The length of the sequences mismatch: {len(actual)} != "
                f"{len(expected)}"
            )
        for i, (a, e) in enumerate(zip(actual, expected, strict=True)):
            yield from _pairs(f"{path}[{i}]", a, e)
    elif all(isinstance(v, Mapping) for v in both):
        if actual.keys() != expected.keys():
            raise AssertionError(
                "The keys of the mappings do not match:\n"
                "Missing keys in the actual mapping: "
                f"{sorted(expected.keys() - actual.keys())}\n"
                "Additional keys in the actual mapping: "
                f"{sorted(actual.keys() - expected.keys())}"
            )
        for key in sorted(actual):
            yield from _pairs(f"{path}[{key!r}]", actual[key], expected[key])
    else:
        yield path, actual, expected


def _difference(
    actual: Any, expected: Any, tolerances: Any, equal_nan: bool, checked: list[str]
) -> str | None:
    """The difference; None if there is none."""
    both = (actual, expected)
    if any(v is None for v in both):
        same = actual is expected
        return None if same else f"None mismatch: {actual} is not {expected}"
    if all(isinstance(v, (bool, np.bool_)) for v in both):
        same = actual is expected or actual == expected
        return None if same else f"Booleans mismatch: {actual} is not {expected}"
    if all(isinstance(v, Number) for v in both):
        if "dtype" in checked and type(actual) is not type(expected):
            return f"The (d)types do not match: {type(actual)} != {type(expected)}."
        rtol, atol = _tolerances(tolerances, *(as_tensor(_wide(v)) for v in both))
        return _of_numbers(actual, expected, rtol, atol, equal_nan)
    if all(isinstance(v, (Tensor, np.ndarray)) for v in both):
        a, e = (as_tensor(v).detach() for v in both)
        rtol, atol = _tolerances(tolerances, a, e)
        return _of_attributes(a, e, checked) or _of_layouts(a, e, rtol, atol, equal_nan)
    raise TypeError(
        f"No comparison pair was able to handle inputs of type {type(actual)} and "
        f"{type(expected)}."
    )


def _wide(number: Any) -> Any:
    """Python's numbers have 64 bits."""
    if isinstance(number, int):
        return np.int64(0)
    return np.complex128(0) if isinstance(number, complex) else np.float64(0)


def _tolerances(given: Any, a: Tensor, e: Tensor) -> tuple[float, float]:
    """The given ones, or the larger ones of two dtypes."""
    if given[0] is not None:
        return given[0], given[1]
    rtols, atols = zip(*(TOLERANCES.get(t.dtype, (0, 0)) for t in (a, e)), strict=True)
    return max(rtols), max(atols)


def _of_attributes(a: Tensor, e: Tensor, checked: list[str]) -> str | None:
    for name in checked:
        values = [
            t.stride() if name == "stride()" else getattr(t, name) for t in (a, e)
        ]
        if values[0] != values[1]:
            return (
                f"The values for attribute '{name}' do not match: {values[0]} != "
                f"{values[1]}."
            )
    return None


def _of_numbers(
    a: Any, e: Any, rtol: float, atol: float, equal_nan: bool
) -> str | None:
    nans = cmath.isnan(a) and cmath.isnan(e)
    apart = abs(a - e)
    if a == e or (equal_nan and nans) or apart <= atol + rtol * abs(e):
        return None
    relative = apart / abs(e) if e != 0 else float("inf")
    exact = rtol == atol == 0
    return (
        f"Scalars are not {'equal' if exact else 'close'}!\n\n"
        f"Expected {e} but got {a}.\n"
        f"Absolute difference: {apart}{_allowed(atol, exact)}\n"
        f"Relative difference: {relative}{_allowed(rtol, exact)}"
    )


def _allowed(tolerance: float, exact: bool) -> str:
    return "" if exact else f" (up to {tolerance} allowed)"


def _of_layouts(
    a: Tensor, e: Tensor, rtol: float, atol: float, equal_nan: bool
) -> str | None:
    """Sparse tensors of one layout by their parts; those of several as dense ones."""
    if a.layout is not e.layout:
        a, e = a.to_dense(), e.to_dense()
    if a.layout is strided:
        return _of_tensors(a, e, rtol, atol, equal_nan)
    kind = str(a.layout).removeprefix("torch.sparse_").upper()
    for count, what in (
        ("sparse_dim", "sparse dimensions"),
        ("_nnz", "specified values"),
    ):
        numbers = [getattr(t, count)() for t in (a, e)]
        if numbers[0] != numbers[1]:
            return (
                f"The number of {what} in sparse {kind} tensors does not match: "
                f"{numbers[0]} != {numbers[1]}"
            )
    for name in INDICES[kind]:
        x, y = getattr(a, name)(), getattr(e, name)()
        title = f"Sparse {kind} {name.removeprefix('_')}"
        if text := _of_tensors(x, y, 0, 0, False, title):
            return text
    name = "_values" if kind == "COO" else "values"
    x, y = getattr(a, name)(), getattr(e, name)()
    return _of_tensors(x, y, rtol, atol, equal_nan, f"Sparse {kind} values")


def _of_tensors(
    a: Tensor,
    e: Tensor,
    rtol: float,
    atol: float,
    equal_nan: bool,
    title: str = "Tensor-likes",
) -> str | None:
    if not (a.is_floating_point() or a.is_complex()):
        a, e = a.to(dtypes.int64), e.to(dtypes.int64)
    if a.dtype != e.dtype:
        e = e.to(a.dtype) if e.dtype.itemsize < a.dtype.itemsize else e
        a = a.to(e.dtype)
    same = isclose(a, e, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if same.all():
        return None
    if a.ndim == 0:
        return _of_numbers(a.item(), e.item(), rtol, atol, equal_nan)
    exact = rtol == atol == 0
    wrong = int((~same).sum())
    apart = (a - e).abs().masked_fill(same, 0)
    lines = [
        f"{title} are not {'equal' if exact else 'close'}!\n",
        f"Mismatched elements: {wrong} / {a.numel()} ({wrong / a.numel():.1%})",
    ]
    relative = (apart / e.abs()).masked_fill(same, 0)
    for name, values, tolerance in (
        ("absolute", apart, atol),
        ("relative", relative, rtol),
    ):
        worst = values.argmax()
        index = tuple(int(i) for i in unravel_index(worst, values.shape))
        lines.append(
            f"Greatest {name} difference: {values[index].item()} at index {index}"
            f"{_allowed(tolerance, exact)}"
        )
    return "\n".join(lines)


OLD_TOLERANCES = {
    dtypes.float16: (1e-3, 1e-3),
    dtypes.float32: (1e-4, 1e-5),
    dtypes.float64: (1e-5, 1e-8),
}


def assert_allclose(
    actual: Any,
    expected: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
    msg: str = "",
) -> None:
    """The old name of `assert_close`, with wider tolerances and without dtypes.

    Raises:
        AssertionError: if the results differ.

    Example:
        >>> import warnings, edutorch as torch
        >>> with warnings.catch_warnings(action="ignore"):
        ...     torch.testing.assert_allclose(torch.ones(2), [1, 1])
    """
    warnings.warn(
        "`torch.testing.assert_allclose()` is deprecated since 1.12 and will be "
        "removed in a future release. Please use `torch.testing.assert_close()` "
        "instead. You can find detailed upgrade instructions in "
        "https://github.com/pytorch/pytorch/issues/61844.",
        FutureWarning,
        stacklevel=2,
    )
    a = actual if isinstance(actual, Tensor) else tensor(actual)
    e = expected if isinstance(expected, Tensor) else tensor(expected, dtype=a.dtype)
    if rtol is None and atol is None:
        known = [OLD_TOLERANCES.get(t.dtype, (0.0, 0.0)) for t in (a, e)]
        rtol, atol = (max(pair) for pair in zip(*known, strict=True))
    assert_close(
        a, e, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False,
        msg=msg or None,
    )  # fmt: skip
