"""Subclasses of Tensor that preserve their class, and override functions.

This costs nothing until a program defines such a subclass. Then the public functions
and the subclass's methods are wrapped in `Overridable`, which looks for arguments of a
class with its own `__torch_function__` and calls that instead.
"""

from __future__ import annotations

import functools
import importlib
import threading
import weakref
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from . import ops
from .autograd import op_errors
from .tensor.tensor import Tensor

__all__ = [
    "DisableTorchFunctionSubclass", "Overridable", "get_default_nowrap_functions",
    "handle_torch_function", "has_torch_function", "is_tensor_like",
    "is_tensor_method_or_property", "resolve_name",
]  # fmt: skip

PACKAGE = __name__.partition(".")[0]
NAMESPACES = ("", ".nn.functional", ".linalg", ".fft", ".special")
_state = threading.local()  # .off: how many defaults run in this thread
_installed = False
_activated: weakref.WeakSet[type[Any]] = weakref.WeakSet()  # their methods, too


class DisableTorchFunctionSubclass:
    """With this, functions take subclasses as tensors.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.overrides import DisableTorchFunctionSubclass
        >>> with DisableTorchFunctionSubclass():
        ...     torch.ones(1) + 1
        tensor([2.])
    """

    def __enter__(self) -> None:
        _state.off = getattr(_state, "off", 0) + 1

    def __exit__(self, *_: object) -> None:
        _state.off -= 1


def _disabled_torch_function_impl(
    func: Any, types: Any, args: Any = (), kwargs: Any = None
) -> Any:
    """A `__torch_function__` that leaves everything as it is."""
    with DisableTorchFunctionSubclass():
        return func(*args, **(kwargs or {}))


def has_torch_function(args: Iterable[Any]) -> bool:
    """Whether one of the arguments has its own `__torch_function__`.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.overrides import has_torch_function
        >>> has_torch_function((torch.ones(1), 2))
        False
    """
    return bool(_overriders(args)) and not getattr(_state, "off", 0)


def _overriders(args: Iterable[Any]) -> list[Any]:
    """One argument of each class that overrides, subclasses before their bases."""
    found: list[Any] = []
    for arg in args:
        kind = type(arg)
        if kind is Tensor or kind in map(type, found):
            continue
        own = getattr(kind, "__torch_function__", None)
        if own is None or own is _disabled_torch_function_impl:
            continue
        place = next((i for i, v in enumerate(found) if issubclass(kind, type(v))), -1)
        found.insert(place if place >= 0 else len(found), arg)
    return found


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], *args: Any,
    **kwargs: Any,
) -> Any:  # fmt: skip
    """Let the arguments' classes compute the result of a function.

    Raises:
        TypeError: if all of them return NotImplemented.
    """
    found = _overriders(relevant_args)
    types = tuple(map(type, found))
    for arg in found:
        if _is_of_pytorch(type(arg)):  # whose default would call the function again
            raise _mixed_libraries(public_api)
        result = type(arg).__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    handlers = "\n".join(f"  - tensor subclass {kind}" for kind in types)
    raise TypeError(
        f"Multiple dispatch failed for '{resolve_name(public_api)}'; all "
        f"__torch_function__ handlers returned NotImplemented:\n\n{handlers}"
    )


def _is_of_pytorch(kind: type[Any]) -> bool:
    return any(
        getattr(k, "__module__", "") == "torch" and k.__name__ == "Tensor"
        for k in kind.__mro__
    )


def _mixed_libraries(function: Any) -> TypeError:
    name = getattr(function, "__name__", function)
    return TypeError(
        f"{name}(): got tensors of PyTorch and of {PACKAGE}, which do not mix. Hint: "
        "convert one of them, as in torch.from_numpy(x.numpy())"
    )


def is_tensor_like(inp: Any) -> bool:
    """Whether something is a tensor, or has a `__torch_function__`.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.overrides import is_tensor_like
        >>> is_tensor_like(torch.ones(1)), is_tensor_like([1])
        (True, False)
    """
    return type(inp) is Tensor or hasattr(inp, "__torch_function__")


def resolve_name(f: Any) -> str:
    """The name of a function for messages: "torch.add".

    Example:
        >>> import edutorch as torch
        >>> from edutorch.overrides import resolve_name
        >>> resolve_name(torch.add)
        'torch.add'
    """
    return f"torch.{getattr(f, '__name__', f)}"


def is_tensor_method_or_property(func: Callable[..., Any]) -> bool:
    """Whether a function is one of Tensor's methods."""
    return any(func == v for v in vars(Tensor).values())


def get_default_nowrap_functions() -> set[Callable[..., Any]]:
    """The functions whose results keep their own class."""
    return {getattr(Tensor, name).fget for name in ("grad",)}


def _default(
    cls: type[Any], func: Any, types: Any, args: Any = (), kwargs: Any = None
) -> Any:
    """Run the function on base tensors; tensors it makes become `cls`."""
    if not all(issubclass(cls, t) for t in types):
        return NotImplemented
    if getattr(_state, "off", 0) and not _is_own(func):
        raise _mixed_libraries(func)
    with DisableTorchFunctionSubclass():
        result = func(*args, **(kwargs or {}))
    if func in get_default_nowrap_functions():
        return result
    return as_class(result, cls)


def _is_own(func: Any) -> bool:
    """Whether a function is this library's: PyTorch asks `__torch_function__`, too."""
    return (getattr(func, "__module__", None) or "").startswith(PACKAGE)


