"""Real random numbers: stored numbers of PyTorch 2.13, and PyTorch side by side."""

from __future__ import annotations

import math

import numpy as np
import pytest

from edutorch.random import Generator, continuous
from tests.random.streams import FLOATS, SIZES, Streams, dtype_of


@pytest.fixture
def generator():
    return Generator().manual_seed(42)


@pytest.fixture
def torch():
    from tests.oracle import torch

    return torch


def test_uniform_with_stored_seed_equals_pytorch(generator):
    expected = [0.8822692632675171, 0.9150039553642273, 0.38286375999450684]
    assert continuous.uniform(generator, (3,), np.float32).tolist() == expected


def test_normal_below_16_with_stored_seed_equals_pytorch(generator):
    expected = [0.33669036626815796, 0.12880940735340118, 0.23446236550807953,
                0.23033303022384644, -1.1228563785552979]  # fmt: skip
    x = continuous.normal(generator, (5,), np.float32)
    assert x == pytest.approx(expected, rel=1e-6)


def test_normal_from_16_on_with_stored_seed_equals_pytorch(generator):
    head = [1.9269152879714966, 1.4872840642929077, -0.4973975419998169]
    tail = [0.859858512878418, -0.3097267746925354, -0.3957104980945587]
    x = continuous.normal(generator, (18,), np.float32)
    assert x[:3] == pytest.approx(head, rel=1e-6)
    assert x[-3:] == pytest.approx(tail, rel=1e-6)


def test_exponential_and_cauchy_with_stored_seed_equal_pytorch(generator):
    waits = continuous.exponential(generator, (2,), np.float64)
    assert waits == pytest.approx([0.059914015690802146, 0.0649761287933853], rel=1e-12)
    generator.manual_seed(42)
    x = continuous.cauchy(generator, (2,), np.float32)
    assert x == pytest.approx([-5.412487506866455, -4.993700981140137], rel=1e-6)


def test_normal_of_odd_number_keeps_the_second_of_the_pair():
    one, two = Generator().manual_seed(1), Generator().manual_seed(1)
    singly = [continuous.normal(one, (1,), np.float64)[0] for _ in range(4)]
    together = continuous.normal(two, (4,), np.float64)
    assert singly == together.tolist()
    assert np.array_equal(one.words(1), two.words(1))


def test_normal_of_nothing_leaves_the_kept_number(generator):
    continuous.normal(generator, (1,), np.float32)
    before = generator.get_state()
    assert continuous.normal(generator, (0,), np.float32).size == 0
    assert np.array_equal(before, generator.get_state())


def test_uniform_never_reaches_its_open_end(generator):
    x = continuous.uniform(generator, (100_000,), np.float16)
    assert float(x.max()) < 1
    x = continuous.uniform(generator, (1000,), np.float32, 1e7, 1e7 + 1)
    assert x.max() == 1e7


def test_moments_of_many_draws_are_those_of_the_distribution(generator):
    shape = (200_000,)
    assert continuous.normal(generator, shape, np.float32, 2, 3).std() == (
        pytest.approx(3, rel=0.02)
    )
    assert continuous.exponential(generator, shape, np.float32, 4).mean() == (
        pytest.approx(0.25, rel=0.02)
    )
    x = continuous.log_normal(generator, shape, np.float64, 0.5, 0.2)
    assert x.mean() == pytest.approx(math.exp(0.5 + 0.02), rel=0.02)
    assert np.median(continuous.cauchy(generator, shape, np.float64, 3, 1)) == (
        pytest.approx(3, abs=0.05)
    )


def test_in_fill_order_puts_the_smallest_stride_last():
    x = np.zeros((3, 4, 5))
    assert continuous.in_fill_order(x.transpose(2, 0, 1)).strides == x.strides
    assert np.shares_memory(continuous.in_fill_order(x[:, ::2]), x)


# ---- side by side with PyTorch


@pytest.mark.parametrize("name", FLOATS)
def test_uniform_of_any_size_equals_pytorch(torch, name):
    both = Streams(torch, seed=5)
    dtype, theirs = dtype_of(name), getattr(torch, name)
    for n in SIZES:
        expected = torch.rand(n, 2, dtype=theirs, generator=both.theirs)
        both.check(continuous.uniform(both.ours, (n, 2), dtype), expected)
        for low, high in ((-2.1, 3.7), (0.5, 0.5), (-1.0, 1.0)):
            expected = torch.empty(n, dtype=theirs)
            expected.uniform_(low, high, generator=both.theirs)
            x = continuous.uniform(both.ours, (n,), dtype, low, high)
            both.check(x, expected)


@pytest.mark.parametrize("name", FLOATS)
def test_normal_of_any_size_equals_pytorch(torch, name):
    both = Streams(torch, seed=6)
    dtype, theirs = dtype_of(name), getattr(torch, name)
    for n in SIZES:
        for mean, std in ((0.0, 1.0), (1.5, 2.0)):
            expected = torch.empty(n, dtype=theirs)
            expected.normal_(mean, std, generator=both.theirs)
            x = continuous.normal(both.ours, (n,), dtype, mean, std)
            both.check(x, expected, 2e-6)


@pytest.mark.parametrize("shape", [(4, 5), (3, 7, 2), (1, 30)])
def test_filling_a_view_takes_pytorchs_order(torch, shape):
    both = Streams(torch, seed=7)
    dims = tuple(reversed(range(len(shape))))
    expected = torch.zeros(shape).permute(dims)
    expected.normal_(generator=both.theirs)
    x = np.zeros(shape, np.float32).transpose(dims)
    view = continuous.in_fill_order(x)
    view[...] = continuous.normal(
        both.ours, view.shape, np.float32, contiguous=x.flags.c_contiguous
    )
    both.check(x, expected, 2e-6)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize(
    ("fill", "options"),
    [
        ("exponential", (1.5,)),
        ("cauchy", (1.0, 2.0)),
        ("log_normal", (0.5, 0.25)),
    ],
)
def test_other_distributions_equal_pytorch(torch, name, fill, options):
    both = Streams(torch, seed=8)
    for n in SIZES:
        expected = torch.empty(n, dtype=getattr(torch, name))
        getattr(expected, fill + "_")(*options, generator=both.theirs)
        x = getattr(continuous, fill)(both.ours, (n,), dtype_of(name), *options)
        both.check(x, expected, 2e-6)
