"""PyTorch's error for the arguments of a failed call."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from .. import devices
from ..autograd import op_errors
from ..errors import raise_if
from ..tensor import conversions
from ..tensor.tensor import Tensor
from .argument_overflow import overflow
from .argument_parser import (
    OTHER_NAMES,
    argument_types,
    fitting,
    parse,
    signatures_of,
)
from .python_functions import python_error
from .signatures import (
    FUNCTIONAL,
    Call,
    SourceCall,
    call_of,
    entry_call,
    public_of,
)

__all__ = [
    "INVALID", "argument_error", "check_call", "check_integer", "invalid_combination",
    "parser_errors",
]  # fmt: skip

F = TypeVar("F", bound=Callable[..., Any])


def argument_error() -> Exception | None:
    """The error of the function called by the program; None for valid arguments.

    The errors of PyTorch's parser take precedence over all others.

    Example:
        >>> import edutorch as torch
        >>> torch.diagonal_scatter(torch.ones(2, 2), torch.ones(2), 0, 0, "a")
        Traceback (most recent call last):
        TypeError: diagonal_scatter(): argument 'dim2' (position 5) must be int, not str
    """
    call = entry_call()
    if call is None:
        return None
    written = call.written()
    method = call.method if written is None else written.method
    dotted = written is not None and (written.module is not None or method)
    name = written.name if written is not None and dotted else call.name
    if not signatures_of(name, method) and name not in PYTHON:
        name = call.name
    functional = not method and _is_functional(call, written)
    if name not in COMPILED if functional else name in PYTHON:
        return python_error("F." * functional + name, call.first_values())
    signatures = signatures_of(name, method)
    if not signatures:
        return None
    placed, named = call.given()
    words = parse(name, signatures, placed[method:], named)
    if not words:
        signature = fitting(name, signatures, placed[method:], named)
        return overflow(name, signature, placed[method:], named)
    if written is None and "unexpected keyword argument" in words:
        return None  # `nn.functional` may have one of that name, which accepts it
    return TypeError(words)


def method_error(name: str, args: tuple[Any, ...], named: dict[str, Any]) -> str:
    """PyTorch's message for arguments of a method that it does not take, or "".

    Example:
        >>> method_error("neg_", (1,), {})
        'TensorBase.neg_() takes no arguments (1 given)'
    """
    signatures = signatures_of(name, method=True)
    signatures = signatures or signatures_of(name.rstrip("_"), method=True)
    if signatures and not any(s.parameters for s in signatures):
        given = "no keyword arguments" if named else f"no arguments ({len(args)} given)"
        return f"TensorBase.{name}() takes {given}"
    return parse(name, signatures, list(args), named) if signatures else ""


def parser_errors(function: F) -> F:
    """Let errors of PyTorch's argument parser take precedence over other failures.

    For functions that use their arguments before an op checks them; it adds a frame.
    They also take all of NumPy's names, see Note [NumPy's names] in `dims.py`.

    Example:
        >>> @parser_errors
        ... def unsafe_split(tensor, split_size):
        ...     return split_size + 1
        >>> unsafe_split(None, 1)
        2
    """

    @functools.wraps(function)
    def compared(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            renamed = _without_numpy_names(compared, kwargs)
            if renamed == kwargs:
                raise_if(_instead_of(error))
                raise
        return function(*args, **renamed)

    return compared  # type: ignore[return-value]  # the signature is that of `function`


def check_call(usual: bool) -> None:
    """Compare the running call with PyTorch's signatures, except for common calls.

    For arguments that would be accepted by mistake, such as a list for a tensor.

    Raises:
        TypeError: with what PyTorch's parser says.

    Example:
        >>> check_call(True)
    """
    if not usual:
        raise_if(argument_error())


def check_integer(value: Any) -> None:
    """Compare a call in which a tensor is given for an integer with the signatures.

    Some accept only 0-d tensors of integers, others any tensor of one element.

    Raises:
        TypeError: with what PyTorch's parser says.

    Example:
        >>> check_integer(1)
    """
    if isinstance(value, Tensor):
        check_call(value._data.ndim == 0 and value._data.dtype.kind in "iu")


def _without_numpy_names(
    function: Callable[..., Any], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """The same arguments by the names that the function has for them.

    PyTorch's parser knows NumPy's names; functions written in Python do not.
    """
    public = public_of(function) if kwargs else None
    if public is None or public.module == FUNCTIONAL or public.name in PYTHON:
        return kwargs
    parameters = inspect.signature(function).parameters
    names = {
        other: own
        for own, others in OTHER_NAMES.items()
        for other in others
        if own in parameters and other not in parameters and own not in kwargs
    }
    return {names.get(key, key): value for key, value in kwargs.items()}


def _instead_of(error: Exception) -> Exception | None:
    """The parser's error, unless it has already been raised."""
    refusal = argument_error()
    return None if str(refusal) == str(error) else refusal


op_errors.argument_error = conversions.argument_error = argument_error
devices.argument_error = argument_error
op_errors.method_error = method_error

# Functions written in Python in PyTorch, although others of the same name are not.
PYTHON = frozenset(
    (
        "atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_tensors",
        "cartesian_prod", "cdist", "chain_matmul", "einsum", "lu", "meshgrid", "norm",
        "split", "stft", "tensordot", "unique", "unique_consecutive",
    )
)  # fmt: skip
# Functions of `nn.functional` that PyTorch has not written in Python.
COMPILED = frozenset(
    (
        "adaptive_avg_pool1d", "avg_pool1d", "avg_pool2d", "avg_pool3d", "bilinear",
        "celu_", "channel_shuffle", "conv1d", "conv2d", "conv3d", "conv_tbc",
        "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_similarity",
        "elu_", "gelu", "hardshrink", "hardtanh_", "leaky_relu_", "linear",
        "native_channel_shuffle", "one_hot", "pairwise_distance", "pdist",
        "pixel_shuffle", "pixel_unshuffle", "prelu", "relu_", "rrelu_",
        "scaled_dot_product_attention", "selu_", "softplus", "softshrink", "threshold_",
    )
)  # fmt: skip


def _is_functional(call: Call, written: SourceCall | None) -> bool:
    """Whether a function was taken from `nn.functional`."""
    module = None if written is None else written.module
    return (call.module if module is None else module) == FUNCTIONAL


def invalid_combination(function: str) -> Exception:
    """The error for arguments that are valid individually, but not together.

    Example:
        >>> import edutorch as torch
        >>> torch.prod(torch.ones(2), keepdim=True)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        TypeError: prod() received an invalid combination of arguments...
    """
    error = argument_error()
    if error is not None:
        return error
    call = call_of(function)
    if call.frame is None:
        return TypeError(f"{call.name}() {INVALID}")
    placed, named = call.given()
    method = not call.counts_self() or call.name.endswith("_")
    types = argument_types(placed[method:], named)
    return TypeError(f"{call.name}() {INVALID} - got ({types}), but expected one of:")


INVALID = "received an invalid combination of arguments"
