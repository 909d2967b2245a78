"""Reads pickles from untrusted sources.

A pickle is a program for a stack machine. This machine implements only the opcodes
that are harmless. It resolves no names except those on a fixed list, matched exactly by
module and name, and those that the user has allowed; it never looks up attributes, and
calls only the builders on the list, which check their arguments. Any other program is
rejected with an error.
"""

from __future__ import annotations

import struct
from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from pickle import UnpicklingError
from typing import Any, NamedTuple

from . import allowed_globals
from .errors import NotAllowedError
from .hash_flooding import KeyChecker

__all__ = ["Builder", "ClassBuilder", "Unpickler"]

MAX_DEPTH = 1000  # how deep containers may be nested


class Builder:
    """A function that a pickle may call, with the numbers of arguments it accepts."""

    def __init__(self, function: Callable[..., Any], least: int, most: int) -> None:
        self.function, self.least, self.most = function, least, most

    def __call__(self, *args: Any) -> Any:
        """Build the value.

        Raises:
            UnpicklingError: if the number of arguments is wrong.
        """
        if not self.least <= len(args) <= self.most:
            raise UnpicklingError(
                f"{self.function.__name__} was called with {len(args)} arguments"
            )
        return self.function(*args)


class ClassBuilder(NamedTuple):
    """How to construct objects of a class, and how to set their state."""

    make: Builder
    set_state: Callable[[Any, Any], None]


