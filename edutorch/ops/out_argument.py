"""Writes results to the tensors given as `out=`.

One function for all ops: it checks what PyTorch requires of `out` (`out_rules.py`),
resizes it where it has another shape, and writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..autograd.batched_tensor import refuse_batched
from ..autograd.inplace import (
    INFERENCE,
    check_memory,
    check_writable,
    rebase_history,
    write,
)
from ..autograd.memory_overlap import (
    overlaps_itself,
    refuse_overlap,
    refuse_partial_overlap,
)
from ..autograd.modes import modes
from ..autograd.op_errors import no_meta_kernel
from ..tensor.tensor import Tensor, wrap
from .argument_checks import type_error
from .argument_errors import argument_error
from .out_devices import (
    checks_device_first,
    checks_dtype_before_device,
    copies_to_meta,
    device_message,
    follows_device,
    without_meta_kernel,
)
from .out_history import gradient_error, without_derivative
from .out_resizing import (
    resize,
    resizes_by_method,
    warn_of_resize,
)
from .out_rules import (
    checks_dtype_first,
    checks_memory_first,
    checks_memory_next,
    checks_operands,
    dtype_rule,
    gradient_refused_by,
    keeps_history,
    kernel_of,
    loses_derivative,
    names_in,
    parsed_by,
    refuses_overlap_first,
    writes_over_itself,
)
from .return_types import out_type
from .signatures import module_of

__all__ = [
    "copyto", "fit", "is_refused_first", "refuse_conjugates",
]  # fmt: skip

# These take a number as `out`.
ARITHMETIC = names_in("add div floor_divide mul multiply sub subtract true_divide")
REDUCTIONS = names_in("aminmax max median min mode nanmedian")
LISTS = names_in("split_copy split_with_sizes_copy unbind_copy")  # of outputs
RESIZED = (
    "tensordot(): the 'out' tensor was specified and requires gradients, and its shape "
    "does not match the expected result. Either remove the 'out' argument, ensure it "
    "does not require gradients, or make sure its shape matches the expected output."
)
NO_OUT = (
    "Batching rule not implemented for aten::{}.out; the fallback path doesn't work on "
    "out= or view ops."
)


def copyto(
    out: Any, result: Any, function: str = "", operands: tuple[Any, ...] = (), *,
    disjoint: tuple[Any, ...] = (), variant: str = "", output: str = "",
    removed: int | None = None, quiet: bool = False,
) -> Any:  # fmt: skip
    """Copy a result to the tensor given as `out=`, and return that tensor.

    NumPy's `copyto` with PyTorch's rules: `out` gets the shape of the result.

    Args:
        function: the public function, as named in messages.
        operands: its arguments that may be tensors.
        disjoint: inputs whose memory must not be written to.
        variant: which of its kernels computed the result, if it has several.
        output: the name of this result, if the function has several.
        removed: the dimension that PyTorch removes after it has resized `out`.
        quiet: whether there is no warning, as the caller gives it.

    Raises:
        RuntimeError: if one of them requires grad, or dtypes or devices do not fit.
        TypeError: if `out` is not a tensor, or not as many as there are results.

    Example:
        >>> import edutorch as torch
        >>> x = torch.zeros(2)
        >>> torch.exp(torch.zeros(2), out=x) is x, x
        (True, tensor([1., 1.]))
    """
    results = result if isinstance(result, tuple) else (result,)
    refuse_batched(NO_OUT.format(function), *results, out)
    if results is result:
        return _each_into(out, result, function, operands, disjoint, variant, removed)
    if not isinstance(out, Tensor):
        out = _tensor_of_number(out, function)
    had = out._data.shape
    result, recorded = fit(out, result, function, operands, disjoint, variant, output)
    if recorded and not loses_derivative(function, variant):
        out.copy_(result)
    else:
        _overwrite(out, result, recorded=recorded)
    if had != out._data.shape and not quiet:
        warn_of_resize(had, out._data.shape, function, variant, removed)
    return out


def fit(
    out: Tensor, result: Tensor, function: str, operands: tuple[Any, ...] = (),
    disjoint: tuple[Any, ...] = (), variant: str = "", output: str = "",
) -> tuple[Tensor, bool]:  # fmt: skip
    """Check and resize an `out`, to which nothing is written yet.

    The arguments are those of `copyto`, which writes. Returns the result on the device
    of `out`, and whether `out` receives its history.

    Raises:
        RuntimeError: if one of them requires grad, or dtypes or devices do not fit.

    Example:
        >>> import edutorch as torch
        >>> fit(torch.zeros(1), torch.ones(1), "exp")
        (tensor([1.]), False)
    """
    recorded = False
    if modes.grad:
        result, recorded = _history(out, result, function, operands, output, variant)
    if overlaps_itself(out._data) and refuses_overlap_first(function):
        check_memory(out)
    own = _has_memory_of_its_own(out, result)
    loops = not own and checks_memory_first(module_of(function), function, variant)
    if loops:
        _check_loops(out, result, operands, disjoint)
    if out._device is not result._device:
        result = _on_device(out, result, function, output, variant)
    _check_dtype(out, result, function, output, variant)
    if not own and checks_memory_next(function):
        _check_loops(out, result, operands, disjoint)
        loops = True
    refuse_overlap(out, disjoint)
    if out._data.shape != result._data.shape:
        resize(out, result, function)
    if not loops:
        _check_memory(out, disjoint, function, operands, variant, output)
    return result, recorded


def _tensor_of_number(out: Any, function: str) -> Tensor:
    """A new tensor for an `out` that is a number.

    PyTorch's parser makes tensors of all numbers that arithmetic is given.

    Raises:
        TypeError: if it is no number, or the function is not one of arithmetic.
    """
    if function not in ARITHMETIC or not isinstance(out, (int, float, complex)):
        raise type_error("Tensor", "out", out, parsed_by(function))
    return wrap(np.array(out))


def is_refused_first(outs: Sequence[Tensor], input: Tensor) -> bool:
    """Whether `copyto` refuses these whatever their dtypes.

    It does for gradients, devices and conjugates.

    Example:
        >>> import edutorch as torch
        >>> is_refused_first([torch.ones(1, requires_grad=True)], torch.ones(1))
        True
    """
    recorded = modes.grad and any(t.requires_grad for t in (*outs, input))
    elsewhere = any(o._device != input._device for o in outs)
    return recorded or elsewhere or sum(o.is_conj() for o in outs) > 1


def _each_into(
    out: Any, result: tuple[Any, ...], function: str, operands: tuple[Any, ...],
    disjoint: tuple[Any, ...], variant: str, removed: int | None,
) -> Any:  # fmt: skip
    """Write each of several results."""
    if not isinstance(out, (tuple, list)):
        raise type_error("tuple of Tensors", "out", out, function)
    for i, tensor in enumerate(out):
        if not isinstance(tensor, Tensor):
            raise argument_error() or TypeError(
                f"expected Tensor as element {i} in argument 0, but got "
                f"{type(tensor).__name__}"
            )
    if len(out) != len(result):
        raise TypeError(f"expected tuple of {len(result)} elements but got {len(out)}")
    names = getattr(result, "_fields", ("",) * len(result))
    triples, shapes = list(zip(out, result, names, strict=True)), []
    if not modes.grad or not any(t._requires_grad for t in (*out, *result)):
        refuse_conjugates(out, function)
        shapes = _check_and_resize(triples, function)
    elif not checks_dtype_first(function):
        for o, r, _ in triples:
            if o._requires_grad or r._requires_grad:
                _check_gradient(o, function, "", resized=o.shape != r.shape)
        if loses_derivative(function):
            _refuse_views(out[1:])
    written = [
        copyto(
            o,
            r,
            function,
            operands,
            disjoint=disjoint,
            variant=variant,
            output=name,
            removed=removed,
            quiet=bool(shapes),
        )
        for o, r, name in triples
    ]
    for had, needed in shapes:
        warn_of_resize(had, needed, function, variant, removed)
    named = hasattr(result, "_fields")
    return out_type(type(result))(*written) if named else tuple(written)


def _refuse_views(outs: Sequence[Tensor]) -> None:
    """Refuse views among the outputs after the first, which would get a history."""
    if any(o._base is not None and o.is_floating_point() for o in outs):
        raise RuntimeError(
            "Functions which modify views in-place must return a single Variable"
        )


def _check_and_resize(triples: list[Any], function: str) -> list[Any]:
    """Check the dtypes of several outputs, then resize them, before any is written.

    Returns their old and new shapes, of which the caller warns when all has succeeded.
    """
    vectors_first = function == "linalg_eigh"
    for out, result, name in reversed(triples) if vectors_first else triples:
        if out._device is result._device:
            _check_dtype(out, result, function, name)
    if checks_memory_first(module_of(function), function):
        return []
    shapes = []
    for out, result, _ in reversed(triples) if function == "histogram" else triples:
        had = out._data.shape
        if out._device is result._device and had != result._data.shape:
            resize(out, result, function)
            shapes.append((had, out._data.shape))
    return shapes


def refuse_conjugates(outs: Sequence[Tensor], function: str) -> None:
    """Refuse conjugates among several outputs, which PyTorch would have to copy back.

    Raises:
        RuntimeError: for more than one, or for any in a list of outputs.

    Example:
        >>> import edutorch as torch
        >>> refuse_conjugates([torch.ones(2)], "split_copy")
    """
    conjugates = sum(isinstance(o, Tensor) and o.is_conj() for o in outs)
    if conjugates and function in LISTS:
        raise RuntimeError(
            " fallback doesn't currently support mutable TensorLists with conjugate "
            "inputs. Please materialize all the conjugate input tensor(s) in the "
            f"mutable TensorList inputs before calling aten::{function}"
        )
    if conjugates > 1:
        raise RuntimeError(
            "conjugate fallback does not support operators with more than one mutable "
            "tensors with conjugatebit set to true."
        )


def _history(
    out: Tensor, result: Tensor, function: str, operands: tuple[Any, ...],
    output: str, variant: str,
) -> tuple[Tensor, bool]:  # fmt: skip
    """The result, and whether `out` receives its history.

    Raises:
        RuntimeError: if gradients are required and the function does not support it.
    """
    recorded = out._requires_grad or result._requires_grad
    if recorded:
        resized = out._data.shape != result._data.shape
        if resized and out._requires_grad and function == "tensordot":
            raise RuntimeError(RESIZED)
        elsewhere = out._device is not result._device
        if elsewhere and checks_device_first(function):
            _on_device(out, result, function, output, variant)
        elif checks_dtype_first(function, variant) and (
            not elsewhere or checks_dtype_before_device(function, output, variant)
        ):
            _check_dtype(out, result, function, output, variant)
        recorded = _check_gradient(out, function, variant, resized=resized)
    if loses_derivative(function, variant):
        inputs = (result, *operands, out)
        return without_derivative(result, kernel_of(function, variant), inputs)
    return result, recorded


def _check_gradient(out: Tensor, name: str, variant: str, *, resized: bool) -> bool:
    """Whether `out` receives the history of the result.

    Args:
        resized: whether it has another shape than the result.

    Raises:
        RuntimeError: if inputs require grad and the function does not support it.
    """
    if out._requires_grad and resizes_by_method(name):
        raise RuntimeError("cannot resize variables that require grad")
    owner = out if out._base is None else out._base
    leaf = out._requires_grad and owner._requires_grad and owner._grad_fn is None
    leaf |= out._requires_grad and name == "unbind_copy"
    by = gradient_refused_by(name, leaf, variant)
    if by:
        raise gradient_error(by)
    if keeps_history(name, variant):
        check_writable(out, overlapping=resized)  # it gets other memory
        return True
    return False


def _on_device(
    out: Tensor, result: Tensor, name: str, output: str, variant: str
) -> Tensor:
    """The result on the device of `out`, if the function creates its results there."""
    if checks_dtype_before_device(name, output, variant):
        _check_dtype(out, result, name, output, variant)
    if follows_device(name, result._data.ndim, variant, meta=out.is_meta):
        if name == "linalg_solve_triangular":  # of any dtype, where nothing is written
            result = result.to(out.dtype)
        return result.to(out._device)
    lacking = without_meta_kernel(name, variant) if out.is_meta else ""
    if lacking:
        raise NotImplementedError(no_meta_kernel(lacking))
    message = device_message(name, variant, meta=out.is_meta or result.is_meta)
    raise RuntimeError(message.format(out=out._device, result=result._device))


def _check_dtype(
    out: Tensor, result: Tensor, function: str, output: str = "", variant: str = ""
) -> None:
    """Raise unless the function can write to a tensor with the dtype of `out`."""
    if out._data.dtype == result._data.dtype:
        return
    to_meta = out.is_meta and copies_to_meta(function)
    rule = dtype_rule(function, output, "meta" if to_meta else variant)
    need, got = result.dtype, out.dtype
    if got.short == rule.also or (not rule.exact and dtypes.can_cast(need, got)):
        return
    raise rule.kind(
        rule.message.format(
            name=function,
            short=function.partition("_")[2],
            output=output,
            Need=need.short,
            Got=got.short,
            need=need.c_name,
            got=got.c_name,
            result=need,
            out=got,
            variant=variant,
            flag=need is dtypes.int32,
        )
    )


def _overwrite(out: Tensor, result: Tensor, *, recorded: bool) -> None:
    """Write a result, which has no derivative, and its history if it is recorded."""
    write(out, result._data)
    if recorded:
        rebase_history(out, result)


def _has_memory_of_its_own(out: Tensor, result: Tensor) -> bool:
    """Whether checks of memory cannot fail: it has the right shape, and shares none."""
    fits = out._data.shape == result._data.shape
    return fits and out._storage is None and not overlaps_itself(out._data)


def _check_loops(
    out: Tensor, result: Tensor, operands: tuple[Any, ...], disjoint: tuple[Any, ...]
) -> None:
    """Make the checks of the memory of `out` that elementwise ops make before shapes.

    Raises:
        RuntimeError: if elements of `out` are in one place of memory or in a part of
            an operand's, or if an operand of another shape is to be written to.
    """
    if out._inference and not modes.inference:
        raise RuntimeError(INFERENCE)
    check_memory(out)
    if out._storage is not None:
        refuse_partial_overlap(out, operands)
    fits = disjoint or out._data.shape == result._data.shape
    if not fits and any(x is out for x in operands):
        raise RuntimeError(
            f"output with shape {list(out._data.shape)} doesn't match the broadcast "
            f"shape {list(result._data.shape)}"
        )


def _check_memory(
    out: Tensor,
    disjoint: tuple[Any, ...],
    function: str,
    operands: tuple[Any, ...],
    variant: str,
    output: str,
) -> None:
    """Raise for memory that overlaps itself or the operands."""
    if out._inference and not modes.inference:
        raise RuntimeError(INFERENCE)
    if overlaps_itself(out._data) or not getattr(out._data.flags, "writeable", True):
        check_memory(out, overlapping=writes_over_itself(function, variant))
    if disjoint:
        refuse_overlap(out, disjoint)
    shared = out._storage is not None
    if shared and checks_operands(module_of(function), function, output):
        if function in REDUCTIONS:  # of one element each, they are copies
            size = out._data.size
            operands = tuple(
                x for x in operands if isinstance(x, Tensor) and x._data.size != size
            )
        refuse_partial_overlap(out, operands)
