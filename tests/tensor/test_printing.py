"""The text of tensors: stored texts of PyTorch 2.13, and PyTorch itself at random."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

import edutorch as torch
from edutorch import devices, dtypes
from edutorch.tensor import printing
from edutorch.tensor.printing import set_printoptions, tensor_repr


@pytest.fixture(autouse=True)
def default_options():
    yield
    set_printoptions(profile="default")
    dtypes.set_default_dtype(dtypes.float32)


def text(values, dtype=dtypes.float32, **options):
    return tensor_repr(np.asarray(values, dtype=dtype.numpy), dtype=dtype, **options)


STORED = [
    (3.0, dtypes.float32, "tensor(3.)"),
    (1, dtypes.int64, "tensor(1)"),
    ([1.0, 2.5], dtypes.float32, "tensor([1.0000, 2.5000])"),
    ([1.0, math.nan, -math.inf], dtypes.float32, "tensor([1., nan, -inf])"),
    ([1e-5, 1.0], dtypes.float32, "tensor([1.0000e-05, 1.0000e+00])"),
    ([1e9, 1.0], dtypes.float32, "tensor([1.0000e+09, 1.0000e+00])"),
    ([True, False], dtypes.bool_, "tensor([ True, False])"),
    ([0.5, -1], dtypes.bfloat16, "tensor([ 0.5000, -1.0000], dtype=torch.bfloat16)"),
    ([[1, -20], [3, 4]], dtypes.int32,
     "tensor([[  1, -20],\n        [  3,   4]], dtype=torch.int32)"),
    ([1 + 2j, 3 - 0.5j], dtypes.complex64, "tensor([1.+2.0000j, 3.-0.5000j])"),
    ([], dtypes.float32, "tensor([])"),
    (np.zeros((0, 3)), dtypes.float32, "tensor([], size=(0, 3))"),
    ([], dtypes.int64, "tensor([], dtype=torch.int64)"),
    (np.arange(1001), dtypes.int64,
     "tensor([   0,    1,    2,  ...,  998,  999, 1000])"),
]  # fmt: skip


@pytest.mark.parametrize(("values", "dtype", "expected"), STORED)
def test_repr_of_stored_cases_equals_pytorch(values, dtype, expected):
    assert text(values, dtype) == expected


def test_repr_of_three_dimensions_has_a_line_between():
    expected = "tensor([[[0., 0.]],\n\n        [[0., 0.]]])"
    assert text(np.zeros((2, 1, 2))) == expected


def test_repr_with_suffixes_names_device_type_and_history():
    gpu = devices.device("cuda:0")
    assert text([1.0], device=gpu, requires_grad=True) == (
        "tensor([1.], device='cuda:0', requires_grad=True)"
    )
    assert text([1.0], requires_grad=True, grad_fn_name="MulBackward0") == (
        "tensor([1.], grad_fn=<MulBackward0>)"
    )


def test_repr_with_long_last_line_breaks_before_the_suffix():
    values = np.arange(16) - 0.5
    assert text(values, dtypes.float64).endswith(",\n       dtype=torch.float64)")


def test_repr_of_default_dtype_does_not_name_it():
    dtypes.set_default_dtype(dtypes.float64)
    assert text([0.5], dtypes.float64) == "tensor([0.5000])"
    assert text([0.5]) == "tensor([0.5000], dtype=torch.float32)"


def test_set_printoptions_changes_digits_width_and_notation():
    set_printoptions(precision=2, sci_mode=True)
    assert text([1.5]) == "tensor([1.50e+00])"
    set_printoptions(profile="short", linewidth=20)
    assert text([1.5, 2.5, 3.5]) == "tensor([1.50, 2.50,\n        3.50])"
    set_printoptions(threshold=3, edgeitems=1)
    assert text([1.0, 2, 3, 4]) == "tensor([1.,  ..., 4.])"


def test_printoptions_as_context_returns_to_the_old_ones():
    with printing.printoptions(precision=1):
        assert text([0.25]) == "tensor([0.2])"
    assert text([0.25]) == "tensor([0.2500])"


# ---- PyTorch, at random


def _values(rng, shape, kind):
    x = rng.standard_normal(shape)
    scale = {"whole": 300, "huge": 1e10, "mixed": 10.0 ** rng.integers(-6, 7, shape)}
    x = np.asarray(x * scale.get(kind, 1))
    if kind == "whole":
        x = x.round()
    if kind == "special" and x.size:
        x.flat[rng.integers(x.size)] = rng.choice([math.nan, math.inf, -math.inf, 0.0])
    return x


def _shape(rng):
    ndim = rng.integers(0, 5)
    longest = [1, 1200, 40, 8, 5][ndim]
    return tuple(int(n) for n in rng.integers(0 if ndim < 3 else 1, longest + 1, ndim))


def _sample(rng):
    known = [d for d in dtypes.ALL if d.numpy not in dtypes.FLOAT8]
    dtype = known[rng.integers(len(known))]
    kind = rng.choice(["plain", "whole", "huge", "mixed", "special"])
    x = _values(rng, _shape(rng), kind)
    if dtype.is_complex:
        x = x + 1j * rng.standard_normal(x.shape)
    elif not dtype.is_floating_point:
        x = np.nan_to_num(x, nan=0, posinf=9, neginf=-9).astype(np.int64)
    with np.errstate(over="ignore"):
        return dtype, np.asarray(x.astype(dtype.numpy))


def _theirs(torch, x):
    """PyTorch's tensor of the same elements; it cannot read what `ml_dtypes` adds."""
    if x.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(x.astype(np.float32)).bfloat16()
    if x.dtype == ml_dtypes.complex32:
        return torch.from_numpy(x.astype(np.complex64)).chalf()
    return torch.from_numpy(x)


@pytest.mark.filterwarnings("ignore:ComplexHalf support")
@pytest.mark.parametrize("seed", range(6))
def test_repr_of_random_tensors_equals_pytorch(seed):
    from tests.oracle import torch

    rng = np.random.default_rng(seed)
    for _ in range(100):
        dtype, x = _sample(rng)
        theirs = _theirs(torch, x)
        grad = bool(rng.integers(2)) and dtype.kind >= dtypes.FLOATING
        theirs.requires_grad_(grad)
        assert tensor_repr(x, dtype=dtype, requires_grad=grad) == repr(theirs)


def test_repr_with_random_options_equals_pytorch():
    from tests.oracle import torch

    rng = np.random.default_rng(9)
    choices = {
        "precision": [0, 2, 8], "threshold": [5, 100], "edgeitems": [0, 1, 4],
        "linewidth": [20, 60, 120], "profile": ["short", "full"],
        "sci_mode": [True, False],
    }  # fmt: skip
    try:
        for _ in range(100):
            options = {k: v[rng.integers(len(v))] for k, v in choices.items()
                       if rng.integers(2)}  # fmt: skip
            dtype, x = _sample(rng)
            torch.set_printoptions(profile="default")
            torch.set_printoptions(**options)
            set_printoptions(profile="default")
            set_printoptions(**options)
            expected = repr(_theirs(torch, x))
            assert tensor_repr(x, dtype=dtype) == expected, options
    finally:
        torch.set_printoptions(profile="default")


def test_repr_reads_only_what_it_shows():
    assert repr(torch.ones(1).expand(2**33)) == "tensor([1., 1., 1.,  ..., 1., 1., 1.])"
    rows = torch.arange(3.0).half().expand(2**33, 3)
    assert repr(rows).startswith("tensor([[0., 1., 2.],\n        [0., 1., 2.],")
    assert repr(rows).count("...") == 1
