"""The same programs on a real GPU: `make test-gpu`, with the CuPy that is installed."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import edutorch as torch
from edutorch.backends import gpus
from edutorch.backends.cupy_gpu import find_gpus
from edutorch.kernels.gpu.sources import sources
from edutorch.random import philox
from tests.training import losses_on

pytestmark = pytest.mark.skipif(find_gpus() is None, reason="needs CuPy and a GPU")

F = torch.nn.functional
OPS = {
    "add": lambda x: x + x,
    "matmul": lambda x: x @ x.mT,
    "exp": lambda x: x.exp(),
    "sum": lambda x: x.sum(dim=0),
    "mean": lambda x: x.mean(),
    "softmax": lambda x: x.softmax(dim=1),
    "softmax of columns": lambda x: x.softmax(dim=0),
    "log_softmax": lambda x: x.log_softmax(dim=-1),
    "relu": lambda x: x.relu(),
    "sigmoid": lambda x: x.sigmoid(),
    "tanh": lambda x: x.tanh(),
    "gelu": F.gelu,
    "silu": F.silu,
    "leaky_relu": F.leaky_relu,
    "where": lambda x: torch.where(x > 0, x, x * 2),
    "view": lambda x: x.reshape(-1)[3:67].reshape(8, 8)[1:, ::2],
    "cat": lambda x: torch.cat([x, x * 2]),
    "layer_norm": lambda x: F.layer_norm(x, x.shape[1:]),
    "scaled layer_norm": lambda x: F.layer_norm(x, x.shape[1:], x[0], x[1]),
    "batch_norm": lambda x: F.batch_norm(x, None, None, training=True),
    "batch_norm of images": lambda x: F.batch_norm(
        x[:, :64].reshape(2, 4, -1, 8), None, None, x[0, :4], x[1, :4], training=True
    ),
    "group_norm": lambda x: F.group_norm(x[:, :64].reshape(4, 8, -1), 2),
    "cross_entropy": lambda x: F.cross_entropy(x, torch.arange(len(x)).to(x.device)),
    "max_pool": lambda x: F.max_pool2d(x[None, None], 2),
    "conv": lambda x: F.conv2d(x[None, None], x[None, None, :2, :2]),
    "strided conv": lambda x: F.conv2d(
        x[:, :64].reshape(2, 4, 8, -1), x[:6, :18].reshape(6, 2, 3, 3), x[0, :6],
        stride=2, padding=1, groups=2,
    ),
    "conv1d": lambda x: F.conv1d(x[None], x[:2, None, :3].expand(2, len(x), 3)),
    "transposed conv": lambda x: F.conv_transpose2d(
        x[None, None], x[None, None, :3, :3], stride=2
    ),
}  # fmt: skip


@pytest.mark.parametrize("shape", [(8, 72), (40, 300)])
@pytest.mark.parametrize("name", OPS)
def test_operation_and_gradient_equal_the_cpus(name, shape):
    torch.manual_seed(0)
    x = torch.randn(shape)
    results = []
    for device in ("cpu", "cuda"):
        leaf = x.clone().to(device).requires_grad_()
        y = OPS[name](leaf)
        weights = torch.arange(1.0, y.numel() + 1).cos().reshape(y.shape).to(device)
        (y * weights).sum().backward()
        assert y.device.type == leaf.grad.device.type == device
        results.append((y.detach().cpu(), leaf.grad.cpu()))
    for ours, expected in zip(results[1], results[0], strict=True):
        size = expected.abs().max().item()
        assert torch.allclose(ours, expected, rtol=1e-4, atol=2e-5 * max(size, 1))


def test_training_on_the_gpu_equals_training_on_the_cpu():
    assert losses_on("cuda") == pytest.approx(losses_on("cpu"), rel=1e-4)


OPTIMIZERS = {
    "SGD": {"lr": 0.1},
    "SGD with momentum": {"lr": 0.1, "momentum": 0.9, "nesterov": True},
    "SGD with decay": {"lr": 0.1, "momentum": 0.9, "dampening": 0.5,
                       "weight_decay": 0.1, "maximize": True},
    "Adam": {"lr": 0.1, "weight_decay": 0.1},
    "Adam of the largest": {"lr": 0.1, "amsgrad": True},
    "AdamW": {"lr": 0.1, "weight_decay": 0.1, "maximize": True},
}  # fmt: skip


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizer_steps_equal_the_cpus(name, dtype):
    results = []
    for device in ("cpu", "cuda"):
        parameters = [
            torch.linspace(-1, 1, n, dtype=dtype).to(device).requires_grad_()
            for n in (1, 300, 10_000)
        ]
        kind = getattr(torch.optim, name.partition(" ")[0])
        optimizer = kind(parameters, **OPTIMIZERS[name])
        for _ in range(3):
            optimizer.zero_grad()
            sum((p * p * p).sum() for p in parameters).backward()
            optimizer.step()
        results.append([p.detach().cpu() for p in parameters])
    for ours, expected in zip(results[1], results[0], strict=True):
        assert torch.allclose(ours, expected, rtol=1e-4, atol=1e-5)


def test_memory_is_booked_and_given_back():
    gc.collect()
    before = torch.cuda.memory_allocated()
    x = torch.ones(1_000_000, device="cuda")
    assert torch.cuda.memory_allocated() - before == 4_000_256
    assert not torch.cuda.is_simulated()
    del x
    gc.collect()
    assert torch.cuda.memory_allocated() == before


def test_memory_functions_agree_with_each_other():
    x = torch.ones(1_000_000, device="cuda")
    stats = torch.cuda.memory_stats()
    assert stats["allocated_bytes.all.current"] == torch.cuda.memory_allocated()
    assert torch.cuda.max_memory_allocated() >= torch.cuda.memory_allocated()
    assert torch.cuda.memory_reserved() >= x.nbytes
    free, total = torch.cuda.mem_get_info()
    assert 0 < free < total
    assert "edutorch CUDA memory summary" in torch.cuda.memory_summary()
    torch.cuda.reset_peak_memory_stats()
    assert torch.cuda.max_memory_allocated() == torch.cuda.memory_allocated()


def test_too_large_a_result_is_out_of_memory_with_pytorchs_message():
    x = torch.ones(1, device="cuda").expand(2**44)
    with pytest.raises(torch.OutOfMemoryError, match="CUDA out of memory. Tried to"):
        x.exp()


def test_memory_fraction_limits_what_is_reserved():
    torch.cuda.empty_cache()
    torch.cuda.set_per_process_memory_fraction(0.001)
    try:
        x = torch.ones(1, device="cuda")
        with pytest.raises(torch.OutOfMemoryError, match="CUDA out of memory"):
            x.expand(2**26).exp()
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)


def test_devices_are_not_mixed():
    with pytest.raises(
        RuntimeError, match="Expected all tensors to be on the same device"
    ):
        torch.ones(2, device="cuda") + torch.ones(2)


def test_stream_runs_work_and_events_order_and_time_it():
    x = torch.ones(1000, 1000, device="cuda")
    side = torch.cuda.Stream()
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        assert torch.cuda.current_stream() == side
        first.record()
        y = x @ x
        last.record()
    torch.cuda.current_stream().wait_event(last)
    assert (y.sum() / 1e9).item() == pytest.approx(1.0)
    last.synchronize()
    assert last.query()
    assert first.elapsed_time(last) > 0
    assert side.cuda_stream != torch.cuda.default_stream().cuda_stream == 0
    side.synchronize()
    assert side.query()


def test_pinned_memory_is_copied_while_the_program_goes_on():
    x = torch.arange(100_000.0).pin_memory()
    assert x.is_pinned()
    assert not torch.ones(2).is_pinned()
    y = x.to("cuda", non_blocking=True)
    torch.cuda.synchronize()
    assert torch.equal(y.cpu(), x)


def test_captured_work_is_replayed_on_new_values():
    x = torch.ones(1000, device="cuda")
    (x * 2 + 1).exp()  # compiles the kernels
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = x * 2 + 1
    x.fill_(3)
    graph.replay()
    torch.cuda.synchronize()
    assert y[0].item() == 7


def test_tf32_is_a_switch_of_matrix_products():
    torch.manual_seed(0)
    x = torch.randn(512, 512)
    exact = (x.double() @ x.double()).float()
    errors = []
    for allowed in (False, True):
        torch.backends.cuda.matmul.allow_tf32 = allowed
        errors.append(((x.cuda() @ x.cuda()).cpu() - exact).abs().max().item())
    torch.backends.cuda.matmul.allow_tf32 = False
    assert errors[0] < 1e-3 < errors[1]


@pytest.mark.parametrize("name", philox.DISTRIBUTIONS)
def test_random_kernel_equals_its_formula(name):
    draws = {
        "uniform": lambda x: x.uniform_(-2, 3),
        "normal": lambda x: x.normal_(1, 2),
        "bernoulli": lambda x: x.bernoulli_(0.3),
        "exponential": lambda x: x.exponential_(1.5),
        "cauchy": lambda x: x.cauchy_(),
        "geometric": lambda x: x.geometric_(0.3),
        "log_normal": lambda x: x.log_normal_(),
        "integers": lambda x: x.random_(0, 10),
    }
    found = gpus.gpus()
    results = []
    for compiles in (True, False):
        found.compiles = compiles
        try:
            torch.cuda.manual_seed(7)
            drawn = draws[name](torch.empty(5000, device="cuda"))
            results.append(drawn.cpu().numpy())
        finally:
            found.compiles = True
    np.testing.assert_allclose(results[0], results[1], rtol=2e-3, atol=1e-5)


def test_random_numbers_are_pytorchs():
    torch.cuda.manual_seed(0)
    x = torch.rand(5, device="cuda")
    expected = [0.39904648, 0.51667917, 0.02493039, 0.9400794, 0.9458541]
    assert x.cpu().tolist() == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("name", sources)
def test_kernels_are_found_in_their_source(name):
    for kernel in sources[name].kernels:
        assert sources[name].kernel(kernel) is not None
