"""How autocast gets between a program and the public functions, and what it does.

Note [Functions with another body]
Public functions are called from everywhere: a program may have imported `linear` by
name, modules have, and `criterion = F.cross_entropy` is common. To find all of them,
`divert` changes the functions themselves: while any thread casts, the functions on the
lists have a body that calls their `Listed`, which casts the operands and runs the body
that they had. `restore` gives that back. So a program that does not cast, or does not
cast any more, runs what is written in `edutorch/ops` and nothing else.
"""

from __future__ import annotations

import importlib
import inspect
import os
import threading
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from ..autograd import modes as _m
from ..autograd.modes import modes
from ..dtypes import dtype, float32, float64, promote_types
from ..tensor.tensor import Tensor
from .lists import LISTS

__all__ = ["Listed", "divert", "functions", "restore", "weights"]

SPACES = (
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
        self.keeping = True
        self.casts: dict[int, tuple[Tensor, Tensor]] = {}


weights = _Weights()
_lock = threading.Lock()
_listed: list[Listed] = []


class Listed:
    """A public function while somebody casts: its own body, and its rules.

    Attributes:
        rules: for kinds of device, what is done with the operands.
    """

    def __init__(self, function: Any) -> None:
        self.function = function
        self.plain = FunctionType(
            function.__code__, function.__globals__, function.__name__,
            function.__defaults__,
        )  # fmt: skip
        self.plain.__kwdefaults__ = function.__kwdefaults__
        self.rules: dict[str, Callable[..., Any]] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        on = modes.autocast
        if on is None or kwargs.get("out") is not None:
            return self.plain(*args, **kwargs)
        kinds = {t._device.type for t in _tensors(args, kwargs)}
        kinds &= self.rules.keys() & on.keys()
        if not kinds:
            return self.plain(*args, **kwargs)
        modes.autocast = None
        try:
            for kind in kinds:
                args, kwargs = self.rules[kind](
                    self.plain, kind, on[kind], args, kwargs
                )
            return self.plain(*args, **kwargs)
        finally:
            modes.autocast = on


def _body(*args: Any, _listed: Listed, **kwargs: Any) -> Any:
    return _listed(*args, **kwargs)


def divert() -> None:
    """Give the functions on the lists their other body; see the Note."""
    with _lock:
        _m.casting += 1
        if _m.casting > 1:
            return
        if not _listed:
            _listed.extend(functions().values())
        for listed in _listed:  # the default first: the old body does not mind it
            function, defaults = listed.function, listed.plain.__kwdefaults__ or {}
            function.__kwdefaults__ = {**defaults, "_listed": listed}
            function.__code__ = _body.__code__


def restore() -> None:
    """Give the functions their own body back, if no other thread casts."""
    with _lock:
        _m.casting -= 1
        if _m.casting:
            return
        for listed in _listed:
            listed.function.__code__ = listed.plain.__code__
            listed.function.__kwdefaults__ = listed.plain.__kwdefaults__


def functions() -> dict[Any, Listed]:
    """What is on the lists, by function."""
    found: dict[Any, Listed] = {}
    for kind, rules in LISTS.items():
        for rule, names in rules.items():
            for name in names.split():
                for function in named(name):
                    listed = found.setdefault(function, Listed(function))
                    listed.rules[kind] = RULES[rule]
    return found


def named(name: str) -> Iterator[Any]:
    """The functions that a name on the lists stands for."""
    room, _, last = name.rpartition(".")
    homes: list[Any] = [importlib.import_module(s) for s in SPACES
                        if not room or s.endswith("." + room)]  # fmt: skip
    for home in homes if room else [*homes[:2], Tensor]:
        function = getattr(home, last, None)
        function = getattr(function, "plain", function)  # behind `Overridable`
        if isinstance(function, FunctionType):
            yield function


# ---- operands


def _tensors(args: Any, kwargs: Any) -> Iterator[Tensor]:
    for value in (*args, *kwargs.values()):
        for t in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(t, Tensor):
                yield t


def _mapped(cast: Callable[[Tensor], Tensor], kind: str, args: Any, kwargs: Any) -> Any:
    """Arguments with `cast` done to the floating-point tensors of a kind of device."""

    def one(value: Any) -> Any:
        if isinstance(value, Tensor):
            return cast(value) if _takes_part(value, kind) else value
        if isinstance(value, (list, tuple)) and any(True for _ in _tensors(value, {})):
            return type(value)(map(one, value))
        return value

    return tuple(map(one, args)), {name: one(v) for name, v in kwargs.items()}


def _takes_part(t: Tensor, kind: str) -> bool:
    """Whether a tensor may be cast: doubles, integers and complex numbers are not."""
    return t._device.type == kind and t.is_floating_point() and t.dtype is not float64


def _cast(t: Tensor, target: dtype) -> Tensor:
    return t if t.dtype is target else t.to(target)


def _cast_down(t: Tensor, target: dtype) -> Tensor:
    """A cast for products; that of a weight is made once and kept."""
    weight = t.dtype is float32 and t._requires_grad and t.is_leaf and t._base is None
    if not (weight and weights.keeping and modes.grad):
        return _cast(t, target)
    found = weights.casts.get(id(t))
    if found is None or found[1].dtype is not target:
        found = weights.casts[id(t)] = (t, _cast(t, target))
    return found[1]


# ---- rules: what is done with operands


def _lower(plain: Any, kind: str, low: dtype, args: Any, kwargs: Any) -> Any:
    return _mapped(lambda t: _cast_down(t, low), kind, args, kwargs)


def _single(plain: Any, kind: str, low: dtype, args: Any, kwargs: Any) -> Any:
    return _mapped(lambda t: _cast(t, float32), kind, args, kwargs)


def _single_pads(plain: Any, kind: str, low: dtype, args: Any, kwargs: Any) -> Any:
    """Of the ways to pad, those that repeat what is there."""
    given = inspect.signature(plain).bind(*args, **kwargs).arguments
    if given.get("mode") not in ("reflect", "replicate"):
        return args, kwargs
    return _single(plain, kind, low, args, kwargs)


def _single_result(plain: Any, kind: str, low: dtype, args: Any, kwargs: Any) -> Any:
    given = inspect.signature(plain).bind(*args, **kwargs).arguments
    first = next(_tensors(args, kwargs))
    if not _takes_part(first, kind) or given.get("dtype") is not None:
        return args, kwargs
    return args, {**kwargs, "dtype": float32}


def _widest(plain: Any, kind: str, low: dtype, args: Any, kwargs: Any) -> Any:
    target = low
    for t in _tensors(args, kwargs):
        if not _takes_part(t, kind):
            continue
        if t.dtype is not float32 and t.dtype is not low:
            raise RuntimeError(
                "Unexpected floating ScalarType in at::autocast::prioritize"
            )
        target = promote_types(target, t.dtype)
    return _mapped(lambda t: _cast(t, target), kind, args, kwargs)


def _plain(plain: Any, kind: str, low: dtype, args: Any, kwargs: Any) -> Any:
    return args, kwargs


def _refused(plain: Any, kind: str, low: dtype, args: Any, kwargs: Any) -> Any:
    raise RuntimeError(UNSAFE)


RULES = {
    "lower": _lower, "single": _single, "single_pads": _single_pads,
    "single_result": _single_result, "widest": _widest, "plain": _plain,
    "refused": _refused,
}  # fmt: skip


def _after_fork() -> None:
    """A thread that held the lock is not there in a forked process."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
