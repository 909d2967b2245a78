"""New random tensors: rand, randn, randint, randperm, and those like another tensor."""

from __future__ import annotations

from typing import Any

from ... import dtypes
from ...op_events import reported
from ...random import Generator, discrete
from ...tensor.tensor import Tensor, preserve_format, strided
from ..argument_errors import argument_error
from ..create.factory import refuse_layout, shape_of
from ..promotion import refuse_dtype
from .distributions import Normal, Random, Uniform, check_range
from .draw import Draw, new, new_like

__all__ = [
    "rand", "rand_like", "randint", "randint_like", "randn", "randn_like", "randperm",
]  # fmt: skip


def _sizes(name: str, given: tuple[Any, ...], size: Any) -> tuple[int, ...]:
    """Sizes as `f(2, 3)`, `f((2, 3))` or `f(size=(2, 3))`."""
    if size is None and not given:
        raise TypeError(
            f"{name}() received an invalid combination of arguments - got (), but "
            "expected one of:\n * (tuple of ints size, *, ...)"
        )
    return shape_of(name, given, size)


@reported
def rand(
    *sizes: Any,
    size: Any = None,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """Uniform random numbers in [0, 1).

    Math: y ~ U(0, 1)
    Shape: `sizes`

    Raises:
        RuntimeError: for a negative size.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.rand(3)
        tensor([0.4963, 0.7682, 0.0885])
    """
    shape = _sizes("rand", sizes, size)
    if layout is not strided:
        refuse_layout(layout, "uniform_")
    return new(Uniform(), shape, generator, dtype, device, requires_grad, out, "rand")


@reported
def randn(
    *sizes: Any,
    size: Any = None,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """Normal random numbers with mean 0 and variance 1.

    Math: y ~ N(0, 1)
    Shape: `sizes`

    Raises:
        RuntimeError: for a negative size.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.randn(3)
        tensor([ 1.5410, -0.2934, -2.1788])
    """
    shape = _sizes("randn", sizes, size)
    if layout is not strided:
        refuse_layout(layout, "normal_")
    return new(Normal(), shape, generator, dtype, device, requires_grad, out, "randn")


def _range(name: str, ends: tuple[Any, ...]) -> tuple[int, int]:
    """Parse `(high,)` or `(low, high)` to two ints."""
    low, high = (0, *ends) if len(ends) == 1 else ends
    for end, position in ((low, "low"), (high, "high")):
        if isinstance(end, bool) or not hasattr(end, "__index__"):
            raise argument_error() or TypeError(
                f"{name}(): argument '{position}' must be int, not {type(end).__name__}"
            )
        if not -(2**63) <= end.__index__() < 2**63:
            raise ValueError("Overflow when unpacking long long")
    return low.__index__(), high.__index__()


@reported
def randint(
    *args: Any,
    low: int = 0,
    high: int | None = None,
    size: Any = None,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """Random integers: `randint(high, size)` or `randint(low, high, size)`.

    Math: y ~ U{low, ..., high - 1}
    Shape: `size`

    Raises:
        RuntimeError: if the range is empty or the dtype does not hold it.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.randint(10, (2, 3))
        tensor([[4, 9, 3],
                [0, 3, 9]])
    """
    given = list(args)
    if size is None and given and not hasattr(given[-1], "__index__"):
        size = given.pop()
    if high is not None:
        given = [given[0] if given else low, high]
    if size is None or not 1 <= len(given) <= 2:
        got = ", ".join(type(a).__name__ for a in args)
        raise TypeError(
            "randint() received an invalid combination of arguments - got "
            f"({got}), but expected one of:\n * (int high, tuple of ints size, *)\n"
            " * (int low, int high, tuple of ints size, *)"
        )
    first, end = _range("randint", tuple(given))
    if dtype is None and out is None:
        dtype = dtypes.int64
    shape = _sizes("randint", (), size)
    if layout is not strided:
        refuse_layout(layout, "random_.from")
    check_range(first, end)  # on the meta device, too
    return new(
        Random(first, end),
        shape,
        generator,
        dtype,
        device,
        requires_grad,
        out,
        "randint",
    )


class Permutation(Draw):
    """The integers from 0 to n - 1 in random order.

    Math: P(y = π) = 1 / n! for each permutation π      ∂L/∂x = 0
    Reference: Fisher and Yates, 1938.
    """

    def check(self, x: Tensor) -> None:
        n, dtype = x.numel(), x.dtype
        if x.is_meta:
            return
        if dtype is dtypes.bool_ or dtype.is_complex:
            refuse_dtype("randperm", dtype)
        if dtype.is_floating_point and dtype is not dtypes.bfloat16:  # which rounds
            largest = 2 ** {"float16": 11, "float32": 24}.get(dtype.name, 53) + 1
            if n > largest:
                raise RuntimeError(
                    f"n cannot be greater than {largest} for {dtype.short} type."
                )
        elif not dtype.is_floating_point and n > dtypes.iinfo(dtype).max:
            raise RuntimeError(
                f"value cannot be converted to type {dtype.name}_t without overflow"
            )

    def draw(self, x: Any, shape: tuple[int, ...]) -> Any:
        return discrete.randperm(self.generator, x.size, x.dtype)


@reported
def randperm(
    n: int,
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """The integers from 0 to n - 1 in random order.

    Math: P(y = π) = 1 / n! for each permutation π
    Shape: (n)
    Reference: Fisher and Yates, 1938.

    Raises:
        RuntimeError: if the dtype does not hold them.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.randperm(5)
        tensor([4, 0, 1, 3, 2])
    """
    if not hasattr(n, "__index__"):
        raise TypeError(
            f"randperm(): argument 'n' (position 1) must be int, not {type(n).__name__}"
        )
    if dtype is None and out is None:
        dtype = dtypes.int64
    shape = shape_of("randperm", (n,), None)
    if layout is not strided:
        refuse_layout(layout, "randperm.generator_out")
    return new(
        Permutation(), shape, generator, dtype, device, requires_grad, out, "randperm"
    )


@reported
def rand_like(
    input: Tensor,
    *,
    generator: Generator | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: Any = preserve_format,
) -> Tensor:
    """Uniform random numbers in [0, 1), with the shape, dtype and device of `input`.

    Math: y ~ U[0, 1)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.rand_like(torch.zeros(2))
        tensor([0.4963, 0.7682])
    """
    return new_like(
        input, Uniform(), dtype, device, requires_grad, generator, memory_format
    )


@reported
def randn_like(
    input: Tensor,
    *,
    generator: Generator | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: Any = preserve_format,
) -> Tensor:
    """Normal random numbers with the shape, dtype and device of `input`.

    Math: y ~ N(0, 1)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.randn_like(torch.zeros(2))
        tensor([ 1.5410, -0.2934])
    """
    return new_like(
        input, Normal(), dtype, device, requires_grad, generator, memory_format
    )


def randint_like(
    input: Tensor,
    *ends: int,
    low: int = 0,
    high: int | None = None,
    generator: Generator | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: Any = preserve_format,
) -> Tensor:
    """Random integers in [low, high), with the shape, dtype and device of `input`.

    Math: P(y = k) equal for every k in [low, high)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.randint_like(torch.zeros(3), 10)
        tensor([4., 9., 3.])
    """
    given: tuple[Any, ...] = ends if high is None else (*(ends or (low,)), high)
    first, end = _range("randint_like", given)
    return new_like(
        input,
        Random(first, end),
        dtype,
        device,
        requires_grad,
        generator,
        memory_format,
    )
