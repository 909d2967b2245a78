"""Class targets: checks, and the weight of each target."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends import array_module
from ..argument_checks import need_floats
from ..dims import dim_unless_scalar

__all__ = [
    "check_classes", "check_probabilities", "check_target_dtype", "class_weights",
    "need_weight_of_classes", "share_of_0", "total_weight",
]  # fmt: skip


def check_target_dtype(target: Any) -> None:
    """Check that class indices are Long, or Byte for single rows.

    Raises:
        RuntimeError: otherwise.
    """
    short = target.dtype.short
    if short == "Long":
        return
    if short != "Byte":
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {short}")
    if target.ndim > 1:
        raise RuntimeError("expected scalar type Long but found Byte")


def check_classes(x: Any, target: Any, weight: Any = None) -> None:
    """Check that scores (N, C, *S) or (C) have class indices (N, *S) or ().

    Raises:
        ValueError: for another batch size.
        RuntimeError: for other sizes.
    """
    shape = x._data.shape
    if len(shape) > 1 and target._data.shape == shape[:1] + shape[2:]:
        return
    if x.ndim == 0:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    if x.ndim == 1:
        if target.ndim > 1:
            _refuse_several()
        check_target_dtype(target)
        if target.numel() != 1:
            raise ValueError(
                "For 1D input, 1D target must have size 1, but got target size: "
                f"{target.numel()}"
            )
        return
    batch = target.shape[0] if target.ndim else 0
    if x.ndim == 2 and x.shape[0] == target.ndim == 0:
        check_target_dtype(target)
        dim_unless_scalar(0, target.ndim)
    if x.ndim == 2 and target.ndim > 1 and batch == x.shape[0]:
        _refuse_several()
    if x.shape[0] != batch:
        raise ValueError(
            f"Expected input batch_size ({x.shape[0]}) to match target batch_size "
            f"({batch})."
        )
    expected = [x.shape[0], *x.shape[2:]]
    if x.ndim != 4:
        raise RuntimeError(f"Expected target size {expected}, got {list(target.shape)}")
    if target.ndim != 3:
        raise RuntimeError(
            "only batches of spatial targets supported (3D tensors) but got targets of "
            f"dimension: {target.ndim}"
        )
    if weight is not None:
        check_weight_size(weight, x)
    raise RuntimeError(
        f"size mismatch (got input: {list(x.shape)} , target: {list(target.shape)}"
    )


def _refuse_several() -> None:
    raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")


def need_weight_of_classes(weight: Any, classes: int) -> None:
    """Check that weights, if any, are one for each class; for probabilities as targets.

    Raises:
        RuntimeError: otherwise.
    """
    if weight is not None and weight.shape != (classes,):
        raise RuntimeError(
            f"cross_entropy: weight tensor should be defined either for all {classes} "
            "classes or no classes but got weight tensor of shape: "
            f"{list(weight.shape)}"
        )


def check_scores(x: Any, weight: Any) -> None:
    """Check that scores are floating-point; PyTorch counts weights before.

    Raises:
        RuntimeError, NotImplementedError: otherwise.
    """
    if weight is not None and not x.is_floating_point():
        check_weight_size(weight, x)
    need_floats(f"nll_loss{'2d_forward' * (x.ndim > 2)}_out_frame", x)


def check_weight(weight: Any, x: Any) -> None:
    """Check that there is a weight for each class, in the input's dtype.

    Raises:
        RuntimeError: otherwise.
    """
    check_weight_size(weight, x)
    if weight.dtype != x.dtype:
        raise RuntimeError(
            f"expected scalar type {x.dtype.short} but found {weight.dtype.short}"
        )


def check_weight_size(weight: Any, x: Any) -> None:
    """Check that there is a weight for each class.

    Raises:
        RuntimeError: otherwise.
    """
    classes = x.shape[1] if x.ndim > 1 else x.shape[0]
    if x.ndim > 2:  # images, for which PyTorch compares the number of weights only
        if weight.numel() != classes:
            raise RuntimeError(
                "weight tensor should be defined either for all or no classes"
            )
    elif tuple(weight.shape) != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no "
            f"classes but got weight tensor of shape: {list(weight.shape)}"
        )


def class_weights(
    classes: int, x: Any, target: Any, weight: Any, ignore_index: int
) -> tuple[Any, Any, Any]:
    """The class indices (0 where ignored), their weights, and a mask of ignored ones.

    Weights have the dtype of the scores x. The second is None where each counts 1, the
    third where none is ignored.

    Raises:
        IndexError: for a class that does not exist.
    """
    if weight is not None:
        check_weight(weight, x)
    t = target._data
    if ignore_index < 0 and _all_in_range(t, classes):
        return t, None if weight is None else weight._data[t], None
    ignored = t == ignore_index
    wrong = t[((t < 0) | (t >= classes)) & ~ignored]
    if wrong.size:
        raise IndexError(f"Target {int(wrong[0])} is out of bounds.")
    t = array_module(t).where(ignored, 0, t)
    factors = (~ignored).astype(x.dtype.numpy)
    return t, factors if weight is None else factors * weight._data[t], ignored


def share_of_0(factors: Any, ignored: Any) -> Any:
    """1 divided by a total weight of 0: infinite, but 0 for ignored targets."""
    if ignored is None:
        return 0 if factors is None else np.inf
    return array_module(factors).where(ignored, factors.dtype.type(0), np.inf)


def total_weight(weights: Any, *sizes: int) -> Any:
    """The sum of weights, or of each part of `sizes`; 16-bit ones in 32 bits.

    In bfloat16, a sum of ones would not grow beyond 256.

    Example:
        >>> float(total_weight(np.ones(3000, np.float16)))
        3000.0
    """
    dtype = np.float32 if weights.dtype.itemsize == 2 else None
    total = weights.reshape(*sizes, -1).sum(-1, dtype=dtype)
    return total.astype(weights.dtype)


def _all_in_range(t: Any, classes: int) -> bool:
    """Whether 0 <= t < classes, checked on unsigned numbers."""
    if t.size == 0:
        return True
    unsigned = t.view(_UNSIGNED[t.dtype.itemsize])
    on_cpu = type(unsigned) is np.ndarray  # `reduce` is the fastest
    most = np.maximum.reduce(unsigned, None) if on_cpu else unsigned.max()
    return bool(most < classes)


_UNSIGNED = {1: np.uint8, 8: np.uint64}


def check_probabilities(target: Any, ignore_index: int) -> None:
    """Check targets that are class probabilities.

    Raises:
        RuntimeError: for integer targets, or with an index to ignore.
    """
    if not target.dtype.is_floating_point:
        raise RuntimeError(
            "Expected floating point type for target with class probabilities, got "
            f"{target.dtype.short}"
        )
    if ignore_index >= 0:
        raise RuntimeError("ignore_index is not supported for floating point target")


def broadcast_weight(weight: Any, ndim: int) -> Any:
    """Class weights, shaped to broadcast along the class dimension."""
    return weight.reshape((1, -1, *(1,) * (ndim - 2)) if ndim > 1 else (-1,))
