"""The generator: seeds, states, and that PyTorch reads and writes the same ones."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from edutorch import cuda, random
from edutorch.random import Generator, continuous
from edutorch.random.generator import FIRST_SEED, STATE_BYTES


def state(generator):
    return np.asarray(generator.get_state())


def test_singles_with_stored_seed_equal_pytorch():
    drawn = Generator().manual_seed(42).singles(4)
    expected = [0.8822692632675171, 0.9150039553642273, 0.38286375999450684,
                0.9593056440353394]  # fmt: skip
    assert drawn.tolist() == expected


def test_initial_seed_of_new_generator_is_pytorchs():
    assert Generator().initial_seed() == FIRST_SEED == 67280421310721


@pytest.mark.parametrize(
    ("seed", "kept"), [(-1, 2**64 - 1), (-(2**63), 2**63), (2**64 - 1, 2**64 - 1)]
)
def test_manual_seed_below_zero_counts_from_the_top(seed, kept):
    assert Generator().manual_seed(seed).initial_seed() == kept


@pytest.mark.parametrize("seed", [1.5, "a", None, True])
def test_manual_seed_of_another_type_raises(seed):
    with pytest.raises(RuntimeError, match="manual_seed expected a long, but got"):
        Generator().manual_seed(seed)


@pytest.mark.parametrize("seed", [2**64, -(2**63) - 1])
def test_manual_seed_out_of_range_raises(seed):
    with pytest.raises(ValueError, match="Overflow when unpacking long long"):
        Generator().manual_seed(seed)


def test_seed_gives_another_stream_each_time():
    g = Generator()
    assert g.seed() != g.seed()
    assert g.initial_seed() not in (0, FIRST_SEED)


def test_set_state_goes_on_where_get_state_was():
    g = Generator().manual_seed(1)
    continuous.normal(g, (3,), np.float32)  # keeps the second of a pair
    saved = g.get_state()
    expected = continuous.normal(g, (5,), np.float64)
    g.set_state(saved)
    assert np.array_equal(continuous.normal(g, (5,), np.float64), expected)


@pytest.mark.parametrize("used", [0, 1, 623, 624, 625])
def test_state_after_any_number_of_words_survives_a_round_trip(used):
    g = Generator().manual_seed(1)
    g.words(used)
    other = g.clone_state()
    assert np.array_equal(state(g), state(other))
    assert np.array_equal(g.words(700), other.words(700))


def test_set_state_with_wrong_bytes_raises():
    g = Generator()
    with pytest.raises(TypeError, match="RNG state must be a torch"):
        g.set_state(np.zeros(STATE_BYTES, np.float32))
    with pytest.raises(RuntimeError, match="of size 5056 but found the input RNG"):
        g.set_state(np.zeros(9, np.uint8))
    with pytest.raises(RuntimeError, match="Invalid mt19937 state"):
        g.set_state(np.zeros(STATE_BYTES, np.uint8))


def test_generator_copied_or_pickled_goes_on_by_itself():
    g = Generator().manual_seed(5)
    g.words(3)
    copies = [copy.deepcopy(g), pickle.loads(pickle.dumps(g))]
    expected = g.words(4)
    for copied in copies:
        assert np.array_equal(copied.words(4), expected)
        assert copied.manual_seed(5).words(1) != g.words(1)


def test_rewind_puts_unused_numbers_back():
    g = Generator().manual_seed(5)
    start = g.position()
    drawn = g.doubles(10)
    g.rewind(start, 4)
    assert np.array_equal(g.doubles(6), drawn[4:])


def test_default_generator_follows_the_modules_functions():
    with random.fork_rng():
        random.manual_seed(np.int64(3))
        assert random.initial_seed() == 3
        saved = random.get_rng_state()
        first = random.default_generator.words(2)
        random.set_rng_state(saved)
        assert np.array_equal(random.default_generator.words(2), first)
        assert random.seed() == random.initial_seed()


def test_fork_rng_leaves_the_stream_as_it_was():
    before = state(random.default_generator)
    with pytest.raises(KeyError), random.fork_rng():
        random.manual_seed(1)
        raise KeyError
    assert np.array_equal(state(random.default_generator), before)


@pytest.mark.parametrize(
    ("devices", "restored"),
    [(None, [0, 1]), ([1], [1]), (["cuda:0"], [0]), ([], []), (range(2), [0, 1])],
)
def test_fork_rng_restores_the_generators_of_chosen_gpus(devices, restored):
    with cuda.simulate(devices=2), random.fork_rng():
        cuda.manual_seed_all(0)
        before = [state(g) for g in cuda.default_generators]
        with random.fork_rng(devices):
            cuda.manual_seed_all(1)
        after = [state(g) for g in cuda.default_generators]
    kept = [i for i in range(2) if np.array_equal(before[i], after[i])]
    assert kept == restored


def test_fork_rng_that_is_not_enabled_restores_nothing():
    with random.fork_rng():
        random.manual_seed(5)
        with random.fork_rng(enabled=False):
            random.default_generator.words(1)
        left = state(random.default_generator)
        random.manual_seed(5)
        assert not np.array_equal(state(random.default_generator), left)


@pytest.mark.parametrize("seed", [0, 1, -1, 2**63, 2**32 + 7])
def test_state_exchanged_with_pytorch_is_equal(seed):
    from tests.oracle import torch

    ours, theirs = Generator().manual_seed(seed), torch.Generator().manual_seed(seed)
    for n in (0, 1, 3, 620, 1, 1000):
        assert np.array_equal(ours.singles(n), torch.rand(n, generator=theirs).numpy())
        assert np.array_equal(state(ours), theirs.get_state().numpy())
    theirs.set_state(torch.from_numpy(state(ours)))
    torch.randn(3, generator=theirs)
    ours.set_state(theirs.get_state().numpy())
    x = continuous.normal(ours, (3,), np.float64)
    expected = torch.randn(3, dtype=torch.float64, generator=theirs)
    assert x == pytest.approx(expected.numpy(), rel=1e-12)


def test_generators_are_pickled_and_copied_with_their_state():
    import copy
    import pickle

    import edutorch as torch

    g = torch.Generator().manual_seed(5)
    torch.randn(3, generator=g)
    for same in (copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))):
        found = same(g)
        assert found.initial_seed() == 5
        expected = torch.rand(2, generator=copy.deepcopy(g)).tolist()
        assert torch.rand(2, generator=found).tolist() == expected
