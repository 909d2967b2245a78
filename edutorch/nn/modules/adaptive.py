"""Adaptive softmax over many classes; rare ones are evaluated only when needed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ...ops import cat
from ...tensor.tensor import Tensor
from .. import functional as F
from .container import ModuleList, Sequential
from .linear import Linear
from .module import Module

__all__ = ["AdaptiveLogSoftmaxWithLoss"]


class _ASMoutput(NamedTuple):
    """Log probabilities of the targets, and the mean loss."""

    output: Tensor
    loss: Tensor


class AdaptiveLogSoftmaxWithLoss(Module):
    """Log probabilities of many classes, sorted by frequency.

    The head knows the frequent classes and one entry for each cluster of rare ones;
    a cluster is computed, with a smaller projection, where a target lies in it.

    Math: log p(t) = log p_head(t), or log p_head(cluster) + log p_cluster(t)
          loss = −mean log p(target)
          gradients: those of `log_softmax` in the head and in the targets' clusters
    Shape: (N, in_features), (N) -> (N), (); or (in_features), () -> (), ()
    Reference: Grave, Joulin, Cissé, Grangier and Jégou, 2017.

    Args:
        in_features: size of each input.
        n_classes: how many classes there are.
        cutoffs: where clusters begin, rising.
        div_value: how much smaller each next projection is.
        head_bias: whether the head has a bias.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.AdaptiveLogSoftmaxWithLoss(8, 10, [3, 6], div_value=2)
        >>> m.log_prob(torch.zeros(2, 8)).exp().sum(1)
        tensor([1.0000, 1.0000], grad_fn=<SumBackward1>)
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        _check_cutoffs(cutoffs, n_classes)
        self.in_features, self.n_classes = in_features, n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value, self.head_bias = div_value, head_bias
        self.shortlist_size = cutoffs[0]
        self.n_clusters = len(cutoffs)
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, head_bias, device, dtype)
        self.tail = ModuleList()
        for i, (start, stop) in enumerate(pairwise(self.cutoffs), 1):
            size = int(in_features // div_value**i)
            down = Linear(in_features, size, False, device, dtype)
            up = Linear(size, stop - start, False, device, dtype)
            self.tail.append(Sequential(down, up))

    def reset_parameters(self) -> None:
        """Reinitialise all weights."""
        self.head.reset_parameters()
        for down, up in self.tail:
            down.reset_parameters()
            up.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> _ASMoutput:
        """Log probability of each target, and the mean loss."""
        _check_target(input_, target_)
        single = target_.ndim == 0
        x = input_.unsqueeze(0) if single else input_
        target = target_.unsqueeze(0) if single else target_
        found = (target >= 0) & (target < self.n_classes)
        if not bool(found.all()):
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in "
                f"range [{target.min().item()}, {target.max().item()}] were found. "
            )
        head = F.log_softmax(self.head(x), dim=1)
        entry = target.clone()  # index into the head: the class, or its cluster
        output = x.new_zeros(len(x))
        for i, (start, stop) in enumerate(pairwise(self.cutoffs)):
            inside = (target >= start) & (target < stop)
            rows = inside.nonzero().squeeze(1)
            if rows.numel():
                entry[rows] = self.shortlist_size + i
                own = F.log_softmax(self.tail[i](x.index_select(0, rows)), dim=1)
                chosen = (target[rows] - start).unsqueeze(1)
                output.index_copy_(0, rows, own.gather(1, chosen).squeeze(1))
        output += head.gather(1, entry.unsqueeze(1)).squeeze()
        loss = (-output).mean()
        return _ASMoutput(output.squeeze(0) if single else output, loss)

    def log_prob(self, input: Tensor) -> Tensor:
        """Log probabilities of all classes: (N, n_classes)."""
        return self._log_prob(input, self.head(input))

    def _log_prob(self, input: Tensor, head: Tensor) -> Tensor:
        probabilities = F.log_softmax(head, dim=1)
        n = self.shortlist_size
        parts = [probabilities[:, :n]]
        for i, cluster in enumerate(self.tail):
            own = F.log_softmax(cluster(input), dim=1)
            parts.append(own + probabilities[:, n + i].unsqueeze(1))
        return cat(parts, 1)

    def predict(self, input: Tensor) -> Tensor:
        """The most probable class of each input; clusters are evaluated if needed."""
        head = self.head(input)
        best = head.argmax(1)
        rare = best >= self.shortlist_size
        if bool(rare.any()):
            best[rare] = self._log_prob(input[rare], head[rare]).argmax(1)
        return best


def _check_cutoffs(cutoffs: list[int], n_classes: int) -> None:
    if not cutoffs:
        raise ValueError("cutoffs should be a sequence of length larger than 0")
    rising = all(a < b for a, b in pairwise(cutoffs))
    integral = all(int(c) == c for c in cutoffs)
    if not (rising and integral and cutoffs[0] > 0 and cutoffs[-1] < n_classes):
        raise ValueError(
            "cutoffs should be a sequence of unique, positive integers sorted in an "
            "increasing order, where each value is between 1 and n_classes-1"
        )


def _check_target(x: Tensor, target: Tensor) -> None:
    if target.ndim > 1:
        raise RuntimeError(
            "0D or 1D target tensor expected, multi-target not supported"
        )
    if target.ndim == 1 and x.shape[0] != target.shape[0]:
        raise RuntimeError(
            "Input and target should have the same size in the batch dimension."
        )
    if x.ndim != target.ndim + 1:
        raise RuntimeError(
            f"{target.ndim}D target tensor expects {target.ndim + 1}D input tensors, "
            f"but found inputs with size {x.shape}"
        )
