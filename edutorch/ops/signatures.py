"""Names of public functions in error messages, and the arguments of a call.

A public function passes its name to the checks of its arguments. The declared
signature gives the position of an argument. Only an error message needs more: the
types of all arguments, which are read from the frame of the call about to fail.
"""

from __future__ import annotations

import ast
import dis
import functools
import importlib
import inspect
import sys
from collections.abc import Iterator
from types import FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

from ..callers import is_library
from ..errors import locals_of
from ..syntax_trees import expression_at
from ..tensor.tensor import Tensor

__all__ = [
    "FUNCTIONAL",
    "Call",
    "SourceCall",
    "Unknown",
    "call_of",
    "entry_call",
    "module_of",
    "public_of",
    "source_call",
]

# The public namespaces, and what PyTorch's messages put before the names of each.
PACKAGE = __name__.partition(".")[0]
FUNCTIONAL = ".nn.functional"
NAMESPACES = {
    "": "", FUNCTIONAL: "", ".linalg": "linalg_", ".fft": "fft_",
    ".special": "special_",
}  # fmt: skip
OVERRIDES = f"{PACKAGE}.overrides"  # wraps functions
PREFIXES = ("", "special_", "linalg_", "fft_")


class Unknown:
    """Stands for an argument that a running function has overwritten."""


class Public(NamedTuple):
    """A public function and its name in messages."""

    name: str
    function: FunctionType
    method: bool  # functions that exist only as methods
    module: str = ""

    def layers(self) -> Iterator[FunctionType]:
        """The function and those that it wraps."""
        function: Any = self.function
        while function is not None:
            yield function
            function = vars(function).get("__wrapped__")


