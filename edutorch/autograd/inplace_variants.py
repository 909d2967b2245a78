"""In-place variants of operations, made from the ordinary functions.

A variant checks whether the tensor may be changed, runs the function on an alias with
the old history, and `update` writes the result.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from types import CodeType
from typing import Any, cast

from ..tensor.tensor import Tensor
from . import batched_tensor as vmapped
from . import modes as _m
from . import op_errors
from .batched_tensor import any_batched
from .inplace import (
    alias_with_history,
    check_writable,
    update,
    update_overlapping,
)
from .memory_overlap import (
    overlaps_itself,
    refuse_overlap,
    refuse_partial_overlap,
)
from .modes import modes, no_grad
from .op_errors import check_result, refuse_view

__all__ = ["IN_PLACE_CODE", "in_place", "second_overload"]

IN_PLACE_CODE: set[CodeType] = set()  # what all in-place variants run
# PyTorch writes these to expanded tensors; all others are errors.
WRITE_OVER_THEMSELVES = (
    "index_fill_", "masked_fill_", "nan_to_num_", "threshold_", "tril_", "triu_",
)  # fmt: skip
# These look at the memory of the tensor before all else.
MEMORY_FIRST = ("index_copy_", "masked_scatter_")
# These refuse operands that share any memory with the tensor. By name, the errors that
# PyTorch finds later: those of an index's numbers, or all its own.
BOUNDS = "is out of bounds for|out of range in self"
DISJOINT = {
    **dict.fromkeys(("index_add_", "index_fill_", "index_reduce_"), BOUNDS),
    **dict.fromkeys(("scatter_", "scatter_add_", "scatter_reduce_"), BOUNDS),
    "index_copy_": r"index_copy_\(\): (?!self and source)",
}
# PyTorch has no derivatives of these: they change even leaves that require grad.
UNRECORDED = ("logical_and_", "logical_not_", "logical_or_", "logical_xor_")


def in_place(
    function: Callable[..., Any], name: str, before: Callable[..., None] | None = None,
    operator: bool = False, refuse: Callable[..., None] | None = None,
    composed: bool = False, fit: Callable[[Tensor, Tensor], None] | None = None,
) -> Callable[..., Tensor]:  # fmt: skip
    """The in-place variant of an operation, as a method.

    Args:
        before: called with all arguments, and raises errors that only the variant
            raises.
        operator: whether it is to be an augmented operator such as `+=`.
        refuse: called with all arguments of a call that has failed, and raises what the
            variant looks at first.
        composed: whether PyTorch composes the variant of others, so that the errors of
            `before` come before those of the tensor.
        fit: called with the tensor and the result, if only then the memory is checked;
            it refuses a result of another shape, or resizes the tensor.
    """
    overlapping, unrecorded = name in WRITE_OVER_THEMSELVES, name in UNRECORDED
    disjoint, checked = name in DISJOINT, _checked_for_overlap(name)

    @functools.wraps(function)
    def variant(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        if _m.special_modes and any_batched((self, *args, *kwargs.values())):
            return vmapped.run_in_place(self, function, name, args, kwargs)
        if _m.special_modes and modes.autocast:
            return _without_autocast(variant, self, args, kwargs)
        if unrecorded and modes.grad:
            return no_grad()(variant)(self, *args, **kwargs)
        try:
            check_writable(self, overlapping=overlapping, memory=fit is None)
        except (AttributeError, RuntimeError) as error:
            _refuse_first(error, before, composed, self, function, args, kwargs, name)
            raise
        if self._storage is not None:
            refuse_partial_overlap(self, args[checked])
        try:
            if before is not None:
                before(self, *args, **kwargs)
        except TypeError as error:
            raise _unless_deeper(error, name, args, kwargs) from None
        old = alias_with_history(self)
        if modes.saved_hooks:  # they may save the memory that is about to change
            old._data, old._storage = old._data.copy(), None
        try:
            new = function(old, *args, **kwargs)
        except TypeError as error:
            if operator:  # Python then tries the other operand
                return NotImplemented
            raise _refused_arguments(error, name, args, kwargs) from None
        except (RuntimeError, IndexError) as error:
            _explain(error, refuse, self, args, kwargs)
            _refuse_any_shared(name, self, args, kwargs, str(error))
            raise
        if disjoint:
            _refuse_any_shared(name, self, args, kwargs)
        if fit is not None and new._device is self._device:
            fit(self, new)
        several = overlapping and overlaps_itself(self._data)
        return (update_overlapping if several else update)(self, old, new)

    return _named(variant, name)


def second_overload(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of an in-place variant whose node PyTorch counts as another one.

    Example:
        >>> second_overload(Tensor.abs)(Tensor([-1.0])).item()
        1.0
    """

    @functools.wraps(function)
    def counted(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        if result._grad_fn is not None and result is not args[0]:
            result._grad_fn.overload = 1
        return result

    return counted


def _refuse_any_shared(
    name: str, self: Tensor, args: Any, kwargs: Any, error: str = ""
) -> None:
    """Refuse operands that share memory with the tensor, unless `error` comes before.

    The value of `index_fill_` is read before anything is written.
    """
    later = DISJOINT.get(name)
    if later is not None and (not error or re.search(later, error)):
        given = {**dict(enumerate(args)), **kwargs}
        if name == "index_fill_":
            given = {k: v for k, v in given.items() if k in (1, "index")}
        refuse_overlap(self, given.values())


def _checked_for_overlap(name: str) -> slice:
    """The operands that may not share a part of the memory that is written to.

    `masked_scatter_` reads as it writes, `masked_fill_` reads its number before, and
    `ldexp_` is composed.
    """
    if name in DISJOINT or name in ("ldexp_", "masked_scatter_"):
        return slice(0)
    return slice(1) if name == "masked_fill_" else slice(None)


def _named(variant: Any, name: str) -> Callable[..., Tensor]:
    """An in-place variant under its own name."""
    IN_PLACE_CODE.add(variant.__code__)
    variant.__name__ = variant.__qualname__ = name
    variant.__doc__ = (
        f"In-place `{name[:-1]}`: the result replaces the tensor's values."
    )
    return cast("Callable[..., Tensor]", variant)


def _explain(
    error: Exception, refuse: Any, self: Tensor, args: Any, kwargs: Any
) -> None:
    """Raise what the variant looks at before that which has failed, if it fails, too.

    Raises:
        RuntimeError: from `refuse`, or for a result that does not fit.
    """
    _refuse_history(self, args, kwargs)
    if isinstance(error, IndexError):
        return
    if refuse is not None:
        refuse(self, *args, **kwargs)
    check_result(error, self)


def _refuse_history(self: Any, args: Any, kwargs: Any) -> None:
    """Refuse a view that cannot have the history of the operands of a failed call.

    Raises:
        RuntimeError: for it.
    """
    view = getattr(self, "_base", None) is not None and not self._inference
    if modes.grad and view:
        operands = (*args, *kwargs.values())
        if any(getattr(t, "_requires_grad", False) for t in operands):
            refuse_view(self, "is being")


def _not_a_tensor(value: Any, name: str) -> TypeError:
    kind = type(value).__name__
    return TypeError(
        f"{name}(): argument 'input' (position 1) must be Tensor, not {kind}"
    )


def _refuse_first(
    refusal: Exception, before: Any, composed: bool, self: Any,
    function: Callable[..., Any], args: Any, kwargs: Any, name: str,
) -> None:  # fmt: skip
    """Refuse what PyTorch refuses before it refuses to write to `self`.

    Raises:
        TypeError: for arguments of a wrong type, as the function does.
        RuntimeError: from `before`, if the variant is composed; if only the memory of
            `self` is to be refused, from the function's own checks, too.
    """
    if isinstance(refusal, AttributeError):
        if isinstance(self, Tensor):
            return
        raise _not_a_tensor(self, name) from None
    if not composed:
        _refuse_history(self, args, kwargs)
    memory = _has_writable_history(self)
    if before is not None and (composed or memory):
        before(self, *args, **kwargs)
    with no_grad():
        try:
            function(self.detach(), *args, **kwargs)
        except TypeError as error:
            raise _refused_arguments(error, name, args, kwargs) from None
        except Exception as error:
            if memory and not (name in MEMORY_FIRST or getattr(error, "late", False)):
                raise


def _has_writable_history(self: Tensor) -> bool:
    """Whether nothing but its memory forbids to change a tensor."""
    try:
        check_writable(self, memory=False)
    except RuntimeError:
        return False
    return True


def _refused_arguments(
    error: TypeError, name: str, args: Any, kwargs: Any
) -> TypeError:
    """The refusal of arguments of a method, in PyTorch's words.

    Python itself refuses those that fit no parameter; the error has no frame then.
    """
    refusal = _unless_deeper(error, name, args, kwargs)
    return _with_method_positions(error, name) if refusal is error else refusal


def _unless_deeper(error: TypeError, name: str, args: Any, kwargs: Any) -> TypeError:
    """PyTorch's words for arguments that Python itself has refused."""
    trace = error.__traceback__
    if trace is None or trace.tb_next is not None:  # a function has refused them
        return error
    words = op_errors.method_error(name, args, kwargs)
    return TypeError(words) if words else error


def _with_method_positions(error: TypeError, name: str) -> TypeError:
    """The refusal of an argument, as the method counts arguments: without the first."""
    found = re.match(r"(\w+)(\(\): argument '\w+' )(\(position )?(\d*)", str(error))
    if found is None or found[1] != name.rstrip("_") or found[4] == "1":
        return error
    rest = str(error)[found.end() :]
    if not found[3]:  # it can only be named
        return TypeError(f"{name}{found[2]}{rest}")
    return TypeError(f"{name}{found[2]}{found[3]}{int(found[4]) - 1}{rest}")


def _without_autocast(variant: Any, self: Tensor, args: Any, kwargs: Any) -> Tensor:
    """Run without autocast: an in-place change keeps the dtype."""
    before, modes.autocast = modes.autocast, frozenset()
    try:
        return variant(self, *args, **kwargs)
    finally:
        modes.autocast = before
