"""Seeds of GPUs are independent of the CPU's, and ignored without a GPU."""

from __future__ import annotations

import pytest

import edutorch as torch


@pytest.fixture
def gpus():
    with torch.cuda.simulate(devices=2, memory="64MB"):
        yield


def test_manual_seed_without_gpus_leaves_the_cpu_alone():
    torch.manual_seed(3)
    torch.cuda.manual_seed(5)
    torch.cuda.manual_seed_all(5)
    assert torch.initial_seed() == 3


def test_manual_seed_starts_the_current_gpu_only(gpus):
    torch.manual_seed(3)
    torch.cuda.manual_seed(5)
    assert torch.cuda.initial_seed() == 5
    assert torch.initial_seed() == 3
    torch.cuda.manual_seed_all(6)
    first, second = (torch.rand(3, device=f"cuda:{i}").tolist() for i in range(2))
    assert first == second
    assert torch.rand(3, device="cuda:0").tolist() != first


def test_manual_seed_of_everything_reaches_gpus(gpus):
    torch.manual_seed(3)
    first = torch.rand(3, device="cuda:1").tolist()
    torch.manual_seed(3)
    assert torch.rand(3, device="cuda:1").tolist() == first


def test_state_of_a_gpu_can_be_set(gpus):
    state = torch.cuda.get_rng_state("cuda:1")
    first = torch.randn(3, device="cuda:1").tolist()
    torch.cuda.set_rng_state(state, "cuda:1")
    assert torch.randn(3, device="cuda:1").tolist() == first


def test_seed_gives_another_stream(gpus):
    torch.cuda.manual_seed(5)
    torch.cuda.seed()
    assert torch.cuda.initial_seed() != 5


def test_all_generators_are_saved_and_restored_together():
    with torch.cuda.simulate(devices=2):
        states = torch.cuda.get_rng_state_all()
        first = [torch.rand(2, device=f"cuda:{i}").tolist() for i in range(2)]
        torch.cuda.set_rng_state_all(states)
        again = [torch.rand(2, device=f"cuda:{i}").tolist() for i in range(2)]
        assert first == again and len(torch.cuda.default_generators) == 2
        torch.cuda.seed_all()
        one, two = (g.initial_seed() for g in torch.cuda.default_generators)
        assert one == two
