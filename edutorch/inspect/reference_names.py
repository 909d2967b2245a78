"""Source-like names of references: `losses` -> `[412]` -> `.grad_fn` -> ..."""

from __future__ import annotations

import functools
from collections import deque
from itertools import islice
from types import (
    CellType,
    CoroutineType,
    FrameType,
    FunctionType,
    GeneratorType,
    MethodType,
    TracebackType,
)
from typing import Any, NamedTuple

import numpy as np

from ..autograd.leaf_node import AccumulateGrad
from ..autograd.node import Op
from ..optim.optimizer import Optimizer
from ..tensor.storage import Storage
from ..tensor.tensor import Tensor
from .reference_roots import Root, locals_of

__all__ = ["Hop", "Path", "describe_path", "what_is"]

LONGEST_RUN = 3  # nodes of a graph that are listed individually
LONGEST_KEY = 40
SEARCHED = 1_000_000  # entries of one container searched for the object


class Hop(NamedTuple):
    """One reference: its source text, its target, and its kind.

    `kind` is index, key, attribute, closure, local, graph, saved, grad, memory, hook,
    error or inside.
    """

    code: str
    what: str
    kind: str


class Path(NamedTuple):
    """A path from a root.

    Attributes:
        root: where it begins.
        what: a description of the object.
        hops: the references, one after another.
        holders: names in code of the first hops up to a tensor, such as
            `["trainer", "losses"]`, for looking up the line that fills them.
        scalar: whether the tensor that is kept has one element.
        tensor: whether a tensor is on the path.
        optimizer: whether an optimizer is.
        frames: names of functions whose frames are.
        bound: the most entries that a container on the way takes, 0 for no bound.
    """

    root: Root
    what: str
    hops: list[Hop]
    holders: list[str]
    scalar: bool = False
    tensor: bool = False
    optimizer: bool = False
    frames: tuple[str, ...] = ()
    bound: int = 0


def describe_path(root: Root, chain: list[Any]) -> Path:
    """Describe a path in words, beginning with its root.

    Example:
        >>> from edutorch.inspect.reference_roots import Root
        >>> inner = [1, [2]]; held = {"a": inner}
        >>> path = describe_path(Root("variable", "held", "", 0), [held, inner])
        >>> path.hops[0].code, path.hops[0].what
        ("['a']", 'list of 2')
    """
    hops, at = [], 0
    bound = max((_bound_of(link) for link in chain), default=0)
    while at < len(chain) - 1:
        code, kind, used = _hop(chain, at)
        at += used
        hops.append(Hop(code, what_is(chain[at]), kind))
    first = next((link for link in chain if issubclass(type(link), Tensor)), None)
    kept = Root(root.kind, root.code, root.words, None)  # no reference to the object
    return Path(
        kept,
        what_is(chain[0]),
        _shortened(hops),
        _holders(root, hops, chain[0]),
        scalar=first is not None and first._data.size == 1,
        tensor=first is not None,
        optimizer=any(issubclass(type(link), Optimizer) for link in chain),
        frames=tuple(o.f_code.co_name for o in chain if type(o) is FrameType),
        bound=bound,
    )


def _bound_of(link: Any) -> int:
    if type(link) is deque:
        return link.maxlen or 0
    info = getattr(link, "cache_parameters", None) if _is_cache(link) else None
    return (info()["maxsize"] or 0) if info else 0


def _is_cache(link: Any) -> bool:
    return type(link) is functools._lru_cache_wrapper


def _holders(root: Root, hops: list[Hop], value: Any) -> list[str]:
    """The names by which code accesses the holder of the tensor."""
    names = [root.code] if root.code else []
    if issubclass(type(value), Tensor | Op):
        return names
    for hop in hops:
        if hop.kind in ("attribute", "local", "closure"):
            names.append(hop.code.lstrip("."))
        elif hop.kind == "key" and hop.code[2:-2].isidentifier():
            names.append(hop.code[2:-2])
        if hop.kind in ("graph", "saved", "grad", "memory") or _TENSOR in hop.what:
            break
    return names


_TENSOR = "tensor "


def _shortened(hops: list[Hop]) -> list[Hop]:
    """The hops to show: the ends of a run of nodes, the first of several calls."""
    found: list[Hop] = []
    run: list[Hop] = []
    for hop in [*hops, None]:
        if hop is not None and hop.code.startswith(".next_functions"):
            run.append(hop)
            continue
        if hop is not None and found and hop.code == found[-1].code == ".tb_next":
            continue
        if len(run) > LONGEST_RUN:
            words = f"{len(run) - 1} nodes on"
            run = [run[0], Hop(f" … {words} …", run[-1].what, "graph")]
        found += run
        run = []
        if hop is not None:
            found.append(hop)
    return found


