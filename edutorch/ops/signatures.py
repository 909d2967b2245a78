"""Which public function is running: asked only after a failure, for its message.

Functions are known by the identity of their code, so that a message never has the name
of a helper, whatever helpers are called.
"""

from __future__ import annotations

import collections
import dis
import functools
import importlib
import inspect
import itertools
import sys
from collections.abc import Iterator
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

from ..tensor.tensor import Tensor

__all__ = ["Asked", "asked"]

# The public namespaces, and what PyTorch's messages put before the names of each.
NAMESPACES = {
    "": "", ".nn.functional": "", ".linalg": "linalg_", ".fft": "fft_",
    ".special": "special_",
}  # fmt: skip


class Public(NamedTuple):
    """A public function, by the name that messages have for it."""

    name: str
    function: FunctionType
    method: bool  # known to Tensor only


class Asked(NamedTuple):
    """The public function that is running.

    Attributes:
        name: what messages call it.
        method: whether it is Tensor's only: its arguments are counted after `self`.
        frame: where the values of its arguments are.
        function: what has been called, if it is public.
    """

    name: str
    method: bool
    frame: FrameType
    function: Any = None

    def arguments(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names of the arguments that have a position, and of those that have none."""
        code = self.frame.f_code
        names, n = code.co_varnames, code.co_argcount
        return names[:n], names[n : n + code.co_kwonlyargcount]

    def given(self) -> tuple[list[Any], dict[str, Any]]:
        """Values of the arguments that differ from their defaults, by place and name.

        Those that come after one left out are counted among the named ones.
        """
        placed, keywords = self.arguments()
        values = self.frame.f_locals
        ends = getattr(self.function, "__defaults__", None) or ()
        defaults = dict(zip(placed[len(placed) - len(ends) :], ends, strict=True))
        defaults |= getattr(self.function, "__kwdefaults__", None) or {}
        own = [n for n in placed if values.get(n) is not defaults.get(n, self)]
        last = next((i for i, n in enumerate(placed) if n not in own), len(placed))
        named = [n for n in keywords if values.get(n) is not defaults.get(n, self)]
        named = [*own[last:], *named]
        return [values.get(n) for n in placed[:last]], {n: values[n] for n in named}

    def by_name(self) -> tuple[str, ...]:
        """The names of the arguments that the call gives by name.

        Python tells a function nothing of this; the caller's byte code does.
        """
        caller = self.frame.f_back
        if caller is None:
            return ()
        steps = itertools.takewhile(
            lambda step: step.offset <= caller.f_lasti,
            dis.get_instructions(caller.f_code),
        )
        last = collections.deque(steps, maxlen=3)
        if last and last[-1].opname == "CALL_KW":  # Python 3.13
            return tuple(last[-2].argval)
        names = [s.arg for s in last if s.opname == "KW_NAMES"]
        return tuple(caller.f_code.co_consts[names[0] or 0]) if names else ()

    def takes_many(self) -> bool:
        """Whether sizes may be given one by one: `f(2, 3)` for `f((2, 3))`."""
        code = self.frame.f_code
        return bool(code.co_flags & inspect.CO_VARARGS and code.co_argcount < 2)


def asked() -> Asked:
    """The innermost public function that is running.

    One that only stands around another (an in-place twin, the copy of a view) speaks
    for it. Where none runs, it is the function that the program has called.
    """
    inner: list[FrameType] = []
    for frame in _frames():
        public = _public_of(frame)
        if public is None:
            inner.append(frame)
            continue
        wrapped = getattr(public.function, "__wrapped__", None)
        code = getattr(wrapped, "__code__", None)
        holding = next((f for f in inner[::-1] if f.f_code is code), frame)
        called = public.function if holding is frame else wrapped
        return Asked(*_spokesman(public, frame), holding, called)
    frame = _called(inner)
    return Asked(frame.f_code.co_name, False, frame)


def _frames() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        yield frame
        frame = frame.f_back


def _spokesman(public: Public, frame: FrameType) -> tuple[str, bool]:
    """Name and kind of the outermost public function that only wraps this one."""
    while frame.f_back is not None:
        frame = frame.f_back
        outer = _public_of(frame)
        if outer is None or vars(outer.function).get("__wrapped__") != public.function:
            break
        public = outer
    return public.name, public.method


def _called(frames: list[FrameType]) -> FrameType:
    """The library's function that the program has called."""
    package = __name__.partition(".")[0] + "."
    named = [frame.f_globals.get("__name__", "") for frame in frames]
    outside = [not name.startswith(package) for name in named]
    return frames[max(outside.index(True) - 1, 0) if any(outside) else -1]


def _public_of(frame: FrameType) -> Public | None:
    """The public function whose frame this is."""
    for public in _by_code().get(frame.f_code, ()):
        closed = zip(
            public.function.__code__.co_freevars,
            public.function.__closure__ or (),
            strict=True,
        )  # functions made by one factory share their code, and differ in these
        if all(frame.f_locals.get(n) is cell.cell_contents for n, cell in closed):
            return public
    return None


@functools.cache
def _by_code() -> dict[CodeType, list[Public]]:
    """Every public function."""
    found: dict[CodeType, list[Public]] = {}
    seen = set()
    for name, function, method in _functions():
        if id(function) not in seen:
            seen.add(id(function))
            public = Public(name, function, method)
            found.setdefault(function.__code__, []).append(public)
    return found


def _functions() -> Iterator[tuple[str, FunctionType, bool]]:
    package = __name__.partition(".")[0]
    for namespace, prefix in NAMESPACES.items():
        # All are imported, lest a message depend on what the program has asked for.
        module = importlib.import_module(package + namespace)
        for function in map(_plain, vars(module).values()):
            if isinstance(function, FunctionType):
                name = function.__name__.removeprefix(prefix)
                yield prefix + name, function, False
    for function in map(_plain, vars(Tensor).values()):
        if isinstance(function, FunctionType):
            yield function.__name__.removeprefix("_tensor_"), function, True


def _plain(value: Any) -> Any:
    """The function itself where subclasses of Tensor have put theirs around it."""
    wrapped = not isinstance(value, FunctionType) and hasattr(value, "__wrapped__")
    return value.__wrapped__ if wrapped else value
