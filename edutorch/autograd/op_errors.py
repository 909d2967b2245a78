"""Errors of failed ops: PyTorch's exception, with explanatory notes."""

from __future__ import annotations

import functools
import math
import re
from typing import Any

import numpy as np

from .. import dtypes, errors, op_events
from ..backends import gpus
from ..backends.meta import NoDataError
from ..backends.sparse import UnsupportedError
from ..errors import python_type_name, raise_if
from ..layouts import strided
from ..process_memory import allocation_error, dimensions_error
from ..tensor.tensor import Tensor

__all__ = [
    "broadcast_error",
    "cast_error",
    "check_result",
    "operation_error",
    "foreign_operand_error",
    "check_fits",
    "check_fits_shape",
    "no_meta_kernel",
    "refuse_inference",
    "refuse_operand",
    "refuse_view",
    "short_name",
    "type_name",
    "translate_error",
]


def operation_error(
    op: Any, operands: tuple[Any, ...], error: Exception, started: int
) -> BaseException:
    """PyTorch's exception for what went wrong, with notes for the reader.

    Views of unknown history come first, except for errors of an integer index.
    """
    indexed = op.is_view and type(error) is IndexError and "slice" not in str(error)
    try:
        for t in () if indexed else operands:
            if isinstance(t, Tensor):
                refresh(t)
    except RuntimeError as refusal:
        error = refusal
    error = argument_error() or translate_error(op, operands, error)
    if hasattr(error, "result"):
        error = out_error(operands, error) or error
    if not getattr(error, "__notes__", None):
        errors.explain(error, op, operands, _hint(str(error)))
    if started:
        op_events.announce_error(
            op, operands, started, f"{type(error).__name__}: {error}"
        )
    return error


refresh: Any = None  # set by `view_history.py`: gives a view its history of now


HINTS = {
    "must match the size of tensor": "shapes are compared from the last dimension on; "
    "sizes must be equal or 1 (unsqueeze, reshape or transpose one of them)",
    "shapes cannot be multiplied": "the last size of the first operand must be the "
    "first size of the second (for nn.Linear: in_features)",
    "on the same device": "move one of them, as in x.to(other.device)",
    "have the same dtype": "convert one of them, as in x.to(other.dtype)",
    "can't be cast to the desired": "write `x = x + y`, or convert `y` first",
    "from the 'Sparse": "convert it with x.to_dense()",
    "used in an in-place operation": "change it under no_grad(), or a clone of it",
}


def _hint(text: str) -> str:
    """A hint on how to fix the most common errors."""
    return next((hint for words, hint in HINTS.items() if words in text), "")


# NumPy's messages for arrays larger than 64 bits can address.
TOO_LARGE = ("array is too big", "Maximum allowed dimension", "iterator is too large")


def translate_error(op: Any, operands: tuple[Any, ...], error: Exception) -> Exception:
    """PyTorch's error for a known error of NumPy."""
    if isinstance(error, NoDataError):
        return NotImplementedError(_meta_error_text(op))
    text = str(error)
    shapes = [t._data.shape for t in operands if isinstance(t, Tensor)]
    if isinstance(error, UnsupportedError):
        kinds = {getattr(t, "layout", strided).words for t in operands} - {"Strided"}
        return NotImplementedError(
            f"Could not run 'aten::{op.public}' with arguments from the "
            f"'{max(kinds, default='')}CPU' backend."
        )
    numpys = isinstance(error, ValueError)  # PyTorch's own words have other types
    if numpys and (refusal := _size_error(text)) is not None:
        return refusal
    if numpys and ("could not be broadcast" in text or "shape mismatch" in text):
        return _late(broadcast_error(shapes) or error)
    if isinstance(error, TypeError) and "ufunc '" in text:  # SciPy's errors as well
        error = _unsupported_dtype_error(op, operands) or error
    if isinstance(error, OverflowError) and "out of bounds for" in text:
        kind = C_NAMES.get(text.rpartition(" ")[2]) or f"{text.rpartition(' ')[2]}_t"
        return RuntimeError(
            f"value cannot be converted to type {kind} without overflow"
        )
    if isinstance(error, OverflowError) and op.is_view:  # an index of over 64 bits
        return ValueError("Overflow when unpacking long long")
    if getattr(op, "broadcasts", False) and _is_after_shape_check(error):
        return _after_shape_check(op, operands, shapes, error)
    if isinstance(error, AttributeError):
        return operand_error(op.public, operands) or error
    if isinstance(error, MemoryError) and type(error).__module__.startswith("cupy"):
        return _gpu_out_of_memory(operands, text)
    if isinstance(error, MemoryError):
        shape: Any = getattr(error, "shape", (0,))
        dtype: Any = getattr(error, "dtype", "int8")
        return allocation_error(math.prod(shape) * np.dtype(dtype).itemsize)
    return error


