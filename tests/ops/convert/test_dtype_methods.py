"""Methods named for dtypes."""

from __future__ import annotations

import pytest

import edutorch as torch

NAMES = {
    "float": torch.float32, "double": torch.float64, "half": torch.float16,
    "bfloat16": torch.bfloat16, "int": torch.int32, "long": torch.int64,
    "short": torch.int16, "char": torch.int8, "byte": torch.uint8, "bool": torch.bool,
    "chalf": torch.complex32, "cfloat": torch.complex64, "cdouble": torch.complex128,
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_methods_convert_once(name):
    x = torch.tensor([0.0, 1.0, 2.0])
    y = getattr(x, name)()
    assert y.dtype is NAMES[name]
    assert y.tolist() == [0, 1, name == "bool" or 2]
    assert getattr(y, name)() is y