def as_class(result: Any, cls: type[Any]) -> Any:
    """Tensors of a result, also inside tuples and lists, as instances of a class.

    Example:
        >>> import edutorch as torch
        >>> class Mine(torch.Tensor): ...
        >>> type(as_class(torch.ones(2), Mine)).__name__
        'Mine'
    """
    if cls is Tensor:
        return result
    if isinstance(result, Tensor) and not isinstance(result, cls):
        made = result.as_subclass(cls)
        made._inference = result._inference
        return made
    if isinstance(result, (tuple, list)) and any(isinstance(v, Tensor) for v in result):
        parts = [as_class(v, cls) for v in result]
        kind = type(result)
        return kind(*parts) if hasattr(kind, "_fields") else kind(parts)
    return result


class Overridable:
    """A function that tries its arguments' classes first; equal to the one it wraps."""

    def __init__(self, function: Callable[..., Any], name: str = "") -> None:
        functools.update_wrapper(self, function)
        self.__name__ = _SAID.get(name, name) or function.__name__
        self.function = function
        self.same = getattr(function, "stands_for", function)  # of operators

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not getattr(_state, "off", 0):
            relevant = [*args, *kwargs.values()]
            relevant += [v for a in args if isinstance(a, (tuple, list)) for v in a]
            found = _overriders(relevant)
            if found:
                return handle_torch_function(self, found, *args, **kwargs)
        return self.function(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __eq__(self, other: object) -> bool:
        return self.same == getattr(other, "same", other)

    def __hash__(self) -> int:
        return hash(self.same)

    def __repr__(self) -> str:
        return f"<function {self.__name__} that may be overridden>"


class Reflected(Overridable):
    """`__radd__` and its kin: Python asks a subclass first only if its own differs."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


REFLECTED = frozenset(
    f"__r{name}__" for name in (
        "add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "and", "or",
        "xor", "lshift", "rshift",
    )
)  # fmt: skip
_KEPT = frozenset([
    "__array__", "__array_priority__", "__class__", "__deepcopy__", "__dict__",
    "__dir__", "__dlpack__", "__dlpack_device__", "__doc__", "__hash__", "__init__",
    "__init_subclass__", "__module__", "__new__", "__reduce_ex__", "__slots__",
    "__torch_function__", "__weakref__", "as_subclass",
])  # fmt: skip
# What PyTorch calls the operators that are methods, too.
_SAID = {
    "__add__": "add", "__radd__": "add", "__sub__": "sub", "__mul__": "mul",
    "__rmul__": "mul", "__matmul__": "matmul", "__truediv__": "div", "__neg__": "neg",
    "__gt__": "gt", "__lt__": "lt", "__ge__": "ge", "__le__": "le", "__ne__": "ne",
}  # fmt: skip
_VIEWS = ("T", "H", "mT", "mH", "real", "imag", "data")


@functools.cache
def _methods() -> dict[str, Any]:
    """Tensor's methods, overridable, for a subclass."""
    found: dict[str, Any] = {}
    for name, value in vars(Tensor).items():
        private = name.startswith("_") and not name.startswith("__")
        if isinstance(value, FunctionType) and not private and name not in _KEPT:
            kind = Reflected if name in REFLECTED else Overridable
            found[name] = kind(value, name)
    for name in _VIEWS:
        view = getattr(Tensor, name)
        get = Overridable(view.fget, "__get__")
        found[name] = property(get, view.fset, doc=view.__doc__)
    return found


def _install() -> None:
    """Put the public functions behind `Overridable`, once."""
    global _installed
    if _installed:
        return
    _installed = True
    for name in NAMESPACES:
        module = importlib.import_module("edutorch" + name)
        for public in getattr(module, "__all__", None) or dir(module):
            value = getattr(module, public, None)
            made_here = f"{getattr(value, '__module__', '')}.".startswith("edutorch.")
            if made_here and isinstance(value, FunctionType) and public != "is_tensor":
                prefix = (
                    f"{name[1:]}_" if name in (".linalg", ".fft", ".special") else ""
                )
                setattr(module, public, Overridable(value, prefix + public))


def _on_subclass(cls: type[Any], /, **kwargs: Any) -> None:
    """Called for every class that inherits from Tensor."""
    super(Tensor, cls).__init_subclass__(**kwargs)
    module = getattr(cls, "__module__", "")  # `exec` may make classes without one
    ours = f"{module}.".startswith("edutorch.")
    if ours and "__torch_function__" in vars(cls):  # `activate` is called later
        return
    if ours:  # parameters and buffers
        cls.__torch_function__ = _disabled_torch_function_impl
    if cls.__torch_function__ is not _disabled_torch_function_impl:
        activate(cls)


def activate(cls: type[Any]) -> None:
    """Let functions ask a subclass; the library's own call this as they are made.

    Example:
        >>> import edutorch as torch
        >>> class Mine(torch.Tensor):
        ...     @classmethod
        ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
        ...         return f"called {func.__name__}"
        >>> activate(Mine)
        >>> torch.exp(torch.ones(1).as_subclass(Mine))
        'called exp'
    """
    _install()
    if cls in _activated:
        return
    _activated.add(cls)
    for name, value in _methods().items():
        if not any(name in vars(c) for c in cls.__mro__[: cls.__mro__.index(Tensor)]):
            setattr(cls, name, value)


def _override_operator(name: str, *operands: Any) -> Any:
    """The operator of a tensor and an operand that overrides it."""
    return handle_torch_function(getattr(ops, name), operands, *operands)


op_errors.override = _override_operator
for _name, _method in (
    ("__torch_function__", _default), ("__init_subclass__", _on_subclass),
):  # fmt: skip
    setattr(Tensor, _name, classmethod(_method))
