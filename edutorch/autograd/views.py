"""What dispatch needs for views that few programs have.

`view_history.py` and `conj_neg_views.py`, which import dispatch, set these names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tensor.tensor import Tensor

__all__: list[str] = []

replayed: Callable[[Tensor], Tensor]  # a stand-in for a view, with its base's history
run_lazily: Callable[..., Any]  # run_lazily(op, tensor): a view of a lazy view