def _after_shape_check(
    op: Any, operands: tuple[Any, ...], shapes: list[Any], error: Exception
) -> Exception:
    """The error for shapes that do not broadcast, or the one that comes after it."""
    if op.composed:
        return error
    wrong = broadcast_error(shapes)
    if wrong is None:
        found = np.broadcast_shapes(*shapes), _result_dtype(op, operands, str(error))
        error.result = found  # type: ignore[attr-defined]  # for `waiting_leaves`
    return _late(wrong or error)


def _late(error: Exception) -> Exception:
    """Mark an error that PyTorch finds only after it has looked at the memory."""
    error.late = True  # type: ignore[attr-defined]  # for in-place variants
    return error


def _size_error(text: str) -> RuntimeError | None:
    """The refusal of shapes that NumPy's arrays cannot have; None for other errors."""
    if text.startswith(TOO_LARGE):
        return RuntimeError(f"Storage size calculation overflowed: {text}")
    return dimensions_error(text)


C_NAMES = {"float32": "float", "float64": "double"}


def _gpu_out_of_memory(operands: tuple[Any, ...], text: str) -> Exception:
    """The error of a real GPU without memory; CuPy's text begins with the bytes."""
    where = next(t._device for t in operands if getattr(t, "is_cuda", False))
    requested = re.search(r"allocating ([\d,]+) bytes", text)
    nbytes = int(requested[1].replace(",", "")) if requested else 0
    error: Exception = gpus.gpus().allocator(where).out_of_memory(nbytes)
    return error


def _meta_error_text(op: Any) -> str:
    """The message for an op that needs values, called with meta tensors."""
    if op.meta_kernel == "nonzero":
        return (
            "The register_meta function for torch.nonzero() raises unimplemented by "
            "default, as a correct data-independent implementation does not exist. "
            "This implementation returns a fake value, assuming all elements of the "
            "tensor are non-zero. To enable this registration, please set "
            "'torch.fx.experimental._config.meta_nonzero_assume_all_nonzero' to True."
        )
    return no_meta_kernel(op.meta_kernel or op.public)


def no_meta_kernel(name: str) -> str:
    """PyTorch's message for an operation without a meta kernel."""
    return (
        f"aten::{name}: attempted to run this operator with Meta tensors, but there "
        "was no fake impl or Meta kernel registered. You may have run into this "
        "message while using an operator with PT2 compilation APIs (torch.compile/"
        "torch.export); in order to use this operator with those APIs you'll need to "
        "add a fake impl. Please see the following for next steps:  "
        "https://pytorch.org/tutorials/advanced/custom_ops_landing_page.html"
    )


# What PyTorch looks at after shapes and dtypes of the result.
LATE = (
    "For integral input tensors", "For non-complex input tensors", "Boolean alpha",
    "ZeroDivisionError", "value cannot be converted",
)  # fmt: skip


def _is_after_shape_check(error: Exception) -> bool:
    """Whether PyTorch would have found this after comparing shapes."""
    text = str(error)
    return '" not implemented for' in text or text.startswith(LATE)


def check_result(error: Exception, target: Tensor) -> None:
    """Refuse what PyTorch refuses of a tensor changed in place before `error`.

    Raises:
        RuntimeError: if the result has another shape, or a dtype of a higher kind.
    """
    if hasattr(error, "result"):
        shape, dtype = error.result
        check_fits(shape, dtype, target)


def check_fits(shape: tuple[int, ...], dtype: dtypes.dtype, target: Tensor) -> None:
    """Refuse a result that a tensor changed in place cannot hold.

    Raises:
        RuntimeError: if the result has another shape, or a dtype of a higher kind.
    """
    if shape != target._data.shape:
        raise RuntimeError(
            f"output with shape {list(target._data.shape)} doesn't match the broadcast "
            f"shape {list(shape)}"
        )
    if not dtypes.can_cast(dtype, target.dtype):
        raise cast_error(dtype.short, target.dtype.short)


