"""The index of each field in a record, looked up once in `events.FIELDS`.

Handlers run for every operation, so they index tuples instead of building dictionaries;
these constants name the indices.
"""

from __future__ import annotations

from typing import Final

from ..events import FIELDS, HEADER

__all__ = ["position"]


def position(kind: str, field: str) -> int:
    """The index of a field in records of a kind.

    Example:
        >>> position("op", "name")
        6
    """
    return len(HEADER) + FIELDS[kind].index(field)


KIND: Final = HEADER.index("kind")
SEQ: Final = HEADER.index("seq")
START: Final = HEADER.index("t0_ns")
DURATION: Final = HEADER.index("dur_ns")
THREAD: Final = HEADER.index("thread")
STEP: Final = HEADER.index("step")

OP_NAME: Final = position("op", "name")
OP_CLS: Final = position("op", "cls")
OP_PHASE: Final = position("op", "phase")
OP_INPUTS: Final = position("op", "inputs")
OP_OUTPUTS: Final = position("op", "outputs")
OP_NODE: Final = position("op", "node")
OP_SRC: Final = position("op", "src")
OP_CALL: Final = position("op", "call")
OP_SHAPE: Final = position("op", "shape")
OP_DTYPE: Final = position("op", "dtype")
OP_DEVICE: Final = position("op", "device")
OP_NBYTES: Final = position("op", "nbytes")
OP_ATTRS: Final = position("op", "attrs")
OP_VIEW: Final = position("op", "view")
OP_ERROR: Final = position("op", "error")

BWD_NAME: Final = position("bwd", "name")
BWD_NODE: Final = position("bwd", "node")
BWD_TARGET: Final = position("bwd", "target")
BWD_NBYTES: Final = position("bwd", "nbytes")
BWD_ORDER: Final = position("bwd", "order")
BWD_DEVICE: Final = position("bwd", "device")

READ_OUTPUT: Final = position("read", "output")
READ_INPUTS: Final = position("read", "inputs")

OPTIM_CLS: Final = position("optim", "cls")
OPTIM_TARGETS: Final = position("optim", "targets")
ROOT_VALUE: Final = position("root", "value")

MOD_WHAT: Final = position("mod", "what")
MOD_CALL: Final = position("mod", "call")
MOD_PARENT: Final = position("mod", "parent")
MOD_PATH: Final = position("mod", "path")
MOD_CLS: Final = position("mod", "cls")
MOD_TRAINING: Final = position("mod", "training")
MOD_MODEL: Final = position("mod", "model")

STAT_WHAT: Final = position("stat", "what")
STAT_IDENT: Final = position("stat", "ident")
STAT_MIN: Final = position("stat", "min")
STAT_MAX: Final = position("stat", "max")
STAT_MEAN: Final = position("stat", "mean")
STAT_STD: Final = position("stat", "std")
STAT_NORM: Final = position("stat", "norm")
STAT_BAD: Final = position("stat", "nonfinite")
STAT_SAMPLED: Final = position("stat", "sampled")

RANGE_WHAT: Final = position("range", "what")
RANGE_IDENT: Final = position("range", "ident")
RANGE_SOURCE: Final = position("range", "source")
RANGE_MIN: Final = position("range", "min")  # then max, nan, posinf, neginf, numel

STORAGE: Final = position("alloc", "storage")
ALLOC_ROUNDED: Final = position("alloc", "rounded")
ALLOC_DEVICE: Final = position("alloc", "device")
ALLOC_CATEGORY: Final = position("alloc", "category")
ALLOC_NBYTES: Final = position("alloc", "nbytes")
ALLOC_SRC: Final = position("alloc", "src")
ALLOC_OP: Final = position("alloc", "op")
ALLOC_TENSOR: Final = position("alloc", "tensor")
ALLOC_ROLE: Final = position("alloc", "role")
ALLOC_MODEL: Final = position("alloc", "model")
ALLOC_PATH: Final = position("alloc", "path")
ALLOC_SHAPE: Final = position("alloc", "shape")
ALLOC_DTYPE: Final = position("alloc", "dtype")
CAT_CATEGORY: Final = position("cat", "category")
CAT_TENSOR: Final = position("cat", "tensor")
CAT_ROLE: Final = position("cat", "role")

MARK_NAME: Final = position("mark", "name")
MARK_WHAT: Final = position("mark", "what")
MARK_CONTROL: Final = position("mark", "control")

OOM_DEVICE: Final = position("oom", "device")
OOM_NBYTES: Final = position("oom", "nbytes")

SPAN_NAME: Final = position("span", "name")
SPAN_WHAT: Final = position("span", "what")
SPAN_DEVICE: Final = position("span", "device")
XFER_SOURCE: Final = position("xfer", "source")
XFER_TARGET: Final = position("xfer", "target")
XFER_NBYTES: Final = position("xfer", "nbytes")
XFER_PURPOSE: Final = position("xfer", "purpose")
