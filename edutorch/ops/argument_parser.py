"""The error of PyTorch's argument parser for a failed call.

PyTorch compares the arguments of a call with the signatures of the function, from left
to right, before it looks at shapes and values. Here functions check what they need as
they go; when one of them fails, the whole call is compared, so that the error is
PyTorch's. `parser_signatures.txt` lists the signatures: names, ":", and signatures
between bars. "." precedes names of methods only, "?" after kinds that may be
None, "=" after arguments that may be left out, and "!" after old signatures that
messages do not mention.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .. import devices, dtypes, layouts
from ..errors import python_type_name
from ..random.generator import Generator
from ..tensor.tensor import Tensor
from .signatures import Unknown

__all__ = [
    "INTS", "OTHER_NAMES", "TAKE_NUMBERS", "Parameter", "Signature", "argument_types",
    "fitting", "parse", "signatures_of",
]  # fmt: skip


class Parameter(NamedTuple):
    """One parameter of a signature.

    Attributes:
        kind: the type, as the table calls it.
        single: whether one number is accepted for a sequence of numbers.
        none: whether None is taken.
        name: the name.
        optional: whether it may be left out.
        by_name: whether it must be given by name.
    """

    kind: str
    single: bool
    none: bool
    name: str
    optional: bool
    by_name: bool


class Signature(NamedTuple):
    """A signature of a function, with or without `self`.

    Attributes:
        parameters: its parameters.
        old: whether messages do not mention it.
    """

    parameters: tuple[Parameter, ...]
    old: bool = False

    @property
    def least(self) -> int:
        """The smallest number of arguments."""
        return sum(not p.optional for p in self.parameters)

    @property
    def places(self) -> int:
        """The largest number of positional arguments."""
        return sum(not p.by_name for p in self.parameters)

    def as_method(self) -> Signature:
        """The signature of the method: without `input` and `out`."""
        first = next((p for p in self.parameters if p.name in ("input", "self")), None)
        parameters = [p for p in self.parameters if p is not first and p.name != "out"]
        return Signature(tuple(parameters), self.old)


def parse(
    name: str, signatures: tuple[Signature, ...], args: list[Any], named: dict[str, Any]
) -> str:
    """PyTorch's message for arguments that fit no signature; "" if they fit one.

    Example:
        >>> parse("tril", signatures_of("tril"), [None], {})
        "tril(): argument 'input' (position 1) must be Tensor, not NoneType"
    """
    reasons = [_compare(name, s, args, named) for s in signatures]
    if not all(reasons):
        return ""
    if len(reasons) == 1:
        return reasons[0]
    n = len(args) + len(named)
    raised = [w for w in reasons if w.startswith(ELEMENT) or UNPACK in w or FLOATS in w]
    fitting = [
        reason
        for s, reason in zip(signatures, reasons, strict=True)
        if s.least <= n <= len(s.parameters) and not s.old
    ]
    if raised or len(fitting) == 1:
        return (raised or fitting)[0]
    return (
        f"{name}() received an invalid combination of arguments - got "
        f"({argument_types(args, named)}), but expected one of:"
    )


# The message for an element of the wrong type, which ends the comparison.
ELEMENT, UNPACK = "expected Tensor as element", "failed to unpack the object"
FLOATS = "must be tuple of floats, but found element"


def fitting(
    name: str, signatures: tuple[Signature, ...], args: list[Any], named: dict[str, Any]
) -> Signature:
    """The first signature that arguments fit.

    Example:
        >>> fitting("tril", signatures_of("tril"), [Tensor([1.0])], {}).least
        1
    """
    return next(s for s in signatures if not _compare(name, s, args, named))


def argument_types(args: list[Any], named: dict[str, Any]) -> str:
    """The types of arguments, formatted as in PyTorch.

    Example:
        >>> argument_types([1.0], {"dim": None})
        'float, dim=NoneType'
        >>> argument_types([], {"dim": None})
        'dim=NoneType, '
    """
    types = [_type_name(value) for value in args]
    types += [f"{key}={_type_name(value)}" for key, value in named.items()]
    return ", ".join(types) + ", " * (not args and bool(named))


def signatures_of(name: str, method: bool = False) -> tuple[Signature, ...]:
    """The signatures of a function or method; empty if PyTorch's is plain Python.

    Example:
        >>> len(signatures_of("sum")), signatures_of("neg", method=True)
        (2, (Signature(parameters=(), old=False),))
    """
    if not method:
        return _table().get(name, ())
    own = _table().get(f".{name}")
    return own or tuple([s.as_method() for s in _table().get(name, ())])


@functools.cache
def _table() -> dict[str, tuple[Signature, ...]]:
    """The signatures stored in the file, by name."""
    found: dict[str, tuple[Signature, ...]] = {}
    for line in (
        Path(__file__).with_name("parser_signatures.txt").read_text().splitlines()
    ):
        names, _, listed = line.partition(": ")
        signatures = tuple([_signature(text) for text in listed.split(" | ")])
        found |= dict.fromkeys(names.split(), signatures)
    return found


def _signature(text: str) -> Signature:
    """Parse a signature of the file."""
    before, _, after = text.removesuffix(" !").partition("*")
    placed = [_parameter(p, by_name=False) for p in before.split(", ") if p]
    named = [_parameter(p, by_name=True) for p in after.split(", ") if p]
    return Signature((*placed, *named), text.endswith("!"))


def _parameter(text: str, *, by_name: bool) -> Parameter:
    kind, _, name = text.partition(" ")
    none, kind = kind.endswith("?"), kind.rstrip("?")
    kind, bracket, _ = kind.partition("[")
    optional, single = name.endswith("="), bool(bracket) and kind in INTS
    return Parameter(kind, single, none, name.rstrip("="), optional, by_name)


# NumPy's names of arguments, which are also accepted.
OTHER_NAMES = {
    "dim": ("axis",),
    "keepdim": ("keepdims",),
    "input": ("x", "a", "x1"),
    "other": ("x2",),
}


def _compare(
    name: str, signature: Signature, args: list[Any], named: dict[str, Any]
) -> str:
    """Why arguments do not fit a signature; "" if they do."""
    sizes = _one_by_one(signature, args)
    if len(args) > signature.places and not sizes:
        return _too_many(name, signature, len(args))
    if sizes:
        args = [args]
    unused = set(named)
    for place, p in enumerate(signature.parameters):
        if place < len(args):
            if p.by_name:
                return _too_many(name, signature, len(args))
            value, position = args[place], place + 1
        else:
            keys = (p.name, *OTHER_NAMES.get(p.name, ()))
            key = next((k for k in keys if k in named), "")
            unused.discard(key)
            if not key and not p.optional:
                return _missing(name, signature, place)
            value, position = named.get(key, ABSENT), 0
        if value is ABSENT or (value is None and p.none):
            continue
        if p.kind == "Tensor" and name in TAKE_NUMBERS and _is_number(value):
            continue
        words = _wrong(p, value, place, position)
        if words:
            return words if words[0] == "e" else _of(name, p, position) + words
    return _unused(name, signature, unused, len(args)) or _unpack(
        name, signature, args, named
    )


ABSENT: Any = object()
# Functions, and their in-place variants, that accept numbers for tensors.
TAKE_NUMBERS = frozenset(
    f"{name}{underscore}"
    for name in (
        "add", "div", "divide", "floor_divide", "mul", "multiply", "sub", "subtract",
        "true_divide",
    )
    for underscore in ("", "_")
)  # fmt: skip


def _one_by_one(signature: Signature, args: list[Any]) -> bool:
    """Whether sizes are separate arguments: `view(2, 3)` for `view((2, 3))`."""
    takes = signature.places == 1 and signature.parameters[0].kind in INTS
    return takes and bool(args) and _is_index(args[0])


INTS = ("ints", "SymInts")


def _of(name: str, p: Parameter, position: int) -> str:
    place = f" (position {position})" if position else ""
    return f"{name}(): argument '{p.name}'{place} "


def _too_many(name: str, signature: Signature, n: int) -> str:
    least, places = signature.least, signature.places
    if least != places:
        return (
            f"{name}() takes from {least} to {places} positional arguments but {n} "
            "were given"
        )
    return (
        f"{name}() takes {places} positional argument{'s' * (places != 1)} but {n} "
        f"{'was' if n == 1 else 'were'} given"
    )


def _missing(name: str, signature: Signature, place: int) -> str:
    missing = [f'"{p.name}"' for p in signature.parameters[place:] if not p.optional]
    plural = "s" * (len(missing) == 1)  # as PyTorch has it
    return (
        f"{name}() missing {len(missing)} required positional argument{plural}: "
        f"{', '.join(missing)}"
    )


def _unused(name: str, signature: Signature, keys: set[str], places: int) -> str:
    """The error for names that match no parameter."""
    if not keys:
        return ""
    key = min(keys)
    if key in [p.name for p in signature.parameters[:places]]:
        return f"{name}() got multiple values for argument '{key}'"
    return f"{name}() got an unexpected keyword argument '{key}'"


def _wrong(p: Parameter, value: Any, place: int, position: int) -> str:
    """Why a value does not fit a parameter; "" if it does."""
    if isinstance(value, Unknown) or _checks()[p.kind](value):
        return ""
    if p.single and _is_index(value):
        return ""
    words, sequence = WORDS.get(p.kind, p.kind), isinstance(value, (tuple, list))
    if p.kind in INTS and sequence and position:
        got = _type_name(value[0])
        return f"must be {words}, but found element of type {got} at pos 0"
    if p.kind == "Tensors" and sequence:
        at = next(i for i, t in enumerate(value) if not isinstance(t, Tensor))
        got = _type_name(value[at])
        return f"expected Tensor as element {at} in argument {place}, but got {got}"
    return f"must be {words}, not {_type_name(value)}"


def _unpack(
    name: str, signature: Signature, args: list[Any], named: dict[str, Any]
) -> str:
    """The error for the elements of a sequence; only the first is checked above."""
    values = dict(zip([p.name for p in signature.parameters], args, strict=False))
    values |= named
    for p in signature.parameters:
        value = values.get(p.name)
        if p.kind == "floats" and isinstance(value, (tuple, list)):
            at = next((i for i, v in enumerate(value, 1) if isinstance(v, complex)), 0)
            if at:
                found = f"{FLOATS} of type complex at pos {at}"
                return f"{name}(): argument '{p.name}' {found}"
        if p.kind in INTS and isinstance(value, (tuple, list)):
            for at, element in enumerate(value, 1):
                if not (_is_index(element) or isinstance(element, bool)):
                    return (
                        f"{name}(): argument '{p.name}' failed to unpack the object at "
                        f'pos {at} with error "type must be tuple of ints,but got '
                        f'{_type_name(element)}"'
                    )
    return ""


WORDS = {
    "SymInt": "int", "ints": "tuple of ints", "SymInts": "tuple of ints",
    "floats": "tuple of floats", "Numbers": "tuple of Scalars",
    "Tensors": "tuple of Tensors", "dtype": "torch.dtype", "layout": "torch.layout",
    "device": "torch.device", "memory_format": "torch.memory_format",
    "Generator": "torch.Generator", "Storage": "torch.Storage",
}  # fmt: skip


@functools.cache
def _checks() -> dict[str, Callable[[Any], bool]]:
    """Functions that test whether a value is of a kind."""
    return {
        "Tensor": lambda v: isinstance(v, Tensor),
        "Number": lambda v: isinstance(v, complex) or _is_float(v),
        "complex": lambda v: isinstance(v, complex) or _is_float(v),
        "float": _is_float,
        "int": lambda v: _is_int(v) or (_is_constant(v) and _is_integer_tensor(v)),
        "SymInt": _is_index,
        "bool": lambda v: isinstance(v, bool),
        "str": lambda v: isinstance(v, (str, bytes)),
        "ints": lambda v: _is_list(v) and (not v or _is_index(v[0])),
        "SymInts": lambda v: _is_list(v) and (not v or _is_index(v[0])),
        "floats": lambda v: _is_list(v) and (not v or _is_plain_float(v[0])),
        "Numbers": lambda v: _is_list(v) and all(_is_number(x) for x in v),
        "Tensors": lambda v: _is_list(v) and all(isinstance(t, Tensor) for t in v),
        "dtype": lambda v: isinstance(v, dtypes.dtype) or any(v is t for t in DTYPES),
        "layout": lambda v: isinstance(v, layouts.layout),
        "device": lambda v: isinstance(v, (str, bytes, devices.device)) or _is_int(v),
        "memory_format": lambda v: isinstance(v, layouts.memory_format),
        "Generator": lambda v: isinstance(v, Generator),
        "Storage": lambda v: "Storage" in type(v).__name__,
        "object": lambda _: True,
    }


DTYPES = (bool, int, float, complex)


def _is_list(value: Any) -> bool:
    return isinstance(value, (tuple, list))


def _is_int(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, complex, np.number, np.bool_))


def _is_float(value: Any) -> bool:
    """Whether a value can be used as a float; every NumPy scalar can."""
    return isinstance(value, (int, float, np.number, np.bool_)) or _is_constant(value)


def _is_plain_float(value: Any) -> bool:
    """Whether a value passes for a float in a list of floats, which takes no tensors.

    Complex numbers do, until the list is read.
    """
    return isinstance(value, complex) or (
        _is_float(value) and not isinstance(value, Tensor)
    )


def _is_constant(value: Any) -> bool:
    """Whether a tensor has no dimensions and no history."""
    return isinstance(value, Tensor) and value.ndim == 0 and not value._requires_grad


def _is_integer_tensor(value: Tensor) -> bool:
    """Whether a tensor's elements are integers."""
    return value._data.dtype.kind in "iu"


def _is_index(value: Any) -> bool:
    """Whether a value can be an index; one-element tensors of integers or bools can."""
    if isinstance(value, (bool, np.bool_)):
        return False
    if isinstance(value, Tensor):
        return value._data.size == 1 and value._data.dtype.kind in "iub"
    return hasattr(type(value), "__index__")


def _type_name(value: Any) -> str:
    """The name of an argument's type in messages."""
    kind = type(value)
    if kind is Unknown:  # computed before the call: the number of a reduction
        return "int"
    if kind is Tensor or kind.__name__ not in OWN:
        return python_type_name(value)
    return f"torch.{kind.__name__}"


OWN = ("dtype", "layout", "device", "memory_format", "Size")
