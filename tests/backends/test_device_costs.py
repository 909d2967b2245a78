"""Costs of ops, backward formulas, updates and copies on a simulated GPU."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.backends import gpus
from edutorch.backends.cost_model import PRESETS

T4 = PRESETS["T4"]


@pytest.fixture
def clock():
    with torch.cuda.simulate(devices=2, memory="1GB", like="T4"):
        yield gpus.gpus().clocks[0]


def jobs_of(clock, work):
    clock.jobs.clear()
    result = work()
    jobs = [(job.name, job.unit, job.end - job.begin) for job in clock.jobs]
    return result, jobs


def test_op_takes_its_kernel_and_a_view_takes_nothing(clock):
    x = torch.ones(1000, 1000, device="cuda")
    _, jobs = jobs_of(clock, lambda: (x.T, x[3:], x.view(-1), x + x))
    seconds = pytest.approx(4e-6 + 3 * 4_000_000 / 320e9)
    assert jobs == [("Add", "compute", seconds)]


def test_op_with_two_results_is_one_kernel(clock):
    x = torch.ones(10, 10, device="cuda")
    _, jobs = jobs_of(clock, lambda: x.max(dim=0))
    assert len(jobs) == 1


def test_backward_takes_a_kernel_like_the_op_for_each_gradient(clock):
    a = torch.ones(512, 256, device="cuda", requires_grad=True)
    b = torch.ones(256, 128, device="cuda", requires_grad=True)
    y, forward = jobs_of(clock, lambda: a @ b)
    seconds = 4e-6 + max(2 * 512 * 256 * 128 / 8.1e12, y.nbytes / 320e9)
    assert forward == [("Mm", "compute", pytest.approx(seconds))]
    _, both = jobs_of(clock, lambda: y.backward(y.detach()))
    assert both == [("MmBackward0", "compute", pytest.approx(seconds))] * 2
    y = a.detach() @ b
    _, one = jobs_of(clock, lambda: y.backward(y.detach()))
    assert len(one) == 1


def test_recorded_backward_is_charged_by_its_ops_alone(clock):
    x = torch.ones(100, device="cuda", requires_grad=True)
    y = x.exp()
    ones = torch.ones_like(y)
    grad = {"create_graph": True}
    _, jobs = jobs_of(clock, lambda: torch.autograd.grad(y, x, ones, **grad))
    assert [name for name, _, _ in jobs] == ["Mul"]


def test_update_is_one_kernel_over_all_parameters(clock):
    p = torch.ones(1000, device="cuda", requires_grad=True)
    p.grad = torch.ones_like(p)
    for make, arrays in ((torch.optim.SGD, 3), (torch.optim.Adam, 7)):
        optimizer = make([p], lr=0.1)
        _, jobs = jobs_of(clock, optimizer.step)
        assert [job[:2] for job in jobs] == [("optimizer.step", "compute")]
        least = 4e-6 + arrays * 4000 / 320e9
        assert least - 1e-12 <= jobs[0][2] <= least + 1e-9


def test_products_use_tf32_where_it_is_allowed():
    with torch.cuda.simulate(devices=1, like="A100", memory="1GB"):
        clock = gpus.gpus().clocks[0]
        x = torch.ones(512, 512, device="cuda")
        _, slow = jobs_of(clock, lambda: x @ x)
        torch.backends.cuda.matmul.allow_tf32 = True
        try:
            _, fast = jobs_of(clock, lambda: x @ x)
        finally:
            torch.backends.cuda.matmul.allow_tf32 = False
    flops = 2 * 512**3
    assert slow[0][2] - fast[0][2] == pytest.approx(flops / 19.5e12 - flops / 156e12)


def test_copy_between_gpus_occupies_the_source_and_holds_the_target(clock):
    x = torch.ones(250_000, device="cuda:0")
    torch.cuda.synchronize(0)
    now = clock.host.now
    _, jobs = jobs_of(clock, lambda: x.to("cuda:1"))
    seconds = 10e-6 + 1e6 / 12e9
    assert jobs == [("copy to cuda:1", "out", pytest.approx(seconds))]
    assert clock.host.now - now == pytest.approx(T4.launch)  # it did not wait
    there = gpus.gpus().clocks[1]
    assert there.ready(0) == pytest.approx(now + T4.launch + seconds)


def test_gradient_that_crosses_devices_takes_the_bus_back(clock):
    x = torch.ones(1000, requires_grad=True)
    y = x.to("cuda").sum()
    _, jobs = jobs_of(clock, y.backward)
    assert [job[:2] for job in jobs] == [
        ("SumBackward0", "compute"),
        ("copy to cpu", "out"),
    ]


def test_host_waits_where_it_reads(clock):
    x = torch.ones(1000, 1000, device="cuda")
    for read in (torch.Tensor.item, float, bool, torch.Tensor.tolist, torch.Tensor.cpu):
        y = (x @ x).sum()
        assert clock.host.now < clock.ready(0)
        read(y)
        assert clock.host.now == clock.ready(0), read


def test_cpu_takes_no_simulated_time(clock):
    now = clock.host.now
    x = torch.ones(10, requires_grad=True)
    (x * 2).sum().backward()
    assert clock.host.now == now and not clock.jobs
