"""The generator of real GPUs: PyTorch's numbers, by NumPy's account of the kernels.

`gpu_answers.json` holds what PyTorch 2.11 drew on an H100 (132 multiprocessors, each
with 2,048 threads).
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import edutorch as torch
from edutorch.backends import gpus
from edutorch.random import continuous, discrete
from edutorch.random.generator import Generator
from edutorch.random.gpu_generator import GpuGenerator

ANSWERS = json.loads(
    Path(__file__).with_name("gpu_answers.json").read_text(encoding="utf-8")
)
SINGLE, LONG = np.dtype(np.float32), np.dtype(np.int64)
DTYPES = {
    "float32": SINGLE, "float64": np.dtype(np.float64), "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
}  # fmt: skip
TOLERANCE = {"float64": 1e-12, "float16": 1e-3, "bfloat16": 1e-2}


class HostGpus:
    """A real GPU's backend whose arrays are NumPy's, and which compiles nothing."""

    xp, simulated, compiles, allocators = np, False, False, (None,)

    def allocator(self, where):
        return None

    def on(self, where):
        return contextlib.nullcontext()

    def resident_blocks(self, where):
        return 132 * 2048 // 256

    def upload(self, array, where):
        return array

    def download(self, array):
        return np.array(array)


@pytest.fixture
def generator():
    before = gpus.use(HostGpus())
    yield Generator("cuda:0")
    gpus.restore(before)


def draws(g, n):
    """The distributions by the names of the answers: functions without arguments."""
    shape = (n,)
    found = {
        "uniform": lambda: continuous.uniform(g, shape, SINGLE, -2.0, 3.0),
        "normal": lambda: continuous.normal(g, shape, SINGLE, 1.5, 2.5),
        "bern": lambda: discrete.bernoulli(g, shape, SINGLE, 0.3),
        "randint": lambda: discrete.randint(g, shape, LONG, 0, 10),
        "randintbig": lambda: discrete.randint(g, shape, LONG, 0, 2**40),
        "random": lambda: discrete.random(g, shape, LONG),
        "randomf": lambda: discrete.random(g, shape, SINGLE),
        "exp": lambda: continuous.exponential(g, shape, SINGLE, 1.5),
        "cauchy": lambda: continuous.cauchy(g, shape, SINGLE),
        "lognormal": lambda: continuous.log_normal(g, shape, SINGLE),
        "geometric": lambda: discrete.geometric(g, shape, SINGLE, 0.3),
        "randperm": lambda: discrete.randperm(g, n, LONG),
        "dropout": lambda: discrete.dropout_mask(g, shape, SINGLE, 0.3),
        "multi": lambda: discrete.multinomial(
            g, np.arange(1, n + 1, dtype=np.float32), min(n, 3)
        ),
    }
    for name, dtype in DTYPES.items():
        found[f"rand {name}"] = lambda d=dtype: continuous.uniform(g, shape, d)
        found[f"randn {name}"] = lambda d=dtype: continuous.normal(g, shape, d)
    return found


def assert_drawn(drawn, expected, tolerance=1e-5):
    drawn = np.asarray(drawn).astype(np.float64)[: len(expected)]
    np.testing.assert_allclose(drawn, expected, rtol=tolerance, atol=tolerance)


CASES = [key for key in ANSWERS if key.count("/") == 2]


@pytest.mark.parametrize(
    "case", [c for c in CASES if "then" not in c and "again" not in c]
)
def test_numbers_are_those_of_pytorchs_gpus(generator, case):
    name, seed, n = case.split("/")
    generator.manual_seed(int(seed))
    draw = draws(generator, int(n))[name]
    tolerance = 2e-3 if name == "cauchy" else TOLERANCE.get(name.split()[-1], 1e-5)
    assert_drawn(draw(), ANSWERS[case], tolerance)
    again, then = f"{name} again/{seed}/{n}", f"{name} then rand/{seed}/{n}"
    if again in ANSWERS:
        assert_drawn(draw(), ANSWERS[again], tolerance)
    if then in ANSWERS:
        assert_drawn(continuous.uniform(generator, (3,), SINGLE), ANSWERS[then], 1e-7)


@pytest.mark.parametrize("name", ["rand", "randn", "dropout", "randint"])
def test_numbers_beyond_one_turn_of_the_grid_are_pytorchs(generator, name):
    answer = ANSWERS[f"big {name}"]
    generator.manual_seed(7)
    names = {"rand": "rand float32", "randn": "randn float32"}
    drawn = draws(generator, 1_000_000)[names.get(name, name)]()
    assert_drawn(drawn[answer["at"]], answer["values"])
    assert_drawn(continuous.uniform(generator, (4,), SINGLE), answer["then rand"], 1e-7)


def test_state_is_pytorchs_and_brings_the_numbers_back(generator):
    generator.manual_seed(3)
    assert type(generator) is GpuGenerator
    continuous.uniform(generator, (10,), SINGLE)
    state = generator.get_state()
    assert np.asarray(state.numpy()).tolist() == ANSWERS["state"]
    first = continuous.normal(generator, (5,), SINGLE)
    generator.set_state(state)
    np.testing.assert_array_equal(continuous.normal(generator, (5,), SINGLE), first)
    assert generator.get_offset() == 8
    assert generator.clone_state().get_offset() == 8
    generator.set_offset(4)
    np.testing.assert_array_equal(continuous.normal(generator, (5,), SINGLE), first)


def test_state_of_another_size_is_refused(generator):
    with pytest.raises(RuntimeError, match="RNG state is wrong size"):
        generator.set_state(torch.zeros(3, dtype=torch.uint8))
    with pytest.raises(TypeError, match="RNG state must be a torch.ByteTensor"):
        generator.set_state(torch.zeros(16))


def test_distributions_without_a_kernel_draw_words_on_the_host(generator):
    generator.manual_seed(1)
    counts = discrete.poisson(generator, np.full(50, 3.0))
    assert 2 < counts.mean() < 4
    u = generator.doubles(1000)
    assert 0 <= u.min() < u.max() < 1
    assert generator.singles(10).dtype == np.float32


def test_simulated_gpus_keep_the_generator_of_the_cpu():
    with torch.cuda.simulate():
        assert type(torch.Generator("cuda")) is Generator
