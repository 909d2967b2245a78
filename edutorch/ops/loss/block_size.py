"""The number of samples per block, for scores computed in blocks."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["block_size"]


def block_size(
    options: Any, samples: int, features: int, classes: int, dtype: Any, device: Any
) -> int:
    """The number of samples in a block.

    Args:
        options: with `batch_chunk_size`, `chunking_method` and `acc_dtype`, as
            `nn.LinearCrossEntropyOptions` has them.
        samples, features, classes: the sizes of inputs and scores.
        dtype: of the inputs.
        device: where they are.

    Raises:
        ValueError: where size and method contradict each other.
        RuntimeError: for an `acc_dtype` that inputs of their dtype cannot have.
    """
    _check_dtype(options.acc_dtype, dtype)
    requested, method = options.batch_chunk_size, options.chunking_method
    if method == "auto":
        half = dtype.itemsize == 2 and device.type == "cpu"
        method = "aspect_ratio" if half else "aspect_ratio:2"
        method = None if requested is not None else method
    if method is None:
        return max(1, samples if requested is None else min(requested, samples))
    found = block_size_by_aspect(samples, features, classes, method)
    if requested not in (None, found):
        raise ValueError(
            f"batch_chunk_size (={requested}) and chunking_method ('{method}') give "
            f"different chunk sizes ({requested} vs {found}); pass only one."
        )
    return max(1, found)


def _check_dtype(wider: Any, dtype: Any) -> None:
    usual = (None, str(dtype), "torch.float32" if dtype.itemsize == 2 else None)
    if wider is not None and str(wider) not in usual:
        raise RuntimeError(
            "linear_cross_entropy supports float32 acc_dtype with float16/bfloat16 "
            f"inputs, but got {wider} acc_dtype and {dtype} inputs."
        )


def block_size_by_aspect(samples: int, features: int, classes: int, method: str) -> int:
    """The block size whose scores take as much memory as the inputs, or a fraction.

    Example:
        >>> block_size_by_aspect(64, 8, 32, "aspect_ratio")
        16
        >>> block_size_by_aspect(64, 8, 32, "aspect_ratio:4")
        4
    """
    parts = int(method.partition(":")[2] or 1)
    wider = math.ceil(classes / max(1, features))
    target = math.ceil(samples / max(1, wider))
    power = 1 << max(0, target - 1).bit_length()  # the next power of 2
    return min(power // parts, samples)
