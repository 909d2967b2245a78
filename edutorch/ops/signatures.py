"""Public functions by the names that messages have for them, and what a call gave them.

A public function passes its name to whatever may refuse its arguments. The declared
signature then tells an argument's position. Only the words of a message need more: the
types of all arguments, which are read from the call that is about to fail.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import linecache
import sys
import textwrap
from collections.abc import Iterator
from types import FrameType, FunctionType
from typing import Any, NamedTuple

from ..callers import is_library
from ..tensor.tensor import Tensor

__all__ = ["Call", "call_of", "module_of", "names_in_call"]

# The public namespaces, and what PyTorch's messages put before the names of each.
NAMESPACES = {
    "": "", ".nn.functional": "", ".linalg": "linalg_", ".fft": "fft_",
    ".special": "special_",
}  # fmt: skip
PREFIXES = ("", "special_", "linalg_", "fft_")


class Public(NamedTuple):
    """A public function, by the name that messages have for it."""

    name: str
    function: FunctionType
    method: bool  # known to Tensor only

    def layers(self) -> Iterator[FunctionType]:
        """The function, and those that it is wrapped around."""
        function: Any = self.function
        while function is not None:
            yield function
            function = vars(function).get("__wrapped__")


class Call(NamedTuple):
    """A call of a public function that is about to be refused.

    Attributes:
        name: what messages call the function.
        method: whether it is Tensor's only: its arguments are counted after `self`.
        function: the function, if it is public.
        frame: where the values of its arguments are, if it is running.
    """

    name: str
    method: bool = False
    function: Any = None
    frame: FrameType | None = None

    def arguments(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names of the arguments that have a position, and of those that have none."""
        code = self._code()
        if code is None:
            return (), ()
        names, n = code.co_varnames, code.co_argcount
        return names[:n], names[n : n + code.co_kwonlyargcount]

    def values(self) -> dict[str, Any]:
        """The values that arguments have now."""
        return {} if self.frame is None else self.frame.f_locals

    def given(self) -> tuple[list[Any], dict[str, Any]]:
        """Values of the arguments that differ from their defaults, by place and name.

        Those that come after one left out are counted among the named ones.
        """
        placed, keywords = self.arguments()
        values = self.values()
        ends = getattr(self.function, "__defaults__", None) or ()
        defaults = dict(zip(placed[len(placed) - len(ends) :], ends, strict=True))
        defaults |= getattr(self.function, "__kwdefaults__", None) or {}
        own = [n for n in placed if values.get(n) is not defaults.get(n, self)]
        last = next((i for i, n in enumerate(placed) if n not in own), len(placed))
        named = [n for n in keywords if values.get(n) is not defaults.get(n, self)]
        named = [*own[last:], *named]
        return [values.get(n) for n in placed[:last]], {n: values[n] for n in named}

    def by_name(self) -> tuple[str, ...]:
        """The arguments that the call gives by name, if its source is known.

        Python tells a function nothing of this.
        """
        caller = self.frame and self.frame.f_back
        return () if caller is None else names_in_call(caller)

    def takes_many(self) -> bool:
        """Whether sizes may be given one by one: `f(2, 3)` for `f((2, 3))`."""
        code = self._code()
        return bool(
            code and code.co_flags & inspect.CO_VARARGS and code.co_argcount < 2
        )

    def _code(self) -> Any:
        if self.frame is not None:
            return self.frame.f_code
        return getattr(self.function, "__code__", None)


def names_in_call(caller: FrameType) -> tuple[str, ...]:
    """The keywords in the call that a frame is at, as its source spells them.

    Example:
        >>> import sys
        >>> names_in_call(sys._getframe(0))  # there is no keyword in this call
        ()
    """
    places = list(caller.f_code.co_positions())[caller.f_lasti // 2]
    first, last, start, end = places
    if first is None or last is None or start is None or end is None:
        return ()
    lines = linecache.getlines(caller.f_code.co_filename, caller.f_globals)
    cut = [line.encode() for line in lines[first - 1 : last]]
    if not cut:
        return ()
    cut[-1] = cut[-1][:end]
    cut[0] = cut[0][start:]
    try:
        call = ast.parse(textwrap.dedent(b"".join(cut).decode()), mode="eval").body
    except (SyntaxError, ValueError):
        return ()
    if not isinstance(call, ast.Call):
        return ()
    return tuple(k.arg for k in call.keywords if k.arg is not None)


def call_of(name: str = "") -> Call:
    """The running call of the public function of this name.

    A function that only wraps it (an in-place variant, the copy of a view) speaks for
    it. Without a name, it is the library's function that the program has called.
    """
    running = list(_running())
    if not name:
        return _called(running[-1])
    known = [p for prefix in PREFIXES for p in _by_name().get(prefix + name, ())]
    for i, frame in enumerate(running):
        for public in known:
            for function in public.layers():
                if frame.f_code is function.__code__:
                    speaker = _speaker(public, running[i + 1 :])
                    return Call(speaker.name, speaker.method, function, frame)
    return Call(name, function=known[0].function if known else None)


def module_of(name: str) -> str:
    """The module of `ops` in which a public function is defined.

    Example:
        >>> module_of("exp")
        'pointwise.exponential'
    """
    for public in _by_name().get(name, ()):
        return public.function.__module__.partition(".ops.")[2]
    return ""


def _running() -> Iterator[FrameType]:
    """The library's frames, from here to the line of the program."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and is_library(frame.f_code):
        yield frame
        frame = frame.f_back


def _called(frame: FrameType) -> Call:
    """The call of the function that the program has called."""
    for public in _all():
        if public.function.__code__ is frame.f_code:
            return Call(public.name, public.method, public.function, frame)
    return Call(frame.f_code.co_name, frame=frame)


def _speaker(public: Public, outer: list[FrameType]) -> Public:
    """The outermost public function that only wraps this one."""
    wrappers = [
        p for p in _all()
        if vars(p.function).get("__wrapped__") is public.function
    ]  # fmt: skip
    for frame in outer[:1]:
        for wrapper in wrappers:
            if wrapper.function.__code__ is frame.f_code:
                return _speaker(wrapper, outer[1:])
    return public


@functools.cache
def _all() -> list[Public]:
    """Every public function once."""
    found = {}
    for name, function, method in _functions():
        found.setdefault(id(function), Public(name, function, method))
    return list(found.values())


@functools.cache
def _by_name() -> dict[str, list[Public]]:
    """Every public function, by the name that messages have for it."""
    found: dict[str, list[Public]] = {}
    for public in _all():
        found.setdefault(public.name, []).append(public)
    return found


def _functions() -> Iterator[tuple[str, FunctionType, bool]]:
    package = __name__.partition(".")[0]
    for namespace, prefix in NAMESPACES.items():
        # All are imported, lest a message depend on what the program has asked for.
        module = importlib.import_module(package + namespace)
        for function in map(_unwrapped, vars(module).values()):
            if isinstance(function, FunctionType):
                name = function.__name__.removeprefix(prefix)
                yield prefix + name, function, False
    for function in map(_unwrapped, vars(Tensor).values()):
        if isinstance(function, FunctionType):
            yield function.__name__.removeprefix("_tensor_"), function, True


def _unwrapped(value: Any) -> Any:
    """The function itself where subclasses of Tensor have put theirs around it."""
    wrapped = not isinstance(value, FunctionType) and hasattr(value, "__wrapped__")
    return value.__wrapped__ if wrapped else value
