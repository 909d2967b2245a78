"""Random numbers in new tensors, in tensors like others, and in place."""

from __future__ import annotations

import numpy as np
import pytest

from edutorch import devices
from edutorch.ops.sampling.distributions import Uniform
from edutorch.ops.sampling.draw import new, new_like, refill
from edutorch.random import Generator
from edutorch.random.generator import generator_for
from edutorch.tensor import wrap


def test_new_takes_dtype_and_shape():
    x = new(Uniform(), (2, 3), None, None, None, requires_grad=True)
    assert (x.shape, x.requires_grad) == ((2, 3), True)


def test_new_like_keeps_the_order_of_memory():
    transposed = wrap(np.zeros((2, 3), np.float32).T)
    assert (
        new_like(transposed, Uniform(), None, None, False).stride()
        == transposed.stride()
    )


def test_refill_keeps_memory_and_counts_a_version():
    x = wrap(np.zeros(3, np.float32))
    array = x.numpy()
    refill(x, Uniform(1, 2), None)
    assert (array >= 1).all()
    assert x._version == 1


def test_refill_of_read_only_memory_raises():
    array = np.zeros(3, np.float32)
    array.flags.writeable = False
    with pytest.raises(RuntimeError, match="read-only"):
        refill(wrap(array), Uniform(), None)


def test_generator_for_another_device_is_one_of_its_own():
    gpu = devices.device("cuda:0")
    own = generator_for(gpu)
    assert own is generator_for(gpu)
    assert own is not generator_for(devices.CPU)
    with pytest.raises(RuntimeError, match="for generator but found"):
        generator_for(gpu, Generator())
