"""A program of several ranks in which something goes wrong on the last one.

    python failing_program.py FOLDER WHAT [SECONDS]

Every rank that gets an error writes it down.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path

import edutorch as torch
from edutorch import distributed as dist

FOLDER, WHAT = Path(sys.argv[1]), sys.argv[2]
# Ranks also start within the limit: on a busy machine one of them seconds later.
LIMIT = 6.0 if WHAT == "hang" else 60.0
last = int(os.environ["RANK"]) == int(os.environ["WORLD_SIZE"]) - 1


def kill_soon(seconds):
    """Kill this process from another thread, wherever it is then."""

    def kill():
        (FOLDER / "killed").write_text("")
        os.kill(os.getpid(), signal.SIGKILL)

    timer = threading.Timer(seconds, kill)
    timer.daemon = True
    timer.start()


def work():
    """Collectives of all kinds and sizes, for ever."""
    rank, size = dist.get_rank(), dist.get_world_size()
    small, large = torch.ones(3), torch.ones(300_000)
    while True:
        dist.all_reduce(small)
        dist.all_reduce(large)
        small.fill_(1.0)
        large.fill_(1.0)
        dist.broadcast(large, size - 1)
        requests = [dist.isend(large, (rank + 1) % size),
                    dist.irecv(torch.empty(300_000), (rank - 1) % size)]  # fmt: skip
        for request in requests:
            request.wait()
        dist.all_gather_object([None] * size, rank)
        dist.barrier()


def send_too_much():
    """Send more than the receiver has room for."""
    other = torch.ones(5 if last else 3)
    if last:
        dist.send(other, 0)
    elif dist.get_rank() == 0:
        dist.recv(other, dist.get_world_size() - 1)


def go_wrong():
    if WHAT == "kill":
        if last:
            kill_soon(float(sys.argv[3]))
        dist.init_process_group("gloo", timeout=timedelta(seconds=20))
        work()
    dist.init_process_group("gloo", timeout=timedelta(seconds=LIMIT))
    dist.barrier()
    if WHAT == "raise" and last:
        raise ValueError("no such file: data.csv")
    if WHAT == "hang" and last:
        time.sleep(2 * LIMIT)
    if WHAT == "end" and last:
        sys.exit(0)
    shape = (4 if WHAT == "shapes" and last else 3,)
    dtype = torch.float64 if WHAT == "dtypes" and last else torch.float32
    x = torch.ones(shape, dtype=dtype)
    if WHAT == "other" and last:
        dist.broadcast(x, 0)
    if WHAT == "lists":
        size = 4 if last else 3
        every = [torch.ones(size) for _ in range(dist.get_world_size())]
        dist.all_gather(every, torch.ones(size))
    if WHAT == "barrier":
        if not last:
            dist.monitored_barrier(timeout=timedelta(seconds=3), wait_all_ranks=True)
        time.sleep(5)
    if WHAT == "message":
        send_too_much()
    dist.all_reduce(x)


started = time.monotonic()
try:
    go_wrong()
except Exception as error:
    told = {"type": type(error).__name__, "text": str(error),
            "seconds": time.monotonic() - started}  # fmt: skip
    Path(FOLDER, f"error{os.environ['RANK']}.json").write_text(json.dumps(told))
    raise
