"""MemoryView: what fills the memory, and when does it peak?"""

from __future__ import annotations

import itertools
from types import NoneType
from typing import Any, ClassVar

from ..devices import device as device_type
from ..inspect import MemoryRecorder
from .arguments import check_argument
from .draw_memory import draw_memory
from .svg import Picture
from .text import memory_text
from .view import View
from .view_throttle import with_throttle_note

__all__ = ["MemoryView"]

_numbers = itertools.count(1)


class MemoryView(View):
    """Bytes by category over time: parameters, gradients, activations ...

    Works for storages on the CPU, for simulated GPUs and for real ones, and
    says which. What the optimizers in use hold counts from the beginning, other memory
    from the first operation or module that sees it; the values that an operation
    computes for its backward alone, such as the mask of a dropout, do not count. See
    `edutorch.inspect.MemoryRecorder`.

    Args:
        device: such as "cpu" or "cuda:0"; by default the GPU that holds most
            bytes, or else the CPU.

    Example:
        >>> import edutorch as torch
        >>> with MemoryView("cpu") as memory:
        ...     x = torch.ones(256)
        ...     y = x * 2
        ...     print(memory.text().splitlines()[0])
        Memory of cpu (tensors on the CPU): 2.0 KB now, peak 2.0 KB
    """

    kind: ClassVar[str] = "memory"
    _recorder: MemoryRecorder

    def __init__(self, device: Any = None) -> None:
        check_argument("MemoryView", "device", device, str, int, device_type, NoneType)
        self._device = None if device is None else str(device)
        super().__init__(MemoryRecorder(f"view.memory.{next(_numbers)}"))

    def _fetch(self, current: bool) -> dict[str, Any]:
        return self._recorder.series(self._device)

    def _revision(self) -> Any:
        return self._recorder.rev

    def _json_size(self) -> int:
        return 50 * len(self.data["t"])

    def picture(self, note: str = "") -> Picture:
        """The still picture as shapes."""
        return draw_memory(self.data, note)

    def text(self) -> str:
        """The bytes of each category, current and at the peak."""
        text = memory_text(self.refresh())
        return with_throttle_note(text, self.data)
