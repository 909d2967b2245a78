"""GradientView: where does the gradient vanish or explode, and since when?"""

from __future__ import annotations

import itertools
from typing import Any, ClassVar

from ..inspect import GradientRecorder, Rules
from .draw_gradients import colours, draw_gradients
from .png import heatmap
from .svg import Picture
from .text import gradients_text
from .view import View
from .view_throttle import with_throttle_note

__all__ = ["GradientView"]

_numbers = itertools.count(1)


class GradientView(View):
    """The gradient norm of each layer over the training steps, with marks.

    A training step ends when each optimizer has stepped; norms are those that it used.

    Args:
        model: the module whose parameters are watched; held weakly. By default all
            that the program calls.
        vanishing: norms below this are marked.
        exploding: norms above this are marked.
        jump: norms above this many times the layer's usual one are marked;
            0 switches that off.
    """

    kind: ClassVar[str] = "gradient"
    _recorder: GradientRecorder

    def __init__(
        self,
        model: Any = None,
        vanishing: float = 1e-7,
        exploding: float = 1e4,
        jump: float = 100.0,
    ) -> None:
        rules = Rules(vanishing, exploding, jump)
        name = f"view.gradients.{next(_numbers)}"
        super().__init__(GradientRecorder(model, name, rules, called=model is None))

    def _fetch(self, current: bool) -> dict[str, Any]:
        return self._recorder.series()

    def _revision(self) -> Any:
        return self._recorder.rev

    def _json_size(self) -> int:
        return 10 * len(self.data["layers"]) * len(self.data["steps"])

    def _frozen_status(self) -> str:
        steps = self.data.get("steps") or [0]
        return f"recorded at step {steps[-1]}"

    def picture(self, note: str = "") -> Picture:
        """The still picture as shapes."""
        return draw_gradients(self.data, note)

    def png(self) -> bytes | None:
        """The still picture as PNG; without Matplotlib, only the heat map."""
        return super().png() or heatmap(colours(self.data))

    def text(self) -> str:
        """The norms as a table with their history and marks."""
        text = gradients_text(self.refresh())
        return with_throttle_note(text, self.data)
