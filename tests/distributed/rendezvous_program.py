"""A program of two ranks that meet in different ways: `rendezvous_program.py HOW [spawn]`."""

from __future__ import annotations

import os
import sys

import edutorch as torch
from edutorch import distributed as dist
from edutorch import multiprocessing


def check():
    x = torch.full((2,), float(dist.get_rank()))
    dist.all_reduce(x)
    if x.tolist() != [1.0, 1.0]:
        raise AssertionError(x)
    dist.barrier()


def meet(rank, how):
    if how in {"env", "again", "mpiexec"}:
        dist.init_process_group("gloo")
    else:
        dist.init_process_group("gloo", how, rank=rank, world_size=2)
    check()
    dist.destroy_process_group()
    if how == "again":
        dist.init_process_group("gloo")
        check()
        dist.destroy_process_group()
    if how == "mpiexec":
        # One write for text and newline: ranks that print at once share a pipe.
        sys.stdout.write("1.0\n")
        sys.stdout.flush()


if __name__ == "__main__":
    if "spawn" in sys.argv:
        multiprocessing.spawn(meet, args=(sys.argv[1],), nprocs=2)
    else:
        meet(int(os.environ.get("RANK", "-1")), sys.argv[1])