def cast_error(found: str, wanted: str) -> RuntimeError:
    """The error for a result that a dtype cannot hold; dtypes by PyTorch's names.

    Example:
        >>> cast_error("Float", "Long")
        RuntimeError("result type Float can't be cast to the desired output type Long")
    """
    return RuntimeError(
        f"result type {found} can't be cast to the desired output type {wanted}"
    )


def check_fits_shape(shape: Any, other: Any) -> None:
    """Refuse an operand that does not broadcast to the shape of what it changes.

    Raises:
        RuntimeError: in PyTorch's words of in-place operations.
    """
    raise_if(broadcast_error([shape, other]))
    wide = np.broadcast_shapes(tuple(shape), tuple(other))
    if wide != tuple(shape):
        raise RuntimeError(
            f"output with shape {list(shape)} doesn't match the broadcast shape "
            f"{list(wide)}"
        )


def _result_dtype(op: Any, operands: tuple[Any, ...], text: str) -> dtypes.dtype:
    """The dtype of a pointwise op's result, which a refusal of a dtype names."""
    if op.gives_bool:
        return dtypes.bool_
    named = re.search(r"not implemented for '(\w+)'", text)
    return _BY_SHORT[named[1]] if named else _common_dtype(op, operands)


_BY_SHORT = {t.short: t for t in dtypes.ALL}


def _common_dtype(op: Any, operands: tuple[Any, ...]) -> dtypes.dtype:
    """The dtype that a pointwise op computes in."""
    arrays = [t._data if isinstance(t, Tensor) else t for t in operands]
    alone = len(arrays) == 1 and "promote" not in vars(op.op_class)
    promoted = arrays if alone else op.promote(*arrays)
    found = [dtypes.of_array(v) for v in promoted if hasattr(v, "dtype")]
    return min(found, key=lambda d: d.itemsize)  # a number among 16-bit floats is wider


def _unsupported_dtype_error(
    op: Any, operands: tuple[Any, ...]
) -> NotImplementedError | None:
    """The error for a dtype that NumPy has no loop for; None if another error holds."""
    if getattr(op, "broadcasts", False):
        common = _common_dtype(op, operands)
    else:
        common = functools.reduce(
            dtypes.promote_types, (t.dtype for t in operands if isinstance(t, Tensor))
        )
    if common in (dtypes.float32, dtypes.float64):
        return None
    kernel = getattr(op, "kernel", "") or f"{op.public}_cpu"
    return NotImplementedError(f"\"{kernel}\" not implemented for '{common.short}'")


# The error for an operand that is not a tensor, with the public function's name: (name,
# operands) -> error or None. Set by edutorch.ops.argument_checks.
operand_error: Any = None

# What PyTorch's parser of arguments says of the program's call: () -> error or None.
argument_error: Any = None  # set by edutorch.ops.argument_errors

# What that parser says of a method's arguments: (name, args, kwargs) -> words or "".
method_error: Any = None  # set by edutorch.ops.argument_errors

# What PyTorch refuses of the call's `out` before it misses a kernel:
# (operands, error) -> error or None. Set by edutorch.ops.registration.
out_error: Any = None

# Calls the `__torch_function__` of an operand: (name, a, b) -> result.
override: Any = None  # set by edutorch.overrides


def foreign_operand_error(op: Any, a: Any, b: Any) -> TypeError:
    """The refusal of two operands of which one is neither tensor nor number."""
    kinds = f"'{python_type_name(a)}' and '{python_type_name(b)}'"
    # The op may belong to another function: the one that is running.
    named = operand_error(op.public, (a, b)) or operand_error("", (a, b))
    return named or TypeError(f"{op.public}(): unsupported operand type(s): {kinds}")


