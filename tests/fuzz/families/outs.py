"""Results into the tensors that `out=` names: of any dtype, shape, strides and memory."""

from __future__ import annotations

import random
import re

from tests.fuzz.calls import Call, calls, drawing

__all__ = ["SCALE", "program"]

SCALE = 20

DTYPES = [
    *["float32"] * 6, "float64", "float64", "complex64", "complex128", "int64", "int32",
    "uint8", "bool", "float16", "bfloat16",
]  # fmt: skip
OUT_DTYPES = DTYPES[5:] + ["int16", "int8"]
# `r` is the result that is expected, `n` its shape, `k` its dtype or another.
RIGHT = "torch.zeros(n, dtype=k)"
MAKERS = [RIGHT] * 3 + """torch.zeros(0, dtype=k)
torch.ones(3, 2, dtype=k)
torch.ones(1, *n, dtype=k)
torch.ones(60, dtype=k)[::2]
torch.ones((*n, 2), dtype=k)[..., 0]
torch.zeros(n[::-1], dtype=k).permute(*range(len(n))[::-1])
torch.zeros(1, dtype=k).expand(n)
torch.zeros(n, dtype=k).requires_grad_(k.is_floating_point)
torch.zeros(n, dtype=k, device='meta')
torch.zeros(n, dtype=k).t()
torch.zeros((*n[:-1], 7), dtype=k)[..., :(n or [0])[-1]]
torch.zeros(n, dtype=k).conj()
torch.zeros(9, dtype=k).as_strided(n, [1] * len(n))
torch.zeros((2, *n), dtype=k)[1]
torch.zeros(n, dtype=k).unsqueeze(0).transpose(0, -1)""".splitlines()  # fmt: skip
OPERANDS = [
    "{0}",
    "{0}",
    "{0}.view(-1)",
    "{0}.detach().T",
    "{0}[1:]",
    "{0}.expand(2, *{0}.shape)",
]
# Decompositions: LAPACK decides in which order of memory, and rounds more than once.
LAPACK = re.compile(r"linalg|fft|qr|svd|lu_|eig|lstsq|cholesky|quantile|inverse|solve")
# Functions in which PyTorch may write beyond `out` that is in one place of memory.
UNCHECKED = re.compile(
    r"linalg|fft|pool|linear|arg|bmm|eye|full|histc|matmul|mm$|mv$|nan|norm|ones|prod|rand|std"
    r"|var|threshold|tri|zeros|svd|qr|lu|eig|lstsq|sort|topk|mode|median|kth|cum|frexp|hist"
    r"|aminmax|copy|det|unique|range|space|cholesky|solve|empty"
)
STRANGE = [
    "5",
    "None",
    "[]",
    "()",
    "[torch.zeros(2)]",
    "'a'",
    "r",
    "np.zeros(2)",
    "(5,)",
]


def program(rng: random.Random) -> str:
    """A program of one call with `out=`."""
    dtype = rng.choice(DTYPES)
    table = calls(into_out=True)
    call = rng.choice(table[rng.choice(sorted(table))])
    lines = drawing(rng, dtype)
    call, operands = named(call)
    if operands:
        lines.append(f"{', '.join(operands)}, = {', '.join(operands.values())},")
    if rng.random() < 0.08 and operands:
        lines.append(f"{rng.choice(list(operands))}.requires_grad_()")
    if rng.random() < 0.15:
        lines.append(
            "import warnings; warnings.filterwarnings('error', 'An output with')"
        )
    lines += [f"r = {call.text()}", *outs(rng, call.function, list(operands))]
    lines.append(f"y = {call.text('out=o')}")
    # What PyTorch gives where it reads what it has written is not said to be anything.
    over = any(re.search(r"as_strided|\.expand|: [A-F]\b", line) for line in lines)
    shown = "t.dtype, list(t.shape)" if over else "t"
    if not over and "t.dtype)" not in "".join(lines):  # as exact as the operands
        shown = "t.dtype" if "float16" in dtype else "t.dtype, t.cfloat()"
    where = "t.numel() and (t.stride(), t.data_ptr() == q)"
    if LAPACK.search(call.function):
        where = "None"
    lines.append(f"told = lambda t, p, q: (t is p, {shown}, {where})")
    pairs = "zip(*(v if isinstance(v, (tuple, list)) else [v] for v in (y, o, a)))"
    lines.append(f"result = [type(y).__name__, y is o] + [told(*v) for v in {pairs}]")
    return "\n".join(lines)


def named(call: Call) -> tuple[Call, dict[str, str]]:
    """The call with its operands by names, and what these are."""
    operands: dict[str, str] = {}

    def name(text: str) -> str:
        if not re.fullmatch(r"[xus]\([^()]*\)", text):
            return text
        operands[chr(ord("A") + len(operands))] = text
        return list(operands)[-1]

    placed = [name(a) for a in call.placed]
    return Call(
        call.function, placed, {k: name(v) for k, v in call.named.items()}
    ), operands


def outs(rng: random.Random, function: str, operands: list[str]) -> list[str]:
    """Lines that make `o`, what is given as `out`, and `a`, its addresses."""
    if rng.random() < 0.04:
        return [f"o, a = {rng.choice(STRANGE)}, [0]"]
    dtype = "t.dtype" if rng.random() < 0.7 else f"torch.{rng.choice(OUT_DTYPES)}"
    maker = rng.choice(MAKERS)
    if operands and rng.random() < 0.2:
        maker = rng.choice(OPERANDS).format(rng.choice(operands))
    if re.search(r"expand|as_strided|\.T$|view", maker) and UNCHECKED.search(function):
        maker = RIGHT
    if function == "torch.range" or (LAPACK.search(function) and "meta" not in maker):
        maker = RIGHT  # PyTorch overruns what lies in another order
    lines = [f"m = lambda t: (lambda n, k: {maker})(t.shape, {dtype})"]
    odd = rng.random()
    if odd < 0.8:
        one = "m(t)"
    elif odd < 0.9:
        one = "(m(t) if i else t.clone())"
    else:
        one = "(t.clone() if i else m(t))"
    kind = "list" if rng.random() < 0.1 else "tuple"
    lines.append(
        f"o = {kind}({one} for i, t in enumerate(r)) if isinstance(r, (tuple, list)) else m(r)"
    )
    if rng.random() < 0.03:
        lines.append("o = o[:-1] if isinstance(o, (tuple, list)) else (o,)")
    lines.append(
        "a = [t.data_ptr() for t in (o if isinstance(o, (tuple, list)) else [o])]"
    )
    return lines
