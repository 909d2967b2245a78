"""Passing tensors to other processes."""

from __future__ import annotations

import pickle
from multiprocessing.reduction import ForkingPickler

import pytest

import edutorch
import edutorch.multiprocessing as mp

pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
PATIENCE = 60


def put(queue):
    queue.put(edutorch.arange(5.0).requires_grad_())


def fill(rank, x, weight):
    x.fill_(7.0)
    with edutorch.no_grad():
        weight[1].fill_(5.0)


def test_values_come_through_a_queue():
    start = mp.get_context("fork")
    queue = start.SimpleQueue()
    process = start.Process(target=put, args=(queue,))
    process.start()
    x = queue.get()
    process.join(PATIENCE)
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert x.requires_grad


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_shared_tensors_are_the_same_memory(method):
    if method == "spawn" and not hasattr(__import__("os"), "memfd_create"):
        pytest.skip("needs memfd_create")
    x = edutorch.zeros(3, 2).share_memory_()
    weight = edutorch.nn.Linear(2, 2).share_memory().weight
    # A function of a module that the other process can import by its name.
    target = edutorch.Tensor.fill_
    start = mp.get_context(method)
    calls = [(x.t()[1], 7.0), (weight.detach(), 5.0)]
    processes = [start.Process(target=target, args=call) for call in calls]
    for process in processes:
        process.start()
    for process in processes:
        process.join(PATIENCE)
    assert [p.exitcode for p in processes] == [0, 0]
    assert x.tolist() == [[0.0, 7.0]] * 3
    assert weight.tolist() == [[5.0, 5.0]] * 2


def test_memory_of_a_simulated_gpu_is_shared(monkeypatch):
    if not hasattr(__import__("os"), "memfd_create"):
        pytest.skip("needs memfd_create")
    with edutorch.cuda.simulate():
        x = edutorch.zeros(3, 2, device="cuda").share_memory_()
        data = bytes(ForkingPickler.dumps(x.t()[1]))
        found = pickle.loads(data)
        found.fill_(7.0)
        assert str(found.device) == "cuda:0"
        assert x.tolist() == [[0.0, 7.0]] * 3
        layer = edutorch.nn.Linear(2, 2).to("cuda").share_memory()
        monkeypatch.setenv("EDUTORCH_SIMULATE", "1x64MB")
        start = mp.get_context("spawn")
        process = start.Process(
            target=edutorch.Tensor.fill_, args=(layer.weight.detach(), 5.0)
        )
        process.start()
        process.join(PATIENCE)
        assert process.exitcode == 0
        assert layer.weight.tolist() == [[5.0, 5.0]] * 2
        data = bytes(ForkingPickler.dumps(x))
    monkeypatch.delenv("EDUTORCH_SIMULATE")
    with pytest.raises(RuntimeError, match="cuda:0 cannot be received"):
        pickle.loads(data)


def test_other_strategies_are_refused():
    assert mp.get_sharing_strategy() in mp.get_all_sharing_strategies()
    mp.set_sharing_strategy("file_descriptor")
    with pytest.raises(AssertionError, match="file_system"):
        mp.set_sharing_strategy("file_system")


def test_part_of_a_large_tensor_travels_without_the_rest():
    x = edutorch.arange(100_000.0)
    for part in (
        x[5:7],
        edutorch.nn.Parameter(x)[5:7].detach(),
        edutorch.nn.Parameter(x[5:7]),
    ):
        data = bytes(ForkingPickler.dumps(part))
        assert len(data) < 2000
        found = pickle.loads(data)
        assert found.tolist() == [5, 6]
        assert type(found) is type(part)
        assert found.requires_grad == part.requires_grad
