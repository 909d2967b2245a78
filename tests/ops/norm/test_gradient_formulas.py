"""The gradients of normalisation written as steps equal the kernels'."""

import numpy as np

import edutorch as torch
from edutorch.ops.norm.gradient_formulas import gradients, standardized


def test_standardized_has_mean_0_and_variance_1():
    x = torch.tensor([[1.0, 2.0, 6.0], [3.0, 3.0, 0.0]])
    z, s = standardized(x, (1,), 0.0)
    np.testing.assert_allclose(z.mean(1).numpy(), 0, atol=1e-6)
    np.testing.assert_allclose((z * z).mean(1).numpy(), 1, rtol=1e-6)
    assert s.shape == (2, 1)


def test_gradients_as_steps_equal_those_of_the_kernel():
    torch.manual_seed(0)
    x = torch.randn(4, 3, 5, dtype=torch.float64, requires_grad=True)
    w = torch.randn(3, dtype=torch.float64, requires_grad=True)
    b = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    g = torch.randn(4, 3, 5, dtype=torch.float64)
    y = torch.nn.functional.batch_norm(x, None, None, w, b, True)
    y.backward(g)
    found = gradients(g, x.detach(), w.detach(), (0, 2), (1, 3, 1), 1e-5)
    for expected, got in zip((x.grad, w.grad, b.grad), found, strict=True):
        np.testing.assert_allclose(
            got.reshape(expected.shape).numpy(), expected.numpy()
        )
