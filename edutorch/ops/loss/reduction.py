"""The reduction of losses to one number, and its deprecated arguments."""

from __future__ import annotations

import warnings
from typing import Any

from ...autograd.op_errors import broadcast_error
from ...callers import stack_level
from ...errors import raise_if
from ...tensor.tensor import Tensor
from ..argument_checks import number_of
from ..argument_errors import argument_error
from ..promotion import result_type
from ..reduce import mean, sum

__all__ = [
    "check_reduction", "legacy_reduction", "reduce_losses", "reduction_name",
    "require_floating", "smoothing_error", "smoothing_of", "warn_of_broadcasting",
]  # fmt: skip


def legacy_reduction(
    size_average: bool | None, reduce: bool | None, reduction: str
) -> str:
    """The reduction, possibly given by the deprecated boolean arguments."""
    if size_average is None and reduce is None:
        return reduction
    reduction = "mean" if size_average is None or size_average else "sum"
    reduction = "none" if reduce is not None and not reduce else reduction
    warnings.warn(
        "size_average and reduce args will be deprecated, please use "
        f"reduction='{reduction}' instead.",
        stacklevel=stack_level(),
    )
    return reduction


def reduction_name(
    size_average: bool | None, reduce: bool | None, reduction: str
) -> str:
    """The name of the reduction, possibly given by deprecated arguments, checked.

    Raises:
        ValueError: for an unknown reduction.
    """
    if size_average is not None or reduce is not None:
        reduction = legacy_reduction(size_average, reduce, reduction)
    if reduction not in ("none", "mean", "sum"):
        check_reduction(reduction)
    return reduction


def check_reduction(reduction: Any) -> None:
    """Raise unless it is the name of a reduction.

    Raises:
        ValueError: for an unknown reduction.
    """
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")


def require_floating(kernel: str, input: Tensor, target: Tensor) -> None:
    """Raise unless the common dtype of operands is floating-point.

    Raises:
        NotImplementedError: with that dtype.
    """
    common = result_type(input, target)
    if not common.is_floating_point:
        raise_if(broadcast_error([tuple(input.shape), tuple(target.shape)]))
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{common.short}'")


def reduce_losses(losses: Any, reduction: str) -> Tensor:
    """Reduce losses to their mean or sum; "none" returns them."""
    if reduction == "mean":
        return mean(losses)
    result: Tensor = sum(losses) if reduction == "sum" else losses
    return result


def warn_of_broadcasting(input: Any, target: Any) -> None:
    """Warn if input and target differ in shape, which is usually a mistake."""
    try:
        differ = target.size() != input.size()
    except (AttributeError, TypeError):
        raise_if(argument_error())
        raise
    if differ:
        warnings.warn(
            f"Using a target size (torch.Size({list(target.shape)})) that is different "
            f"to the input size (torch.Size({list(input.shape)})). This will likely "
            "lead to incorrect results due to broadcasting. Please ensure they have "
            "the same size.",
            stacklevel=stack_level(),
        )


def smoothing_error(value: float) -> RuntimeError:
    """The error for a label smoothing above 1."""
    return RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {value:g}")


def smoothing_of(value: Any) -> float:
    """How much of each target is spread over all classes."""
    if type(value) is float:
        return value
    found: float = number_of(value, "label_smoothing", "cross_entropy_loss", "float")
    return found
