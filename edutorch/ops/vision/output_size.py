"""The output size of `interpolate`, from `size` or `scale_factor`."""

from __future__ import annotations

from typing import Any

__all__ = ["sizes_and_scales"]

ALLOWED = "int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int]"


def sizes_and_scales(
    shape: Any, size: Any, scale_factor: Any, recompute: bool
) -> tuple[tuple[int, ...], tuple[float | None, ...]]:
    """The new sizes, and for each the scale to compute with (None: the sizes' ratio).

    Raises:
        ValueError: for both or neither given, or a wrong count.
        TypeError: for sizes that are not whole numbers.
        RuntimeError: for sizes that are no integers of 64 bits.

    Example:
        >>> sizes_and_scales((1, 1, 3, 5), None, 1.5, False)
        ((4, 7), (1.5, 1.5))
    """
    space = list(shape[2:])
    n = len(shape) - 2
    none = (None,) * n
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        if recompute:
            raise ValueError(
                "recompute_scale_factor is not meaningful with an explicit size."
            )
        return _sizes(space, size, n), none
    if scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    factors = scale_factor
    if not isinstance(factors, (list, tuple)):
        factors = (factors,) * n
    elif len(factors) != n:
        raise ValueError(
            "Input and scale_factor must have the same number of spatial dimensions, "
            f"but got input with spatial dimensions of {space} and scale_factor of "
            f"shape {factors}. Please provide input tensor in (N, C, d1, d2, ...,dK) "
            "format and scale_factor in (s1, s2, ...,sK) format."
        )
    if recompute:  # only the sizes count
        return tuple([int(s * f) for s, f in zip(space, factors, strict=True)]), none
    for factor in factors:
        if isinstance(factor, str) or not hasattr(factor, "__float__"):
            raise TypeError(
                "upsample(): argument 'scale_factors' must be tuple of floats, not "
                f"{type(factor).__name__}"
            )
    scaled = [s * float(f) for s, f in zip(space, factors, strict=True)]
    if not all(abs(s) < 2**63 for s in scaled):
        raise RuntimeError("value cannot be converted to type int64_t without overflow")
    return tuple([int(s) for s in scaled]), tuple([float(f) for f in factors])


def _sizes(space: list[int], size: Any, n: int) -> tuple[int, ...]:
    if not isinstance(size, (list, tuple)):
        size = (size,) * n
    elif len(size) != n:
        raise ValueError(
            "Input and output must have the same number of spatial dimensions, but got "
            f"input with spatial dimensions of {space} and output size of {size}. "
            "Please provide input tensor in (N, C, d1, d2, ...,dK) format and output "
            "size in (o1, o2, ...,oK) format."
        )
    if not all(hasattr(s, "__index__") for s in size):
        raise TypeError(
            f"expected size to be one of {ALLOWED}, but got size with types "
            f"{[type(s) for s in size]}"
        )
    return tuple([int(s) for s in size])
