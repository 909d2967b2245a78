"""Casts the operands of functions on autocast's lists.

Note [Functions that autocast]
Public functions are called from everywhere: a program may have imported `linear` by
name, modules have, and `criterion = F.cross_entropy` is common. So a function on the
lists tests in its first lines whether it casts in this thread:

    if _m.special_modes and linear in _m.modes.autocast:
        return _m.autocast(linear, input, weight, bias, out=out)

`_m.special_modes` is set while any rarely used mode is active; otherwise the test
takes 3 ns. `modes.autocast` is an `Autocast`; it casts the operands and calls the
function again, with autocast off: the functions of which it is composed run in the
dtype chosen for it. As in PyTorch, calls with `out=` do not cast.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import threading
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import Any

from ..autograd.modes import modes
from ..dtypes import dtype, float32, float64, promote_types
from ..tensor.tensor import Tensor
from .lists import LISTS

__all__ = ["Autocast", "rules", "weights"]

NAMESPACES = (
    "edutorch.ops", "edutorch.nn.functional", "edutorch.linalg", "edutorch.fft",
    "edutorch.sparse",
)  # fmt: skip
UNSAFE = (
    "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to "
    "autocast.\nMany models use a sigmoid layer right before the binary cross entropy "
    "layer.\nIn this case, combine the two layers using "
    "torch.nn.functional.binary_cross_entropy_with_logits\nor "
    "torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and "
    "BCEWithLogits are\nsafe to autocast."
)


class _Weights(threading.local):
    """Leaves that were cast, with the result, until the outermost block ends."""

    def __init__(self) -> None:
        self.caching = True
        self.casts: dict[int, tuple[Tensor, Tensor]] = {}


weights = _Weights()


class Autocast:
    """The functions that cast their operands, for the device types that autocast.

    Example:
        >>> import edutorch as torch
        >>> on = Autocast({"cpu": torch.bfloat16})
        >>> torch.mm in on, torch.exp in on
        (True, False)
        >>> on.call(torch.mm, (torch.ones(1, 1), torch.ones(1, 1)), {}).dtype
        torch.bfloat16
    """

    def __init__(
        self, dtypes: Mapping[str, dtype], but: frozenset[Any] = frozenset()
    ) -> None:
        self.dtypes = dtypes
        self.but = but  # functions that are running, and found nothing to cast

    def __contains__(self, function: Any) -> bool:
        return function not in self.but and not (
            self.dtypes.keys().isdisjoint(rules().get(function, ()))
        )

    def call(self, function: Any, args: Any, kwargs: Any) -> Any:
        """The result of a function, its operands cast."""
        listed = rules()[function]
        kinds = {t._device.type for t in _tensors(args, kwargs)}
        kinds &= listed.keys() & self.dtypes.keys()
        filled = kwargs.get("out") is not None
        if filled:
            kinds.clear()
        before = modes.autocast
        if kinds or filled:
            modes.autocast = frozenset()
        else:  # the functions it calls may cast
            modes.autocast = Autocast(self.dtypes, self.but | {function})
        try:
            for kind in kinds:
                rule = listed[kind]
                args, kwargs = rule(function, kind, self.dtypes[kind], args, kwargs)
            return function(*args, **kwargs)
        finally:
            modes.autocast = before


@functools.cache
def rules() -> dict[Any, dict[str, Callable[..., Any]]]:
    """The functions on the lists, and how they cast operands, by device type."""
    found: dict[Any, dict[str, Callable[..., Any]]] = {}
    for kind, by_rule in LISTS.items():
        for rule, names in by_rule.items():
            for name in names.split():
                for function in functions_named(name):
                    found.setdefault(function, {})[kind] = RULES[rule]
    return found


def functions_named(name: str) -> Iterator[Any]:
    """The functions that a name on the lists denotes."""
    namespace, _, last = name.rpartition(".")
    homes: list[Any] = [importlib.import_module(s) for s in NAMESPACES
                        if not namespace or s.endswith("." + namespace)]  # fmt: skip
    for home in homes if namespace else [*homes[:2], Tensor]:
        function = getattr(home, last, None)
        function = getattr(function, "function", function)  # behind `Overridable`
        function = getattr(function, "stands_for", function)  # of an operator
        if isinstance(function, FunctionType):
            yield function


# ---- operands


def _tensors(args: Any, kwargs: Any) -> Iterator[Tensor]:
    for value in (*args, *kwargs.values()):
        for t in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(t, Tensor):
                yield t


def _map_tensors(
    cast: Callable[[Tensor], Tensor], kind: str, args: Any, kwargs: Any
) -> Any:
    """Apply `cast` to the floating-point tensors on a type of device."""

    def one(value: Any) -> Any:
        if isinstance(value, Tensor):
            return cast(value) if _is_castable(value, kind) else value
        if isinstance(value, (list, tuple)) and any(True for _ in _tensors(value, {})):
            return type(value)(map(one, value))
        return value

    return tuple(map(one, args)), {name: one(v) for name, v in kwargs.items()}


def _is_castable(t: Tensor, kind: str) -> bool:
    """Whether a tensor may be cast: doubles, integers and complex numbers are not."""
    return t._device.type == kind and t.is_floating_point() and t.dtype is not float64


def _cast(t: Tensor, target: dtype) -> Tensor:
    return t if t.dtype is target else t.to(target)


def _cast_down(t: Tensor, target: dtype) -> Tensor:
    """Cast an operand of a product; a weight is cast once, and the result kept."""
    weight = t.dtype is float32 and t._requires_grad and t.is_leaf and t._base is None
    if not (weight and weights.caching and modes.grad):
        return _cast(t, target)
    found = weights.casts.get(id(t))
    if found is None or found[1].dtype is not target:
        found = weights.casts[id(t)] = (t, _cast(t, target))
    return found[1]


# ---- rules: what is done with operands


def _cast_to_low(function: Any, kind: str, low: dtype, args: Any, kwargs: Any) -> Any:
    return _map_tensors(lambda t: _cast_down(t, low), kind, args, kwargs)


def _cast_to_single(
    function: Any, kind: str, low: dtype, args: Any, kwargs: Any
) -> Any:
    return _map_tensors(lambda t: _cast(t, float32), kind, args, kwargs)


def _single_pads(function: Any, kind: str, low: dtype, args: Any, kwargs: Any) -> Any:
    """Cast to single precision for paddings that repeat existing elements."""
    given = inspect.signature(function).bind(*args, **kwargs).arguments
    if given.get("mode") not in ("reflect", "replicate"):
        return args, kwargs
    return _cast_to_single(function, kind, low, args, kwargs)


def _single_result(function: Any, kind: str, low: dtype, args: Any, kwargs: Any) -> Any:
    given = inspect.signature(function).bind(*args, **kwargs)
    first = next(_tensors(args, kwargs))
    if _is_castable(first, kind) and given.arguments.get("dtype") is None:
        given.arguments["dtype"] = float32
    return given.args, given.kwargs


def _widest(function: Any, kind: str, low: dtype, args: Any, kwargs: Any) -> Any:
    target = low
    for t in _tensors(args, kwargs):
        if not _is_castable(t, kind):
            continue
        if target is not float32 and t.dtype not in (float32, low):
            raise RuntimeError(
                "Unexpected floating ScalarType in at::autocast::prioritize"
            )
        target = promote_types(target, t.dtype)
    return _map_tensors(lambda t: _cast(t, target), kind, args, kwargs)


def _unchanged(function: Any, kind: str, low: dtype, args: Any, kwargs: Any) -> Any:
    return args, kwargs


def _refused(function: Any, kind: str, low: dtype, args: Any, kwargs: Any) -> Any:
    raise RuntimeError(UNSAFE)


RULES = {
    "lower": _cast_to_low, "single": _cast_to_single, "single_pads": _single_pads,
    "single_result": _single_result, "widest": _widest, "unchanged": _unchanged,
    "refused": _refused,
}  # fmt: skip
