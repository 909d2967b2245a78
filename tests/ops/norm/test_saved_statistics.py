"""Statistics that normalisation of 16-bit floats saves for backward."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch
from edutorch.ops.norm.saved_statistics import as_saved, half_dtype
from tests.oracle import torch

LAYERS = {
    "layer": "LayerNorm(8, elementwise_affine=False)",
    "group": "GroupNorm(2, 6)",
    "batch": "BatchNorm2d(6)",
    "instance": "InstanceNorm2d(6)",
}


def gradient(library, layer, dtype):
    rng = np.random.default_rng(3)
    x, v = (rng.normal(size=(4, 6, 7, 8)) * 2 + 1 for _ in range(2))
    x, v = (library.tensor(t, dtype=getattr(library, dtype)) for t in (x, v))
    y = eval(f"nn.{LAYERS[layer]}", {"nn": library.nn}).to(x.dtype)(x.requires_grad_())
    y.backward(v)
    return [t.detach().float().numpy() for t in (y, x.grad)]


@pytest.mark.parametrize("layer", LAYERS)
def test_half_precision_norm_and_its_gradient_have_pytorchs_bits(layer):
    for x, y in zip(
        gradient(torch, layer, "float16"),
        gradient(edutorch, layer, "float16"),
        strict=True,
    ):
        assert (x != y).mean() < 0.02  # a sum may be rounded elsewhere


def test_statistics_of_bfloat16_are_rounded_and_others_are_not():
    mean, var = np.float32([1.001]), np.float32([0.999])
    assert as_saved(mean, var, 0.0, None) == (mean, var)
    mean, var = as_saved(mean, var, 0.0, np.dtype(np.float16))
    assert mean[0] == np.float16(1.001)
    assert np.float16(1 / np.sqrt(var[0])) == 1 / np.sqrt(var[0])


def test_mixed_dtypes_keep_single_precision():
    x = edutorch.ones(2).bfloat16()
    assert half_dtype(x, edutorch.ones(2), None) is None
    assert half_dtype(x, x, None) == x._data.dtype
