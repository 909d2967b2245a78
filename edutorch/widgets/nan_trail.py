"""NaNTrail: which op first made a nan or infinity, and how did it reach the loss?"""

from __future__ import annotations

import itertools
from typing import Any, ClassVar

from ..inspect import NanTrailRecorder
from .arguments import check_argument
from .draw_nan_trail import draw_nan_trail, nan_trail_text, nan_trail_title
from .svg import Picture
from .view import View
from .view_throttle import with_throttle_note

__all__ = ["NaNTrail"]

_numbers = itertools.count(1)


class NaNTrail(View):
    """The op that first made a non-finite value, and its path to the loss.

    While the view is open, all elements of every value and gradient are checked. A nan
    is reported at once; an infinity, once a nan results from it, or once it reaches the
    loss or the gradient of a leaf: a score that a mask has set to -inf is not reported.
    The first finding stays; the next cell of a notebook searches again.

    Args:
        stop: raise a `NonFiniteError`, which is a RuntimeError like that of anomaly
            detection, in the responsible line.

    Raises:
        NonFiniteError: with `stop`, from the responsible op or backward pass.

    Example:
        >>> import edutorch as torch
        >>> with NaNTrail() as trail:
        ...     y = torch.tensor([-1.0, 4.0]).log().sum()
        ...     print(trail.text().splitlines()[0])
        NaNTrail: step 0: log made 1 nan of 2 values out of finite values
    """

    kind: ClassVar[str] = "nan"
    _recorder: NanTrailRecorder

    def __init__(self, stop: bool = False) -> None:
        check_argument("NaNTrail", "stop", stop, bool)
        super().__init__(NanTrailRecorder(stop, f"view.nan_trail.{next(_numbers)}"))

    def cell_began(self) -> None:
        """Search again; the last finding is shown until a value has been checked."""
        self._recorder.again()

    def _fetch(self, current: bool) -> dict[str, Any]:
        data, words = self._recorder.series(), self._throttle.note()
        words += " and the loss of all" if words.startswith("watching") else ""
        words = "; ".join(filter(None, (words, data["noticed"])))
        return data | {"pace": words} if words else data

    def _revision(self) -> Any:
        return self._recorder.rev

    def _json_size(self) -> int:
        finding = self.data["finding"]
        return 200 + (600 * len(finding["trail"]) if finding else 0)

    def _frozen_status(self) -> str:
        return f"recorded at step {self.data.get('step', 0)}"

    def picture(self, note: str = "") -> Picture:
        """The still picture as shapes."""
        return draw_nan_trail(self.data, note)

    def text(self) -> str:
        """The trail as a list: op, counts, ranges of operands, line."""
        text = nan_trail_text(self.refresh())
        return with_throttle_note(text, self.data)

    def _title(self) -> str:
        return nan_trail_title(self.data)
