"""MemoryTree: who owns the bytes, now and at the peak?"""

from __future__ import annotations

import itertools
from types import NoneType
from typing import Any, ClassVar, Self

import traitlets

from ..devices import device as device_type
from ..inspect import MemoryTreeRecorder, Recording
from .arguments import check_argument
from .draw_memory_tree import (
    draw_memory_tree,
    memory_tree_text,
    memory_tree_title,
)
from .svg import Picture
from .view import View
from .view_throttle import with_throttle_note

__all__ = ["MemoryTree"]

_numbers = itertools.count(1)


class MemoryTree(View):
    """Bytes by module, category, source line and tensor, as a treemap and a table.

    It shows one moment (now, the peak, the end of a training step, or a mark), or the
    difference between two, and counts the same memory as `MemoryView`. A module owns
    its parameters, their gradients, the optimizer's state for them, and the tensors
    that its calls created.

    Args:
        device: the device to show first, such as "cpu" or "cuda:0"; by default the GPU
            that holds most bytes, or else the CPU. The page can choose another one.

    Example:
        >>> import edutorch as torch
        >>> model = torch.nn.Linear(256, 4, bias=False)
        >>> with MemoryTree("cpu") as memory:
        ...     y = model(torch.ones(64, 256))
        ...     print(memory.text())     # doctest: +ELLIPSIS
        Memory by owner on cpu (tensors on the CPU): 69.0 KB now, peak 69.0 KB
          at the peak, by module:
              64.0 KB   93%  outside modules
                64.0 KB   93%  input 64×256 float32
               5.0 KB    7%  Linear
                 4.0 KB    6%  weight 4×256 float32
        ...
    """

    kind: ClassVar[str] = "memory_tree"
    _recorder: MemoryTreeRecorder
    marked = traitlets.Int(0).tag(sync=True)  # how often the page's button was pressed

    def __init__(self, device: Any = None) -> None:
        check_argument("MemoryTree", "device", device, str, int, device_type, NoneType)
        self._device = None if device is None else str(device)
        super().__init__(MemoryTreeRecorder(f"view.memory_tree.{next(_numbers)}"))
        self.observe(self._button_pressed, "marked")

    @classmethod
    def of(cls, recording: Recording, device: Any = None) -> Self:
        """Show a recording made by `edutorch.inspect.record`.

        Args:
            recording: of its records, those that it still holds.
            device: as in the class.

        Example:
            >>> import edutorch as torch
            >>> with torch.inspect.record() as recording:
            ...     y = torch.ones(256) + 1
            >>> MemoryTree.of(recording).data["rows"][0]["bytes"][0]
            1024
        """
        name = None if device is None else str(device)
        return cls.recorded(recording.memory_tree(name))

    def mark(self, name: str = "") -> None:
        """Store the current allocations as a moment to show and compare.

        Args:
            name: of the moment; the newest four are kept. `edutorch.events.mark` marks
                one in all views.

        Example:
            >>> import edutorch as torch
            >>> with MemoryTree() as memory:
            ...     memory.mark("before")
            ...     memory.refresh()["moments"][-1]["name"]
            'before'
        """
        if not self.frozen:
            self._recorder.mark(name or f"mark {self.marked + 1}")

    def _button_pressed(self, change: Any) -> None:
        if not self.frozen:
            self._recorder.mark(f"mark {change['new']}")
            self.tick()

    def _fetch(self, current: bool) -> dict[str, Any]:
        return self._recorder.series(self._device)

    def _revision(self) -> Any:
        return self._recorder.rev

    def _json_size(self) -> int:
        data = self.data
        return 1000 + len(data["rows"]) * (110 + 8 * len(data["moments"]))

    def picture(self, note: str = "") -> Picture:
        """The still picture as shapes."""
        return draw_memory_tree(self.data, note)

    def text(self) -> str:
        """The peak by module, category, line and tensor, and totals at each moment."""
        text = memory_tree_text(self.refresh())
        return with_throttle_note(text, self.data)

    def _title(self) -> str:
        return memory_tree_title(self.data)
