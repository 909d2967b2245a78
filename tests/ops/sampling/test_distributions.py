"""Random ops: their attributes, and their checks."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch
from edutorch.ops.sampling.distributions import Bernoulli, Normal, Random, Uniform
from edutorch.random import Generator
from edutorch.tensor import wrap


def test_describe_names_the_attributes():
    op = Uniform(-1, 1)
    op.generator = Generator()
    assert op.describe().startswith("Uniform(low=-1.0, high=1.0, generator=<")


@pytest.mark.parametrize(("ends", "form"), [((), 2), ((0, 5), 1), ((3, None), 0)])
def test_name_of_random_tells_its_form(ends, form):
    assert Random(*ends).name() == f"RandomBackward{form}"


def test_draw_of_complex_numbers_has_half_of_the_variance_in_each_part():
    op = Normal(0, 2)
    op.generator = Generator().manual_seed(1)
    y = op.forward(np.empty(100_000, np.complex64))
    assert y.real.var() == pytest.approx(2, rel=0.03)
    assert y.imag.var() == pytest.approx(2, rel=0.03)


def test_draw_with_a_probability_each_follows_the_order_of_memory():
    p = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]], np.float32).T
    op = Bernoulli(p, form=1)
    op.generator = Generator()
    assert np.array_equal(op.forward(np.zeros((3, 2), np.float32).T), p)


def test_check_refuses_before_anything_is_drawn():
    with pytest.raises(NotImplementedError, match="not implemented for 'Long'"):
        Uniform().check(wrap(np.zeros(2, np.int64)))


def test_bernoulli_of_nothing_takes_every_dtype():
    for kind in (edutorch.uint8, edutorch.int32, edutorch.complex64):
        drawn = edutorch.bernoulli(edutorch.zeros(0, 3, dtype=kind))
        assert drawn.shape == (0, 3)
        assert drawn.dtype is kind


def test_integers_beyond_a_dtype_are_refused_where_they_are_drawn():
    with pytest.raises(RuntimeError, match="to - 1 is out of bounds for bool"):
        edutorch.randint(5, (2,), dtype=edutorch.bool)
    on_meta = edutorch.zeros(2, dtype=edutorch.bool, device="meta")
    assert edutorch.randint(5, (2,), out=on_meta) is on_meta.random_(0, 5)


@pytest.mark.parametrize(
    ("dtype", "draw"),
    [
        ("int64", "normal_()"), ("bool", "log_normal_()"), ("bool", "geometric_(0.5)"),
        ("complex64", "exponential_()"), ("complex64", "bernoulli_(0.5)"),
        ("complex64", "random_()"),
    ],
)  # fmt: skip
def test_nothing_is_drawn_of_any_dtype(dtype, draw):
    x = edutorch.zeros(0, 3, dtype=getattr(edutorch, dtype))
    assert eval(f"x.{draw}") is x


# On the meta device PyTorch looks at dtypes first, and not at all parameters.
META = [
    ("float32", "normal_(0, -1)"), ("int64", "normal_()"), ("int64", "normal_(0, -1)"),
    ("float32", "uniform_(2, 1)"), ("int64", "uniform_()"),
    ("float32", "exponential_(-1)"), ("int64", "exponential_(-1)"),
    ("float32", "cauchy_(0, -1)"), ("complex64", "cauchy_(0, -1)"),
    ("float32", "log_normal_(0, -1)"), ("bool", "log_normal_(0, -1)"),
    ("float32", "geometric_(2)"), ("bool", "geometric_(2)"), ("uint8", "bernoulli_(2)"),
]  # fmt: skip


@pytest.mark.parametrize(("dtype", "draw"), META)
def test_meta_device_refuses_what_pytorch_refuses(dtype, draw):
    from tests.oracle import torch as oracle

    def told(module):
        x = module.zeros(2, dtype=getattr(module, dtype), device="meta")
        try:
            return eval(f"x.{draw}") is x
        except RuntimeError as error:
            return str(error)

    assert told(edutorch) == told(oracle)
