"""The names and storages that a pickle refers to, without loading it.

The older formats have the memory of tensors after the pickle, each piece without its
type. To read them one must know where the pickle ends and which storages it names, so
its program is run once on a stack machine that resolves no names. Whatever the
program would build, only numbers, text and tuples of them appear on this stack.
"""

from __future__ import annotations

import pickletools
from dataclasses import dataclass, field
from pickle import UnpicklingError
from typing import IO, Any, cast

from .errors import NotAllowedError

__all__ = ["Named", "PickleScan", "Window", "scan_pickle"]

LARGEST_PLACE = 2**32  # in the memo; larger keys could be chosen to collide


class Window:
    """A file object whose reads never ask for more bytes than the file still has."""

    def __init__(self, file: Any) -> None:
        self.file = file
        start = file.tell()
        self.end = file.seek(0, 2)
        file.seek(start)

    def tell(self) -> int:
        """The position in the file."""
        return int(self.file.tell())

    def read(self, n: int) -> bytes:
        """At most `n` bytes."""
        data: bytes = self.file.read(min(n, self.end - self.file.tell()))
        return data

    def readline(self) -> bytes:
        """The rest of a line."""
        data: bytes = self.file.readline()
        return data

    def read_exactly(self, n: int) -> bytes:
        """The next `n` bytes.

        Raises:
            UnpicklingError: if there are not so many.
        """
        data = self.read(n) if n >= 0 else b""
        if len(data) != n:
            raise UnpicklingError("pickle data was truncated")
        return data

    def fill(self, target: memoryview) -> None:
        """Read into memory of exactly the size that is wanted.

        Raises:
            UnpicklingError: if the file ends before.
        """
        if not hasattr(self.file, "readinto"):
            target[:] = self.read_exactly(target.nbytes)
            return
        while target.nbytes:
            n = self.file.readinto(target)
            if not n:
                raise UnpicklingError("pickle data was truncated")
            target = target[n:]


@dataclass(frozen=True)
class Named:
    """A class or function that a pickle names."""

    module: str
    name: str


@dataclass
class PickleScan:
    """The program of one pickle, and its globals and references."""

    program: bytes = b""
    names: list[Named] = field(default_factory=list)
    references: list[Any] = field(default_factory=list)


_MARK: Any = object()
_UNKNOWN: Any = object()


class _StackMachine:
    """The stack machine of the scan."""

    def __init__(self) -> None:
        self.found = PickleScan()
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def step(self, op: Any, arg: Any) -> None:
        """Apply an opcode to the stack."""
        name = op.name
        if name in ("BINPUT", "LONG_BINPUT", "PUT", "MEMOIZE"):
            self._put(len(self.memo) if name == "MEMOIZE" else arg)
        elif name in ("BINGET", "LONG_BINGET", "GET"):
            self.stack.append(self.memo[arg])
        elif name in ("GLOBAL", "STACK_GLOBAL"):
            self._name(arg)
        elif name.startswith("TUPLE"):
            taken = self._popped(op.stack_before)
            self.stack.append(tuple(taken))
        elif name == "BINPERSID":
            self.found.references.append(self.stack.pop())
            self.stack.append(_UNKNOWN)
        elif name == "MARK":
            self.stack.append(_MARK)
        elif name == "POP":
            self.stack.pop()  # which may be a mark
        elif name == "DUP":
            self.stack.append(self.stack[-1])
        else:
            self._popped(op.stack_before)
            known = arg if isinstance(arg, (int, str, bytes, float)) else _UNKNOWN
            self.stack += [None if name == "NONE" else known] * len(op.stack_after)

    def _put(self, place: int) -> None:
        if not 0 <= place < LARGEST_PLACE:
            raise NotAllowedError(f"Memo index {place} is too large")
        self.memo[place] = self.stack[-1]

    def _name(self, arg: Any) -> None:
        if arg is None:
            module, name = self.stack[-2:]
            del self.stack[-2:]
        else:
            module, _, name = arg.partition(" ")
        if not (isinstance(module, str) and isinstance(name, str)):
            raise NotAllowedError("STACK_GLOBAL requires str")
        self.stack.append(Named(module, name))
        self.found.names.append(self.stack[-1])

    def _popped(self, before: Any) -> list[Any]:
        """Pop the operands of an opcode; those above a mark are given."""
        if pickletools.markobject not in before:
            n = len(before)
            taken = self.stack[len(self.stack) - n :]
            if len(taken) != n:
                raise NotAllowedError("there is nothing on the stack")
            del self.stack[len(self.stack) - n :]
            return taken
        place = len(self.stack) - 1
        while place >= 0 and self.stack[place] is not _MARK:
            place -= 1
        taken = self.stack[place + 1 :]
        first = place - before.index(pickletools.markobject)
        if first < 0:
            raise NotAllowedError("there is nothing below the mark")
        del self.stack[first:]
        return taken


def scan_pickle(window: Window) -> PickleScan:
    """Scan the pickle at a file's position, to its end.

    Raises:
        EOFError: for a pickle that has no end.
        UnpicklingError: for anything other than a pickle.
    """
    start, machine = window.tell(), _StackMachine()
    if start >= window.end:
        raise EOFError("Ran out of input: there is no pickle")
    try:
        for op, arg, _ in pickletools.genops(cast(IO[bytes], window)):
            machine.step(op, arg)
    except (ValueError, IndexError, KeyError) as error:
        if window.tell() >= window.end and "exhausted" in str(error):
            raise EOFError("Ran out of input") from None
        raise NotAllowedError(_shortened(str(error))) from None
    size = window.tell() - start
    window.file.seek(start)
    machine.found.program = window.read_exactly(size)
    return machine.found


def _shortened(text: str) -> str:
    return f"this is no pickle, or a damaged one: {text[:100]}"
