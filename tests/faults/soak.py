"""Mixed work for a given time: `python -m tests.faults.soak --seconds 600`.

Two threads train while the main thread does other work, chosen at random: large
operations, loaders with forked workers, exceptions in tasks of parallel loops, Ctrl-C at
random moments, other numbers of threads. Every result is compared with what it was in the
beginning, bit for bit. If nothing is finished for `--patience` seconds, the stacks of all
threads are printed and the process ends with an error. `--seed` chooses the order.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import multiprocessing
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable

import numpy as np

import edutorch as torch
from edutorch.kernels import thread_pool
from tests.faults.ctrl_c import interrupt

__all__ = ["Soak", "main"]

nn = torch.nn
F = nn.functional


class Rows(torch.utils.data.Dataset):
    """Samples that need a little work each."""

    def __len__(self) -> int:
        return 24

    def __getitem__(self, i: int) -> np.ndarray:
        return np.arange(i, i + 5000, dtype=np.float32)


class TaskError(Exception):
    """Raised by a task of a parallel loop."""


def same(x: torch.Tensor, y: torch.Tensor) -> None:
    """Refuse results that are not equal bit for bit.

    Raises:
        AssertionError: if they are not.
    """
    if not np.array_equal(x.detach().numpy(), y.detach().numpy()):
        raise AssertionError("a result has changed")


def trained(seed: int, steps: int = 6) -> torch.Tensor:
    """The weights of a small convolutional net after some steps."""
    rng = np.random.default_rng(seed)
    net = nn.Sequential(
        nn.Conv2d(3, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(1800, 4)
    )
    for p in net.parameters():
        p.data = torch.from_numpy(rng.standard_normal(p.shape, dtype=np.float32) * 0.1)
    x = torch.from_numpy(rng.standard_normal((32, 3, 32, 32), dtype=np.float32))
    t = torch.arange(32) % 4
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(steps):
        optimizer.zero_grad()
        F.cross_entropy(net(x), t).backward()
        optimizer.step()
    return net[4].weight.detach().clone()


class Soak:
    """The work, what it has given in the beginning, and how often it has been done."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.x = torch.from_numpy(
            np.random.default_rng(seed).standard_normal((700, 900), dtype=np.float32)
        )
        self.done: Counter[str] = Counter()
        self.errors: list[BaseException] = []
        self.over = threading.Event()
        self.idle = 0  # seconds since something was finished
        self.expected = [f(self.x) for f in self.large()]
        self.weights = [trained(1), trained(2)]
        self.rows = [batch.clone() for batch in self.loader(0)]

    @staticmethod
    def large() -> list[Callable[[torch.Tensor], torch.Tensor]]:
        """Operations that the pool shares."""
        return [
            F.gelu, lambda x: F.softmax(x, 1), lambda x: (x * x + x).exp(),
            lambda x: x.sum(1), lambda x: F.layer_norm(x, x.shape[1:]),
            lambda x: F.max_pool2d(x[None], 2),
        ]  # fmt: skip

    @staticmethod
    def loader(workers: int) -> torch.utils.data.DataLoader:
        """Batches of rows."""
        return torch.utils.data.DataLoader(Rows(), batch_size=6, num_workers=workers)

    def operations(self) -> None:
        """Large operations."""
        for function, expected in zip(self.large(), self.expected, strict=True):
            same(function(self.x), expected)

    def loading(self) -> None:
        """An epoch with forked workers."""
        for batch, expected in zip(self.loader(2), self.rows, strict=True):
            same(batch, expected)

    def failing(self) -> None:
        """A task of a parallel loop that raises."""
        bad = self.rng.randrange(8)

        def task(i: int) -> None:
            np.exp(self.x.numpy()[i * 80 : i * 80 + 80])
            if i == bad:
                raise TaskError(str(i))

        try:
            thread_pool.parallel_for(task, 8, uses_blas=True)
        except TaskError as error:
            if str(error) != str(bad):
                raise
        else:
            raise AssertionError("the exception of a task was lost")

    def interrupted(self) -> None:
        """Work that Ctrl-C ends at a random moment."""
        work = self.rng.choice([self.operations, self.failing, self.loading])
        interrupt(work, self.rng.uniform(0.0, 0.1))

    def threads(self) -> None:
        """Another number of threads."""
        torch.set_num_threads(self.rng.randint(1, 4))

    def training(self, which: int) -> None:
        """What each of the two threads does all the time."""
        while not self.over.is_set():
            try:
                # Products may be added in another order on another number of threads.
                found = trained(1 + which).numpy()
                np.testing.assert_allclose(found, self.weights[which].numpy(), 0, 2e-3)
                self.note(f"training {which + 1}")
            except BaseException as error:
                self.errors.append(error)
                return

    def note(self, name: str) -> None:
        """Something has been finished."""
        self.done[name] += 1
        if name in self.WORK:
            self.idle = 0

    WORK = ("operations", "loading", "failing", "interrupted", "threads")

    def watch(self, patience: float) -> None:
        """End the process if the main thread finishes nothing for too long.

        Seconds are counted one by one: the process may have been suspended.
        """
        while not self.over.wait(1.0):
            self.idle += 1
            if self.idle > patience:
                faulthandler.dump_traceback(all_threads=True)
                for child in multiprocessing.active_children():
                    os.kill(child.pid or 0, signal.SIGUSR1)  # it prints its stacks, too
                time.sleep(2.0)
                print(f"nothing for {patience} s: {dict(self.done)}", flush=True)
                os._exit(3)

    def run(self, seconds: float, patience: float) -> None:
        """Do all of it.

        Raises:
            AssertionError: if a result is wrong, or state is left behind.
        """
        trainers = [
            threading.Thread(target=self.training, args=(i,), daemon=True)
            for i in (0, 1)
        ]
        watcher = threading.Thread(target=self.watch, args=(patience,), daemon=True)
        for thread in (*trainers, watcher):
            thread.start()
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.errors:
            name = self.rng.choice(self.WORK)
            getattr(self, name)()
            self.note(name)
        self.over.set()
        for thread in trainers:
            thread.join(patience)
            if thread.is_alive():
                faulthandler.dump_traceback(all_threads=True)
                raise AssertionError("a training thread hangs")
        if self.errors:
            raise self.errors[0]
        if thread_pool._current is not None:
            raise AssertionError("the pool is still taken")


def main() -> None:
    """Run, and print how often each work was done, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--patience", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    # What a shell runs in the background ignores Ctrl-C from the start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    faulthandler.register(signal.SIGUSR1)
    soak = Soak(given.seed)
    soak.run(given.seconds, given.patience)
    print(json.dumps(soak.done))


if __name__ == "__main__":
    sys.exit(main())
