"""Write `parser_signatures.txt`: PyTorch's signatures of edutorch's functions.

    python -m tests.ops.write_signatures

PyTorch's binary has them as texts. Those of methods are listed where PyTorch has no
function of the name; other methods take what the function takes, without `input`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import edutorch
from tests.oracle import torch

__all__ = ["table"]

FILE = Path(edutorch.__file__).with_name("ops") / "parser_signatures.txt"
KINDS = {
    "int64_t": "int", "DeviceIndex": "int", "double": "float", "Scalar": "Number",
    "IntArrayRef": "ints", "SymIntArrayRef": "SymInts", "ArrayRef<double>": "floats",
    "ScalarList": "Numbers", "TensorList": "Tensors",
    "c10::List<::std::optional<Tensor>>": "Tensors", "ScalarType": "dtype",
    "Layout": "layout", "Device": "device", "MemoryFormat": "memory_format",
    "c10::string_view": "str", "std::string_view": "str", "std::string": "str",
    "PyObject*": "object", "SymInt": "SymInt", "Generator": "Generator", "bool": "bool",
    "Storage": "Storage", "Tensor": "Tensor",
}  # fmt: skip
SPACES = ("_VariableFunctions", "_nn", "_linalg", "_fft", "_special", "_sparse")
# Functions that PyTorch's Python functions call, and that edutorch lacks.
INSIDE = frozenset(
    (
        "_lu_with_info", "_unique2", "cross_entropy_loss", "glu", "grid_sampler",
        "huber_loss", "im2col", "col2im", "log_sigmoid", "multi_margin_loss",
        "nll_loss_nd", "relu6", "soft_margin_loss", "softplus", "unique_dim",
        "upsample_bicubic2d", "upsample_bilinear2d", "upsample_linear1d",
        "upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d",
        "upsample_trilinear3d",
    )
)  # fmt: skip


def table() -> str:
    """The text of the file."""
    listed = defaultdict(list)
    for name, signatures in _signatures().items():
        functions, methods = _divided(name, signatures)
        known = functions and (name in _names() or name in INSIDE)
        if known or (methods and not functions and hasattr(edutorch.Tensor, name)):
            texts = sorted(functions or methods)
            listed[" | ".join(texts)].append(name if functions else f".{name}")
    lines = [f"{' '.join(sorted(n))}: {text}\n" for text, n in listed.items()]
    return "".join(sorted(lines))


def _names() -> set[str]:
    """What edutorch has, by the names that messages have for it."""
    found = {*dir(edutorch), *dir(edutorch.nn.functional)}
    for prefix in ("special", "linalg", "fft"):
        found |= {f"{prefix}_{name}" for name in dir(getattr(edutorch, prefix))}
    return found


def _signatures() -> dict[str, list[str]]:
    """Every signature in PyTorch's binary, in the words of the file."""
    library = Path(torch.__file__).parent / "lib" / "libtorch_python.so"
    pattern = rb"(?<=\0)([A-Za-z_]\w*)\(([^\0\n]*)\)((?:\|deprecated)?)\0"
    found = defaultdict(set)
    for name, listed, old in set(re.findall(pattern, library.read_bytes())):
        text = _converted(listed.decode())
        if text is not None:
            found[name.decode()].add(text + " !" * bool(old))
    return found


def _converted(listed: str) -> str | None:
    """Parameters in the words of the file; None for what are no parameters."""
    words = []
    for text in re.split(r", (?![^<(\[]*[>)\]])", listed) if listed else []:
        match = re.fullmatch(r"(\S+?)(\[\d\])?(\?)? (\w+)(=.*)?", text)
        if text != "*" and (match is None or match[1] not in KINDS):
            return None
        if match is None:
            words.append(text)
            continue
        none = "?" * bool(match[3] or match[5] == "=None")
        kind = KINDS[match[1]] + (match[2] or "")
        words.append(f"{kind}{none} {match[4]}{'=' * bool(match[5])}")
    return ", ".join(words)


def _divided(name: str, signatures: set[str]) -> tuple[set[str], set[str]]:
    """The signatures of the function and those of the method."""
    function = any(hasattr(getattr(torch._C, space), name) for space in SPACES)
    if not hasattr(torch._C.TensorBase, name):
        return (signatures if function else set()), set()
    if not function:
        return set(), signatures - {
            s for s in signatures if s.startswith("Storage src")
        }
    methods = {_as_method(s) for s in signatures} & signatures
    return signatures - methods, methods


def _as_method(signature: str) -> str | None:
    """A function's signature without `input` and `out`; None without `input`."""
    words = signature.removesuffix(" !").split(", ")
    first = next((w for w in words if re.fullmatch("Tensor (input|self)", w)), None)
    kept = [w for w in words if w != first and not re.fullmatch(r"\S+ out=", w)]
    while kept and kept[-1] == "*":
        kept.pop()
    old = " !" * signature.endswith(" !")
    return None if first is None else ", ".join(kept) + old


if __name__ == "__main__":
    FILE.write_text(table())
