"""The memory statistics of a GPU as a table."""

from __future__ import annotations

import edutorch as torch

HEAD = (
    "|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |",
    "| Allocated memory      |   1024 B   |   1024 B   |   1024 B   |      0 B   |",
    "|       from large pool |      0 B   |      0 B   |      0 B   |      0 B   |",
    "| GPU reserved memory   |   2048 KiB |   2048 KiB |   2048 KiB |      0 B   |",
    "| Allocations           |       2    |       2    |       2    |       0    |",
    "| Oversize GPU segments |       0    |       0    |       0    |       0    |",
)


def test_summary_is_laid_out_as_pytorchs():
    with torch.cuda.simulate(devices=1):
        kept = [torch.ones(100, device="cuda") for _ in range(2)]
        summary = torch.cuda.memory_summary()
        short = torch.cuda.memory_summary(abbreviated=True)
        del kept
    lines = summary.splitlines()
    assert "(simulated)" in lines[1]
    assert {len(line) for line in lines} == {77}
    assert [line for line in HEAD if line not in lines] == []
    assert "large pool" not in short
