"""Checks of normalisation, with PyTorch's messages."""

from __future__ import annotations

from typing import Any

from ...autograd.batched_tensor import any_batched, forbid_fallback
from ...tensor.tensor import Tensor
from ..argument_checks import (
    need_flags,
    need_floats,
    need_one_device,
    need_optional,
    need_tensors,
    refuse_gradients,
)
from ..argument_errors import argument_error, check_call
from ..dims import dim_of

__all__ = [
    "UncheckedEps",
    "check_batch",
    "check_channels",
    "check_dtypes",
    "check_mixed_dtypes",
    "check_size",
    "check_sizes",
    "number_error",
    "refuse_vector",
]


def check_dtypes(x: Any, kernel_name: str, *parameters: Any) -> None:
    """Check that the input is floating-point, and that the parameters have its dtype.

    Parameters of a 16-bit float input may be float32. As in PyTorch, the first of them
    decides whether dtypes are mixed.

    Raises:
        NotImplementedError: for integers.
        RuntimeError: for parameters of another dtype.
    """
    given = [p.dtype.short for p in parameters if p is not None]
    if given and given.count(x.dtype.short) < len(given):
        _check_others(x, kernel_name, *parameters)
    need_floats(kernel_name, x)


def _check_others(x: Any, kernel_name: str, *parameters: Any) -> None:
    """If dtypes differ, require float32 parameters and a 16-bit input."""
    if kernel_name == "batch_norm":
        need_floats(kernel_name, x)
    check_mixed_dtypes(x, *parameters)
    need_floats(kernel_name, x)
    w, b = parameters[:2]
    if w is not None and b is not None and w.dtype is x.dtype is not b.dtype:
        raise RuntimeError(
            f"expected scalar type {x.dtype.short} but found {b.dtype.short}"
        )


def check_mixed_dtypes(x: Any, *parameters: Any) -> None:
    """Check that parameters of another dtype are allowed with a 16-bit input.

    Raises:
        RuntimeError: for parameters of another dtype.
    """
    given = [p.dtype.short for p in parameters if p is not None]
    if given and given[0] != x.dtype.short:
        if any(short != "Float" for short in given):
            raise argument_error() or RuntimeError(
                "mixed dtype (CPU): expect parameter to have scalar type of Float"
            )
        if not (x.dtype.is_floating_point and x.dtype.itemsize == 2):
            raise RuntimeError(
                "mixed dtype (CPU): all inputs must share same datatype."
            )


def check_size(name: str, p: Any, size: int) -> None:
    """Check that a parameter, if given, has a value per channel.

    Raises:
        RuntimeError: otherwise.
    """
    if p is not None and p.numel() != size:
        raise RuntimeError(f"{name} should contain {size} elements not {p.numel()}")


def number_error() -> RuntimeError:
    """PyTorch's error for a number, for which it makes a list of -1 sizes."""
    return RuntimeError(
        "SmallVector unable to grow. Requested capacity (18446744073709551615) is "
        "larger than maximum value for size type (4294967295)"
    )


def check_channels(x: Tensor, c: int, groups: int, w: Any, b: Any) -> None:
    """Check that channels divide into groups, and the parameters have one for each."""
    if c % groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but "
            f"got input of shape {list(x.shape)} and num_groups={groups}"
        )
    for name, p in (("weight", w), ("bias", b)):
        if p is not None and tuple(p.shape) != (c,):
            shown = [0] if w is None else list(w.shape)  # as PyTorch, for both
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of "
                f"channels in input, but got {name} of shape {shown} and input of "
                f"shape {list(x.shape)}"
            )


def refuse_vector(x: Tensor, weight: Tensor | None, bias: Tensor | None) -> None:
    """Raise for a vector with elements, or a number."""
    check_size("weight", weight, 0)
    check_size("bias", bias, 0)
    if not x.ndim:
        raise number_error()
    dim_of(1, 1, "batch_norm")


