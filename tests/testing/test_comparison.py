"""Comparing results in tests."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import edutorch
from edutorch.testing import assert_close
from tests.programs import Programs, attempt

programs = Programs(__file__)


def told(torch, *pairs, **options):
    """What is said of pairs: every line of the message."""
    found = []
    for actual, expected in pairs:
        try:
            torch.testing.assert_close(actual, expected, **options)
        except Exception as error:
            found.append([type(error).__name__, *str(error).splitlines()])
        else:
            found.append("close")
    return found


@programs.add
def tensors(torch):
    t = torch.tensor
    return told(
        torch,
        (t([1.0, 2.0, 3.0]), t([1.0, 2.0, 3.0])),
        (t([1.0, 2.0, 3.0]), t([1.0, 2.5, 4.0])),
        (t([[1.0, 2.0], [3.0, 4.0]]), t([[1.0, 2.0], [3.0, 5.0]])),
        (t(1.0), t(2.0)),
        (t([1, 2]), t([1, 3])),
        (t([1, 2], dtype=torch.uint8), t([3, 2], dtype=torch.uint8)),
        (t([True, False]), t([True, True])),
        (t([1 + 1j]), t([1 + 2j])),
        (t([1.0, 2.0]).half(), t([1.0, 2.1]).half()),
        (t([float("nan")]), t([float("nan")])),
        (t([1.0]), t([0.0])),
        (t([1e-8]), t([0.0])),
        (t([]), t([])),
        (t([1.0]).requires_grad_(), t([1.0])),
        (t([1.0, 2.0]), t([1.0, 2.0], dtype=torch.float64)),
        (t([1.0, 2.0]), t([[1.0, 2.0]])),
        (np.array([1.0, 2.0]), np.array([1.0, 3.0])),
    )


@programs.add
def sparse_tensors(torch):
    one, other = torch.eye(4), torch.eye(4).flip(0)
    found = []
    for to in (
        lambda x: x.to_sparse(),
        lambda x: x.to_sparse_csr(),
        lambda x: x.to_sparse_csc(),
        lambda x: x.to_sparse_bsr((2, 2)),
        lambda x: x.to_sparse_bsc((2, 2)),
    ):
        pairs = [(to(one), to(y)) for y in (one, one * 2, other, torch.ones(4, 4))]
        found += told(torch, *pairs, (to(one), one))
        found += told(torch, (to(one), one), (to(one), one * 2), check_layout=False)
    rows = torch.sparse_coo_tensor([[0, 1]], torch.ones(2, 4), (4, 4))
    return found + told(torch, (one.to_sparse(), rows), (rows, rows * 2))


@programs.add
def numbers_and_containers(torch):
    t = torch.tensor
    return told(
        torch,
        (1, 1), (1, 2), (1.0, 1.1), (1, 1.0), (1 + 1j, 1 + 2j), (True, False),
        (float("nan"), float("nan")), (None, None), (None, 1), ("a", "a"),
        ([1, 2], [1, 3]), ([1, 2], [1]), ((1, 2), [1, 2]),
        ({"a": 1}, {"a": 2}), ({"a": 1}, {"b": 1}),
        ({"a": {"b": [1, t(1.0)]}}, {"a": {"b": [1, t(2.0)]}}),
    )  # fmt: skip


@programs.add
def options(torch):
    t = torch.tensor
    ones, twos = t([1.0]), t([2.0])
    wide = t([1.0], dtype=torch.float64)
    return [
        told(torch, (ones, twos), rtol=0, atol=1.0),
        told(torch, (ones, twos), rtol=0, atol=0.5),
        told(torch, (ones, twos), rtol=0.5),
        told(torch, (ones, twos), atol=0.5),
        told(torch, (ones, wide), check_dtype=False),
        told(torch, (t([float("nan")]), t([float("nan")])), equal_nan=True),
        told(torch, (ones, twos), msg="mine"),
        told(torch, (ones, twos), msg=lambda text: "mine: " + text),
        told(torch, (torch.ones(2, 3).t(), torch.ones(3, 2)), check_stride=True),
    ]


@programs.add
def old_name(torch):
    old = torch.testing.assert_allclose
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            old(torch.ones(2), [1.00001, 1.0]),
            attempt(lambda: old(torch.ones(2), [1.1, 1.0])),
            old(torch.ones(2, dtype=torch.float64), torch.ones(2)),
            attempt(lambda: old(1.0, 2.0, rtol=0.1, atol=0.0)),
        ]


test_testing = programs.test()


def test_devices_are_compared_unless_that_is_off():
    with edutorch.cuda.simulate():
        x = edutorch.ones(2)
        with pytest.raises(AssertionError, match="'device' do not match: cpu != cuda"):
            assert_close(x, x.cuda())
