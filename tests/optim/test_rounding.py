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
]
TAKES_TENSORS = (
    "SGD", "Adam", "AdamW", "Adadelta", "Adagrad", "Adamax", "ASGD", "NAdam", "RAdam",
    "RMSprop", "Rprop", "Adafactor",
)  # fmt: skip


def trained(library, name, dtype, steps, lr, settings):
    """The parameters after each step, as float64."""
    rng = np.random.default_rng(53)

    def normal():
        x = library.tensor(rng.standard_normal((40, 8)).tolist(), dtype=library.float64)
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


@pytest.mark.parametrize("name", ["Adam", "AdamW"])
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
