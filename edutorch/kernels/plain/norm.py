"""Normalisation of rows, for batch, layer, group and instance norm."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["normalize_rows", "normalize_rows_backward"]


def normalize_rows(x: Any, w: Any, b: Any, eps: float) -> tuple[Any, Any, Any]:
    """Rows of mean 0 and variance 1, then scaled and shifted; with mean and variance.

    Math: y = (x - mean) / sqrt(var + eps) w + b
    Shape: (M, *D), (M, 1) or (prod D) or None, the same -> (M, *D), (M), (M)
    """
    rows = x.reshape(len(x), -1)
    mean, var = rows.mean(1), rows.var(1)
    y = (rows - mean[:, None]) / np.sqrt(var + eps)[:, None]
    y = y if w is None else y * w
    y = y if b is None else y + b
    return y.reshape(x.shape), mean, var


def normalize_rows_backward(
    g: Any, x: Any, w: Any, mean: Any, var: Any, eps: float
) -> tuple[Any, Any, Any]:
    """Gradients of `normalize_rows` with respect to x, w and b.

    Math: gx = (h - mean(h) - z mean(h z)) / sqrt(var + eps), z = normalised x, h = g w
          gw = sum g z      gb = sum g
    Shape: (M, *D), (M, *D), (M, 1) or (prod D) or None, (M), (M) -> as x, w and w
    """
    rows, g = x.reshape(len(x), -1), g.reshape(len(x), -1)
    deviation = np.sqrt(var + eps)[:, None]
    z = (rows - mean[:, None]) / deviation
    axis = 0 if w is not None and w.ndim == 1 else 1  # along which w is the same
    gw = (g * z).sum(axis, keepdims=axis == 1)
    gb = g.sum(axis, keepdims=axis == 1)
    h = g * w if axis == 0 else g  # a scale of whole rows is left to the end
    along, along_z = h.mean(1, keepdims=True), (h * z).mean(1, keepdims=True)
    gx = (h - along - z * along_z) / deviation
    gx = gx if w is None or axis == 0 else gx * w
    return gx.reshape(x.shape), gw, gb