def what_is(value: Any) -> str:
    """A short description of an object, made without running its code.

    Example:
        >>> what_is([1, 2]), what_is(np.zeros((2, 3)))
        ('list of 2', 'array 2×3 float64')
    """
    kind = type(value)
    if issubclass(kind, Tensor):
        shape = "×".join(map(str, value._data.shape)) or "scalar"
        graph = " with grad_fn" if value._grad_fn is not None else ""
        return f"tensor {shape} {value._data.dtype}{graph}"
    if issubclass(kind, Op):
        return value.name()
    if kind is np.ndarray:
        return f"array {'×'.join(map(str, value.shape)) or 'scalar'} {value.dtype}"
    if kind in (list, tuple, dict, set, frozenset, deque):
        limit = f", at most {value.maxlen}" if kind is deque and value.maxlen else ""
        return f"{kind.__name__} of {len(value)}{limit}"
    if kind is FunctionType:
        return f"function {value.__qualname__}"
    if kind is FrameType:
        return f"frame of {value.f_code.co_name}()"
    if kind is type:
        return f"class {value.__name__}"
    return str(type.__dict__["__name__"].__get__(kind))


def _hop(chain: list[Any], at: int) -> tuple[str, str, int]:
    """The hop from one link of a chain: code, kind, and how many links it covers."""
    parent, child = chain[at], chain[at + 1]
    after = chain[at + 2] if at + 2 < len(chain) else None
    kind = type(parent)
    for types, name in _BY_TYPE:
        if issubclass(kind, types):
            found = name(parent, child, after, chain[at + 3 : at + 4])
            if found is not None:
                return found
    member = _member(parent, chain[at + 1 : at + 4])
    return member or _attribute(parent, child, after)


_MEMBERS = ("_parameters", "_buffers", "_modules")


def _member(parent: Any, links: list[Any]) -> tuple[str, str, int] | None:
    """The code that accesses a module's entries: `[0]`, `.weight`."""
    own = _dict_of(parent)
    if own is None or any(type(own.get(name)) is not dict for name in _MEMBERS):
        return None
    used = 3 if links[0] is own else 2
    if len(links) < used:
        return None
    table, held = links[used - 2], links[used - 1]
    key = _key_of(table, held) if any(own[n] is table for n in _MEMBERS) else None
    if not isinstance(key, str):
        return None
    kind = type(parent)
    if hasattr(kind, "keys") and hasattr(kind, "__getitem__"):  # ModuleDict
        return (f"[{_key_text(key)}]", "key", used)
    if key.isdigit() and hasattr(kind, "__getitem__"):
        return (f"[{list(table).index(key)}]", "index", used)
    return (f".{key}", "attribute", used) if key.isidentifier() else None


def _attribute(parent: Any, child: Any, after: Any) -> tuple[str, str, int]:
    own = _dict_of(parent)
    if own is child and after is not None:
        name = _key_of(own, after)
        return (_dotted(name), _kind_of(name), 2)
    for name in _slots(type(parent)):
        if _slot(parent, name) is child:
            return (_dotted(name), _kind_of(name), 1)
    if own is not None and (name := _key_of(own, child)) is not None:
        return (_dotted(name), _kind_of(name), 1)
    if type(parent) is child:
        return (".__class__", "attribute", 1)
    return (" (inside)", "inside", 1)


def _dotted(name: Any) -> str:
    return f".{name}" if isinstance(name, str) else " (inside)"


def _kind_of(name: Any) -> str:
    return "hook" if isinstance(name, str) and "hook" in name else "attribute"


def _dict_of(value: Any) -> dict[Any, Any] | None:
    if issubclass(type(value), type):
        return None
    try:
        found = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):
        return None
    return found if type(found) is dict else None


def _slots(kind: type) -> list[str]:
    found: list[str] = []
    for base in type.__dict__["__mro__"].__get__(kind):
        slots = base.__dict__.get("__slots__", ())
        found += [slots] if isinstance(slots, str) else list(slots)
    return [name for name in found if name not in ("__dict__", "__weakref__")]


def _slot(value: Any, name: str) -> Any:
    try:
        return object.__getattribute__(value, name)
    except (AttributeError, TypeError):
        return None


def _key_of(table: dict[Any, Any], value: Any) -> Any:
    for key, held in islice(list(table.items()), SEARCHED):
        if held is value:
            return key
    return None


def _key_text(key: Any) -> str:
    if type(key) in (str, int, float, bool, bytes):
        text = repr(key)
        return text if len(text) <= LONGEST_KEY else text[:LONGEST_KEY] + "…"
    return f"<{what_is(key)}>"


def _of_dict(p: Any, child: Any, after: Any, rest: Any) -> Any:
    for key, value in islice(list(dict.items(p)), SEARCHED):
        if value is child:
            if "__name__" in p and "__spec__" in p and isinstance(key, str):
                return (key, "attribute", 1)  # of a module
            return (f"[{_key_text(key)}]", "key", 1)
        if key is child:
            return (" (a key)", "key", 1)
    if type(p) is not dict:
        return None
    return (" (inside)", "inside", 1)


def _of_sequence(p: Any, child: Any, after: Any, rest: Any) -> Any:
    for i, value in enumerate(islice(p, SEARCHED)):
        if value is child:
            return (f"[{i}]", "index", 1)
    return None


def _of_set(p: Any, child: Any, after: Any, rest: Any) -> Any:
    return (" (an element)", "index", 1)


