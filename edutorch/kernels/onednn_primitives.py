"""Convolutions of oneDNN: created once for each problem, and run on arrays.

oneDNN chooses the layouts of its operands, usually with 16 channels side by side. The
arrays of the library are row-major or channels last. So an input is copied to oneDNN's
layout and a result from there, unless the layouts are the same.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import byref
from functools import lru_cache
from typing import Any, Final

import numpy as np

from edutorch.kernels.onednn import (
    DST,
    SRC,
    Handle,
    Layout,
    Primitive,
    Shape,
    aligned,
    buffers,
    creation,
    dims,
    layout_of,
    library,
    one_thread,
    reorder,
)

__all__ = ["Convolution", "Operand", "convolution", "dense_strides"]

MAX_PRIMITIVES: Final = 256  # cached; oneDNN would keep 1024 itself

# Constants of the C interface, see `onednn.py`.
TRAINING, INFERENCE, DIRECT = 64, 96, 1
QUERY_NAME = 8
LANES = 16  # channels side by side
WEIGHTS, BIAS = 33, 41
DIFF_SRC, DIFF_DST, DIFF_WEIGHTS = 129, 145, 161
# How to ask a primitive for the layout of each argument.
QUERIES: Final = {
    SRC: 129, DIFF_SRC: 130, WEIGHTS: 131, DIFF_WEIGHTS: 132, DST: 133, DIFF_DST: 134,
}  # fmt: skip
# The arguments of the three convolutions, in the order input, weight, output.
ARGUMENTS: Final = {
    "forward": (SRC, WEIGHTS, DST),
    "grad_input": (DIFF_SRC, WEIGHTS, DIFF_DST),
    "grad_weight": (SRC, DIFF_WEIGHTS, DIFF_DST),
}
RESULTS: Final = {"forward": "y", "grad_input": "x", "grad_weight": "w"}
# Names of implementations that are slower than the kernels of this package.
SLOW: Final = ("ref", "gemm", "simple")


class Operand:
    """An operand of a convolution: its layout in memory, and that of oneDNN.

    Args:
        shape: as oneDNN is told.
        strides: of the array, in elements.
        chosen: the layout that oneDNN chose.
        is_result: whether the convolution writes it.
    """

    def __init__(
        self, shape: Shape, strides: Shape, chosen: Layout, *, is_result: bool
    ) -> None:
        self.shape, self.strides, self.size = shape, strides, chosen.size
        own = Layout.strided(shape, strides)
        self.copy: Primitive | None = None
        if own != chosen:
            self.copy = reorder(chosen, own) if is_result else reorder(own, chosen)

    def check(self, a: Any) -> None:
        """Raise ValueError unless the array is such an operand."""
        if a.dtype != np.float32 or a.shape != self.shape:
            raise ValueError(f"oneDNN expects float32 {self.shape}, got {a.shape}")
        for n, stride, expected in zip(a.shape, a.strides, self.strides, strict=True):
            if n > 1 and stride != expected * a.itemsize:
                raise ValueError(
                    f"oneDNN expects strides of {self.strides} elements, got "
                    f"{a.strides} bytes"
                )


def dense_strides(shape: Shape, *, channels_last: bool = False) -> Shape:
    """Strides in elements of a dense array.

    Example:
        >>> dense_strides((2, 3, 4))
        (12, 4, 1)
        >>> dense_strides((2, 3, 4), channels_last=True)
        (12, 1, 3)
    """
    inwards = [0, *range(2, len(shape)), 1] if channels_last else range(len(shape))
    strides, step = [0] * len(shape), 1
    for dim in reversed(inwards):
        strides[dim] = step
        step *= shape[dim]
    return tuple(strides)


class Convolution:
    """A convolution of some images, or one of its gradients.

    `x`, `w` and `y` are its operands, `result` is the name of the one that it computes.
    """

    def __init__(
        self,
        kind: str,
        shapes: Sequence[Shape],
        strides: Sequence[Shape],
        geometry: Sequence[Shape],
        *,
        bias: bool,
    ) -> None:
        description = _describe(kind, shapes, geometry, bias=bias)
        name = ctypes.c_char_p()
        query = description.handle, QUERY_NAME, 0, byref(name)
        library().call("dnnl_primitive_desc_query", *query)
        self.name = (name.value or b"").decode()
        if any(part in self.name for part in SLOW):
            raise NotImplementedError(self.name)
        arguments = ARGUMENTS[kind]
        layouts = [_expected(description, QUERIES[a]) for a in arguments]
        table = dict(zip(arguments, layouts, strict=True))
        if bias:
            table[BIAS] = Layout.strided((shapes[2][1],), (1,))
        self.primitive = Primitive(description, table)
        self.result = RESULTS[kind]
        self.x, self.w, self.y = (
            Operand(shape, steps, layout, is_result=name == self.result)
            for name, shape, steps, layout in zip(
                "xwy", shapes, strides, layouts, strict=True
            )
        )

    def check(self, x: Any, w: Any, y: Any) -> None:
        """Raise ValueError unless the arrays are the operands of this convolution."""
        self.x.check(x)
        self.w.check(w)
        self.y.check(y)

    def check_bias(self, biases: Sequence[Any]) -> None:
        """Raise ValueError unless `run` takes this bias, or none."""
        layout = self.primitive.layouts.get(BIAS)
        expected = [] if layout is None else [(np.dtype(np.float32), layout.size)]
        if [(b.dtype, b.nbytes) for b in biases] != expected:
            raise ValueError("oneDNN expects another bias")

    def packed_weight(self, w: Any, *, reuse: bool = False) -> Any:
        """The weight in oneDNN's layout: itself, or a copy.

        Args:
            reuse: copy to memory that the thread's next call overwrites.
        """
        self.w.check(w)
        if self.w.copy is None:
            return w
        packed = buffers.array("w", self.w.size) if reuse else aligned(self.w.size)
        self.w.copy.run(w.ctypes.data, packed.ctypes.data)
        return packed

    def unpack_weight(self, packed: Any, w: Any) -> None:
        """Copy a gradient in oneDNN's layout to a weight."""
        self.w.check(w)
        if packed.nbytes != self.w.size:
            raise ValueError(f"oneDNN expects {self.w.size} bytes, got {packed.nbytes}")
        if self.w.copy is None:
            w.reshape(-1)[...] = packed.view(np.float32)
        else:
            self.w.copy.run(packed.ctypes.data, w.ctypes.data)

    def run(self, x: int, w: int, y: int, *bias: int) -> None:
        """Compute one operand from the other two, given the addresses of all.

        Args:
            x: an input that `check` accepts.
            w: a weight in oneDNN's layout.
            y: an output that `check` accepts.
            bias: that of a convolution that has one.
        """
        copies = []  # of the result
        addresses = []
        for name, operand, address in (("x", self.x, x), ("y", self.y, y)):
            inside = address
            if operand.copy is not None:
                inside = buffers.address(name, operand.size)
                if name == self.result:
                    copies.append((operand.copy, inside, address))
                else:
                    operand.copy.run(address, inside)
            addresses.append(inside)
        addresses.insert(1, w)
        self.primitive.run(*addresses, *bias)
        for copy, inside, address in copies:
            copy.run(inside, address)


