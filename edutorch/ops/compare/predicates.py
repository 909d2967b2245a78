"""Tests of elements, of closeness and of membership."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.batched_tensor import refuse_batched
from ...autograd.dispatch import Op, apply, apply1, apply2
from ...backends import array_module
from ...backends.meta import no_item_error
from ...dtypes import bool_
from ...kernels.memory_format import match_strides
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, number_of, tensor_of, type_error
from ..argument_errors import argument_error
from ..promotion import Pointwise, promoted
from ..registration import copyto, public
from .relational import eq, ne

__all__ = [
    "allclose", "isclose", "isfinite", "isin", "isinf", "isnan", "isneginf", "isposinf",
    "isreal",
]  # fmt: skip


class IsNan(Pointwise):
    """Whether elements are nan."""

    takes_float8 = True
    public = "isnan"
    onnx = "IsNaN"
    differentiable = False
    complex32 = "single"

    def forward(self, x: Any) -> Any:
        return np.isnan(x)


@public("isnan")
def isnan(input: Tensor) -> Tensor:
    """Elementwise whether `input` is nan.

    Math: y = (x ≠ x)
    Shape: (*) -> (*), bool

    Example:
        >>> import edutorch as torch
        >>> torch.isnan(torch.tensor([1.0, float("nan")]))
        tensor([False,  True])
    """
    return apply1(IsNan(), input)


class IsInf(Pointwise):
    """Whether elements are infinite."""

    public = "isinf"
    onnx = "IsInf"
    differentiable = False
    complex32 = "single"
    float8_kernel = "isinf"

    def forward(self, x: Any) -> Any:
        return np.isinf(x)


@public("isinf")
def isinf(input: Tensor) -> Tensor:
    """Elementwise whether `input` is infinite, with either sign.

    Math: y = (|x| = ∞)
    Shape: (*) -> (*), bool

    Example:
        >>> import edutorch as torch
        >>> torch.isinf(torch.tensor([1.0, float("-inf")]))
        tensor([False,  True])
    """
    return apply1(IsInf(), input)


class IsFinite(Pointwise):
    """Whether elements are finite."""

    public = "isfinite"
    differentiable = False
    complex32 = "single"
    float8_kernel = "isfinite"

    def forward(self, x: Any) -> Any:
        return match_strides(np.isfinite(x), x)


@public("isfinite")
def isfinite(input: Tensor) -> Tensor:
    """Elementwise whether `input` is neither infinite nor nan.

    Math: y = (|x| < ∞)
    Shape: (*) -> (*), bool

    Example:
        >>> import edutorch as torch
        >>> torch.isfinite(torch.tensor([1.0, float("inf"), float("nan")]))
        tensor([ True, False, False])
    """
    return apply1(IsFinite(), input)


def _is_infinity(name: str, input: Tensor, infinity: float, out: Any) -> Tensor:
    if tensor_of(input, name)._data.dtype.kind in "cW":
        raise RuntimeError(f"{name} does not support complex inputs.")
    on_host = isinstance(out, Tensor) and not out.is_meta
    if on_host and out.dtype is not bool_:
        raise RuntimeError(f"{name} does not support non-boolean outputs.")
    found: Tensor = input == infinity
    return found if out is None else copyto(out, found, name, (input,))


@public("isposinf")
def isposinf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise whether `input` is +inf.

    Math: y = (x = ∞)
    Shape: (*) -> (*), bool

    Raises:
        RuntimeError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.isposinf(torch.tensor([float("inf"), float("-inf")]))
        tensor([ True, False])
    """
    return _is_infinity("isposinf", input, float("inf"), out)


