from __future__ import annotations

import edutorch as torch
from edutorch.course.gpu_counters import GPUCounters
from edutorch.nn import functional as F


def test_counters_count_each_way_of_reading_a_number():
    with torch.cuda.simulate(devices=1), GPUCounters() as counters:
        x = torch.ones(1, device="cuda:0")
        x.item()
        float(x)
        x.tolist()
        x.cpu()
        bool(x)
        [7, 8][x.long()]
    assert counters.between("cuda", "cpu") == [4, 4, 4, 4, 4, 8]


def test_counters_count_number_that_is_written_into_tensor_of_host():
    with torch.cuda.simulate(devices=1):
        loss = torch.tensor(3.0, device="cuda:0", requires_grad=True)
        losses = torch.zeros(2)
        with GPUCounters() as counters:
            losses[1] = loss
        assert losses.tolist() == [0.0, 3.0]
        losses.sum().backward()
        assert loss.grad.device == loss.device
    assert counters.between("cuda", "cpu") == [4]


def test_counters_count_forward_and_backward_on_gpus_alone():
    with torch.cuda.simulate(devices=1):
        x = torch.ones(3, requires_grad=True, device="cuda:0")
        with GPUCounters() as counters:
            torch.ones(3) + 1
            F.relu(x[:2]).sum().backward()
    forward = 2  # relu, sum; the slice is a view
    backward = 4  # of sum, relu and the slice, and the leaf's
    assert counters.launches == forward + backward
    assert counters.copies == []


def test_counters_say_what_is_simulated_and_that_nothing_is_there():
    with torch.cuda.simulate(devices=2), GPUCounters() as counters:
        torch.ones(2, device="cuda:1") + 1
    assert repr(counters) == "on 2 simulated GPUs: 1 launch"


def test_counters_that_have_ended_hear_no_more():
    with torch.cuda.simulate(devices=1):
        with GPUCounters() as counters:
            pass
        torch.ones(2).to("cuda:0")
    assert counters.copies == []