def _expected(description: Handle, query: int) -> Layout:
    layout = layout_of(description, query)
    if layout is None:
        raise RuntimeError("oneDNN: a convolution lacks an argument")
    return layout


def _describe(
    kind: str, shapes: Sequence[Shape], geometry: Sequence[Shape], *, bias: bool
) -> Handle:
    """The primitive descriptor of a convolution, with layouts that oneDNN chooses."""
    # Blocks of 16 channels would waste time on the last, incomplete one.
    uneven = kind == "grad_weight" and shapes[0][1] > LANES and shapes[0][1] % LANES > 0
    layouts = [Layout.chosen_by_onednn(shape) for shape in shapes]
    if uneven:
        layouts[::2] = [
            Layout.strided(shape, dense_strides(shape, channels_last=True))
            for shape in shapes[::2]
        ]
    x, w, y = (layout.handle for layout in layouts)
    b = Layout.strided((shapes[2][1],), (1,)) if bias else None
    windows = [dims(numbers) for numbers in geometry]
    engine, attributes = library().engine, library().attributes

    def create(name: str, *arguments: Any) -> Handle:
        name = f"dnnl_convolution_{name}_primitive_desc_create"
        return Handle(library().create(name, engine, *arguments), "primitive_desc")

    # A gradient's descriptor refers to one of the convolution, as a hint.
    operands = x, w, b.handle if b else None, y
    purpose = INFERENCE if kind == "forward" and shapes[0][1] % LANES else TRAINING
    forward = create("forward", purpose, DIRECT, *operands, *windows, attributes)
    if kind == "forward":
        return forward
    last = *windows, forward.handle, attributes
    if kind == "grad_input":
        return create("backward_data", DIRECT, x, w, y, *last)
    return create("backward_weights", DIRECT, x, w, None, y, *last)


@lru_cache(maxsize=MAX_PRIMITIVES)
def convolution(
    kind: str,
    shapes: tuple[Shape, Shape, Shape],
    strides: tuple[Shape, Shape, Shape],
    geometry: tuple[Shape, Shape, Shape, Shape],
    *,
    bias: bool = False,
) -> Convolution | None:
    """The convolution with these operands, or None if oneDNN has no fast code for it.

    Args:
        kind: "forward", "grad_input" or "grad_weight".
        shapes: of input, weight and output; a weight in groups is
            (G, O / G, C / G, *K).
        strides: of the arrays, in elements.
        geometry: stride, dilation - 1, and the padding before and after.
        bias: whether a bias is added.

    Example:
        >>> convolution.cache_info().maxsize
        256
    """
    try:
        with creation, one_thread():
            return Convolution(kind, shapes, strides, geometry, bias=bias)
    except (NotImplementedError, OSError):  # OSError: the system has no OpenMP
        return None
