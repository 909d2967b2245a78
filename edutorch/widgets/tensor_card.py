"""TensorCard: what is this value?"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from types import NoneType
from typing import Any, ClassVar

import traitlets

from .. import events
from ..callers import caller_frame
from ..inspect import GraphRecorder, summarize
from ..inspect.event_fields import OP_NAME, OP_SRC
from ..inspect.frame_tensors import tensors_of
from ..inspect.recorder import NullRecorder
from ..inspect.source_lines import called_at
from ..tensor.tensor import Tensor
from .arguments import check_argument
from .draw_tensor import draw_tensor
from .notebook import current_shell
from .png_file import encode
from .svg import Picture
from .text import tensor_text
from .value_colours import cell_pixels
from .view import View

__all__ = ["TensorCard", "show"]

USERS = 8  # operations that are named


def _hint(value: object) -> str:
    """What to show in place of something that is not a tensor."""
    if hasattr(value, "parameters"):
        return "show one of the module's parameters, such as model.weight"
    return "torch.tensor(x) makes a tensor of numbers or of an array"


class TensorCard(View):
    """One tensor: its elements, statistics, memory, origin and gradient.

    Follows the tensor while it changes in place, as parameters do in training, and
    holds it weakly. At most 4,096 numbers of a slice are shown; of a larger slice,
    every k-th row and column, and the card says so.

    Args:
        tensor: what to look at.
        name: what to call it; by default the variable that holds it.

    Attributes:
        at: a slice that is sent, counted over all dimensions but the last two.

    Raises:
        TypeError: if it is not a tensor.

    Example:
        >>> import edutorch as torch
        >>> w = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(TensorCard(w, "w").text().splitlines()[0])
        w: 2×2 float32 on cpu, 16 B
    """

    kind: ClassVar[str] = "tensor"
    at = traitlets.Int(0).tag(sync=True)

    def __init__(self, tensor: Tensor, name: str | None = None) -> None:
        if not isinstance(tensor, Tensor):
            raise TypeError(
                f"TensorCard(): expected a tensor, got {type(tensor).__name__}\n"
                f"  Hint: {_hint(tensor)}"
            )
        check_argument("TensorCard", "name", name, str, NoneType, of_models=False)
        named = tensors_of(caller_frame())
        own = [key for key, value in named.items() if value is tensor]
        self._name = name if name is not None else (own or [""])[0]
        self._tensor = weakref.ref(tensor)
        self._others = weakref.WeakValueDictionary(named)
        super().__init__(NullRecorder())
        self.observe(lambda _change: self.refresh(), "at")

    def _fetch(self, current: bool) -> dict[str, Any]:
        tensor = self._tensor()
        if tensor is None:
            return self.data
        others = dict(self._others)
        summary = summarize(tensor, self._name, self.at, others)
        return summary | _provenance(tensor) | {"rev": sum(map(hash, self._revision()))}

    def _revision(self) -> Any:
        tensor = self._tensor()
        if tensor is None:
            return (0,)
        gradient = tensor._grad
        version = 0 if gradient is None else gradient._version
        return tensor._version, id(gradient), version, self.at

    def _json_size(self) -> int:
        halves = (self.data["value"], self.data["grad"])
        return 1000 + sum(8 * len(h["grid"]["values"]) for h in halves if h)

    def _frozen_status(self) -> str:
        return "recorded"

    def picture(self, note: str = "") -> Picture:
        """The still picture as shapes."""
        return draw_tensor(self.data, note)

    def png(self) -> bytes | None:
        """The still picture as PNG; without Matplotlib, only the elements."""
        drawn = super().png()
        if drawn is None and self.data["value"]:
            return encode(
                cell_pixels(self.data["value"]["grid"])[0].repeat(8, 0).repeat(8, 1)
            )
        return drawn

    def text(self) -> str:
        """Shape, statistics, memory and origin, one per line."""
        return tensor_text(self.refresh())


def show(tensor: Tensor, name: str | None = None) -> None:
    """Display a `TensorCard`, or print its text outside notebooks.

    Args:
        tensor: what to look at.
        name: what to call it; by default the variable that holds it.

    Example:
        >>> import edutorch as torch
        >>> show(torch.zeros(2), "z")     # doctest: +ELLIPSIS
        z: 2 float32 on cpu, 8 B
        ...
    """
    card = TensorCard(tensor, name)
    if current_shell() is None:
        print(card.text())
        card.close()
    else:
        card._ipython_display_()


def _provenance(tensor: Tensor) -> dict[str, Any]:
    """The op that made a tensor and those that use it, if a GraphView saw them."""
    for recorder in _open_recorders():
        made, users = recorder.operations_on(events.tensor_id(tensor))
        if made is not None or users:
            told = {repr(use): use for use in map(_step_of, users)}  # each line once
            return {
                "made": made and _step_of(made),
                "users": list(told.values())[-USERS:],
            }
    return {"made": None, "users": []}


def _open_recorders() -> Iterator[GraphRecorder]:
    for reference in reversed(View._open_views):
        view = reference()
        if view is not None and isinstance(view._recorder, GraphRecorder):
            yield view._recorder


def _step_of(record: tuple[Any, ...]) -> dict[str, Any]:
    return {"op": record[OP_NAME], "src": called_at(record[OP_SRC])}
