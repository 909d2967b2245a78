"""What the gate asks of views that few programs have.

`strided.py` and `lazy.py`, which need the gate themselves, put themselves here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tensor.tensor import Tensor

__all__: list[str] = []

replayed: Callable[[Tensor], Tensor]  # a stand-in for a view, with its base's history
run_lazily: Callable[..., Any]  # run_lazily(op, tensor): a view of a lazy view