class Unpickler:
    """Runs the program of a pickle.

    Args:
        data: the pickle.
        names: the allowed globals, by (module, name).
        storage_of: returns the storage that a persistent id refers to.
        classes: how to construct objects of each class, and how to set their state.

    Raises:
        UnpicklingError: for a malformed pickle, and for anything that is not allowed.
    """

    def __init__(
        self,
        data: bytes,
        names: Mapping[tuple[str, str], Any],
        storage_of: Callable[[Any], Any],
        classes: Mapping[type, ClassBuilder] | None = None,
    ) -> None:
        self._data, self._at = data, 0
        self._names, self._storage_of = names, storage_of
        self._stack: list[Any] = []
        self._marks: list[int] = []
        self._memo: dict[int, Any] = {}
        self._classes = classes or {}
        self._keys = KeyChecker()

    def load(self) -> Any:
        """Run the program, and return the object it constructs."""
        while (code := self._operation()) != b".":
            run = _OPCODES.get(code)
            if run is None:
                raise NotAllowedError(f"Unsupported operand {code[0]}")
            run(self)
        result = self._pop()
        check_value(result)
        return result

    # ---- the program and the stack

    def _operation(self) -> bytes:
        if self._at == len(self._data):
            raise EOFError("Ran out of input")
        return self._take(1)

    def _take(self, n: int) -> bytes:
        if not 0 <= n <= len(self._data) - self._at:
            raise UnpicklingError("pickle data was truncated")
        self._at += n
        return self._data[self._at - n : self._at]

    def _number(self, form: str) -> Any:
        return struct.unpack(form, self._take(struct.calcsize(form)))[0]

    def _line(self) -> str:
        end = self._data.find(b"\n", self._at, self._at + 300)
        if end < 0:
            raise UnpicklingError("a name in the pickle has no end")
        line = self._take(end - self._at)
        self._at += 1
        return _decoded(line)

    def _push(self, value: Any) -> None:
        self._stack.append(value)

    def _pop(self) -> Any:
        if len(self._stack) <= (self._marks[-1] if self._marks else 0):
            raise UnpicklingError("unexpected MARK found, or nothing on the stack")
        return self._stack.pop()

    def _top(self) -> Any:
        self._push(self._pop())
        return self._stack[-1]

    def _pop_to_mark(self) -> list[Any]:
        if not self._marks:
            raise UnpicklingError("could not find MARK")
        begin = self._marks.pop()
        items = self._stack[begin:]
        del self._stack[begin:]
        return items

    def _drop_to_mark(self) -> None:
        self._pop_to_mark()

    # ---- opcodes: numbers and text

    def _protocol(self) -> None:
        protocol = self._take(1)[0]
        if not 2 <= protocol <= 5:
            raise UnpicklingError(f"unsupported pickle protocol: {protocol}")

    def _frame(self) -> None:
        self._number("<Q")  # the frame's size, which matters only to buffered readers

    def _int(self) -> None:
        self._push(self._number("<i"))

    def _int1(self) -> None:
        self._push(self._number("<B"))

    def _int2(self) -> None:
        self._push(self._number("<H"))

    def _long1(self) -> None:
        size = self._number("<B")
        self._push(int.from_bytes(self._take(size), "little", signed=True))

    def _float(self) -> None:
        self._push(self._number(">d"))

    def _text(self, form: str) -> None:
        self._push(_decoded(self._take(self._number(form))))

    def _bytes(self, form: str) -> None:
        self._push(self._take(self._number(form)))

    # ---- opcodes: containers

    def _mark(self) -> None:
        self._marks.append(len(self._stack))

    def _pop_top(self) -> None:
        if self._marks and self._marks[-1] == len(self._stack):
            self._marks.pop()
        else:
            self._pop()

    def _tuple(self, n: int) -> None:
        items = [self._pop() for _ in range(n)]
        self._push(tuple(reversed(items)))

    def _append(self) -> None:
        item = self._pop()
        self._list_on_top("append to").append(item)

    def _appends(self) -> None:
        items = self._pop_to_mark()
        self._list_on_top("extend").extend(items)

    def _list_on_top(self, verb: str) -> list[Any]:
        target = self._top()
        if type(target) is not list:
            raise NotAllowedError(f"Can only {verb} lists, but got {type(target)}")
        return target

    def _set_item(self) -> None:
        value, key = self._pop(), self._pop()
        self._set_pairs([key, value], "SETITEM")

    def _set_items(self) -> None:
        self._set_pairs(self._pop_to_mark(), "SETITEMS")

    def _set_pairs(self, items: list[Any], code: str) -> None:
        target = self._top()
        if type(target) not in (dict, OrderedDict, Counter):
            raise NotAllowedError(
                f"Can only {code} for dict, collections.OrderedDict, "
                f"collections.Counter, but got {type(target)}"
            )
        if len(items) % 2:
            raise UnpicklingError("a key without a value")
        for key, value in zip(items[::2], items[1::2], strict=True):
            self._keys.check(key, target)
            target[key] = value

    def _add_items(self) -> None:
        items = self._pop_to_mark()
        target = self._top()
        if type(target) is not set:
            raise UnpicklingError("items are added to what is no set")
        for item in items:
            self._keys.check(item, target)
            target.add(item)

    def _frozen_set(self) -> None:
        items = self._pop_to_mark()
        for item in items:
            self._keys.check(item, items)
        self._push(frozenset(items))

    # ---- opcodes: the memo

    def _put(self, n: int) -> None:
        self._memo[n] = self._top()

    def _get(self, n: int) -> None:
        if n not in self._memo:
            raise UnpicklingError(f"Memo value not found at index {n}")
        self._push(self._memo[n])

    # ---- opcodes: names and calls

    def _global(self) -> None:
        self._name(self._line(), self._line())

    def _stack_global(self) -> None:
        name, module = self._pop(), self._pop()
        if not (type(name) is str and type(module) is str):
            raise UnpicklingError("STACK_GLOBAL requires str")
        self._name(module, name)

    def _name(self, module: str, name: str) -> None:
        if (module, name) in self._names:
            self._push(self._names[module, name])
            return
        module, name = NAME_MAPPING.get(
            (module, name), (IMPORT_MAPPING.get(module, module), name)
        )  # protocol 2 uses the names of Python 2
        if module in allowed_globals.BLOCKED:
            raise NotAllowedError(
                f"Trying to load unsupported GLOBAL {module}.{name} whose module "
                f"{module} is blocked."
            )
        try:
            self._push(allowed_globals.find(module, name))
        except KeyError:
            full = name if module == "builtins" else f"{module}.{name}"
            raise NotAllowedError(
                f"Unsupported global: GLOBAL {full} was not an allowed global by "
                f"default. Please use `torch.serialization.add_safe_globals([{full}])` "
                f"or the `torch.serialization.safe_globals([{full}])` context manager "
                "to allow this global if you trust this class/function."
            ) from None

    def _reduce(self) -> None:
        args, builder = self._pop(), self._pop()
        if isinstance(builder, type) and builder in self._classes:
            builder = self._classes[builder].make
        known = isinstance(builder, Builder) or allowed_globals.is_allowed(builder)
        if not known or type(args) is not tuple:
            raise NotAllowedError(
                f"Trying to call reduce for unrecognized function {_short(builder)}"
            )
        self._push(builder(*args))

    def _new(self) -> None:
        args, kind = self._pop(), self._pop()
        if type(args) is not tuple:
            raise UnpicklingError("NEWOBJ requires a tuple of arguments")
        if isinstance(kind, type) and kind in self._classes:
            self._push(self._classes[kind].make(*args))
        elif isinstance(kind, type) and allowed_globals.is_allowed(kind):
            self._push(kind.__new__(kind, *args))
        else:
            raise NotAllowedError(
                "Can only create new object for nn.Parameter or classes allowlisted "
                f"via `add_safe_globals` but got {_short(kind)}"
            )

    def _build(self) -> None:
        """Set the state of the object on top of the stack."""
        state, target = self._pop(), self._top()
        if allowed_globals.is_allowed(type(target)):
            _set_state(target, state)
        elif type(target) is OrderedDict:
            _set_attributes(target, state)
        elif type(target) in self._classes:
            self._classes[type(target)].set_state(target, state)
        else:
            raise NotAllowedError(
                "Can only build Tensor, Parameter, OrderedDict or types allowlisted "
                f"via `add_safe_globals`, but got {type(target)}"
            )

    def _persistent(self) -> None:
        self._push(self._storage_of(self._pop()))