_OF_TENSOR = {
    "_grad_fn": (".grad_fn", "graph"),
    "_grad": (".grad", "grad"),
    "_data": (" values", "memory"),
    "_storage": (".untyped_storage()", "memory"),
    "_base": ("._base", "memory"),
    "_hooks": (" hooks", "hook"),
    "_post_hooks": (" hooks", "hook"),
}


def _of_tensor(p: Any, child: Any, after: Any, rest: Any) -> Any:
    own = p.__dict__
    target, used = (after, 2) if child is own and after is not None else (child, 1)
    for name, (code, kind) in _OF_TENSOR.items():
        held = own.get(name) if used == 2 or name in own else _slot(p, name)
        if held is target:
            return (code, kind, used)
    return None


def _of_node(p: Any, child: Any, after: Any, rest: Any) -> Any:
    if child is p.edges and after is not None:
        i = next((k for k, edge in enumerate(child) if edge is after), 0)
        return (f".next_functions[{i}][0]", "graph", 2)
    if child is _slot(p, "inputs"):
        if type(child) is tuple and after is not None:
            return (f" saved tensor of {p.name()}", "saved", 2)
        return (f" saved tensors of {p.name()}", "saved", 1)
    if child is _slot(p, "output") or child is _slot(p, "output_storage"):
        return (f" saved result of {p.name()}", "saved", 1)
    if child is _slot(p, "saved"):
        return (f" saved for {p.name()}", "saved", 1)
    if child is _slot(p, "hooks"):
        return (" hooks", "hook", 1)
    return None


def _of_leaf_node(p: Any, child: Any, after: Any, rest: Any) -> Any:
    return (".variable", "graph", 1) if child is p.variable else None


def _of_storage(p: Any, child: Any, after: Any, rest: Any) -> Any:
    return (" memory", "memory", 1)


def _of_array(p: Any, child: Any, after: Any, rest: Any) -> Any:
    return (".base", "memory", 1) if child is p.base else ("[…]", "index", 1)


def _of_function(p: Any, child: Any, after: Any, rest: Any) -> Any:
    cells = p.__closure__
    if cells is not None and child is cells:
        names = dict(zip(map(id, cells), p.__code__.co_freevars, strict=True))
        return (names.get(id(after), "?"), "closure", 3 if rest else 2)
    if child is p.__defaults__ or child is p.__kwdefaults__:
        return (" default argument", "attribute", 2 if after is not None else 1)
    return None


def _of_cell(p: Any, child: Any, after: Any, rest: Any) -> Any:
    return (" closure variable", "closure", 1)


def _of_method(p: Any, child: Any, after: Any, rest: Any) -> Any:
    return (".__self__" if child is p.__self__ else ".__func__", "attribute", 1)


def _of_frame(p: Any, child: Any, after: Any, rest: Any) -> Any:
    if child is p.f_back:
        return (".f_back", "error", 1)
    for name, value in locals_of(p).items():
        if value is child:
            return (name, "local", 1)
        if type(child) is CellType and value is after:
            return (name, "local", 2)
    return (f" in {p.f_code.co_name}()", "local", 1)


def _of_traceback(p: Any, child: Any, after: Any, rest: Any) -> Any:
    name = ".tb_frame" if child is p.tb_frame else ".tb_next"
    return (name, "error", 1)


def _of_error(p: Any, child: Any, after: Any, rest: Any) -> Any:
    for name in ("__traceback__", "__context__", "__cause__", "args"):
        if getattr(BaseException, name).__get__(p) is child:
            return (f".{name}", "error", 1)
    return None


def _of_generator(p: Any, child: Any, after: Any, rest: Any) -> Any:
    frame = getattr(p, "gi_frame", None) or getattr(p, "cr_frame", None)
    for name, value in locals_of(frame).items() if frame is not None else ():
        if value is child:
            return (name, "local", 1)
    return None


def _of_class(p: Any, child: Any, after: Any, rest: Any) -> Any:
    table = type.__dict__["__dict__"].__get__(p)
    for name, value in table.items():
        if value is child or value is after:
            return (f".{name}", "attribute", 1 if value is child else 2)
    return None


def _of_partial(p: Any, child: Any, after: Any, rest: Any) -> Any:
    for name in ("func", "args", "keywords"):
        if getattr(p, name) is child:
            return (f".{name}", "attribute", 1)
    return None


_BY_TYPE: list[tuple[Any, Any]] = [
    (Tensor, _of_tensor),
    (Op, _of_node),
    (AccumulateGrad, _of_leaf_node),
    (Storage, _of_storage),
    (np.ndarray, _of_array),
    (dict, _of_dict),
    ((list, tuple, deque), _of_sequence),
    ((set, frozenset), _of_set),
    (FunctionType, _of_function),
    (CellType, _of_cell),
    (MethodType, _of_method),
    (FrameType, _of_frame),
    (TracebackType, _of_traceback),
    (BaseException, _of_error),
    ((GeneratorType, CoroutineType), _of_generator),
    (functools.partial, _of_partial),
    (type, _of_class),
]
