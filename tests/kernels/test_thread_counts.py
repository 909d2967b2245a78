"""Every kernel that threads share gives the same bits for 1, 2 and 3 threads.

A new kernel joins by a line in PROGRAMS: a function of the public API and the shapes of
its operands, with odd sizes.
"""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch import config
from edutorch.autograd import large_arrays
from edutorch.free_cores import FreeCores
from edutorch.kernels import attention, compiled, softmax, sums, thread_pool, warmup

F = torch.nn.functional


def channels_last(x):
    return x.contiguous(memory_format=torch.channels_last)


PROGRAMS = {
    "adaptive_max_pool": (lambda x: F.adaptive_max_pool2d(x, 3), (3, 5, 9, 15)),
    "add": (torch.add, (7, 11, 29), (7, 11, 29)),
    "add_rows": (torch.add, (7, 11, 29), (29,)),
    "attention": (
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
        (7, 3, 11, 5), (7, 3, 11, 5), (7, 3, 11, 5),
    ),
    "attention_of_many_heads": (
        F.scaled_dot_product_attention, (1, 9, 11, 5), (1, 9, 13, 5), (1, 9, 13, 5)
    ),
    "batch_norm": (
        lambda x, w, b: F.batch_norm(x, None, None, w, b, True),
        (5, 7, 9, 11), (7,), (7,),
    ),
    "conv": (F.conv2d, (17, 16, 33, 31), (23, 16, 3, 3), (23,)),
    "conv_1x1": (F.conv2d, (5, 3, 9, 11), (7, 3, 1, 1)),
    "conv_depthwise": (
        lambda x, w: F.conv2d(x, w, groups=7), (5, 7, 9, 11), (7, 1, 3, 3)
    ),
    "distances": (torch.cdist, (23, 7), (19, 7)),
    "elementwise": (lambda a, b: (a * b + a).tanh() * a.sigmoid(), (101, 37), (101, 37)),
    "gelu": (F.gelu, (101, 37)),
    "gelu_tanh": (lambda x: F.gelu(x, approximate="tanh"), (101, 37)),
    "layer_norm": (
        lambda x, w, b: F.layer_norm(x, (37,), w, b), (101, 37), (37,), (37,)
    ),
    "log_softmax": (lambda x: F.log_softmax(x, 1), (101, 37)),
    "max_pool": (lambda x: F.max_pool2d(x, 3, 2, 1), (3, 5, 9, 15)),
    "max_pool_2x2": (lambda x: F.max_pool2d(x, 2), (3, 5, 9, 71)),
    "max_pool_channels_last": (
        lambda x: F.max_pool2d(channels_last(x), 3, 1, 1), (5, 3, 9, 15)
    ),
    "relu": (torch.relu, (101, 37)),
    "softmax": (lambda x: F.softmax(x, 1), (101, 37)),
    "sum_columns": (lambda x: x.sum(0), (1037, 37)),
    "sum_everything": (lambda x: x.sum(), (101, 37)),
    "sum_rows": (lambda x: x.sum(1), (101, 37)),
    "clamp": (lambda x: x.clamp(-1, 1), (101, 37)),
    "half": (lambda x: x.half().float(), (101, 37)),
}  # fmt: skip


def bits(program, shapes, dtype):
    """The result of a program and its gradients."""
    rng = np.random.default_rng(0)
    operands = [
        torch.tensor(rng.standard_normal(s).astype(dtype), requires_grad=True)
        for s in shapes
    ]
    y = program(*operands)
    y.backward(torch.tensor(rng.standard_normal(tuple(y.shape)).astype(dtype)))
    return [y.detach().numpy().tobytes(), *[x.grad.numpy().tobytes() for x in operands]]


@pytest.fixture
def all_is_large(monkeypatch):
    """Small arrays are shared by the threads, too; returns how often they were."""
    shared = []
    run = thread_pool._Job.work

    def work(job, thread):
        shared.append(job.n)
        run(job, thread)

    monkeypatch.setattr(thread_pool._Job, "work", work)
    monkeypatch.setattr(thread_pool, "MIN_NANOSECONDS", 0)
    # also while other processes take cores
    monkeypatch.setattr(thread_pool, "cores", FreeCores(enabled=False))
    monkeypatch.setattr(compiled, "MIN_THREADED_SIZE", 0)
    monkeypatch.setattr(attention, "MIN_NANOSECONDS", 0)
    monkeypatch.setattr(large_arrays, "BLOCK", 600)
    monkeypatch.setattr(large_arrays, "LARGE_FOR_UFUNC", 1000)
    monkeypatch.setattr(softmax, "BLOCK", 600)
    monkeypatch.setattr(sums, "PART", 600)
    for module in ("kernels.sums", "ops.reduce.sums"):
        monkeypatch.setattr(f"edutorch.{module}.LARGE", 1000)
    for name in ("dispatch", "engine", "large_arrays"):
        monkeypatch.setattr(f"edutorch.autograd.{name}.LARGE", 1000)
    return shared


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_number_of_threads_changes_no_bit(name, dtype, all_is_large, monkeypatch):
    program, *shapes = PROGRAMS[name]
    found = []
    for threads in (1, 2, 3):
        for module in (attention, large_arrays, thread_pool):
            monkeypatch.setattr(module, "get_num_threads", lambda n=threads: n)
        with config.kernels("fast"):
            found.append(bits(program, shapes, dtype))
    assert found[0] == found[1] == found[2]
    if warmup.has_numba() and dtype == "float32":  # of these there are most kernels
        assert all_is_large
