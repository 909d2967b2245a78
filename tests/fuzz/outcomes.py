"""The outcome of a program under one library, in a form common to both."""

from __future__ import annotations

import linecache
import re
import warnings
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

__all__ = ["HEADER", "Outcome", "TensorValue", "outcome"]

FILE = "<program>"
# The lines before each program: a reproducer needs them.
HEADER = "import numpy as np, torch; from torch import nn; F = nn.functional"


@dataclass(repr=False)
class TensorValue:
    """A tensor as plain data: what `repr`, a user and NumPy can tell of it."""

    dtype: str
    shape: tuple[int, ...]
    layout: str
    requires_grad: bool
    values: Any

    def __repr__(self) -> str:
        values = np.array2string(self.values, threshold=8, separator=", ")
        grad = ", requires_grad" if self.requires_grad else ""
        return f"{self.dtype}{list(self.shape)}{grad} {values}".replace("\n", "")


@dataclass
class Outcome:
    """`value` of a program that ended, or the exception that ended it."""

    value: Any = None
    error: Exception | None = None

    @property
    def message(self) -> str:
        """The first line of the exception's message."""
        return text(str(self.error)).partition("\n")[0].strip()

    def __str__(self) -> str:
        if self.error is not None:
            return f"{type(self.error).__name__}: {self.message}"
        return str(self.value)


def outcome(program: str, library: ModuleType, names: dict[str, Any]) -> Outcome:
    """Run `program` with `torch` meaning `library`; `result` is what it gives."""
    library.manual_seed(0)
    library.set_default_dtype(library.float32)
    nn = library.nn
    # Messages tell what was given by name, which they read in the source.
    linecache.cache[FILE] = len(program), None, program.splitlines(True), FILE
    space = {"np": np, "torch": library, "nn": nn, "F": nn.functional, **names}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            exec(compile(program, FILE, "exec"), space)
            return Outcome(described(space["result"], library))
        except Exception as error:
            return Outcome(error=error)


def described(value: Any, library: ModuleType) -> Any:
    """Tensors as `TensorValue`s, in lists and dictionaries; the rest as text."""
    if isinstance(value, library.Tensor):
        return tensor_value(value, library)
    if isinstance(value, (bool, int, float, complex)) or value is None:
        return value
    if isinstance(value, np.ndarray):
        return TensorValue(str(value.dtype), value.shape, "numpy", False, value)
    if isinstance(value, dict):
        return {text(str(k)): described(v, library) for k, v in value.items()}
    if isinstance(value, (list, tuple)) and not isinstance(value, library.Size):
        return [described(v, library) for v in value]
    return text(str(value))


def tensor_value(t: Any, library: ModuleType) -> TensorValue:
    """The tensor's dtype, shape, layout and values."""
    head = (text(str(t.dtype)), tuple(t.shape), text(str(t.layout)), t.requires_grad)
    if t.device.type == "meta":
        return TensorValue(*head, np.zeros(0))
    t = t.detach()
    if getattr(t, "_is_zerotensor", bool)():  # PyTorch's, without memory
        t = t.clone()
    if t.layout is not library.strided:
        t = t.to_dense()
    if t.dtype.itemsize < 4 and t.dtype.is_floating_point:
        t = t.to(library.float32)
    elif str(t.dtype).endswith("complex32"):
        t = t.to(library.complex64)
    return TensorValue(*head, t.resolve_conj().resolve_neg().numpy().copy())


def text(words: str) -> str:
    """Words without what may differ: the library's name, addresses, C++'s files."""
    words = re.sub(r" \(Triggered internally at \S+\)", "", words)
    return re.sub(r"0x[0-9a-f]+", "0x", words.replace("edutorch", "torch"))
