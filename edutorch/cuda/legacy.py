"""The type names of old programs for GPUs: `torch.cuda.FloatTensor` and others."""

from __future__ import annotations

from ..tensor.legacy_types import CUDA

__all__ = [
    "BFloat16Tensor", "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor",
    "FloatTensor", "HalfTensor", "IntTensor", "LongTensor", "ShortTensor",
]  # fmt: skip

BFloat16Tensor = CUDA["BFloat16Tensor"]
BoolTensor = CUDA["BoolTensor"]
ByteTensor = CUDA["ByteTensor"]
CharTensor = CUDA["CharTensor"]
DoubleTensor = CUDA["DoubleTensor"]
FloatTensor = CUDA["FloatTensor"]
HalfTensor = CUDA["HalfTensor"]
IntTensor = CUDA["IntTensor"]
LongTensor = CUDA["LongTensor"]
ShortTensor = CUDA["ShortTensor"]
