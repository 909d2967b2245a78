"""The nodes of margin losses that PyTorch does not compose of ops."""

from __future__ import annotations

from typing import Any

from ...autograd.dispatch import Op
from ...backends import array_module
from ...tensor.tensor import Tensor, wrap
from ..index import gather
from ..pointwise import where
from ..reduce import sum

__all__ = ["MultiMarginLoss", "MultilabelMarginLoss"]


class MultiMarginLoss(Op):
    """The node of `multi_margin_loss`.

    Math: L = mean_i Σ_(j ≠ t) w[t] max(0, m_j)^p / C, m_j = margin − x_t + x_j
          ∂L/∂x_j = g w[t] p m_j^(p−1) / C where m_j > 0, else 0; over N for the mean
          ∂L/∂x_t = −Σ_(j≠t) ∂L/∂x_j
    Shape: (N, C) -> (), or (N) with reduction "none"; N may be absent
    """

    attributes = ("p", "margin", "reduction")
    saves = (0,)

    def __init__(
        self, p: int, margin: float, reduction: str, target: Tensor, weight: Any
    ) -> None:
        self.p, self.margin, self.reduction = p, margin, reduction
        self.target, self.weight = target, weight

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        scores = x if isinstance(x, Tensor) else wrap(x, self.device)
        total = g if isinstance(g, Tensor) else wrap(g, self.device)
        gradient = self._gradient(
            total, scores.reshape((-1, scores.shape[-1]) if x.ndim else (1, 1))
        )
        gradient = gradient.reshape(x.shape)
        return gradient if isinstance(g, Tensor) else gradient._data

    def _gradient(self, g: Tensor, x: Tensor) -> Tensor:
        n, width = x.shape
        t = self.target.reshape((-1, 1))
        gaps = self.margin - gather(x, 1, t) + x
        slopes = where(gaps > 0, gaps * 2 if self.p == 2 else 1.0, 0.0).to(x.dtype)
        if self.weight is not None:
            slopes = slopes * self.weight[t]
        classes = wrap(array_module(t._data).arange(width), t._device)
        count = width * n if self.reduction == "mean" else width
        share = g.reshape((-1, 1)) if self.reduction == "none" else g
        others = where(classes == t, 0.0, slopes) / count * share
        gradient: Tensor = where(classes == t, -sum(others, (1,), keepdim=True), others)
        return gradient


class MultilabelMarginLoss(Op):
    """The node of `multilabel_margin_loss`.

    Math: L = mean_i Σ_(k target) Σ_(j no target) max(0, 1 − (x_k − x_j)) / C
          for each term above 0: ∂L/∂x_j += g / C, ∂L/∂x_k −= g / C; over N for the mean
    Shape: (N, C) -> (), or (N) with reduction "none"; N may be absent
    """

    attributes = ("reduction",)
    saves = (0,)

    def __init__(self, reduction: str, times: Any) -> None:
        self.reduction, self.times = reduction, times

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        slopes = self._slopes(x._data if isinstance(x, Tensor) else x)
        if isinstance(g, Tensor):
            slopes = wrap(slopes, self.device)
        share = g.reshape((-1, 1)) if self.reduction == "none" else g
        return (share * slopes).reshape(x.shape)

    def _slopes(self, x: Any) -> Any:
        """∂L/∂x, which does not depend on x but for which terms are above 0."""
        rows = x.reshape(self.times.shape)
        pairs = (self.times[:, :, None] > 0) & (self.times[:, None, :] == 0)
        above = pairs & (1 - rows[:, :, None] + rows[:, None, :] > 0)
        terms = above * self.times[:, :, None]
        n, width = rows.shape
        count = n * width if self.reduction == "mean" else width
        return ((terms.sum(1) - terms.sum(2)) / count).astype(x.dtype)
