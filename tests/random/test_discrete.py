"""Random integers: stored numbers of PyTorch 2.13, and PyTorch side by side."""

from __future__ import annotations

import numpy as np
import pytest

from edutorch.random import Generator, discrete
from tests.random.streams import FLOATS, INTEGERS, SIZES, Streams, dtype_of, numpy_of

WEIGHTS = np.array([0.1, 0.2, 0.3, 0.4], np.float32)


@pytest.fixture
def generator():
    return Generator().manual_seed(42)


@pytest.fixture
def torch():
    from tests.oracle import torch

    return torch


STORED = {
    "randint": ([2, 7, 6, 4, 6, 5], ((6,), np.int64, 0, 10)),
    "randperm": ([2, 6, 1, 8, 4, 5, 0, 9, 3, 7], (10, np.int64)),
    "bernoulli": ([1, 1, 1, 1, 0, 0, 0, 0, 1, 1], ((10,), np.float32, 0.3)),
    "geometric": ([8, 8, 6, 9, 2, 3], ((6,), np.float32, 0.3)),
    "multinomial": ([3, 1, 2], (WEIGHTS, 3)),
    "poisson": ([19, 22, 30, 21, 24, 28], (np.full(6, 30.0, np.float32),)),
}


@pytest.mark.parametrize("name", STORED)
def test_draw_with_stored_seed_equals_pytorch(generator, name):
    expected, options = STORED[name]
    assert getattr(discrete, name)(generator, *options).tolist() == expected


def test_draws_of_other_kinds_with_stored_seed_equal_pytorch(generator):
    wide = discrete.randint(generator, (3,), np.int64, -5, 1 << 40)
    assert wide.tolist() == [441476371554, 395845085946, 458553876606]
    generator.manual_seed(42)
    again = discrete.multinomial(generator, WEIGHTS, 6, replacement=True)
    assert again.tolist() == [0, 0, 1, 0, 2, 2]
    generator.manual_seed(42)
    few = discrete.poisson(generator, np.full(6, 3.0, np.float32))
    assert few.tolist() == [1, 1, 4, 1, 5, 3]


@pytest.mark.parametrize("n", [1, 2, 3, 10, 299, 5000])
def test_shuffle_at_once_equals_the_loop(n):
    rng = np.random.default_rng(n)
    swaps = np.array([rng.integers(i, n) for i in range(n - 1)], np.int64)
    expected = discrete._shuffle_by_swaps(n, swaps)
    assert np.array_equal(discrete._shuffle_at_once(n, swaps), expected)


def test_randperm_holds_each_number_once(generator):
    for n in (0, 1, 299, 300, 100_000):
        x = discrete.randperm(generator, n, np.int64)
        assert np.array_equal(np.sort(x), np.arange(n))


def test_bernoulli_of_certain_coins_never_fails(generator):
    assert discrete.bernoulli(generator, (100,), np.bool_, 1.0).all()
    assert not discrete.bernoulli(generator, (100,), np.bool_, 0.0).any()


def test_dropout_mask_keeps_the_expectation(generator):
    mask = discrete.dropout_mask(generator, (100_000,), np.float32, 0.4)
    assert set(np.unique(mask)) == {0.0, np.float32(1 / 0.6)}
    assert mask.mean() == pytest.approx(1, rel=0.02)
    assert not discrete.dropout_mask(generator, (9,), np.float32, 1.0).any()


def test_multinomial_without_replacement_never_repeats(generator):
    weights = generator.singles(300).reshape(10, 30)
    drawn = discrete.multinomial(generator, weights, 30)
    assert (np.sort(drawn, axis=1) == np.arange(30)).all()


# ---- side by side with PyTorch


@pytest.mark.parametrize("name", INTEGERS + FLOATS)
def test_bernoulli_and_random_of_any_type_equal_pytorch(torch, name):
    both = Streams(torch, seed=3)
    dtype, theirs = dtype_of(name), getattr(torch, name)
    for n in SIZES:
        expected = torch.empty(n, dtype=theirs).bernoulli_(0.3, generator=both.theirs)
        both.check(discrete.bernoulli(both.ours, (n,), dtype, 0.3), expected)
        expected = torch.empty(n, dtype=theirs).random_(generator=both.theirs)
        both.check(discrete.random(both.ours, (n,), dtype), expected)


@pytest.mark.parametrize("name", FLOATS)
def test_bernoulli_with_a_probability_each_equals_pytorch(torch, name):
    both = Streams(torch, seed=4)
    for n in SIZES:
        p = torch.rand(n, dtype=getattr(torch, name))
        expected = torch.bernoulli(p, generator=both.theirs)
        x = discrete.bernoulli(both.ours, (n,), dtype_of(name), numpy_of(p))
        both.check(x, expected)


RANGES = [
    (0, 2), (-5, 5), (0, 2**28 - 1), (0, 2**28), (-(2**31), 2**31 - 1),
    (-5, 1 << 40), (-(2**63), 2**63 - 1),
]  # fmt: skip


@pytest.mark.parametrize(("low", "high"), RANGES)
def test_randint_of_any_range_equals_pytorch(torch, low, high):
    both = Streams(torch, seed=5)
    for n in SIZES:
        expected = torch.randint(low, high, (n, 2), generator=both.theirs)
        both.check(discrete.randint(both.ours, (n, 2), np.int64, low, high), expected)


@pytest.mark.parametrize("name", ["bfloat16", "float32", "float64"])
@pytest.mark.filterwarnings("ignore:.*is out of bounds:UserWarning")
def test_randint_as_floats_stays_where_pytorch_stays(torch, name):
    both = Streams(torch, seed=5)
    for low, high in ((0, 100), (0, 2**31 - 1), (-5, 1 << 40), (-(2**62), 2**62)):
        expected = torch.randint(
            low, high, (50,), dtype=getattr(torch, name), generator=both.theirs
        )
        both.check(
            discrete.randint(both.ours, (50,), dtype_of(name), low, high), expected
        )


@pytest.mark.parametrize("name", ["int64", "int16", "float32"])
def test_randperm_of_any_size_equals_pytorch(torch, name):
    both = Streams(torch, seed=6)
    for n in (0, 1, 2, 10, 299, 300, 301, 5000):
        expected = torch.randperm(n, dtype=getattr(torch, name), generator=both.theirs)
        both.check(discrete.randperm(both.ours, n, dtype_of(name)), expected)


@pytest.mark.parametrize("name", ["int64", "uint8", "float32", "float64"])
@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_geometric_equals_pytorch(torch, name, p):
    both = Streams(torch, seed=7)
    for n in SIZES:
        expected = torch.empty(n, dtype=getattr(torch, name))
        expected.geometric_(p, generator=both.theirs)
        both.check(discrete.geometric(both.ours, (n,), dtype_of(name), p), expected)


@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 50)])
def test_multinomial_equals_pytorch(torch, shape, replacement):
    both = Streams(torch, seed=8)
    weights = torch.rand(shape)
    for k in (1, 2, 4):
        expected = torch.multinomial(weights, k, replacement, generator=both.theirs)
        x = discrete.multinomial(both.ours, weights.numpy(), k, replacement)
        both.check(x, expected)


@pytest.mark.parametrize("rate", [0.0, 0.5, 3.0, 9.99, 10.0, 30.0, 1000.0])
def test_poisson_equals_pytorch(torch, rate):
    both = Streams(torch, seed=9)
    for n in SIZES:
        rates = torch.full((n,), rate)
        expected = torch.poisson(rates, generator=both.theirs)
        both.check(discrete.poisson(both.ours, rates.numpy()), expected)
