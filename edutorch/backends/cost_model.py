"""Durations of work on a simulated GPU: three formulas, and constants for each GPU.

The time of a kernel is a fixed overhead plus the longer of arithmetic and memory
traffic (the roofline model): `start + max(flops / rate, bytes / bandwidth)`. A copy
over the bus takes `latency + bytes / bus`; from pageable host memory, the bytes are
first copied to page-locked memory, at `HOST_COPY`. Each kernel or copy takes `launch`
on the host.

========  ======  =====  =====  =======  =====  ======  =====  =====  =====
preset    memory  GB/s   FP64   FP32     TF32   FP16    INT8   bus    peer
========  ======  =====  =====  =======  =====  ======  =====  =====  =====
T4        16 GB   320    0.25   8.1      8.1    65      130    12     12
A100      80 GB   2039   9.7    19.5     156    312     624    25     300
H200      141 GB  4800   34     67       494    989     1979   50     450
laptop    8 GB    256    0.14   9.0      18     36      72     12     12
========  ======  =====  =====  =======  =====  ======  =====  =====  =====

Arithmetic rates are in 10¹² operations per second, bus and peer in GB/s in one
direction. They are from NVIDIA's data sheets: T4 (2018), A100 80GB SXM (2020), H200 SXM
(2024; dense, half of the rates with sparsity); "laptop" is a GeForce RTX 4060 Laptop at
its base clock, 1.47 GHz × 3072 × 2. The FP64 rate of the T4 is 1/32 of FP32, the
laptop's 1/64. The bus reaches about 80% of the nominal bandwidth of PCIe 3.0, 4.0 and
5.0 with 16 lanes (laptop: 4.0 with 8). `launch` and `start` are typical of a framework
that runs op by op: an addition in PyTorch takes 8.7 µs of host time with an H100.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

__all__ = ["PRESETS", "CostModel", "flops_of", "preset"]

HOST_COPY: Final = 10e9  # bytes per second, within host memory
GB: Final = 2**30


@dataclass(frozen=True)
class CostModel:
    """The constants of a kind of GPU; times in seconds, rates per second.

    Attributes:
        name: of the preset.
        capacity: bytes of memory.
        memory: bandwidth of the device's memory, in bytes per second.
        bus: that between host and device, after `latency`.
        peer: that between two devices.
        rates: arithmetic operations per second, by dtype.
        launch: the host's time for a kernel or copy.
        start: the fixed overhead of a kernel.
        capability: the compute capability, (major, minor).
        processors: multiprocessors.

    Example:
        >>> from edutorch.backends.cost_model import PRESETS
        >>> t4 = PRESETS["T4"]
        >>> round(t4.kernel_seconds(2 * 1000**3, 12_000_000, "float32") * 1e6, 1)
        250.9
    """

    name: str
    capacity: int
    memory: float
    bus: float
    peer: float
    rates: dict[str, float]
    launch: float
    start: float
    capability: tuple[int, int]
    processors: int
    latency: float = 10e-6

    def kernel_seconds(self, flops: float, nbytes: float, dtype: str) -> float:
        """The time of a kernel, given its operations and bytes."""
        rate = self.rates.get(dtype, self.rates["float32"])
        return self.start + max(flops / rate, nbytes / self.memory)

    def copy_seconds(self, nbytes: int, *, pinned: bool = False) -> float:
        """The time of a copy between the host and the device."""
        seconds = self.latency + nbytes / self.bus
        return seconds if pinned else seconds + nbytes / HOST_COPY

    def peer_seconds(self, nbytes: int) -> float:
        """The time of a copy from one device to another."""
        return self.latency + nbytes / self.peer


def _rates(
    float64: float, float32: float, tf32: float, float16: float, int8: float
) -> dict[str, float]:
    """Operations per second by dtype, from numbers in units of 10¹²."""
    tera = {
        "float64": float64, "float32": float32, "tf32": tf32, "float16": float16,
        "bfloat16": float16, "int8": int8,
    }  # fmt: skip
    return {dtype: number * 1e12 for dtype, number in tera.items()}


PRESETS: Final = {
    model.name: model
    for model in (
        CostModel(
            "T4", 16 * GB, 320e9, 12e9, 12e9, _rates(0.25, 8.1, 8.1, 65, 130),
            launch=10e-6, start=4e-6, capability=(7, 5), processors=40,
        ),
        CostModel(
            "A100", 80 * GB, 2039e9, 25e9, 300e9, _rates(9.7, 19.5, 156, 312, 624),
            launch=9e-6, start=3e-6, capability=(8, 0), processors=108,
        ),
        CostModel(
            "H200", 141 * GB, 4800e9, 50e9, 450e9, _rates(34, 67, 494, 989, 1979),
            launch=8e-6, start=2e-6, capability=(9, 0), processors=132,
        ),
        CostModel(
            "laptop", 8 * GB, 256e9, 12e9, 12e9, _rates(0.14, 9.0, 18, 36, 72),
            launch=10e-6, start=3e-6, capability=(8, 9), processors=24,
        ),
    )
}  # fmt: skip


def preset(name: str) -> CostModel:
    """The constants of a kind of GPU by its name, in any case.

    Raises:
        ValueError: for a name that is not known.

    Example:
        >>> from edutorch.backends.cost_model import preset
        >>> preset("a100").processors
        108
    """
    for known, model in PRESETS.items():
        if known.lower() == name.strip().lower():
            return model
    names = ", ".join(PRESETS)
    raise ValueError(f"expected the name of a GPU ({names}), got {name!r}")


Shapes = Sequence[tuple[int, ...]]


def _product(shapes: Shapes, out: tuple[int, ...]) -> int:
    """(*, k) times (*, k, m): each element is a sum of k products."""
    return 2 * prod(out) * shapes[0][-1]


def _added_product(shapes: Shapes, out: tuple[int, ...]) -> int:
    """The same with a summand before the factors."""
    return 2 * prod(out) * shapes[1][-1]


def _batch_sum(shapes: Shapes, out: tuple[int, ...]) -> int:
    """A sum of b products."""
    return 2 * prod(out) * shapes[1][0] * shapes[1][-1]


def _convolution(shapes: Shapes, out: tuple[int, ...]) -> int:
    """Each element is a sum over the window and the channels of its group."""
    return 2 * prod(out) * prod(shapes[1][1:])


def _transposed(shapes: Shapes, out: tuple[int, ...]) -> int:
    """Each element of the input is added to a window in each output channel."""
    return 2 * prod(shapes[0]) * prod(shapes[1][1:])


def _attention(shapes: Shapes, out: tuple[int, ...]) -> int:
    """Two products over queries and keys."""
    queries, keys, values = shapes[:3]
    return 2 * prod(queries[:-1]) * keys[-2] * (queries[-1] + values[-1])


def _recurrence(shapes: Shapes, out: tuple[int, ...]) -> int:
    """Every step multiplies the state by the weight of each gate."""
    return 2 * prod(shapes[0]) * shapes[1][-1]


# Ops with more arithmetic than elements; others count as one operation per element.
FLOPS: Final[dict[str, Callable[[Shapes, tuple[int, ...]], int]]] = {
    "Mm": _product, "Bmm": _product, "Matmul": _product, "Linear": _product,
    "Mv": _product, "Dot": _product, "Vdot": _product,
    "Addmm": _added_product, "Addmv": _added_product, "Baddbmm": _added_product,
    "Addbmm": _batch_sum, "Convolution": _convolution, "ConvTranspose": _transposed,
    "Attention": _attention, "LstmLayer": _recurrence, "GruLayer": _recurrence,
    "RnnLayer": _recurrence,
}  # fmt: skip


def flops_of(op: str, operands: Sequence[Any], out: Any) -> int:
    """The arithmetic operations of an op, by its class and its arrays' shapes.

    Example:
        >>> import numpy as np
        >>> from edutorch.backends.cost_model import flops_of
        >>> a, b = np.ones((2, 3)), np.ones((3, 5))
        >>> flops_of("Mm", [a, b], a @ b), flops_of("Mul", [a, a], a)
        (60, 6)
    """
    counted = FLOPS.get(op)
    if counted is not None:
        return counted([tuple(x.shape) for x in operands], tuple(out.shape))
    return max([int(out.size), *[int(getattr(x, "size", 1)) for x in operands]])
