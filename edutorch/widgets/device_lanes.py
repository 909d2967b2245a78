"""DeviceLanes: what is each device doing, and which device waits for which?"""

from __future__ import annotations

import itertools
from typing import Any, ClassVar

from ..inspect import LanesRecorder
from .arguments import check_argument
from .draw_lanes import draw_lanes, lanes_text, lanes_title
from .svg import Picture
from .view import View
from .view_throttle import with_throttle_note

__all__ = ["DeviceLanes"]

_numbers = itertools.count(1)


class DeviceLanes(View):
    """A lane for each device with its ops over time, and transfers between devices.

    Busy is the time in which at least one op ran on the device; idle is the rest.
    Bytes are those of transfers: `.to`, `tensor(..., device=...)`, `item`, `tolist`.
    Memory is what `cuda.memory_allocated` and `cuda.max_memory_allocated` return, and
    for the CPU what storages hold. Times are those of this computer, on which simulated
    GPUs compute; with `simulated`, those of the simulated GPUs' clocks. An optimizer's
    update is shown as one op if its parameters are on one device; otherwise its time
    counts as idle.

    Args:
        simulated: show simulated time, as long as there are simulated GPUs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2), DeviceLanes() as lanes:
        ...     x = torch.ones(256).to("cuda:0").relu().to("cuda:1")
        ...     print([line for line in lanes.text().splitlines() if "->" in line][1])
          cuda:0 -> cuda:1: 1.0 KB in 1
    """

    kind: ClassVar[str] = "lanes"
    _recorder: LanesRecorder

    def __init__(self, simulated: bool = False) -> None:
        check_argument("DeviceLanes", "simulated", simulated, bool)
        name = f"view.lanes.{next(_numbers)}"
        super().__init__(LanesRecorder(name, simulated=bool(simulated)))

    def _fetch(self, current: bool) -> dict[str, Any]:
        return self._recorder.series()

    def _revision(self) -> Any:
        return self._recorder.rev

    def _json_size(self) -> int:
        bars = sum(len(lane["bars"]) for lane in self.data["lanes"])
        return 1000 + 34 * bars + 40 * len(self.data["transfers"])

    def picture(self, note: str = "") -> Picture:
        """The still picture as shapes."""
        return draw_lanes(self.data, note)

    def text(self) -> str:
        """Devices, transfers and phases, one per line."""
        text = lanes_text(self.refresh())
        return with_throttle_note(text, self.data)

    def _title(self) -> str:
        return lanes_title(self.data)