@public("isneginf")
def isneginf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise whether `input` is -inf.

    Math: y = (x = -∞)
    Shape: (*) -> (*), bool

    Raises:
        RuntimeError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.isneginf(torch.tensor([float("inf"), float("-inf")]))
        tensor([False,  True])
    """
    return _is_infinity("isneginf", input, float("-inf"), out)


class IsReal(Pointwise):
    """Whether elements have no imaginary part."""

    public = "isreal"
    differentiable = False
    complex32 = "single"

    def forward(self, x: Any) -> Any:
        return np.isreal(x)


@public("isreal")
def isreal(input: Tensor) -> Tensor:
    """Elementwise whether `input` has no imaginary part.

    Math: y = (Im x = 0)
    Shape: (*) -> (*), bool

    Example:
        >>> import edutorch as torch
        >>> torch.isreal(torch.tensor([1.0, 2.0]))
        tensor([True, True])
    """
    return apply1(IsReal(), input)


class IsClose(Pointwise):
    """Whether elements of two tensors are close.

    Math: y = |a - b| <= atol + rtol · |b|
    """

    public = "isclose"
    attributes = ("rtol", "atol", "equal_nan")
    takes_scalars = False
    differentiable = False
    complex32 = "single"
    float8_kernel = "mul_cpu_reduced_float"

    def __init__(self, rtol: float, atol: float, equal_nan: bool) -> None:
        self.rtol, self.atol, self.equal_nan = rtol, atol, equal_nan

    def check(self, a: Any, b: Any) -> None:
        if a.dtype is not b.dtype:
            raise RuntimeError(f"{a.dtype.short} did not match {b.dtype.short}")
        if not self.rtol >= 0:  # nor nan
            raise RuntimeError(
                f"rtol must be greater than or equal to zero, but got {self.rtol:g}"
            )
        if not self.atol >= 0:
            raise RuntimeError(
                f"atol must be greater than or equal to zero, but got {self.atol:g}"
            )

    def forward(self, a: Any, b: Any) -> Any:
        if a.dtype.kind == "V":
            a, b = a.astype(np.float32), b.astype(np.float32)
        y = np.isclose(a, b, self.rtol, self.atol, self.equal_nan)
        return match_strides(y, a, b)


@public("isclose")
def isclose(
    input: Tensor,
    other: Tensor,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
) -> Tensor:
    """Elementwise whether two tensors are close.

    Math: y = |a - b| <= atol + rtol · |b|
    Shape: (*), (*) -> (*), bool, broadcast

    Raises:
        RuntimeError: for different dtypes.

    Example:
        >>> import edutorch as torch
        >>> torch.isclose(torch.tensor([1.0, 1.1]), torch.tensor([1.0, 1.2]))
        tensor([ True, False])
    """
    if equal_nan is not False and equal_nan is not True:
        raise type_error("bool", "equal_nan", equal_nan, "isclose")
    rtol = number_of(rtol, "rtol", "isclose", "float")
    atol = number_of(atol, "atol", "isclose", "float")
    return apply2(IsClose(rtol, atol, equal_nan), input, other)


UNBATCHED_ALLCLOSE = (
    "vmap over torch.allclose isn't supported yet. Please file an issue at "
    "https://github.com/pytorch/pytorch/issues if you need this feature."
)


@public("allclose")
@reported
def allclose(
    input: Tensor,
    other: Tensor,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
) -> bool:
    """Whether all elements of two tensors are close; see `isclose`.

    Math: y = all(|a - b| <= atol + rtol · |b|)
    Shape: (*), (*) -> one bool of Python

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> a, b = torch.tensor([1.0]), torch.tensor([1.0 + 1e-7])
        >>> torch.allclose(a, b), torch.allclose(a, b + 1)
        (True, False)
    """
    if equal_nan is not False and equal_nan is not True:
        raise type_error("bool", "equal_nan", equal_nan, "allclose")
    need_tensors("allclose", input=input, other=other)
    refuse_batched(UNBATCHED_ALLCLOSE, input, other)
    close = isclose(input, other, rtol, atol, equal_nan)
    if close.is_meta:
        no_item_error()
    return bool(close._data.all())


class Isin(Op):
    """Whether elements are contained in a set."""

    attributes = ("invert",)
    differentiable = False
    saves = ()

    def __init__(self, invert: bool) -> None:
        self.invert = invert

    def promote(self, x: Any, others: Any) -> Any:
        """Both operands in their common dtype."""
        return (x, others) if x.dtype == others.dtype else promoted(x, others)

    def forward(self, x: Any, others: Any) -> Any:
        return array_module(x).isin(x, others, invert=self.invert)


def isin(
    elements: Any, test_elements: Any, *, assume_unique: bool = False,
    invert: bool = False, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Whether each element is one of `test_elements`.

    Math: y[i] = ∃ j: x[i] = t[j]
    Shape: (*), (*) -> (*), bool

    Args:
        assume_unique: a promise that nothing occurs twice; it is not needed.
        invert: return whether each is not one of them.

    Raises:
        TypeError: for two numbers.
        RuntimeError: for booleans and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.isin(torch.tensor([1, 2, 3]), torch.tensor([1, 3]))
        tensor([ True, False,  True])
    """
    if assume_unique is not False and assume_unique is not True:
        raise type_error("bool", "assume_unique", assume_unique, "isin")
    if invert is not False and invert is not True:
        raise type_error("bool", "invert", invert, "isin")
    given = (elements, test_elements)
    known = all(isinstance(v, (Tensor, int, float, complex)) for v in given)
    if not known or not any(isinstance(v, Tensor) for v in given):
        kinds = ", ".join(type(v).__name__ for v in given)
        raise argument_error() or TypeError(
            f"isin() received an invalid combination of arguments - got ({kinds}), but "
            "expected one of:"
        )
    for v in given:
        if isinstance(v, Tensor) and v._data.dtype.kind in "bc":
            raise RuntimeError(
                f"Unsupported input type encountered for isin(): {v.dtype.short}"
            )
        if isinstance(v, (bool, complex)):
            short = "Bool" if isinstance(v, bool) else "ComplexDouble"
            raise RuntimeError(
                f"Unsupported input type encountered for isin(): {short}"
            )
    if not isinstance(test_elements, Tensor):  # a number
        found = ne(elements, test_elements) if invert else eq(elements, test_elements)
        return found if out is None else copyto(out, found, "isin", (elements,))
    pair = (np.asarray(v) if not isinstance(v, Tensor) else v
            for v in (elements, test_elements))  # fmt: skip
    result = apply(Isin(invert), *pair)
    if out is None:
        return result
    return copyto(out, result, "isin", (elements, test_elements))
