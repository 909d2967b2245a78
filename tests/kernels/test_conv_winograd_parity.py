"""Errors of convolutions by tiles, compared with PyTorch's."""

import os

import numpy as np
import pytest

from edutorch.kernels.conv_winograd import winograd, winograd_grad_weight
from tests.oracle import torch

RNG = np.random.default_rng(0)


def numbers(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def by_tiles(x, w, g):
    y = winograd(x, w, None, (1, 1), g.shape[2:])
    gx = winograd(g, w, None, (1, 1), x.shape[2:], adjoint=True)
    return y, gx, winograd_grad_weight(g, x, (1, 1))


def by_pytorch(x, w, g):
    x, w = (torch.tensor(a, requires_grad=True) for a in (x, w))
    y = torch.nn.functional.conv2d(x, w, padding=1)
    y.backward(torch.tensor(g))
    return tuple(a.detach().numpy() for a in (y, x.grad, w.grad))


def error_of(got, expected):
    return np.sqrt(np.mean((got - expected) ** 2))


# PyTorch always takes the best instructions of the processor.
@pytest.mark.skipif("OPENBLAS_CORETYPE" in os.environ, reason="BLAS takes others")
@pytest.mark.parametrize("channels", [64, 200, 512])
@pytest.mark.parametrize("least", [-np.inf, 0])
def test_tiles_err_less_than_twice_as_much_as_pytorch(channels, least):
    x = np.maximum(numbers(2, channels, 16, 16), least)
    w, g = numbers(channels, channels, 3, 3), numbers(2, channels, 16, 16)
    right = by_pytorch(*(a.astype(np.float64) for a in (x, w, g)))
    both = zip(by_tiles(x, w, g), by_pytorch(x, w, g), right, strict=True)
    for tiles, pytorch, exact in both:
        assert error_of(tiles, exact) < 2 * error_of(pytorch, exact)
