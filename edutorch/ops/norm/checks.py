"""What normalisation refuses, with PyTorch's words."""

from __future__ import annotations

from typing import Any

from ..argument_checks import need_floats

__all__ = ["check_dtypes", "check_size", "check_sizes"]


def check_dtypes(x: Any, kernel_name: str, *parameters: Any) -> None:
    """The input is floating-point, and the parameters have its dtype.

    Parameters of a 16-bit float input may be float32. As in PyTorch, the first of them
    decides whether dtypes are mixed.

    Raises:
        NotImplementedError: for integers.
        RuntimeError: for parameters of another dtype.
    """
    given = [p.dtype.short for p in parameters if p is not None]
    if given and given[0] != x.dtype.short:
        if any(short != "Float" for short in given):
            raise RuntimeError(
                "mixed dtype (CPU): expect parameter to have scalar type of Float"
            )
        if not (x.dtype.is_floating_point and x.dtype.itemsize == 2):
            raise RuntimeError(
                "mixed dtype (CPU): all inputs must share same datatype."
            )
    need_floats(kernel_name, x)


def check_size(name: str, p: Any, size: int) -> None:
    """A parameter, if given, has one number for each channel.

    Raises:
        RuntimeError: otherwise.
    """
    if p is not None and p.numel() != size:
        raise RuntimeError(f"{name} should contain {size} elements not {p.numel()}")


def check_sizes(size: tuple[int, ...]) -> None:
    """In training, each channel has more than one value.

    Raises:
        ValueError: otherwise.
    """
    count = size[0]
    for n in size[2:]:
        count *= n
    if count == 1:
        raise ValueError(
            "Expected more than 1 value per channel when training, got input size "
            f"torch.Size({list(size)})"
        )
