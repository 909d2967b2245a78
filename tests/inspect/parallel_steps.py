"""Steps on two simulated GPUs, written by hand: data parallel, and a split model."""

from __future__ import annotations

import threading

import edutorch as torch
from edutorch import nn
from edutorch.events import mark

__all__ = ["DataParallelStep", "SplitModel"]


class DataParallelStep:
    """Two replicas, each with half of a batch; gradients are added on the first."""

    def __init__(self, samples=8, threads=True):
        self.replicas = [nn.Linear(6, 3).to(f"cuda:{i}") for i in (0, 1)]
        self.optimizer = torch.optim.SGD(self.replicas[0].parameters(), lr=0.1)
        self.x, self.y = torch.randn(samples, 6), torch.randn(samples, 3)
        self.threads = threads
        self.moved = {}  # bytes from device to device, counted by hand

    def count(self, source, target, tensor):
        """Note that a tensor goes from one device to another."""
        pair = source, target
        nbytes = tensor.numel() * tensor.element_size()
        count, total = self.moved.get(pair, (0, 0))
        self.moved[pair] = count + 1, total + nbytes

    def step(self):
        """Scatter, replicate, compute, add the gradients, update."""
        mark("scatter", "begin")
        parts = [self._part(i) for i in (0, 1)]
        mark("scatter", "end")
        mark("replicate", "begin")
        self._replicate()
        mark("replicate", "end")
        mark("parallel_apply", "begin")
        self._apply(parts)
        mark("parallel_apply", "end")
        mark("reduce", "begin")
        self._reduce()
        mark("reduce", "end")
        self.optimizer.step()
        self.optimizer.zero_grad()

    def _part(self, i):
        half = len(self.x) // 2
        pair = self.x[i * half : (i + 1) * half], self.y[i * half : (i + 1) * half]
        for tensor in pair:
            self.count("cpu", f"cuda:{i}", tensor)
        return [tensor.to(f"cuda:{i}") for tensor in pair]

    def _replicate(self):
        ours, theirs = (list(model.parameters()) for model in self.replicas)
        with torch.no_grad():
            for p, q in zip(ours, theirs, strict=True):
                self.count("cuda:0", "cuda:1", p)
                q.copy_(p)

    def _apply(self, parts):
        def work(i):
            x, y = parts[i]
            nn.functional.mse_loss(self.replicas[i](x), y).backward()

        if not self.threads:
            return [work(i) for i in (0, 1)]
        threads = [threading.Thread(target=work, args=(i,)) for i in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return None

    def _reduce(self):
        ours, theirs = (list(model.parameters()) for model in self.replicas)
        for p, q in zip(ours, theirs, strict=True):
            self.count("cuda:1", "cuda:0", q.grad)
            p.grad = (p.grad + q.grad.to("cuda:0")) / 2
            q.grad = None


class SplitModel:
    """The first half of a model on one device, the second on another."""

    def __init__(self, samples=5):
        self.first = nn.Sequential(nn.Linear(4, 7), nn.ReLU()).to("cuda:0")
        self.second = nn.Linear(7, 2).to("cuda:1")
        self.x = torch.randn(samples, 4)
        size = 4 * samples
        # the batch, then the hidden values, and their gradient the other way
        self.moved = {
            ("cpu", "cuda:0"): (1, 4 * size),
            ("cuda:0", "cuda:1"): (1, 7 * size),
            ("cuda:1", "cuda:0"): (1, 7 * size),
            ("cuda:1", "cpu"): (1, 4),
        }

    def step(self):
        """Forward over both devices, backward over both, and the loss as a number."""
        hidden = self.first(self.x.to("cuda:0")).to("cuda:1")
        loss = (self.second(hidden) ** 2).mean()
        loss.backward()
        return loss.item()
