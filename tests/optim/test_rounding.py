"""Steps with 16 bits, and with a learning rate that is a tensor, equal PyTorch's.

All numbers are compared bit by bit, over 20 steps with 16 bits. Sizes are multiples of
64: at the end of an array, where no vector is full, PyTorch's `add_` with alpha rounds
once more than in its vectors.
"""

import numpy as np
import pytest

import edutorch
from edutorch import config
from tests.oracle import torch

SETTINGS = [
    ("SGD", {}),
    ("SGD", {"momentum": 0.9}),
    ("SGD", {"momentum": 0.9, "nesterov": True, "weight_decay": 0.1}),
    ("SGD", {"momentum": 0.9, "dampening": 0.3, "weight_decay": 0.1, "maximize": True}),
    ("Adam", {}),
    ("Adam", {"weight_decay": 0.1}),
    ("Adam", {"amsgrad": True, "maximize": True}),
    ("AdamW", {}),
    ("AdamW", {"weight_decay": 0.1, "amsgrad": True}),
    ("Adadelta", {"weight_decay": 0.1}),
    ("Adagrad", {"lr_decay": 0.1}),
    ("Adamax", {"weight_decay": 0.1}),
    ("ASGD", {"weight_decay": 0.1, "lambd": 0.01, "t0": 2}),
    ("NAdam", {"weight_decay": 0.1, "decoupled_weight_decay": True}),
    ("RAdam", {"weight_decay": 0.1}),
    ("RMSprop", {"weight_decay": 0.1}),
    ("RMSprop", {"momentum": 0.9, "centered": True}),
    ("Rprop", {}),
    ("Adafactor", {"weight_decay": 0.1}),
]
TAKES_TENSORS = (
    "SGD", "Adam", "AdamW", "Adadelta", "Adagrad", "Adamax", "ASGD", "NAdam", "RAdam",
    "RMSprop", "Rprop", "Adafactor",
)  # fmt: skip


def trained(library, name, dtype, steps, lr, settings, shape=(40, 8)):
    """The parameters after each step, as float64."""
    rng = np.random.default_rng(53)

    def normal():
        x = library.tensor(rng.standard_normal(shape).tolist(), dtype=library.float64)
        return x.to(getattr(library, dtype))

    p = library.nn.Parameter(normal())
    optimizer = getattr(library.optim, name)([p], lr=lr(library), **settings)
    found = []
    for _ in range(steps):
        p.grad = normal()
        optimizer.step()
        found.append(p.detach().to(library.float64).numpy().copy())
    return np.stack(found)


@pytest.mark.parametrize("kernels", ["plain", "fast"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize(("name", "settings"), SETTINGS)
def test_each_operation_is_rounded_to_16_bits(name, settings, dtype, kernels):
    arguments = name, dtype, 20, lambda _: 0.01, settings
    with config.kernels(kernels):
        ours = trained(edutorch, *arguments)
    np.testing.assert_array_equal(ours, trained(torch, *arguments))


@pytest.mark.parametrize("name", ["Adam", "AdamW", "RAdam", "RMSprop", "Adafactor"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_a_rate_that_is_a_tensor_has_its_own_precision(name, dtype):
    arguments = name, dtype, 20, lambda library: library.tensor(0.01), {}
    ours = trained(edutorch, *arguments)
    np.testing.assert_array_equal(ours, trained(torch, *arguments))


@pytest.mark.parametrize("name", TAKES_TENSORS)
@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_a_learning_rate_may_be_a_tensor_of_one_element(name, shape):
    arguments = name, "float64", 5, lambda library: library.full(shape, 0.01), {}
    ours, theirs = trained(edutorch, *arguments), trained(torch, *arguments)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("rate", ["float32", "bfloat16"])
def test_muon_has_rates_of_any_precision(dtype, rate):
    def lr(library):
        return library.tensor(0.01, dtype=getattr(library, rate))

    settings = {"nesterov": False, "momentum": 0.5}
    ours, theirs = (
        trained(library, "Muon", dtype, 20, lr, settings)
        for library in (edutorch, torch)
    )
    # Products of matrices in bfloat16 depend on the order of the sums.
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=5e-3 * abs(theirs).max())


def test_average_of_muon_in_bfloat16_is_divided_in_place():
    norms = []
    for library in (torch, edutorch):
        p = library.nn.Parameter(library.ones(4, 4, dtype=library.bfloat16))
        optimizer = library.optim.Muon([p], momentum=0.5, nesterov=False)
        p.grad = library.full_like(p, 0.5)
        optimizer.step()
        norms.append(optimizer.state[p]["momentum_buffer"].norm().item())
    assert norms == [1.0, 1.0]


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize(
    ("name", "settings", "shape"),
    [
        ("Adam", {}, (40, 8)),
        ("Adam", {"weight_decay": 0.1, "maximize": True}, (40, 8)),
        ("AdamW", {"amsgrad": True}, (40, 8)),
        # PyTorch's vectors round the settings of Adagrad to 16 bits, the rest does not.
        ("Adagrad", {}, (7,)),
        ("Adagrad", {"weight_decay": 0.1, "lr_decay": 0.1}, (7,)),
    ],
)
def test_fused_steps_with_16_bits_are_rounded_once(name, settings, shape, dtype):
    run = name, dtype, 5, lambda _: 0.01, {**settings, "fused": True}, shape
    with config.kernels("plain"):
        found = trained(edutorch, *run)
    np.testing.assert_array_equal(found, trained(torch, *run))
