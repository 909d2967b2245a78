"""Lanes in simulated time: the activity of simulated GPUs on their own clocks.

The host's lane shows its launches; while it waits for a GPU, it is idle.
"""

from __future__ import annotations

import copy
from collections import deque
from typing import Any

from .lane_data import Transfer, lanes_data
from .lane_times import NOWHERE, Bar

__all__ = ["simulated_lanes"]


def simulated_lanes(collected: Any, gpus: Any, since: float) -> dict[str, Any]:
    """The data of a recorder, with bars and copies timed by the simulated clocks.

    Args:
        gpus: the simulated GPUs.
        since: the simulated time, in seconds, at which the recorder began.
    """
    shown = copy.copy(collected)
    shown.bars, shown.transfers = deque(), deque()
    shown.past_times, shown.dropped = {}, 0
    shown.spans, shown.steps, shown.full = deque(), deque(), deque()
    shown.open_spans = list
    shown.begun = _ns(since)
    for index, clock in enumerate(gpus.clocks):
        for job in clock.jobs:
            if job.given > since:
                _add(shown, f"cuda:{index}", job, gpus.model.launch)
    ends = [bar.end for bar in (*shown.bars, *shown.transfers)]
    shown.until = max(ends, default=shown.begun)
    data = lanes_data(shown)
    data["clock"] = (
        f"Times are simulated (cost model {gpus.model.name}); the CPU's are its "
        "launches."
    )
    return data


def _add(shown: Any, device: str, job: Any, launch: float) -> None:
    """Add a job and its launch by the host."""
    begin, end = _ns(job.begin), _ns(job.end)
    given = Bar(
        _ns(job.given - launch), _ns(job.given), "cpu", f"launch {job.name}",
        NOWHERE, "launch", 0, "",
    )  # fmt: skip
    shown.bars.append(given)
    if job.unit == "compute":
        phase = "optim" if job.name == "optimizer.step" else job.phase
        bar = Bar(begin, end, device, job.name, NOWHERE, phase, job.stream, "")
        shown.bars.append(bar)
        return
    target = job.name.rpartition(" ")[2]
    source = "cpu" if job.unit == "in" else device
    shown.transfers.append(Transfer(begin, end, source, target, job.nbytes, "copy"))


def _ns(seconds: float) -> int:
    return round(seconds * 1e9)
