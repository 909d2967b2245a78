"""Steps of optimizers in one kernel: the numbers of the plain formulas."""

import numpy as np
import pytest

from edutorch.kernels.gpu import optim
from edutorch.kernels.plain import optim as formulas
from tests.kernels.gpu.on_cpu import kernels_on_the_cpu

pytestmark = pytest.mark.usefixtures(kernels_on_the_cpu.__name__)
SIZES = (1, 300, 10_000)


@pytest.fixture(autouse=True)
def arrays_of_the_host(monkeypatch):
    monkeypatch.setattr(optim, "_device", lambda x: 0)
    monkeypatch.setattr(optim, "_address", lambda x: x.ctypes.data)


def numbers(dtype, seed):
    rng = np.random.default_rng(seed)
    return [np.abs(rng.normal(size=n)).astype(dtype) for n in SIZES]


def assert_same(ours, expected):
    for a, b in zip(ours, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("decoupled", [True, False])
@pytest.mark.parametrize("maximize", [True, False])
def test_adam_of_all_parameters_equals_one_by_one(dtype, decoupled, maximize):
    settings = formulas.AdamSettings(0.1, 0.9, 0.99, 1e-8, 0.1, decoupled, maximize)
    ours = [numbers(dtype, seed) for seed in range(4)]
    expected = [numbers(dtype, seed) for seed in range(4)]
    times = (1, 2, 7)
    for arrays in zip(*expected, times, strict=True):
        *four, t = arrays
        formulas.adam_step(*four, None, t, settings)
    optim.adam_steps(list(zip(*ours, times, strict=True)), settings)
    for a, b in zip(ours, expected, strict=True):
        assert_same(a, b)


@pytest.mark.parametrize("momentum", [0.0, 0.9])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("nesterov", [True, False])
def test_sgd_of_all_parameters_equals_one_by_one(momentum, first, nesterov):
    dampening = 0.0 if nesterov else 0.5
    settings = formulas.SgdSettings(
        0.1, momentum, dampening, 0.1, nesterov and momentum > 0, maximize=first
    )
    ours, expected = ([numbers(np.float32, seed) for seed in range(3)] for _ in "ab")
    for columns in (ours, expected):
        if first:
            for v in columns[2]:
                v[...] = 0
        if not momentum:
            columns[2] = [None] * len(SIZES)
    for p, g, v in zip(*expected, strict=True):
        formulas.sgd_step(p, g, v, first, settings)
    optim.sgd_steps(list(zip(*ours, strict=True)), first, settings)
    assert_same(ours[0], expected[0])
    if momentum:
        assert_same(ours[2], expected[2])


def test_steps_are_sorted_by_dtype():
    steps = [(np.zeros(1, kind),) for kind in (np.float32, np.float64, np.float32)]
    assert [len(found) for found in optim.grouped(steps)] == [2, 1]


def test_parameters_of_other_shapes_do_not_fit():
    x = np.zeros((2, 3), np.float32)
    assert optim.is_supported(x, x, None)
    assert not optim.is_supported(x, x[0])
    assert not optim.is_supported(x.T, x.T)
