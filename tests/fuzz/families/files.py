"""Files both ways: a value is saved by one library, loaded and saved by the other."""

from __future__ import annotations

import copy
import io
import pickle
import random
from types import ModuleType
from typing import Any

from tests.oracle import torch as oracle

import edutorch  # isort: skip

__all__ = ["names", "program"]

DTYPES = """bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64
complex128""".split()
# PyTorch has no storages for these in older files, nor pickles.
UNTYPED = """uint16 uint32 uint64 float8_e4m3fn float8_e5m2 complex32""".split()
SHAPES = ["()", "(3,)", "(2, 3)", "(1, 4)", "(0, 3)", "(2, 1, 3)"]
VIEWS = ["x.t()", "x[1:]", "x[..., ::2]", "x.expand(2, *x.shape)", "x.conj()", "x[-1]",
         "x.reshape(-1)", "x.diagonal()", "x.conj().imag", "x.real", "x.detach()",
         "x.detach().to_sparse()", "x.unsqueeze(1)", "x.clone()"]  # fmt: skip
OTHERS = ["1", "2**70", "-2.5", "'tüxt'", "b'\\xff'", "None", "torch.Size([1, 2])",
          "torch.float16", "torch.device('cpu')", "{1, 'a'}", "(1, (2, []))", "1j",
          "x.storage()", "nn.Parameter(torch.ones(2), requires_grad=False)",
          "nn.Linear(2, 1).state_dict()", "bytearray(b'ab')", "torch.strided",
          "torch.optim.SGD([nn.Parameter(torch.ones(1))], 0.1).state_dict()",
          "torch.empty(2, device='meta')"]  # fmt: skip
WHOLE = ["nn.Linear(2, 3)", "nn.Sequential(nn.Conv1d(1, 2, 2), nn.Tanh())", "nn.GRU(2, 3)",
         "nn.BatchNorm1d(2)", "nn.MultiheadAttention(4, 2)", "torch.ones(2, 2).max(0)",
         "nn.Embedding(3, 2)", "nn.ModuleDict({'a': nn.ReLU()})", "torch.Generator()",
         "nn.LayerNorm(3)", "nn.CrossEntropyLoss()"]  # fmt: skip


def program(rng: random.Random) -> str:
    """A program that sends tensors, views of them and other values."""
    values = [rng.choice(["x", "y", "y", *OTHERS]) for _ in range(rng.randrange(1, 4))]
    if rng.random() < 0.3:
        values.append(rng.choice(WHOLE))
    trust = any(v in WHOLE for v in values)
    route = rng.choice(["sent", "sent", "sent", "pickled", "copied"])
    options = ""
    if route == "sent":
        # PyTorch's generators want their state before older files give it.
        stream = "torch.Generator()" not in values and rng.random() < 0.5
        options = f", stream={stream}, trust={trust or rng.random() < 0.3}"
    pairs = ", ".join(f"'{i}': {value}" for i, value in enumerate(values))
    grad = ".requires_grad_()" if rng.random() < 0.3 else ""
    untyped = route == "copied" or "stream=False" in options
    dtype = rng.choice(DTYPES + UNTYPED if untyped else DTYPES)
    made = f"torch.randint(0, 5, {rng.choice(SHAPES)}).to(torch.{dtype})"
    view = rng.choice(VIEWS)
    if dtype in UNTYPED and "sparse" in view:
        view = "x"
    lines = [f"x = {made}{grad}", f"y = {view}.detach()"]
    if rng.random() < 0.3:
        lines.append(rng.choice(["x.note = ['n', 1]", "y.note = x", "x.a = y.b = 1.5"]))
    lines.append(f"result = facts({route}({{{pairs}}}{options}))")
    return "\n".join(lines)


def names(library: ModuleType) -> dict[str, Any]:
    """How values are sent and described, for programs of one library."""
    other = edutorch if library is oracle else oracle

    def sent(value: Any, stream: bool, trust: bool) -> Any:
        """Saved here, loaded and saved there, loaded here."""
        for one, two in ((library, other), (other, library)):
            file = io.BytesIO()
            one.save(value, file, _use_new_zipfile_serialization=not stream)
            file.seek(0)
            value = two.load(file, weights_only=not trust)
        return value

    return {
        "sent": sent,
        "pickled": lambda value: pickle.loads(pickle.dumps(value)),
        "copied": copy.deepcopy,
        "facts": lambda value: facts(value, library, {}),
    }


def facts(value: Any, library: ModuleType, seen: dict[int, int]) -> Any:
    """A value with a description of its tensors in addition to the numbers."""
    if isinstance(value, library.Tensor):
        return [value, type(value).__name__, *_place(value, library, seen),
                facts(_attributes(value), library, seen)]  # fmt: skip
    if isinstance(value, library.nn.Module):
        return [str(value), facts(dict(value.state_dict()), library, seen)]
    if isinstance(value, library.Generator):
        return library.rand(2, generator=value)
    if isinstance(value, dict):
        return {key: facts(v, library, seen) for key, v in value.items()}
    if isinstance(value, (list, tuple)) and not isinstance(value, library.Size):
        return [type(value).__name__, *(facts(v, library, seen) for v in value)]
    return value


def _attributes(value: Any) -> dict[str, Any]:
    return {k: v for k, v in sorted(vars(value).items()) if not k.startswith("_")}


def _place(value: Any, library: ModuleType, seen: dict[int, int]) -> list[Any]:
    """Where a tensor lies: strides, offset, storage; empty ones lie anywhere."""
    if value.layout is not library.strided or value.is_meta or not value.numel():
        return []
    storage = value.untyped_storage()
    number = seen.setdefault(storage.data_ptr(), len(seen))
    flags = value.is_conj(), value.is_neg()
    return [value.stride(), value.storage_offset(), storage.nbytes(), number, *flags]