def check_sizes(size: tuple[int, ...]) -> None:
    """Check that, in training, each channel has more than one value.

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


class UncheckedEps(float):
    """An `eps` whose sign `batch_norm` does not check.

    `F.batch_norm` checks `eps`, and that each channel has several values; instance norm
    and `torch.native_batch_norm` do the same computation without these two checks.
    Since `batch_norm` has PyTorch's signature, they tell it by the type of `eps`: with
    the computation in a function of its own, a reader would step through one more
    function in each call of the layer.
    """


def check_batch(
    x: Tensor,
    w: Tensor | None,
    b: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> None:
    """Check that the operands of batch norm match; with an empty input, all do.

    Raises:
        TypeError: for operands of another type.
        IndexError, ValueError, RuntimeError, NotImplementedError: for others.
    """
    need_tensors("batch_norm", input=x)
    need_optional(
        "batch_norm", 2, weight=w, bias=b, running_mean=running_mean,
        running_var=running_var,
    )  # fmt: skip
    need_flags("batch_norm", training=training)
    if not isinstance(eps, UncheckedEps):
        _check_call(x, training, eps)
    if not isinstance(momentum, (float, int)) or isinstance(eps, Tensor):
        check_call(False)
    if not x._data.size:
        return
    channels = x.shape[1] if x.ndim > 1 else 0  # as in PyTorch for vectors, numbers
    for name, running in (("running_mean", running_mean), ("running_var", running_var)):
        if running is None and not training:
            raise RuntimeError(f"{name} must be defined in evaluation mode")
        check_size(name, running, channels)
    if training and (running_mean is None) != (running_var is None):
        raise ValueError(
            "running_mean and running_var must either both be None or neither be None"
        )
    for name, running in (("running_mean", running_mean), ("running_var", running_var)):
        if running is not None and running._device is not x._device:
            need_one_device("__native_batch_norm", x, **{name: running})
    check_size("weight", w, channels)
    check_size("bias", b, channels)
    if (running_mean is not None and running_mean._requires_grad) or (
        running_var is not None and running_var._requires_grad
    ):
        refuse_gradients(
            "native_batch_norm", running_mean=running_mean, running_var=running_var
        )
    try:
        check_dtypes(x, "batch_norm", w, b, running_mean, running_var)
    except NotImplementedError:
        _refuse_dtype(x, w, b, training)
        raise
    _check_running(x, w, b, running_mean, running_var)
    if training:
        _check_batches(x, running_mean, running_var)


def _check_call(x: Tensor, training: bool, eps: float) -> None:
    """Check that each channel has enough values, and the sign of `eps`."""
    if training:
        check_sizes(tuple(x.shape))
    if training and eps <= 0.0:
        raise ValueError(
            f"batch_norm eps must be positive during training, but got {eps}"
        )
    if eps < 0.0:
        raise ValueError(f"batch_norm eps must be non-negative, but got {eps}")


def _refuse_dtype(x: Tensor, w: Any, b: Any, training: bool) -> None:
    """Raise for vectors in training and for numbers, before their dtype is refused."""
    if not x.ndim or (x.ndim == 1 and training):
        refuse_vector(x, w, b)


def _check_running(x: Tensor, w: Any, b: Any, mean: Any, var: Any) -> None:
    """Check that running statistics are vectors, with a dtype that fits."""
    for running in (mean, var):
        if running is None:
            continue
        if running._data.ndim != 1:
            raise RuntimeError(
                f"TensorAccessor expected 1 dims but tensor has {running.ndim}"
            )
        if running.dtype is not x.dtype and x.dtype is _first_dtype(
            (w, b, mean, running)
        ):
            raise RuntimeError(
                f"expected scalar type {x.dtype.short} but found {running.dtype.short}"
            )


def _first_dtype(parameters: tuple[Any, ...]) -> Any:
    """The dtype of the first parameter, which decides for all in PyTorch."""
    return next(p.dtype for p in parameters if p is not None)


def _check_batches(x: Tensor, *running: Tensor | None) -> None:
    """Raise inside vmap, where one running statistic cannot follow many batches.

    Raises:
        RuntimeError: in PyTorch's words.
    """
    shared = any(r is not None and not any_batched((r,)) for r in running)
    if any_batched((x,)) and shared:
        raise forbid_fallback(
            RuntimeError(
                "Batch norm got a batched tensor as input while the running_mean or "
                "running_var, which will be updated in place, were not batched.\nIf "
                "you are using a module and do not need eval mode, please set "
                "`track_running_stats` to be False.If you are using a prebuilt module "
                "and do not need eval mode, please see the functorch website for "
                "resources on how to patch your module to work with vmap"
            )
        )
