"""Random tensors for tests: PyTorch's numbers, options and refusals."""

from __future__ import annotations

import pytest

import edutorch
from tests.programs import Programs, attempt, warned

programs = Programs(__file__)
DTYPES = ("bool", "uint8", "int8", "int64", "float16", "bfloat16", "float32", "float64",
          "complex64")  # fmt: skip


@programs.add
def numbers_of_each_dtype(torch):
    torch.manual_seed(0)
    make, found = torch.testing.make_tensor, []
    for name in DTYPES:
        dtype = getattr(torch, name)
        found.append(make(2, 3, dtype=dtype, device="cpu"))
        found.append(make((4,), dtype=dtype, device="cpu", noncontiguous=True).stride())
        found.append(make((5,), dtype=dtype, device="cpu", low=0, exclude_zero=True))
    last = torch.channels_last
    images = make(1, 2, 2, 2, dtype=torch.float32, device="cpu", memory_format=last)
    return [
        *found, images, images.stride(), make((), dtype=torch.int32, device="cpu"),
        make(3, dtype=torch.int8, device="cpu", low=2.5, high=4.5),
        make(3, dtype=torch.float32, device="cpu", requires_grad=True).requires_grad,
    ]  # fmt: skip


@programs.add
def refusals(torch):
    def make(dtype="float32", **options):
        dtype = getattr(torch, dtype)
        return torch.testing.make_tensor(2, dtype=dtype, device="cpu", **options)

    return [
        attempt(lambda: make(low=3, high=2)), attempt(lambda: make(low=float("nan"))),
        attempt(lambda: make("uint8", low=300, high=400)),
        attempt(lambda: make("int64", requires_grad=True)),
        attempt(
            lambda: make(noncontiguous=True, memory_format=torch.contiguous_format)
        ),
        warned(lambda: make(low=1, high=1))[1:],
    ]  # fmt: skip


programs.test()


def test_the_whole_range_of_a_dtype_may_be_asked_for():
    most = edutorch.finfo(edutorch.float32).max
    made = edutorch.testing.make_tensor(
        9, dtype=edutorch.float32, device="cpu", low=-most, high=most
    )
    assert made.isfinite().all() and made.abs().max() > most / 1000


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
def test_values_on_meta_are_shapes_only(dtype):
    kind = getattr(edutorch, dtype)
    assert edutorch.testing.make_tensor(2, 3, dtype=kind, device="meta").is_meta
