"""Records of memory: what is allocated and freed, and that none is kept alive."""

from __future__ import annotations

import gc
import weakref

import edutorch as torch
from edutorch import events, memory_events


def test_allocations_and_frees_balance(seen):
    x = torch.ones(100) + 1
    made = [events.as_dict(r) for r in seen if r[0] == "alloc"][-1]
    assert made["nbytes"] == 400
    sid = made["storage"]
    x = x.view(10, 10)  # looks at the same memory, which is announced once
    x + 1
    gc.collect()
    assert not [r for r in seen if r[0] == "free" and r[6] == sid]
    del x
    gc.collect()
    torch.ones(1) + 1
    assert [r[6] for r in seen if r[0] == "free" and r[6] == sid] == [sid]


def test_gradient_that_becomes_grad_is_announced_once(seen):
    x = torch.ones(50, requires_grad=True)
    (x * 2).backward(torch.ones(50))
    told = [events.as_dict(r) for r in seen if r[0] == "alloc"]
    assert [t["nbytes"] for t in told if t["category"] == "gradient"] == [200]
    sid = next(t["storage"] for t in told if t["category"] == "gradient")
    assert not [r for r in seen if r[0] == "free" and r[6] == sid]
    x.grad = None
    memory_events.drain()
    assert [r for r in seen if r[0] == "free" and r[6] == sid]


def test_gradient_that_is_a_view_takes_no_memory_of_its_own(seen):
    x = torch.ones(100, 100, requires_grad=True)
    y = x * 3
    seen.clear()
    y.sum().backward()  # whose gradient is one number, seen 10,000 times
    told = [events.as_dict(r) for r in seen if r[0] == "alloc"]
    gradients = [t["nbytes"] for t in told if t["category"] == "gradient"]
    assert sorted(gradients) == [4, 40_000]


def test_gradients_are_announced_as_results_are_not_as_kernels_compute_them(seen):
    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 16, 3),
        torch.nn.BatchNorm2d(16),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
    )
    model(torch.randn(4, 3, 8, 8)).sum().backward()
    told = [events.as_dict(r) for r in seen if r[0] == "alloc"]
    gradients = [t for t in told if t["role"] == "node_grad"]
    shapes = {tuple(t["shape"]) for t in gradients}
    assert {t["dtype"] for t in gradients} == {"float32"}
    assert shapes <= {(), (4, 16, 6, 6), (4, 16, 3, 3)}


def test_watched_training_keeps_no_tensor_alive(seen):
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    refs = []
    for _ in range(20):
        loss = model(torch.ones(2, 4)).sum()
        refs.append(weakref.ref(loss))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    del loss
    assert sum(r() is not None for r in refs) == 0


def test_labels_and_indices_are_announced_once(seen):
    scores, table = torch.zeros(50, 3), torch.zeros(3, 2)
    for _ in range(4):
        labels = torch.zeros(50, dtype=torch.int64) + 1
        torch.nn.functional.cross_entropy(scores, labels)
        torch.nn.functional.embedding(labels, table)
        del labels
    gc.collect()
    memory_events.drain()
    made = [events.as_dict(r)["storage"] for r in seen if r[0] == "alloc"]
    gone = {events.as_dict(r)["storage"] for r in seen if r[0] == "free"}
    assert [r for r in seen if r[0] == "read"]
    held = {record[6] for record in memory_events.live_allocations()}
    assert held == set(made) - gone
