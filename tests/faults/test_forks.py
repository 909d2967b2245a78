"""Forking loader workers while other threads multiply matrices never hangs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CYCLES = int(os.environ.get("EDUTORCH_FORKS", "10"))
PROGRAM = """
import os, threading
import edutorch as torch

def multiply(*shape):
    a = torch.rand(*shape)
    while True:
        a @ a

class Products(torch.utils.data.Dataset):
    def __len__(self):
        return 8
    def __getitem__(self, i):
        return (torch.rand(64, 64) @ torch.rand(64, 64)).sum()

for shape in ((600, 600), (40, 120, 120), (24, 24)):
    threading.Thread(target=multiply, args=shape, daemon=True).start()
for _ in range({cycles}):
    for batch in torch.utils.data.DataLoader(Products(), batch_size=4, num_workers=2,
                                             timeout=60):
        assert batch.shape == (4,)
print("done", torch.get_num_threads() > 1 or os.cpu_count() == 1)
os._exit(0)  # the threads never end
"""


def test_workers_forked_beside_busy_threads_never_hang():
    program = PROGRAM.replace("{cycles}", str(CYCLES))
    env = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
    env["PYTHONPATH"] = str(Path(__file__).parents[2])
    command = [sys.executable, "-u", "-c", program]
    done = subprocess.run(
        command, env=env, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stdout.strip() == "done True", done.stderr[-2000:]


LOCKED = """
import multiprocessing, os
import edutorch as torch
from edutorch import callers
from edutorch.autograd import modes
from edutorch.backends import threads

def work():
    with torch.no_grad(), torch.autocast("cpu"), threads.blas_threads(1):
        print(float(torch.ones(2).sum()), flush=True)

for lock in (modes._lock, callers._lock, threads._limits_lock):
    lock.acquire()  # as another thread may have at this moment
process = multiprocessing.get_context("fork").Process(target=work)
process.start()
process.join(30)
process.kill()
"""


def test_locks_of_other_threads_do_not_hold_a_forked_process():
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", LOCKED], env=env, capture_output=True, text=True,
        timeout=100, check=False,
    )  # fmt: skip
    assert done.stdout.strip() == "2.0", done.stderr[-2000:]


DRAWING = """
import multiprocessing, threading
import edutorch as torch

def draw():
    while True:
        torch.rand(300_000)

for _ in range(2):
    threading.Thread(target=draw, daemon=True).start()
context = multiprocessing.get_context("fork")
codes = []
for i in range(20):
    process = context.Process(target=torch.manual_seed, args=(i,))
    process.start()
    process.join(30)
    process.kill()
    codes.append(process.exitcode)
print(set(codes), flush=True)
import os
os._exit(0)  # the threads never end
"""


def test_processes_forked_beside_threads_that_draw_can_draw():
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", DRAWING], env=env, capture_output=True, text=True,
        timeout=300, check=False,
    )  # fmt: skip
    assert done.stdout.strip() == "{0}", done.stderr[-2000:]
