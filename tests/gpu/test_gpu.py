"""The same programs on a real GPU: `make test-gpu`, with the CuPy that is installed."""

from __future__ import annotations

import gc

import pytest

import edutorch as torch
from edutorch.backends.cupy_gpu import find_gpus
from tests.training import losses_on

pytestmark = pytest.mark.skipif(find_gpus() is None, reason="needs CuPy and a GPU")

OPS = {
    "add": lambda x: x + x,
    "matmul": lambda x: x @ x,
    "exp": lambda x: x.exp(),
    "sum": lambda x: x.sum(dim=0),
    "mean": lambda x: x.mean(),
    "softmax": lambda x: x.softmax(dim=1),
    "relu": lambda x: x.relu(),
    "where": lambda x: torch.where(x > 0, x, x * 2),
    "view": lambda x: x.reshape(2, 8)[1:, ::2],
    "cat": lambda x: torch.cat([x, x * 2]),
    "layer_norm": lambda x: torch.nn.functional.layer_norm(x, (4,)),
    "max_pool": lambda x: torch.nn.functional.max_pool2d(x[None, None], 2),
    "conv": lambda x: torch.nn.functional.conv2d(x[None, None], x[None, None, :2, :2]),
}


@pytest.mark.parametrize("name", OPS)
def test_operation_and_gradient_equal_the_cpus(name):
    torch.manual_seed(0)
    x = torch.randn(4, 4)
    results = []
    for device in ("cpu", "cuda"):
        leaf = x.to(device).requires_grad_()
        y = OPS[name](leaf)
        (y * y).sum().backward()
        assert y.device.type == leaf.grad.device.type == device
        results.append((y.detach().cpu(), leaf.grad.cpu()))
    for ours, expected in zip(results[1], results[0], strict=True):
        assert torch.allclose(ours, expected, rtol=1e-4, atol=1e-5)


def test_training_on_the_gpu_equals_training_on_the_cpu():
    assert losses_on("cuda") == pytest.approx(losses_on("cpu"), rel=1e-4)


def test_memory_is_booked_and_given_back():
    gc.collect()
    before = torch.cuda.memory_allocated()
    x = torch.ones(1_000_000, device="cuda")
    assert torch.cuda.memory_allocated() - before == 4_000_256
    assert not torch.cuda.is_simulated()
    del x
    gc.collect()
    assert torch.cuda.memory_allocated() == before


def test_devices_are_not_mixed():
    with pytest.raises(
        RuntimeError, match="Expected all tensors to be on the same device"
    ):
        torch.ones(2, device="cuda") + torch.ones(2)