def _set_attributes(target: OrderedDict[Any, Any], state: Any) -> None:
    """Set attributes of a dictionary, such as the `_metadata` of a state dictionary."""
    good = type(state) is dict and all(
        type(name) is str and not hasattr(OrderedDict, name) for name in state
    )
    if not good:
        raise UnpicklingError("the attributes of an OrderedDict are none")
    vars(target).update(state)


def _set_state(target: Any, state: Any) -> None:
    """Set the state of an object, as pickle does."""
    if hasattr(target, "__setstate__"):
        target.__setstate__(state)
        return
    state, slots = state if type(state) is tuple and len(state) == 2 else (state, None)
    for part in (state, slots):
        if not isinstance(part, (dict, type(None))):
            raise UnpicklingError(f"a state of type {_short(part)}")
    if state:
        target.__dict__.update(state)
    for name, value in (slots or {}).items():
        setattr(target, name, value)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise UnpicklingError("text in the pickle is not UTF-8") from None


def _short(value: object) -> str:
    return type(value).__name__


def check_value(value: Any) -> None:
    """Reject values that are nested too deeply, and builders used as values."""
    level, seen = [value], {id(value)}
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, Builder):
                raise UnpicklingError("a function stands where a value should be")
            for part in _parts(item):
                if id(part) not in seen:
                    seen.add(id(part))
                    inner.append(part)
        level = inner
        if not level:
            return
    raise UnpicklingError(f"containers are nested deeper than {MAX_DEPTH} levels")


def _parts(item: Any) -> list[Any]:
    if isinstance(item, dict):
        return [*item.values(), *item.keys()]
    if isinstance(item, (list, tuple, set, frozenset)):
        return list(item)
    return []


_OPCODES: dict[bytes, Callable[[Unpickler], None]] = {
    b"\x80": Unpickler._protocol,
    b"\x81": Unpickler._new,
    b"\x95": Unpickler._frame,
    b"N": lambda m: m._push(None),
    b"\x88": lambda m: m._push(True),
    b"\x89": lambda m: m._push(False),
    b"J": Unpickler._int,
    b"K": Unpickler._int1,
    b"M": Unpickler._int2,
    b"\x8a": Unpickler._long1,
    b"G": Unpickler._float,
    b"X": lambda m: m._text("<I"),
    b"U": lambda m: m._text("<B"),  # a string of Python 2
    b"T": lambda m: m._text("<i"),
    b"\x8c": lambda m: m._text("<B"),
    b"\x8d": lambda m: m._text("<Q"),
    b"B": lambda m: m._bytes("<I"),
    b"C": lambda m: m._bytes("<B"),
    b"\x8e": lambda m: m._bytes("<Q"),
    b"(": Unpickler._mark,
    b"0": Unpickler._pop_top,
    b"1": Unpickler._drop_to_mark,
    b")": lambda m: m._push(()),
    b"t": lambda m: m._push(tuple(m._pop_to_mark())),
    b"\x85": lambda m: m._tuple(1),
    b"\x86": lambda m: m._tuple(2),
    b"\x87": lambda m: m._tuple(3),
    b"]": lambda m: m._push([]),
    b"l": lambda m: m._push(m._pop_to_mark()),
    b"a": Unpickler._append,
    b"e": Unpickler._appends,
    b"}": lambda m: m._push({}),
    b"s": Unpickler._set_item,
    b"u": Unpickler._set_items,
    b"\x8f": lambda m: m._push(set()),
    b"\x90": Unpickler._add_items,
    b"\x91": Unpickler._frozen_set,
    b"q": lambda m: m._put(m._number("<B")),
    b"r": lambda m: m._put(m._number("<I")),
    b"\x94": lambda m: m._put(len(m._memo)),
    b"h": lambda m: m._get(m._number("<B")),
    b"j": lambda m: m._get(m._number("<I")),
    b"c": Unpickler._global,
    b"\x93": Unpickler._stack_global,
    b"R": Unpickler._reduce,
    b"b": Unpickler._build,
    b"Q": Unpickler._persistent,
}