class Call(NamedTuple):
    """A call of a public function that is about to fail.

    Attributes:
        name: what messages call the function.
        method: whether it is Tensor's only: its arguments are counted after `self`.
        function: the function, if it is public.
        frame: where the values of its arguments are, if it is running.
        entry: the frame of what the program has called: this one, or one around it.
        module: the module of the function; "" for the package itself, and methods.
    """

    name: str
    method: bool = False
    function: Any = None
    frame: FrameType | None = None
    entry: FrameType | None = None
    module: str = ""

    def arguments(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names of positional and of keyword-only arguments."""
        code = self._code()
        if code is None:
            return (), ()
        names, n = code.co_varnames, code.co_argcount
        return names[:n], names[n : n + code.co_kwonlyargcount]

    def values(self) -> dict[str, Any]:
        """The current values of the arguments."""
        return {} if self.frame is None else locals_of(self.frame)

    def written(self) -> SourceCall | None:
        """The call as written in the program, if its source is known."""
        entry = self.entry or self.frame
        caller = entry and entry.f_back
        while caller is not None and caller.f_globals.get("__name__") == OVERRIDES:
            caller = caller.f_back
        return None if caller is None else source_call(caller)

    def given(self) -> tuple[list[Any], dict[str, Any]]:
        """The positional and named arguments, as PyTorch lists them.

        Where the source is not known they are those that differ from their defaults;
        those that come after one left out are counted among the named ones.
        """
        placed, keywords = self.arguments()
        code = self._code()
        rest: list[Any] = []
        if code is not None and code.co_flags & inspect.CO_VARARGS:
            values, at = self.values(), len(placed) + len(keywords)
            rest = [*values.get(code.co_varnames[at], ())]
            if code.co_flags & inspect.CO_VARKEYWORDS:
                listed = [values[n] for n in placed] + rest
                return listed, dict(reversed(values[code.co_varnames[at + 1]].items()))
        values = self.first_values()
        written = self.written()
        if written is not None and {*written.keywords} <= {*placed, *keywords}:
            listed = [values.get(n) for n in placed[: written.placed]] + rest
            return listed, {n: values.get(n) for n in reversed(written.keywords)}
        return self._given_by_value(values, rest)

    def _given_by_value(
        self, values: dict[str, Any], rest: list[Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        """The arguments that differ from their defaults."""
        placed, keywords = self.arguments()
        ends = getattr(self.function, "__defaults__", None) or ()
        defaults = dict(zip(placed[len(placed) - len(ends) :], ends, strict=True))
        defaults |= getattr(self.function, "__kwdefaults__", None) or {}
        own = [n for n in placed if values.get(n) is not defaults.get(n, self)]
        last = next((i for i, n in enumerate(placed) if n not in own), len(placed))
        named = [n for n in keywords if values.get(n) is not defaults.get(n, self)]
        named = [*own[last:], *named]
        listed = [values.get(n) for n in placed[:last]] + rest
        return listed, {n: values[n] for n in named}

    def first_values(self) -> dict[str, Any]:
        """The original values of the arguments.

        Values that may have been overwritten are unknown.
        """
        if self.frame is None:
            return {}
        code = self.frame.f_code
        if code.co_flags & inspect.CO_VARKEYWORDS:  # passes all arguments on
            placed, named = self.given()
            bound = inspect.signature(self.function).bind(*placed, **named)
            bound.apply_defaults()
            return bound.arguments
        last = self.frame.f_lasti
        lost = {
            name
            for at in dis.get_instructions(code)
            if at.offset < last and at.opname.startswith("STORE_")
            for name in (at.argval if isinstance(at.argval, tuple) else (at.argval,))
        }
        values = self.values()
        own = {
            n
            for n, v in values.items()
            if isinstance(v, Tensor)
            or type(v).__module__.partition(".")[0] in ("builtins", PACKAGE)
        }
        return {n: Unknown() if n in lost - own else v for n, v in values.items()}

    def by_name(self) -> tuple[str, ...]:
        """The arguments passed by name, if the source is known.

        Python does not pass this to the function.
        """
        written = self.written()
        return () if written is None else written.keywords

    def counts_self(self) -> bool:
        """Whether messages count `self` among the arguments."""
        written = self.written()
        return not (self.method if written is None else written.method)

    def takes_many(self) -> bool:
        """Whether sizes may be separate arguments: `f(2, 3)` for `f((2, 3))`."""
        code = self._code()
        return bool(
            code and code.co_flags & inspect.CO_VARARGS and code.co_argcount < 2
        )

    def _code(self) -> Any:
        if self.frame is not None:
            return self.frame.f_code
        return getattr(self.function, "__code__", None)


class SourceCall(NamedTuple):
    """A call as written in the source of a program.

    Attributes:
        placed: the number of positional arguments, including the tensor before the dot.
        keywords: the names of the others.
        method: whether the first is the tensor before the dot.
        name: what messages call the function.
        module: the module before the last dot, "" for the package itself.
    """

    placed: int
    keywords: tuple[str, ...]
    method: bool
    name: str = ""
    module: str | None = None


def source_call(caller: FrameType) -> SourceCall | None:
    """The call that a frame is executing, read from its source, or None.

    Used only for error messages.

    Example:
        >>> import sys
        >>> source_call(sys._getframe())
        SourceCall(placed=1, keywords=(), method=False, name='source_call', module=None)
    """
    tree = expression_at(caller.f_code, caller.f_lasti, caller.f_globals)
    call = tree.value if isinstance(tree, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return None
    if any(isinstance(a, ast.Starred) for a in call.args):
        return None
    if not isinstance(call.func, (ast.Attribute, ast.Name)):
        return None
    base = _base_of(call.func, caller)
    method = base is not None and not isinstance(base, (ModuleType, type))
    keywords = tuple(k.arg for k in call.keywords if k.arg is not None)
    if len(keywords) < len(call.keywords):
        return None  # some are unpacked from a dictionary
    module = base.__name__ if isinstance(base, ModuleType) else ""
    namespace = module.removeprefix(PACKAGE) if module.startswith(PACKAGE) else None
    last = ast.unparse(call.func).rpartition(".")[2]
    name = NAMESPACES.get(namespace or "", "") + last
    return SourceCall(len(call.args) + method, keywords, method, name, namespace)


def _base_of(called: ast.expr, caller: FrameType) -> Any:
    """The text before the last dot of a call; None without a dot.

    Only names are looked up. Any other expression has a value, and no module.
    """
    if isinstance(called, ast.Name):
        named = caller.f_locals.get(called.id, caller.f_globals.get(called.id))
        return getattr(named, "__self__", None)
    if not isinstance(called, ast.Attribute):
        return None
    attributes = []
    base = called.value
    while isinstance(base, ast.Attribute):
        attributes.append(base.attr)
        base = base.value
    if not isinstance(base, ast.Name):
        return base
    found = caller.f_locals.get(base.id, caller.f_globals.get(base.id))
    while isinstance(found, ModuleType) and attributes:
        found = vars(found).get(attributes.pop())
    return base if found is None else found


def call_of(name: str = "") -> Call:
    """The running call of the public function with this name.

    A function that only wraps it (an in-place variant, a view copy) is named in its
    place. Without a name, the innermost running function is taken.
    """
    running = list(_library_frames())
    known = [
        p for prefix in PREFIXES for p in _functions_by_name().get(prefix + name, ())
    ]
    found = [
        Call(public.name, public.method, function, frame)
        for frame in running
        for public in (known if name else _public_functions())
        for function in public.layers()
        if _is_running(function, frame)
    ]
    if not found:
        function = known[0].function if known else None
        return Call(name or running[-1].f_code.co_name, function=function)
    call, *outer = found
    if outer and _calls_namesake(outer[0], call):
        call = outer[0]
    return _outermost_wrapper(call, running)


def entry_call() -> Call | None:
    """The running call of a public function made by the program or by a layer.

    None where what the program has called is not a public function.
    """
    layer = False
    for frame in reversed(list(_library_frames())):
        if frame.f_globals.get("__name__", "").startswith(LAYERS):
            layer = True
            continue
        public = _functions_by_code().get(frame.f_code, ())
        found = next((p for p in public if _is_running(p.function, frame)), None)
        if found is None:
            return None
        method = found.method or found.name.endswith("_")
        functional = vars(importlib.import_module(PACKAGE + FUNCTIONAL))
        # Not `is`: once a class overrides functions, these are wrapped.
        of_layer = layer and functional.get(found.name) == found.function
        module = FUNCTIONAL if of_layer else found.module
        return Call(found.name, method, found.function, frame, frame, module)
    return None


# The frames between a program and the functions that it calls.
LAYERS = (f"{PACKAGE}.nn.modules.", OVERRIDES)


def module_of(name: str) -> str:
    """The module of `ops` in which a public function is defined.

    Example:
        >>> module_of("exp")
        'pointwise.exponential'
    """
    for public in _functions_by_name().get(name, ()):
        return public.function.__module__.partition(".ops.")[2]
    return ""


def public_of(function: Any) -> Public | None:
    """A public function and its name in messages, or None.

    Example:
        >>> import edutorch as torch
        >>> public_of(torch.fft.fftn).name
        'fft_fftn'
    """
    function = _unwrapped(function)
    return next((p for p in _public_functions() if p.function is function), None)


def _library_frames() -> Iterator[FrameType]:
    """The library's frames, from this file's caller to the line of the program.

    A frame of this file that listed itself would keep itself, and all operands, alive.
    """
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_globals is globals():
        frame = frame.f_back
    while frame is not None and is_library(frame.f_code):
        yield frame
        frame = frame.f_back


def _is_running(function: Any, frame: FrameType) -> bool:
    """Whether a frame runs a function; those made by one factory share their code."""
    if function.__code__ is not frame.f_code:
        return False
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return all(frame.f_locals.get(n) is cell.cell_contents for n, cell in cells)


def _calls_namesake(outer: Call, inner: Call) -> bool:
    """Whether a method calls the function with the same name."""
    same = inner.frame is not None and inner.frame.f_back is outer.frame
    wraps = vars(outer.function).get("__wrapped__") is inner.function
    return same and outer.name == inner.name and not wraps


def _outermost_wrapper(call: Call, running: list[FrameType]) -> Call:
    """The call named by the outermost public function that merely wraps it."""
    function = call.function
    for frame in running[running.index(call.frame) + 1 :]:  # type: ignore[arg-type]  # it runs
        wrapper = next(
            (p for p in _public_functions()
             if vars(p.function).get("__wrapped__") is function
             and _is_running(p.function, frame)),
            None,
        )  # fmt: skip
        if wrapper is None:
            break
        method = wrapper.method or wrapper.name.endswith("_")
        call = call._replace(name=wrapper.name, method=method, entry=frame)
        function = wrapper.function
    return call


@functools.cache
def _public_functions() -> list[Public]:
    """Every public function, once."""
    found: dict[int, Public] = {}
    for public in _functions():
        found.setdefault(id(public.function), public)
    return list(found.values())


@functools.cache
def _functions_by_name() -> dict[str, list[Public]]:
    """Every public function by its name in messages."""
    found: dict[str, list[Public]] = {}
    for public in _public_functions():
        found.setdefault(public.name, []).append(public)
    return found


@functools.cache
def _functions_by_code() -> dict[Any, list[Public]]:
    """Every public function by its code, which those of one factory share."""
    found: dict[Any, list[Public]] = {}
    for public in _public_functions():
        found.setdefault(public.function.__code__, []).append(public)
    return found


def _functions() -> Iterator[Public]:
    for namespace, prefix in NAMESPACES.items():
        # Import all, so that messages do not depend on what the program has imported.
        module = importlib.import_module(PACKAGE + namespace)
        for function in map(_unwrapped, vars(module).values()):
            if isinstance(function, FunctionType):
                name = function.__name__.removeprefix(prefix)
                yield Public(prefix + name, function, False, namespace)
    for function in map(_unwrapped, vars(Tensor).values()):
        if isinstance(function, FunctionType):
            name = function.__name__.removeprefix("_tensor_")
            yield Public(name, function, True)


def _unwrapped(value: Any) -> Any:
    """The function itself, which subclasses of Tensor may have wrapped."""
    wrapped = not isinstance(value, FunctionType) and hasattr(value, "__wrapped__")
    return value.__wrapped__ if wrapped else value