def refuse_view(view: Tensor, what: str) -> None:
    """Refuse in-place changes of views whose history would be lost.

    Raises:
        RuntimeError: if the view came from `unbind`, `split` or their like, which have
            several outputs, or was made where nothing is recorded.
    """
    for step in view._views:
        op = getattr(step, "op", step)  # of a step to one of several outputs
        if op.creation_mode == "function":
            raise RuntimeError(_made_in_function(view, what))
        if op.creation_mode in ("no_grad", "inference"):
            raise RuntimeError(_created_without_grad(view, op.creation_mode, what))
        if op is not step or op.creation_mode == "functions":
            source = _output_name(view)
            message = f"Output {source} is a view and {what} modified inplace"
            if view._grad_fn is None:
                message = (
                    f"A view was created in no_grad mode and {what} modified inplace "
                    "with grad mode enabled"
                )
            raise RuntimeError(
                f"{message}. This view is the output of a function that returns "
                "multiple views. Such functions do not allow the output views to be "
                "modified inplace. You should replace the inplace operation by an "
                "out-of-place one."
            )


def type_name(x: Tensor) -> str:
    """The name of a tensor's type in errors: some dtypes have an older name."""
    old = x._data.dtype.kind in "bc" or x.dtype.short.startswith(("BFloat", "UInt"))
    return f"CPU{x.dtype.short}Type" if old else str(x.type())


def short_name(node: Any) -> str:
    """A node's name in errors: "Pow" for "PowBackward0", "Pow1" for "PowBackward1"."""
    return re.sub(r"Backward0?(?=\d*$)", "", node.name())


def _output_name(view: Tensor) -> str:
    """Which output of which user Function a view is."""
    node = view._grad_fn
    name = "" if node is None else short_name(node)
    return f"{view._output_nr} of {name}"


def _made_in_function(view: Tensor, what: str) -> str:
    return (
        f"Output {_output_name(view)} is a view and {what} modified inplace. This view "
        "was created inside a custom Function (or because an input was returned as-is) "
        "and the autograd logic to handle view+inplace would override the custom "
        "backward associated with the custom Function, leading to incorrect gradients. "
        "This behavior is forbidden. You can fix this by cloning the output of the "
        "custom Function."
    )


def _created_without_grad(view: Tensor, mode: str, what: str) -> str:
    inference, which = mode == "inference", "A view was"
    if view._grad_fn is not None:
        which = f"Output {_output_name(view)} is a view of a view which was"
    return (
        f"{which} created in {'inference' if inference else 'no_grad'} mode and "
        f"{what} modified inplace "
        f"{'in normal mode' if inference else 'with grad mode enabled'}. Given that "
        "this use case is ambiguous and error-prone, it is forbidden. You can clarify "
        "your code by moving both the view and the inplace either both inside the "
        f"{'inference_mode' if inference else 'no_grad'} block (if you don't want the "
        "inplace to be tracked) or both outside (if you want the inplace to be "
        "tracked)."
    )


def broadcast_error(shapes: list[tuple[int, ...]]) -> RuntimeError | None:
    """PyTorch's words for shapes that do not broadcast, or None if they do.

    Shapes are added one by one; dimensions are counted in the result so far.
    """
    common: tuple[int, ...] = ()
    for shape in shapes:
        n = max(len(common), len(shape))
        a, b = ((1,) * (n - len(s)) + tuple(s) for s in (common, shape))
        for dim in reversed(range(n)):
            if a[dim] != b[dim] and 1 not in (a[dim], b[dim]):
                return RuntimeError(
                    f"The size of tensor a ({a[dim]}) must match the size of tensor b "
                    f"({b[dim]}) at non-singleton dimension {dim}"
                )
        common = tuple([k if m == 1 else m for m, k in zip(a, b, strict=True)])
    return None


def refuse_inference(operands: tuple[Any, ...]) -> None:
    """Tensors made in inference mode must not be saved for backward.

    Raises:
        RuntimeError: if there is one among the operands.
    """
    if any(getattr(t, "_inference", False) for t in operands):
        raise RuntimeError(
            "Inference tensors cannot be saved for backward. Please do not use Tensors "
            "created in inference mode in computation tracked by autograd. To work "
            "around this, you can make a clone to get a normal tensor and use it in "
            "autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
        )


def refuse_operand(op: Any, operand: Any, position: int = 1) -> Any:
    """Raise the error for an operand that must be a tensor."""
    kind = python_type_name(operand)
    raise operand_error(op.public, (operand,)) or TypeError(
        f"{op.public}(): argument '{('input', 'other')[position - 1]}' (position "
        f"{position}) must be Tensor, not {kind}"
    )
