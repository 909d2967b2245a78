"""Nonblocking collectives: their names, signatures and received bytes."""

from __future__ import annotations

import numpy as np

import edutorch as torch
from edutorch.distributed.collectives.nonblocking import (
    describe_tensor,
    type_signature,
    unflatten_into,
)


def test_tensors_are_named_by_dtype_and_shape():
    assert describe_tensor(torch.ones(2, 3)) == "float32 (2, 3)"
    assert type_signature(np.ones((2, 3))) == "float64 6"


def test_bytes_are_spread_over_tensors_of_different_sizes():
    parts = [torch.zeros(1), torch.zeros(2)]
    unflatten_into(np.arange(3, dtype=np.float32).view(np.uint8), parts)
    assert [p.tolist() for p in parts] == [[0.0], [1.0, 2.0]]
