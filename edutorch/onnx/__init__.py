"""ONNX: whether an export is running. Export itself is not implemented."""

from __future__ import annotations

__all__ = ["is_in_onnx_export"]


def is_in_onnx_export() -> bool:
    """Whether a model is being exported: never.

    Example:
        >>> import edutorch as torch
        >>> torch.onnx.is_in_onnx_export()
        False
    """
    return False
