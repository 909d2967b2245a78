"""Numbers and names as text, as in `widgets/src/format.ts`."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context
from typing import Any

__all__ = [
    "clip",
    "clip_title",
    "columns",
    "duration",
    "graph_title",
    "module_title",
    "number",
    "percent",
    "repeat_title",
    "rounded",
    "shape_text",
    "short_file",
    "size_text",
    "step_text",
]

_UNITS = ("B", "KB", "MB", "GB", "TB")


def number(x: float | None, digits: int = 3) -> str:
    """Three significant digits, or `digits`.

    Example:
        >>> [number(x) for x in (0.01234, 4.5600, 1.2e-7, 36000.0, None)]
        ['0.0123', '4.56', '1.20e-07', '36000', '–']
    """
    if x is None:
        return "–"
    if not math.isfinite(x):
        return "nan" if math.isnan(x) else "inf" if x > 0 else "-inf"
    if x == 0:
        return "0"
    short = rounded(x, digits)
    if not 1e-3 <= abs(x) < 1e5:
        return f"{short:.{digits - 1}e}"
    return f"{short:.6f}".rstrip("0").rstrip(".")


def rounded(x: float, digits: int) -> float:
    """A finite number rounded half up to significant digits, as in the page.

    Example:
        >>> rounded(1.125, 3), rounded(-1.125, 3), float(f"{1.125:.2e}")
        (1.13, -1.13, 1.12)
    """
    context = Context(prec=digits, rounding=ROUND_HALF_UP)
    return float(context.create_decimal_from_float(float(x)))


def percent(share: float) -> str:
    """A share as a whole percentage; 0% and 100% only if they are exact.

    Example:
        >>> percent(0.384), percent(0.002), percent(0.998), percent(1.0)
        ('38%', '<1%', '>99%', '100%')
    """
    whole = math.floor(share * 100 + 0.5)
    if share > 0 and whole < 1:
        return "<1%"
    if share < 1 and whole > 99:
        return ">99%"
    return f"{whole}%"


def size_text(nbytes: float | None) -> str:
    """Bytes in binary units, as in PyTorch's memory summary.

    Example:
        >>> size_text(1536), size_text(12)
        ('1.5 KB', '12 B')
    """
    if nbytes is None:
        return "–"
    value, unit = float(nbytes), 0
    while abs(value) >= 1024 and unit < len(_UNITS) - 1:
        value /= 1024
        unit += 1
    digits = 0 if unit == 0 or value >= 100 else 1
    if math.isfinite(value):  # halves go up, as in the page
        scale = 10**digits
        value = math.copysign(math.floor(abs(value) * scale + 0.5) / scale, value)
    return f"{value:.{digits}f} {_UNITS[unit]}"


def duration(us: float | None) -> str:
    """Microseconds as µs, ms or s.

    Example:
        >>> duration(1234.0)
        '1.23 ms'
    """
    if us is None:
        return "–"
    if us < 1000:
        return f"{number(us)} µs"
    return f"{number(us / 1000)} ms" if us < 1e6 else f"{number(us / 1e6)} s"


def shape_text(shape: Sequence[int]) -> str:
    """A shape as "64×20×24×24", or "scalar" if it has no dimensions.

    Example:
        >>> shape_text([2, 3])
        '2×3'
    """
    return "×".join(map(str, shape)) if shape else "scalar"


def module_title(path: str, cls: str, call: int, outer: str | None = None) -> str:
    """A module as PyTorch prints children; "#2" is its second call.

    Args:
        path, cls: the module's path and class; a model has the name of its class.
        call: which of its calls.
        outer: the module whose frame contains it; by default the next one.

    Example:
        >>> module_title("features.conv1", "Conv2d", 2)
        '(conv1): Conv2d #2'
        >>> module_title("heads.1", "Linear", 1, outer="")
        '(heads.1): Linear'
        >>> module_title("Net", "Net", 1), module_title("Net_2", "Net", 1)
        ('Net', 'Net 2')
    """
    name = _last(path) if outer is None else path.removeprefix(f"{outer}.")
    title = f"({name}): {cls}" if cls else f"({name})"
    if cls and re.fullmatch(re.escape(cls) + r"(_\d+)?", path):  # a model
        title = cls + path.removeprefix(cls).replace("_", " ")
    return f"{title} #{call}" if call > 1 else title


def repeat_title(paths: Sequence[str], cls: str) -> str:
    """The title of a run of identical neighbours.

    Example:
        >>> repeat_title(["blocks.0", "blocks.1", "blocks.2"], "Block")
        '(0–2): Block ×3'
    """
    first, last = _last(paths[0]), _last(paths[-1])
    names = first if first == last else f"{first}–{last}"
    return f"({names}){f': {cls}' if cls else ''} ×{len(paths)}"


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def columns(text: str) -> int:
    """The columns a string takes: 1 per letter, 2 per East Asian character or emoji."""
    return sum(2 if ord(c) >= 0x2E80 else 1 for c in text)


def clip(text: str, limit: int) -> str:
    """Truncate `text` to at most `limit` columns, including an ellipsis.

    Example:
        >>> clip("convolution", 5)
        'conv…'
    """
    if columns(text) <= limit:
        return text
    kept, n = "", 0
    for c in text:
        n += columns(c)
        if n > limit - 1:
            break
        kept += c
    return kept + "…"


def clip_title(title: str, limit: int) -> str:
    """Truncate `title` to at most `limit` columns, keeping a repeat count.

    Example:
        >>> clip_title("(0-11): TransformerEncoderLayer ×12", 20)
        '(0-11): Transfo… ×12'
    """
    times = re.search(r" ×[0-9]+$|$", title)
    kept = times[0] if times else ""
    return clip(title.removesuffix(kept), limit - columns(kept)) + kept


def short_file(file: str) -> str:
    """A file name with its parent folder.

    Example:
        >>> short_file("/home/me/work/train.py")
        'work/train.py'
    """
    return "/".join(re.split(r"[\\/]", file)[-2:])


def step_text(data: dict[str, Any]) -> str:
    """The training step, and the number of the forward pass if it has several.

    Example:
        >>> step_text({"step": 4}), step_text({"step": 4, "passes": 1})
        ('step 4', 'step 4, pass 2')
    """
    passes = data.get("passes", 0)
    return f"step {data['step']}" + (f", pass {passes + 1}" if passes else "")


def graph_title(data: dict[str, Any]) -> str:
    """The title of a graph, with the step of the values shown.

    Only some steps are sampled, to keep the overhead low.

    Example:
        >>> graph_title({"nodes": [{"kind": "op"}], "step": 7, "recorded_step": 5,
        ...              "dropped": 0})
        'Graph of 1 operation, step 7; values and gradients from step 5'
    """
    if not data["nodes"]:
        title = "Graph: nothing recorded yet"
    else:
        ops = sum(n["kind"] == "op" for n in data["nodes"])
        count = "1 operation" if ops == 1 else f"{ops} operations"
        title = f"Graph of {count}, {step_text(data)}"
        if data["recorded_step"] < data["step"]:
            title += f"; values and gradients from step {data['recorded_step']}"
    if data["dropped"]:
        title += f"; {data['dropped']} older nodes dropped"
    return title
