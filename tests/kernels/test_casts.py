"""float64 is converted to float16 through float32."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch import config
from edutorch.kernels.casts import cast, copy_into

HALFWAY = 1 + 2**-11 + 2**-40  # in float32 it lies halfway between two of float16
DOUBLES = torch.tensor([HALFWAY], dtype=torch.float64)


def filled_part(value):
    x = torch.zeros(1, dtype=torch.float16)
    x[0] = value
    return x


WAYS = {
    "to": lambda: DOUBLES.to(torch.float16),
    "half": lambda: DOUBLES.half(),
    "tensor": lambda: torch.tensor([HALFWAY], dtype=torch.float16),
    "array": lambda: torch.tensor(np.array([HALFWAY]), dtype=torch.float16),
    "full": lambda: torch.full((1,), HALFWAY, dtype=torch.float16),
    "fill": lambda: torch.zeros(1).half().fill_(HALFWAY),
    "fill_with_tensor": lambda: torch.zeros(1).half().fill_(DOUBLES[0]),
    "copy": lambda: torch.zeros(1).half().copy_(DOUBLES),
    "part": lambda: filled_part(HALFWAY),
    "part_with_tensor": lambda: filled_part(DOUBLES[0]),
    "add": lambda: torch.zeros(1).half() + HALFWAY,
    "add_in_place": lambda: torch.zeros(1).half().add_(DOUBLES),
    "out": lambda: torch.add(DOUBLES, 0, out=torch.zeros(1).half()),
    "linspace": lambda: torch.linspace(HALFWAY, HALFWAY, 1, dtype=torch.float16),
    "arange": lambda: torch.arange(HALFWAY, 2, 1, dtype=torch.float16),
    "storage": lambda: torch.tensor(torch.HalfStorage([HALFWAY]).tolist()).half(),
}


@pytest.mark.parametrize("way", WAYS)
def test_double_becomes_half_by_two_roundings(way):
    assert WAYS[way]().tolist() == [1.0]


def test_gradient_of_a_half_is_rounded_as_values_are():
    x = torch.zeros(1, dtype=torch.float16, requires_grad=True)
    (x.double() * HALFWAY).sum().backward()
    assert x.grad.tolist() == [1.0]


def test_cast_of_other_dtypes_is_numpys():
    x = np.array([1.25, -2.5, 300.0])
    assert cast(x, np.int64).tolist() == [1, -2, 300]
    assert cast(x.astype(np.float32), np.float16).dtype == np.float16


def test_copy_into_broadcasts():
    y = np.zeros((2, 1), np.float16)
    copy_into(y, np.array([HALFWAY]))
    assert y.tolist() == [[1.0], [1.0]]


@pytest.mark.parametrize("shape", [(3,), (1000,), (40, 50)])
@pytest.mark.parametrize("pair", ["fe", "ef", "de", "ed"])
def test_float16_is_what_numpy_makes(shape, pair):
    x = np.random.default_rng(0).standard_normal(shape).astype(pair[0])
    expected = x.astype(np.float32) if pair == "de" else x
    found = cast(x, np.dtype(pair[1]))
    assert found.dtype.char == pair[1]
    assert found.tobytes() == expected.astype(pair[1]).tobytes()
    target = np.zeros_like(found)
    copy_into(target, x)
    assert target.tobytes() == found.tobytes()


def test_columns_keep_their_order_in_memory():
    x = np.ones((30, 40), np.float32)
    assert cast(x.T, np.float16).strides == (2, 80)
    assert cast(x[:, ::2], np.float16).shape == (30, 20)


@pytest.mark.parametrize("mode", ["plain", "fast"])
def test_float16_of_repeated_rows_is_what_numpy_makes(mode):
    row = np.random.default_rng(0).standard_normal(40).astype(np.float32)
    x = np.broadcast_to(row, (30, 40))
    with config.kernels(mode):
        np.testing.assert_array_equal(cast(x, np.float16), x.astype(np.float16))
        halves = x.astype(np.float16)[:1].repeat(30, 0)
        np.testing.assert_array_equal(cast(halves, np.float32), halves.astype("f"))
